// entente translate and entente tune.
#include <fmt/format.h>

#include <cmath>
#include <mutex>
#include <optional>
#include <set>

#include "base/json.h"
#include "base/ordered.h"
#include "base/parallel.h"
#include "base/text.h"
#include "entente/error.h"
#include "model/proof_lines.h"
#include "tasks/translation/commands.h"
#include "tasks/translation/tuning.h"

namespace entente::translation {

namespace {

std::string joined(const Words& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : " ") + w;
  return out;
}

void append_json(std::string& out, std::size_t line, const Words& source, const Decoded& d,
                 bool exact) {
  const auto rounded = [](double x) { return std::round(x * 1e6) / 1e6; };
  JsonWriter w;
  w.begin_object().key("line").integer(static_cast<std::int64_t>(line));
  w.key("source").string(joined(source)).key("translation").string(joined(d.best[0].words));
  w.key("score").number(rounded(d.best[0].score));
  if (exact) {
    w.key("status").string(d.proven ? "optimal" : "feasible").key("bound").number(rounded(d.bound));
    w.key("stages").integer(d.stages).key("edges").integer(d.edges);
  }
  if (d.best.size() > 1) {
    w.key("k_best").begin_array();
    for (const Translation& t : d.best) {
      w.begin_object().key("translation").string(joined(t.words));
      w.key("score").number(rounded(t.score)).end_object();
    }
    w.end_array();
  }
  w.end_object();
  out += w.take() + "\n";
}

// `line ||| words ||| name=value ... ||| score`, as Moses and cdec write lists.
void append_list(std::string& out, std::size_t line, const Scorer& scorer, const Decoded& d) {
  for (const Translation& t : d.best) {
    out += fmt::format("{} ||| {} |||", line - 1, joined(t.words));
    for (std::size_t k = 0; k < t.features.size(); ++k) {
      out += fmt::format(" {}={:.6g}", scorer.names()[k], t.features[k]);
    }
    out += fmt::format(" ||| {:.6f}\n", t.score);
  }
}

}  // namespace

int run_translate(const TaskRequest& request) {
  const std::string to = request.to.empty() ? "text" : request.to;
  if (to != "text" && to != "jsonl")
    throw Error("unknown format " + quoted(to) + "; there are text, jsonl");
  DecodeOptions options = decode_options(request);
  options.k_best = request.settings.integer("k_best");
  const bool exact = options.method == Method::kExact;
  const std::string& certificate = request.settings.text("certificate");
  options.certificate = !certificate.empty();
  if (options.certificate && !exact)
    throw Error("--certificate needs --method exact: cube pruning proves nothing");
  std::optional<ProofFile> proofs;
  if (options.certificate) proofs.emplace(certificate);
  const Models models(request);
  const Scorer scorer(models.grammar(), models.lm(), models.weights());
  const Decoder decoder(scorer);
  std::size_t lines = 0;
  std::int64_t open = 0;
  for (const std::string& path :
       request.inputs.empty() ? std::vector<std::string>{"-"} : request.inputs) {
    const std::vector<Words> source = read_lines(path, request.lenient);
    request.monitor->stage("translating", static_cast<std::int64_t>(source.size()));
    std::size_t next = 0;
    struct Result {
      std::string text;
      bool proven;
      ProofLines proof;
    };
    const auto take = [&](std::size_t& job) {
      if (next == source.size() || request.monitor->stopped()) return false;
      job = next++;
      return true;
    };
    const auto work = [&](int /*thread*/, std::size_t job) {
      const Decoded d = decoder.decode(source[job], options);
      Result result{{}, d.proven, {}};
      if (options.certificate && !d.proven) result.proof.miss();
      if (options.certificate && d.proven) {
        ForestProblem problem;
        const ForestCertificate c = certify(d, problem);
        result.proof.add("translation", problem, c);
      }
      const std::size_t line = lines + job + 1;
      if (to == "jsonl") {
        append_json(result.text, line, source[job], d, exact);
      } else if (options.k_best > 1) {
        append_list(result.text, line, scorer, d);
      } else {
        result.text = joined(d.best[0].words) + "\n";
      }
      return result;
    };
    const auto emit = [&](Result& result) {
      request.write(result.text);
      open += !result.proven;
      if (proofs) proofs->add(result.proof);
      request.monitor->advance(1);
      return true;
    };
    run_ordered<std::size_t, Result>(request.threads, take, work, emit);
    lines += source.size();
  }
  if (exact && open > 0)
    request.monitor->say(fmt::format("{} of {} sentences are not proven", open, lines));
  return proofs ? proofs->finish(false) : 0;
}

int run_tune(const TaskRequest& request) {
  if (request.inputs.size() < 2) throw Error("expected a file of sentences, then references");
  const std::vector<Words> source = read_lines(request.inputs[0], request.lenient);
  const auto references = read_references(std::span(request.inputs).subspan(1), source,
                                          request.inputs[0], request.lenient);
  const Models models(request);
  DecodeOptions options = decode_options(request);
  options.method = Method::kCube;
  options.k_best = request.settings.integer("list");
  Weights weights = models.weights();
  Pool pool(source.size());
  std::vector<std::set<Words>> seen(source.size());
  const int iterations = request.settings.integer("iterations");
  for (int iteration = 1; iteration <= iterations && !request.monitor->stopped(); ++iteration) {
    const Scorer scorer(models.grammar(), models.lm(), weights);
    const Decoder decoder(scorer);
    request.monitor->stage(fmt::format("tuning, iteration {}", iteration),
                           static_cast<std::int64_t>(source.size()));
    std::vector<Decoded> decoded(source.size());
    std::mutex told;
    parallel_for(
        static_cast<int>(source.size()), request.threads,
        [&](int s, int) {
          if (request.monitor->stopped()) return;
          decoded[s] = decoder.decode(source[s], options);
          const std::lock_guard lock(told);
          request.monitor->advance(1);
        },
        1);
    if (request.monitor->stopped()) break;
    BleuCounts now;
    std::size_t fresh = 0;
    for (std::size_t s = 0; s < source.size(); ++s) {
      std::vector<Words> mine;
      for (const auto& text : references) mine.push_back(text[s]);
      now += bleu_counts(decoded[s].best[0].words, mine);
      for (const Translation& t : decoded[s].best) {
        if (!seen[s].insert(t.words).second) continue;
        pool[s].push_back({t.features, bleu_counts(t.words, mine)});
        ++fresh;
      }
    }
    std::vector<double> start = scorer.weights();
    double bleu = 0;
    const auto fitted = maximize_bleu(pool, start,
                                      {.not_negative = static_cast<int>(start.size()) - 1,
                                       .restarts = 10,
                                       .directions = 10,
                                       .seed = static_cast<std::uint64_t>(iteration)},
                                      bleu);
    request.monitor->say(fmt::format("iteration {}: BLEU {:.2f}, {} new candidates, fitted {:.2f}",
                                     iteration, now.bleu(), fresh, bleu));
    if (fresh == 0) break;
    for (std::size_t k = 0; k < fitted.size(); ++k) weights[scorer.names()[k]] = fitted[k];
  }
  request.write(write_weights(weights));
  return 0;
}

Weights default_weights() {
  return {{"glue", -0.005064}, {"lm", 0.132357},      {"pass", -1},
          {"tm0", -0.057169},  {"tm1", -0.057169},    {"tm2", -0.015496},
          {"tm3", 0.000047},   {"unknown", 0.005348}, {"words", 0.091081}};
}

}  // namespace entente::translation
