// Words that are told by what they are made of, whoever wrote them: addresses, names of files and of people
// on the net, tags, acronyms, amounts.
//
//   WordKind k = word_kind("report_final.xls");        // WordKind::file
//
// A matter of definition, as a treebank has too few of each to learn it from their letters. ASCII only; what
// is not one of these is `none`. One pass over the word; no heap; thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace entente::tagging {

enum class WordKind : std::uint8_t {
  none,
  mail,     // a.b@c.org
  web,      // http://..., www.x.y, x.com, x.org/y
  file,     // x.doc, x.jpg
  person,   // @name
  topic,    // #tag
  letters,  // U.S., p.m.
  acronym,  // two to five capitals
  mixed,    // a capital after a small letter: iPod, McDonald
  amount,   // digits, then letters: 10am, 5mg, 3rd
  code,     // letters, then digits: F16, B2B
  number,   // digits and signs between them
  drawn,    // one letter three times or more: sooo
  signs,    // no letter and no digit
};

WordKind word_kind(std::string_view form);

}  // namespace entente::tagging
