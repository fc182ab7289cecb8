#include <atomic>
#include <exception>
#include <limits>
#include <optional>
#include <tuple>

#include "base/parallel.h"
#include "entente/error.h"
#include "tasks/alignment/commands.h"

namespace entente::alignment {

namespace {

constexpr int kLinesTold = 1024;  // between two words on how far reading is

void read_in_turn(const std::vector<std::string>& paths, const PairOptions& options,
                  Monitor& monitor, Bitext& text) {
  PairReader reader(paths, options);
  monitor.stage("reading", reader.size());
  std::int64_t told = 0;
  for (WordPair pair; !monitor.stopped() && reader.read(pair);) {
    text.add(pair);
    if (text.size() % kLinesTold == 0) {
      monitor.advance(reader.bytes_read() - told);
      told = reader.bytes_read();
    }
  }
}

// One of two files, on a thread of its own.
struct SideReader {
  explicit SideReader(const std::string& path) : file(path) {}

  CorpusFile file;
  BitextSide words;
  int lines = 0;  // that are in `words`
  bool ended = false;
  // What went wrong with line `lines` + 1, and whether that was found in reading it.
  std::exception_ptr error;
  bool is_unread = false;

  // `last`: lines after it are of no use, as the other file has no more.
  void read(const PairOptions& options, Monitor& monitor, bool tells, std::atomic<int>& last) {
    std::vector<std::string> in_line;
    std::int64_t told = 0;
    try {
      for (std::string line; lines <= last && !monitor.stopped(); ++lines) {
        is_unread = true;
        ended = !file.read_line(line);
        if (ended) break;
        is_unread = false;
        split_line(line, options, file, in_line);
        for (const std::string& word : in_line) words.add(word);
        words.end_line();
        if (tells && lines % kLinesTold == 0) {
          monitor.advance(file.bytes_read() - told);
          told = file.bytes_read();
        }
      }
    } catch (...) {
      error = std::current_exception();
    }
    if (!ended && !error) return;
    int known = last;
    while (lines < known && !last.compare_exchange_weak(known, lines)) continue;
  }
};

// What reading line by line would have met first, whichever thread was faster.
void throw_first(const SideReader& a, const SideReader& b) {
  // Of one line: first both files are read, then it is seen whether one has ended, then split.
  using Key = std::tuple<int, int>;
  std::optional<Key> key;
  const SideReader* first = nullptr;
  const auto consider = [&](Key found, const SideReader& side) {
    if (key && *key <= found) return;
    key = found;
    first = &side;
  };
  if (a.error) consider({a.lines, a.is_unread ? 0 : 3}, a);
  if (b.error) consider({b.lines, b.is_unread ? 1 : 4}, b);
  for (const auto& [shorter, longer] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    const int there = longer->lines + (longer->error && !longer->is_unread ? 1 : 0);
    if (shorter->ended && there > shorter->lines) consider({shorter->lines, 2}, *longer);
  }
  if (first == nullptr) return;
  const auto [lines, what] = *key;
  if (what != 2) std::rethrow_exception(first->error);
  const SideReader& shorter = first == &a ? b : a;
  throw Error("line " + std::to_string(lines + 1) + " has no partner: " + shorter.file.name() +
                  " ends after " + std::to_string(lines) + " lines",
              {.file = first->file.name(), .line = lines + 1});
}

void read_side_by_side(const std::vector<std::string>& paths, const PairOptions& options,
                       Monitor& monitor, Bitext& text) {
  SideReader sides[2] = {SideReader(paths[0]), SideReader(paths[1])};
  monitor.stage("reading", sides[0].file.size());
  std::atomic<int> last{std::numeric_limits<int>::max() - 1};
  parallel_for(
      2, 2, [&](int side, int) { sides[side].read(options, monitor, side == 0, last); }, 1);
  if (monitor.stopped()) return;
  throw_first(sides[0], sides[1]);
  text = Bitext(std::move(sides[0].words), std::move(sides[1].words));
}

}  // namespace

void read_bitext(const std::vector<std::string>& paths, const PairOptions& options, int threads,
                 Monitor& monitor, Bitext& text) {
  // A pipe may wait for the other: lines of pipes are read in turn.
  const bool apart = thread_count(threads) > 1 && paths.size() == 2 && paths[0] != "-" &&
                     paths[1] != "-" && paths[0] != paths[1];
  (apart ? read_side_by_side : read_in_turn)(paths, options, monitor, text);
  if (text.size() == 0 && !monitor.stopped())
    throw Error("expected lines, found none", {.file = paths[0]});
}

}  // namespace entente::alignment
