#include "corpus/readers.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "corpus/conll04_document.h"
#include "corpus/conllu.h"
#include "corpus/layers/ccg/auto.h"
#include "corpus/layers/constituency/brackets.h"
#include "corpus/layers/constituency/view.h"
#include "corpus/propbank/document.h"
#include "corpus/text_reader.h"
#include "corpus/utf8.h"
#include "entente/error.h"

namespace entente {

namespace {

constexpr std::size_t kBatch = 32;  // sentences of a corpus that are one piece

class ParagraphReader : public DocumentReader {
 public:
  ParagraphReader(LineSource& source, const ReaderOptions& options)
      : reader_(source, TextOptions{.lenient = options.lenient}) {}
  bool read(Document& document) override { return reader_.read(document); }

 private:
  TextReader reader_;
};

// A text a line, answered as it comes.
class LineReader : public DocumentReader {
 public:
  LineReader(LineSource& source, const ReaderOptions& options)
      : source_(source), options_(options) {}
  bool read(Document& document) override {
    while (true) {
      document = {};
      if (!source_.read_line(document.text)) return false;
      const auto bytes = static_cast<std::int64_t>(document.text.size()) + 1;
      if (characters_ == 0 && document.text.starts_with("\xEF\xBB\xBF")) {
        document.text.erase(0, 3);
        characters_ = 1;
      }
      const bool carriage = document.text.ends_with('\r');
      if (carriage) document.text.pop_back();
      if (!is_utf8(document.text)) {
        if (!options_.lenient) check_utf8(document.text, source_.place(0), bytes_);
        document.text = replace_invalid_utf8(document.text);
      }
      document.characters_before = characters_;
      bytes_ += bytes;
      characters_ += count_characters(document.text) + 1 + (carriage ? 1 : 0);
      if (document.text.find_first_not_of(" \t\f\v") == std::string::npos) continue;
      document.text += '\n';
      return true;
    }
  }

 private:
  LineSource& source_;
  ReaderOptions options_;
  std::int64_t bytes_ = 0, characters_ = 0;  // before the line
};

// A sentence a line, its tokens between spaces.
class TokenLines : public DocumentReader {
 public:
  TokenLines(LineSource& source, const ReaderOptions& options) : lines_(source, options) {}
  bool read(Document& document) override {
    if (!lines_.read(document)) return false;
    Sentence& s = document.sentences.emplace_back();
    const std::string_view text = document.text;
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t begin = text.find_first_not_of(" \t\n\f\v", i);
      if (begin == std::string_view::npos) break;
      const std::size_t end = std::min(text.find_first_of(" \t\n\f\v", begin), text.size());
      const int word = s.size();
      s.tokens.push_back({.first = word,
                          .last = word,
                          .begin = static_cast<std::int64_t>(begin),
                          .end = static_cast<std::int64_t>(end)});
      s.words.push_back({.form = std::string(text.substr(begin, end - begin))});
      i = end;
    }
    s.begin = s.tokens.front().begin;
    s.end = s.tokens.back().end;
    s.comments.push_back("# text = " +
                         std::string(text.substr(static_cast<std::size_t>(s.begin),
                                                 static_cast<std::size_t>(s.end - s.begin))));
    return true;
  }

 private:
  LineReader lines_;
};

class ConlluDocuments : public DocumentReader {
 public:
  ConlluDocuments(LineSource& source, const ReaderOptions& options)
      : reader_(source, ConlluOptions{.lenient = options.lenient}) {}
  bool read(Document& document) override {
    document = {};
    for (Sentence s; document.sentences.size() < kBatch && reader_.read(s);) {
      document.sentences.push_back(std::move(s));
    }
    return !document.sentences.empty();
  }

 private:
  ConlluReader reader_;
};

class Conll04Documents : public DocumentReader {
 public:
  Conll04Documents(LineSource& source, const ReaderOptions& /*options*/) : reader_(source) {}
  bool read(Document& document) override {
    document = {};
    for (Conll04Sentence s; document.sentences.size() < kBatch && reader_.read(s);) {
      read_conll04_sentence(s, document.sentences.emplace_back());
    }
    return !document.sentences.empty();
  }

 private:
  Conll04Reader reader_;
};

class AutoDocuments : public DocumentReader {
 public:
  AutoDocuments(LineSource& source, const ReaderOptions& /*options*/) : source_(source) {}
  bool read(Document& document) override {
    document = {};
    for (std::string line; document.sentences.size() < kBatch && source_.read_line(line);) {
      if (line.empty()) continue;
      if (line.starts_with("ID=")) {
        id_ = line.substr(3, line.find(' ') - 3);
        continue;
      }
      try {
        read_auto(line, table_, document.sentences.emplace_back());
      } catch (const Error& e) {
        throw e.at(source_.place(e.place().column));
      }
      if (!id_.empty()) document.sentences.back().comments.push_back("# sent_id = " + id_);
      id_.clear();
    }
    return !document.sentences.empty();
  }

 private:
  LineSource& source_;
  ccg::CategoryTable table_;
  std::string id_;
};

// The trees of the file are not kept: those to come are another's.
class BracketDocuments : public DocumentReader {
 public:
  BracketDocuments(LineSource& source, const ReaderOptions& /*options*/) : reader_(source, {}) {}
  bool read(Document& document) override {
    document = {};
    for (PhraseTree t; document.sentences.size() < kBatch && reader_.read(t);) {
      Sentence& sentence = document.sentences.emplace_back();
      sentence_of(std::move(t), sentence);
      for (Word& word : sentence.words) word.xpos = "_";
      sentence.trees.clear();
    }
    return !document.sentences.empty();
  }

 private:
  BracketReader reader_;
};

class PropbankDocuments : public DocumentReader {
 public:
  PropbankDocuments(LineSource& source, const ReaderOptions& /*options*/) : reader_(source) {}
  bool read(Document& document) override {
    document = {};
    for (propbank::PropSentence s; document.sentences.size() < kBatch && reader_.read(s);) {
      propbank::to_document(s, document.sentences.emplace_back());
    }
    return !document.sentences.empty();
  }

 private:
  propbank::Reader reader_;
};

template <typename Reader>
std::unique_ptr<DocumentReader> reader(LineSource& source, const ReaderOptions& options) {
  return std::make_unique<Reader>(source, options);
}

std::int64_t tabs(std::string_view line) { return std::count(line.begin(), line.end(), '\t'); }

bool like_conllu(std::string_view line) { return line.starts_with("# ") || tabs(line) == 9; }
bool like_brackets(std::string_view line) {
  return line.starts_with("(TOP (") || line.starts_with("(ROOT (") || line.starts_with("( (S");
}
bool like_conll04(std::string_view line) { return tabs(line) == 8; }
bool like_auto(std::string_view line) {
  return line.starts_with("ID=") || line.starts_with("(<T ") || line.starts_with("(<L ");
}

}  // namespace

bool InputFormat::has_tokens() const {
  return std::find(brings.begin(), brings.end(), "tokens") != brings.end();
}

const std::vector<InputFormat>& input_formats() {
  // clang-format off
  static const std::vector<InputFormat> all = {
      {"text", "raw text, paragraphs between blank lines", {".txt"}, {}, nullptr, reader<ParagraphReader>},
      {"lines", "raw text, a sentence a line", {}, {}, nullptr, reader<LineReader>, true},
      {"paragraphs", "raw text, a paragraph a line", {}, {}, nullptr, reader<LineReader>},
      {"tokens", "a sentence a line, its tokens between spaces", {}, {"tokens"}, nullptr, reader<TokenLines>},
      {"conllu", "CoNLL-U or CoNLL-X", {".conllu", ".conll"}, {"tokens"}, like_conllu, reader<ConlluDocuments>},
      {"conll04", "rows of entities and relations", {".tsv"}, {"tokens", "tags", "entities"}, like_conll04,
       reader<Conll04Documents>},
      {"propbank",
       "columns with trees and roles",
       {".prop"},
       {"tokens", "tags", "lemmas", "dependency"},
       nullptr,
       reader<PropbankDocuments>},
      {"bracket",
       "trees in brackets, for their words",
       {".mrg", ".bracket"},
       {"tokens"},
       like_brackets,
       reader<BracketDocuments>},
      {"auto", "CCG derivations", {".auto"}, {"tokens"}, like_auto, reader<AutoDocuments>},
  };
  // clang-format on
  return all;
}

std::string input_format_names() {
  std::string out;
  for (const InputFormat& f : input_formats()) {
    out += (out.empty() ? "" : ", ") + std::string(f.name);
  }
  return out;
}

const InputFormat& find_input_format(std::string_view name) {
  Nearest nearest(name);
  for (const InputFormat& f : input_formats()) {
    if (f.name == name) return f;
    nearest.consider(f.name);
  }
  throw Error("unknown input format " + quoted(name) + nearest.suggestion() + "; there are " +
              input_format_names());
}

const InputFormat* input_format_of(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  for (const InputFormat& f : input_formats()) {
    for (std::string_view ending : f.endings) {
      if (path.ends_with(ending)) return &f;
    }
  }
  return nullptr;
}

}  // namespace entente
