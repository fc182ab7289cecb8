// Sizes that training and use of the tokenizer must agree on.
#pragma once

namespace entente::tokens {

inline constexpr int kTokenWindow = 24;      // pieces of a token that is looked at as a whole
inline constexpr int kSentenceWindow = 60;   // tokens of such a sentence
inline constexpr int kSentenceBlock = 2000;  // tokens decided at once

}  // namespace entente::tokens
