// Sizes that training and use of the tokenizer must agree on.
#pragma once

namespace entente::tokens {

inline constexpr int kTokenWindow = 24;      // pieces of a token that is looked at as a whole
inline constexpr int kSentenceWindow = 60;   // tokens of such a sentence
inline constexpr int kSentenceBlock = 2000;  // tokens decided at once

// Cuts that score less (one in a thousand of them is right) are not looked at.
inline constexpr float kSentenceFloor = -7;

}  // namespace entente::tokens
