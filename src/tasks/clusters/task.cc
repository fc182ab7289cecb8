#include "tasks/clusters/task.h"

#include <algorithm>

#include "corpus/corpus.h"
#include "corpus/framenet/annotation.h"
#include "corpus/gzip.h"
#include "corpus/utf8.h"
#include "tasks/clusters/trainer.h"

namespace entente {

namespace {

class NoAnnotator : public Annotator {
 public:
  void annotate(Sentence&, Scratch&) const override {}
};

void read_treebank(const std::string& path, clusters::RawText& text) {
  const Document document = read_corpus(path);
  std::vector<std::string_view> words;
  for (const Sentence& s : document.sentences) {
    words.clear();
    for (const Word& w : s.words) words.push_back(w.form);
    text.add_words(words);
  }
}

void read_plain(const std::string& path, clusters::RawText& text) {
  CorpusFile file(path);
  for (std::string line; file.read_line(line);) text.add_line(line);
}

// The byte at which each character starts, and the end.
std::vector<std::size_t> character_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size();) {
    starts.push_back(i);
    i += static_cast<std::size_t>(std::max(decode_utf8(text, i).length, 1));
  }
  starts.push_back(text.size());
  return starts;
}

// The words of a tagged sentence with their tags; of the others the text.
void read_exemplars(const std::string& release, const Monitor& monitor, clusters::RawText& text) {
  framenet::Report report;
  std::string last;
  framenet::for_each_exemplar(release, report, [&](framenet::AnnotatedSentence&& s) {
    // A sentence comes once for each of its targets, mostly one after the other.
    if (s.text != last) {
      text.add_line(s.text);
      const std::vector<std::size_t> starts = character_starts(s.text);
      for (const framenet::Label& tag : s.tags) {
        const std::size_t begin = starts[tag.begin], end = starts[tag.end];
        text.add_tag(std::string_view(s.text).substr(begin, end - begin), tag.name);
      }
      last = std::move(s.text);
    }
    return !monitor.stopped();
  });
}

names::Dictionary read_lists(const std::string& share, Monitor& monitor) {
  if (share == "none") return {};
  std::vector<std::string> missing;
  names::Dictionary lists = names::read_dictionary(share, &missing);
  for (const std::string& package : missing) {
    monitor.say("no words from " + package + " in " + share + " (Debian packages, see make setup)");
  }
  return lists;
}

}  // namespace

std::vector<Setting> ClustersTask::settings() const {
  const clusters::ClusterSettings s;
  return {setting::list("text", "plain text, gzipped or not").in(kTrain).option(),
          setting::text("framenet", "", "a FrameNet release: its exemplars and their tags")
              .in(kTrain)
              .option(),
          setting::text("names", "/usr/share",
                        "folder with the lists of wordnet, rig and iso-codes; none: no lists")
              .in(kTrain),
          setting::integer("fine", s.fine, 2, 60000, "classes of the finest kind"),
          setting::integer("middle", s.middle, 2, 255, "classes of the middle kind"),
          setting::integer("coarse", s.coarse, 2, 255, "classes of the coarsest kind"),
          setting::integer("passes", s.passes, 1, 1000, "over all words, at most, for each kind"),
          setting::integer("words", s.words, 1, 10000000, "different words kept, at most")};
}

bool ClustersTask::train(const TrainRequest& request) const {
  const Settings& read = request.settings;
  clusters::ClusterSettings s;
  s.fine = read.integer("fine");
  s.middle = read.integer("middle");
  s.coarse = read.integer("coarse");
  s.passes = read.integer("passes");
  s.words = read.integer("words");
  clusters::RawText text;
  request.monitor->stage("clusters: reading", 0);
  for (const std::string& path : request.train_paths) read_treebank(path, text);
  for (const std::string& path : read.list("text")) read_plain(path, text);
  if (!read.text("framenet").empty()) {
    read_exemplars(read.text("framenet"), *request.monitor, text);
  }
  if (request.monitor->stopped()) return false;
  if (text.size() == 0)
    throw Error("no text to make classes from: give --train, --text or --framenet");
  const names::Dictionary lists = read_lists(read.text("names"), *request.monitor);
  std::map<std::string, names::Topics> topics;
  if (read.text("names") != "none") topics = names::read_topics(read.text("names"));
  const clusters::WordTables tables =
      clusters::make_classes(text, lists, topics, s, *request.monitor);
  if (tables.classes.empty()) return false;
  request.writer->add<WordClass>("clusters/table", tables.classes);
  request.writer->add<WordMeaning>("clusters/meanings", tables.meanings);
  return true;
}

std::unique_ptr<Annotator> ClustersTask::load(const ModelFile& file) const {
  const WordClasses check(file, "clusters");  // a bad model is refused here
  return std::make_unique<NoAnnotator>();
}

}  // namespace entente
