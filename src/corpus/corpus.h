// A whole corpus in memory, with the text it annotates.
//
//   Document corpus = read_corpus("en_ewt-dev.conllu.gz");   // CoNLL-U or CoNLL-X, may be gzipped
//   corpus.text;                                             // what a tokenizer is given
//   corpus.sentences[3].tokens[0].begin;                     // and what it should find
//
// The text is put together as for the CoNLL 2018 shared task: each sentence from its "# text" line
// (or, where there is none or it does not fit, from its forms and SpaceAfter=No), sentences joined
// by a space unless the last token before has SpaceAfter=No, documents and paragraphs ("# newdoc",
// "# newpar") by a blank line. Linear; thread-safe.
#pragma once

#include <string>
#include <vector>

#include "base/line_source.h"
#include "corpus/conllu.h"
#include "corpus/document.h"

namespace entente {

Document read_corpus(const std::string& path, const ConlluOptions& options = {});
Document read_corpus(LineSource& source, const ConlluOptions& options = {});

// Fills in document.text and the places of sentences and tokens in it.
void build_text(Document& document);

// The MISC column of a token's line.
const std::string& token_misc(const Sentence& sentence, const Token& token);
bool has_space_after(const Sentence& sentence, const Token& token);
// Sentences that follow each other in one text as one; comments are the first one's. At least one.
Sentence join_sentences(std::vector<Sentence>&& sentences);
// The comment "# text = ..." from the sentence's place in the document's text; an older one goes.
void write_text_comment(const Document& document, Sentence& sentence);
// One sentence's own text, as build_text() takes it.
std::string sentence_text(const Sentence& sentence);

}  // namespace entente
