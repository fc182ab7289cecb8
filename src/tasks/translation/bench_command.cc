// entente bench translation: exact decoding and cube pruning on the same sentences.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/clock.h"
#include "base/files.h"
#include "entente/error.h"
#include "tasks/translation/commands.h"

namespace entente::translation {

namespace {

constexpr int kBeams[] = {10, 50, 200, 1000};
constexpr double kEqual = 1e-6;

struct Run {
  std::vector<Decoded> decoded;
  std::vector<double> seconds;

  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
  }
  double mean() const {
    return seconds.empty() ? 0
                           : std::accumulate(seconds.begin(), seconds.end(), 0.0) /
                                 static_cast<double>(seconds.size());
  }
};

Run run(const Decoder& decoder, const std::vector<Words>& source, const DecodeOptions& options,
        const std::string& name, Monitor& monitor) {
  Run out;
  monitor.stage(name, static_cast<std::int64_t>(source.size()));
  for (const Words& words : source) {
    if (monitor.stopped()) throw Error("stopped");
    const double start = processor_seconds();
    out.decoded.push_back(decoder.decode(words, options));
    out.seconds.push_back(processor_seconds() - start);
    monitor.advance(1);
  }
  return out;
}

// Bars: the share of sentences in which a beam missed the best translation.
std::string picture(const std::vector<std::pair<int, double>>& errors) {
  double most = 1;
  for (const auto& [beam, share] : errors) most = std::max(most, share);
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"420\" height=\"260\" viewBox=\"0 0 420 "
      "260\">\n"
      "<style>text{font:13px sans-serif;fill:#222}rect{fill:#3b6ea5}"
      "@media(prefers-color-scheme:dark){text{fill:#ddd}rect{fill:#8ab4e8}}</style>\n"
      "<text x=\"10\" y=\"20\">search errors of cube pruning, % of sentences, by beam</text>\n";
  double x = 40;
  for (const auto& [beam, share] : errors) {
    const double height = 170 * share / most;
    out += fmt::format(
        "<rect x=\"{:.0f}\" y=\"{:.1f}\" width=\"60\" height=\"{:.1f}\"/>"
        "<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.1f}</text>"
        "<text x=\"{:.0f}\" y=\"245\" text-anchor=\"middle\">{}</text>\n",
        x, 225 - height, height, x + 30, 219 - height, share, x + 30, beam);
    x += 90;
  }
  return out + "</svg>\n";
}

std::string bleu_text(const Run& run, const std::vector<std::vector<Words>>& references) {
  std::vector<Words> words;
  for (const Decoded& d : run.decoded) words.push_back(d.best[0].words);
  return references.empty() ? "" : fmt::format(", BLEU {:.2f}", bleu_of(words, references).bleu());
}

// How many of the `count` longest are proven.
std::int64_t proven_of_longest(const std::vector<Words>& source, const Run& exact,
                               std::size_t count) {
  std::vector<std::size_t> order(source.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return source[a].size() > source[b].size();
  });
  std::int64_t proven = 0;
  for (std::size_t k = 0; k < count; ++k) proven += exact.decoded[order[k]].proven;
  return proven;
}

}  // namespace

int run_bench(const TaskRequest& request) {
  if (request.inputs.empty()) throw Error("expected a file of sentences, then references");
  const std::vector<Words> source = read_lines(request.inputs[0], request.lenient);
  if (source.empty()) throw Error("expected sentences, found none", {.file = request.inputs[0]});
  std::vector<std::vector<Words>> references;
  if (request.inputs.size() > 1) {
    references = read_references(std::span(request.inputs).subspan(1), source, request.inputs[0],
                                 request.lenient);
  }
  const Models models(request);
  const Scorer scorer(models.grammar(), models.lm(), models.weights());
  const Decoder decoder(scorer);
  DecodeOptions options;
  options.longest = request.settings.integer("longest");
  options.edges = request.settings.integer("edges");
  const auto n = static_cast<double>(source.size());

  const Run exact = run(decoder, source, options, "exact", *request.monitor);
  std::int64_t proven = 0;
  double gap = 0;
  for (const Decoded& d : exact.decoded) {
    proven += d.proven;
    if (!d.proven) gap += d.bound - d.best[0].score;
  }
  const std::size_t longest = std::min<std::size_t>(100, source.size());
  request.write(
      fmt::format("{} sentences, {} rules, times of processor\n"
                  "exact      median {:8.2f} ms, mean {:8.2f} ms{}; proven {:.2f}%, of the {} "
                  "longest {:.1f}%\n",
                  source.size(), models.grammar().size(), 1e3 * exact.median(), 1e3 * exact.mean(),
                  bleu_text(exact, references), 100 * static_cast<double>(proven) / n, longest,
                  100 * static_cast<double>(proven_of_longest(source, exact, longest)) /
                      static_cast<double>(longest)));
  if (proven < static_cast<std::int64_t>(source.size())) {
    request.write(fmt::format("           where not proven the bound is {:.2f} above on average\n",
                              gap / (n - static_cast<double>(proven))));
  }
  std::vector<std::pair<int, double>> errors;
  for (const int beam : kBeams) {
    options.method = Method::kCube;
    options.beam = beam;
    const Run cube =
        run(decoder, source, options, fmt::format("cube, beam {}", beam), *request.monitor);
    std::int64_t worse = 0, better = 0;
    for (std::size_t s = 0; s < source.size(); ++s) {
      const double difference = exact.decoded[s].best[0].score - cube.decoded[s].best[0].score;
      worse += difference > kEqual;
      better += difference < -kEqual;
    }
    errors.emplace_back(beam, 100 * static_cast<double>(worse) / n);
    request.write(fmt::format(
        "cube {:<5} median {:8.2f} ms, mean {:8.2f} ms{}; search errors {:.2f}%, above exact {}; "
        "exact takes {:.1f} times the median\n",
        beam, 1e3 * cube.median(), 1e3 * cube.mean(), bleu_text(cube, references),
        errors.back().second, better, exact.median() / std::max(cube.median(), 1e-9)));
  }
  if (const std::string& path = request.settings.text("plot"); !path.empty()) {
    write_whole_file(path, picture(errors));
  }
  return 0;
}

}  // namespace entente::translation
