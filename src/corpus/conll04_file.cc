// Apart from the reader, so that a fuzzer of the reader needs no zlib.
#include "corpus/conll04.h"
#include "corpus/gzip.h"

namespace entente {

std::vector<Conll04Sentence> read_conll04(const std::string& path) {
  CorpusFile file(path);
  Conll04Reader reader(file);
  std::vector<Conll04Sentence> out;
  for (Conll04Sentence s; reader.read(s);) out.push_back(s);
  return out;
}

}  // namespace entente
