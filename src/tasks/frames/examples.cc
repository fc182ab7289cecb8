#include "tasks/frames/examples.h"

namespace entente::frames {

namespace {

template <typename T>
void load_array(const ModelFile& file, const std::string& name, std::vector<T>& out) {
  const std::span<const T> values = file.array<T>(name);
  out.assign(values.begin(), values.end());
}

}  // namespace

void ExampleStore::add(const Sentence& sentence, const framenet::Lexicon& lexicon, float weight) {
  if (sentence.size() > 1000) return;  // no language; spans would not fit their 16 bits either
  bool stored = false;
  for (const FrameInstance& f : sentence.frames) {
    const int frame = lexicon.find(f.frame);
    if (frame < 0) {
      ++unknown_frames_;
      continue;
    }
    if (!stored) {
      scratch_.read(sentence);
      words_.insert(words_.end(), scratch_.words().begin(), scratch_.words().end());
      sentence_end_.push_back(words_.size());
      stored = true;
    }
    targets_.insert(targets_.end(), f.target.begin(), f.target.end());
    for (const FrameArgument& a : f.arguments) {
      const int role = lexicon.frames[frame].find_role(a.role);
      if (role < 0) {
        ++unknown_roles_;
        continue;
      }
      arguments_.push_back(
          {static_cast<std::int16_t>(role),
           {static_cast<std::int16_t>(a.first), static_cast<std::int16_t>(a.last)}});
    }
    predicates_.push_back({static_cast<std::int32_t>(sentence_end_.size()) - 1, frame,
                           unit_key(f.lexical_unit), static_cast<std::uint32_t>(targets_.size()),
                           static_cast<std::uint32_t>(arguments_.size()), weight});
  }
}

void ExampleStore::append(const ExampleStore& other, float weight) {
  const auto words = words_.size();
  const auto sentences = static_cast<std::int32_t>(sentence_end_.size());
  const auto targets = static_cast<std::uint32_t>(targets_.size());
  const auto arguments = static_cast<std::uint32_t>(arguments_.size());
  words_.insert(words_.end(), other.words_.begin(), other.words_.end());
  for (std::uint64_t end : other.sentence_end_) sentence_end_.push_back(end + words);
  targets_.insert(targets_.end(), other.targets_.begin(), other.targets_.end());
  arguments_.insert(arguments_.end(), other.arguments_.begin(), other.arguments_.end());
  for (StoredPredicate p : other.predicates_) {
    p.sentence += sentences;
    p.target_end += targets;
    p.argument_end += arguments;
    p.weight *= weight;
    predicates_.push_back(p);
  }
  unknown_frames_ += other.unknown_frames_;
  unknown_roles_ += other.unknown_roles_;
}

std::span<const WordFact> ExampleStore::words(int i) const {
  const int s = predicates_[i].sentence;
  const std::uint64_t begin = s == 0 ? 0 : sentence_end_[s - 1];
  return {words_.data() + begin, words_.data() + sentence_end_[s]};
}

std::span<const std::int32_t> ExampleStore::target(int i) const {
  const std::uint32_t begin = i == 0 ? 0 : predicates_[i - 1].target_end;
  return {targets_.data() + begin, targets_.data() + predicates_[i].target_end};
}

std::span<const StoredArgument> ExampleStore::arguments(int i) const {
  const std::uint32_t begin = i == 0 ? 0 : predicates_[i - 1].argument_end;
  return {arguments_.data() + begin, arguments_.data() + predicates_[i].argument_end};
}

void ExampleStore::save(ModelWriter& writer, const std::string& name) const {
  writer.add<WordFact>(name + "/words", words_);
  writer.add<std::uint64_t>(name + "/sentences", sentence_end_);
  writer.add<StoredPredicate>(name + "/predicates", predicates_);
  writer.add<std::int32_t>(name + "/targets", targets_);
  writer.add<StoredArgument>(name + "/arguments", arguments_);
}

void ExampleStore::load(const ModelFile& file, const std::string& name) {
  load_array(file, name + "/words", words_);
  load_array(file, name + "/sentences", sentence_end_);
  load_array(file, name + "/predicates", predicates_);
  load_array(file, name + "/targets", targets_);
  load_array(file, name + "/arguments", arguments_);
}

}  // namespace entente::frames
