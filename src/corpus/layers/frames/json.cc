#include "corpus/layers/frames/json.h"

#include <cmath>
#include <vector>

#include "corpus/conllu.h"
#include "corpus/layers/frames/layout.h"
#include "corpus/word_offsets.h"

namespace entente {

namespace {

void write_number(JsonWriter& w, double x) {
  if (std::isfinite(x)) {
    w.number(x);
  } else {
    w.null();
  }
}

void write_strings(JsonWriter& w, const std::vector<std::string>& strings) {
  w.begin_array();
  for (const std::string& s : strings) w.string(s);
  w.end_array();
}

class FrameWriter {
 public:
  FrameWriter(JsonWriter& w, const Sentence& sentence, const Document& document,
              CharacterOffsets& offsets)
      : w_(w),
        sentence_(sentence),
        document_(document),
        offsets_(offsets),
        places_(word_offsets(sentence, document.text)),
        token_of_word_(sentence.words.size(), 0) {
    for (std::size_t t = 0; t < sentence.tokens.size(); ++t) {
      for (int i = sentence.tokens[t].first; i <= sentence.tokens[t].last; ++i)
        token_of_word_[i] = static_cast<int>(t) + 1;
    }
  }

  void write(const FrameInstance& frame) {
    w_.begin_object().key("frame").string(frame.frame);
    if (!frame.lexical_unit.empty()) w_.key("lexical_unit").string(frame.lexical_unit);
    write_number(w_.key("score"), frame.score);
    write_target(frame);
    write_number(w_.key("value"), frame.value);
    write_number(w_.key("bound"), frame.bound);
    w_.key("proven").boolean(frame.proven);
    if (frame.wish_dropped) w_.key("wish_dropped").boolean(true);
    write_arguments(frame.arguments, !frame.explanation.empty());
    write_strings(w_.key("rules"), frame.rules);
    if (!frame.explanation.empty()) write_explanation(frame.explanation[0]);
    w_.end_object();
  }

 private:
  void write_target(const FrameInstance& frame) {
    w_.key("target").begin_object().key("words").begin_array();
    for (int word : frame.target) w_.integer(word + 1);
    w_.end_array().key("tokens").begin_array();
    int last = 0;
    for (int word : frame.target) {
      if (token_of_word_[word] > last) w_.integer(last = token_of_word_[word]);
    }
    w_.end_array().key("text");
    std::string text;
    for (const auto& [first, end] : runs_of(frame.target))
      text += (text.empty() ? "" : " ") + text_between(first, end);
    w_.string(text).key("spans").begin_array();
    for (const auto& [first, end] : runs_of(frame.target)) {
      w_.begin_object();
      write_span(first, end);
      w_.end_object();
    }
    w_.end_array().end_object();
  }

  void write_arguments(const std::vector<FrameArgument>& arguments, bool margins) {
    w_.key("arguments").begin_array();
    for (const FrameArgument& a : arguments) {
      w_.begin_object().key("role").string(a.role).key("core").boolean(a.core);
      write_span(a.words.begin, a.words.end - 1);
      write_number(w_.key("score"), a.score);
      if (margins) write_number(w_.key("margin"), a.margin);
      w_.end_object();
    }
    w_.end_array();
  }

  void write_explanation(const FrameExplanation& e) {
    w_.key("explanation").begin_object();
    write_strings(w_.key("active_rules"), e.active_rules);
    write_strings(w_.key("broken_locally"), e.broken_locally);
    w_.key("runner_up").begin_object();
    write_number(w_.key("value"), e.runner_up_value);
    write_arguments(e.runner_up, false);
    w_.end_object();
    // As texts: `entente verify` is to see the very bytes.
    if (!e.problem.empty()) w_.key("problem").string(e.problem);
    if (!e.certificate.empty()) w_.key("certificate").string(e.certificate);
    w_.end_object();
  }

  void write_span(int first, int last) {
    w_.key("first").integer(first + 1).key("last").integer(last + 1);
    w_.key("first_token").integer(token_of_word_[first]);
    w_.key("last_token").integer(token_of_word_[last]);
    if (const WordPlace place = place_of_words(places_, first, last); place.known()) {
      w_.key("begin").integer(document_.characters_before + offsets_.at(place.begin));
      w_.key("end").integer(document_.characters_before + offsets_.at(place.end));
    }
    w_.key("text").string(text_between(first, last));
  }

  // The bytes of the text where they are known: begin and end count their characters.
  std::string text_between(int first, int last) const {
    const WordPlace place = place_of_words(places_, first, last);
    if (place.known() && static_cast<std::size_t>(place.end) <= document_.text.size())
      return document_.text.substr(static_cast<std::size_t>(place.begin),
                                   static_cast<std::size_t>(place.end - place.begin));
    return text_of_words(sentence_, document_.text, first, last);
  }

  JsonWriter& w_;
  const Sentence& sentence_;
  const Document& document_;
  CharacterOffsets& offsets_;
  std::vector<WordPlace> places_;
  std::vector<int> token_of_word_;  // from 1; 0: it is in none
};

void write_semafor_spans(JsonWriter& w, const Sentence& sentence,
                         const std::vector<std::pair<int, int>>& runs) {
  w.key("spans").begin_array();
  for (const auto& [first, last] : runs) {
    std::string text;
    for (int i = first; i <= last; ++i) text += (i == first ? "" : " ") + sentence.words[i].form;
    w.begin_object().key("start").integer(first).key("end").integer(last + 1);
    w.key("text").string(text).end_object();
  }
  w.end_array();
}

void write_annotation_set(JsonWriter& w, const Sentence& sentence, int rank, double value,
                          const std::vector<FrameArgument>& arguments) {
  w.begin_object().key("rank").integer(rank);
  write_number(w.key("score"), value);
  w.key("frameElements").begin_array();
  for (const FrameArgument& a : arguments) {
    w.begin_object().key("name").string(a.role);
    write_semafor_spans(w, sentence, {{a.words.begin, a.words.end - 1}});
    w.end_object();
  }
  w.end_array().end_object();
}

}  // namespace

void write_frames(JsonWriter& w, const Sentence& sentence, const Document& document,
                  CharacterOffsets& offsets) {
  FrameWriter writer(w, sentence, document, offsets);
  w.begin_array();
  for (const FrameInstance& frame : sentence.frames) writer.write(frame);
  w.end_array();
}

void append_semafor(std::string& out, const Document& document) {
  for (const Sentence& sentence : document.sentences) {
    JsonWriter w;
    w.begin_object().key("frames").begin_array();
    for (const FrameInstance& frame : sentence.frames) {
      w.begin_object().key("target").begin_object().key("name").string(frame.frame);
      write_semafor_spans(w, sentence, runs_of(frame.target));
      w.end_object().key("annotationSets").begin_array();
      write_annotation_set(w, sentence, 0, frame.value, frame.arguments);
      if (!frame.explanation.empty()) {  // SEMAFOR's lists of the k best go on like this
        const FrameExplanation& e = frame.explanation[0];
        write_annotation_set(w, sentence, 1, e.runner_up_value, e.runner_up);
      }
      w.end_array().end_object();
    }
    w.end_array().key("tokens").begin_array();
    for (const Word& word : sentence.words) w.string(word.form);
    w.end_array();
    if (const std::string_view id = comment_value(sentence, "sent_id"); !id.empty()) {
      w.key("id").string(id);  // not of SEMAFOR, whose readers pass over it
    }
    out += w.end_object().take() + "\n";
  }
}

}  // namespace entente
