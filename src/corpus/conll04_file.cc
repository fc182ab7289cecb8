// Apart from the reader, so that a fuzzer of the reader needs no zlib.
#include <algorithm>
#include <iterator>

#include "corpus/conll04.h"
#include "corpus/gzip.h"
#include "entente/error.h"

namespace entente {

std::vector<Conll04Sentence> read_conll04(const std::string& path) {
  CorpusFile file(path);
  Conll04Reader reader(file);
  std::vector<Conll04Sentence> out;
  for (Conll04Sentence s; reader.read(s);) out.push_back(s);
  return out;
}

std::vector<Conll04Sentence> read_all_conll04(const std::vector<std::string>& paths) {
  std::vector<Conll04Sentence> out;
  for (const std::string& path : paths) {
    std::vector<Conll04Sentence> part = read_conll04(path);
    if (part.empty()) throw Error("expected sentences, found none", {.file = path});
    std::move(part.begin(), part.end(), std::back_inserter(out));
  }
  return out;
}

}  // namespace entente
