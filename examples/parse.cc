// Text in, words with their tags and heads out: the language library.
#include <entente/language.h>

#include <iostream>

int main(int argc, char** argv) {
  const entente::Language nlp({.layers = {"dependency"}});
  const entente::Document document =
      nlp.parse(argc > 1 ? argv[1] : "A blackberry resembles a loganberry.");
  for (const entente::Sentence& sentence : document.sentences) {
    for (const entente::Word& word : sentence.words) {
      std::cout << word.form << '\t' << word.upos << '\t' << word.head << '\t' << word.deprel
                << '\n';
    }
  }
}
