// entente align: a saved model, or one learned on the spot, over pairs of lines.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/ordered.h"
#include "base/parallel.h"
#include "entente/error.h"
#include "model/proof_lines.h"
#include "tasks/alignment/commands.h"
#include "tasks/alignment/formats.h"

namespace entente::alignment {

AlignOptions align_options(const Settings& settings) {
  AlignOptions options;
  options.combine = combine_from_name(settings.text("combine"));
  options.threshold = settings.number("threshold");
  options.agree.near =
      settings.flag("strict") ? -std::numeric_limits<double>::infinity() : settings.number("near");
  options.agree.rounds = settings.integer("rounds");
  options.agree.nodes = settings.integer("nodes");
  options.n_best = settings.integer("n_best");
  if (options.n_best > 1 && options.combine != Combine::kPosterior &&
      options.combine != Combine::kAgree) {
    throw Error("--n-best needs --combine posterior or agree");
  }
  if (settings.given("threshold") && options.combine != Combine::kPosterior) {
    throw Error("--threshold needs --combine posterior");
  }
  for (const char* of_agree : {"near", "strict", "rounds", "nodes"}) {
    if (settings.given(of_agree) && options.combine != Combine::kAgree) {
      throw Error(fmt::format("--{} needs --combine agree", of_agree));
    }
  }
  if (settings.given("near") && settings.flag("strict")) {
    throw Error("--strict leaves no links beside the other direction's: --near has no effect");
  }
  return options;
}

namespace {

// `--train a b [c d]`: what follows the first file of an option stands among the inputs.
struct Files {
  std::vector<std::string> train, input;
};
Files files_of(const TaskRequest& request) {
  Files files{request.settings.list("train"), request.inputs};
  if (files.train.size() == 1 && !files.input.empty()) {
    files.train.push_back(files.input.front());
    files.input.erase(files.input.begin());
  }
  if (files.train.size() > 2) throw Error("--train takes two files, or one of `a ||| b` lines");
  if (files.input.empty()) {
    if (files.train.empty())
      files.input = {"-"};
    else
      files.input = files.train;
  }
  return files;
}

// A model out of the training files, as if it had been saved and read again.
ModelFile train_model(const TaskRequest& request, const Files& files) {
  for (const std::string& path : files.train) {
    std::error_code ignored;
    if (path == "-" || (std::filesystem::exists(path, ignored) &&
                        !std::filesystem::is_regular_file(path, ignored))) {
      throw Error("the texts to learn from are read twice: they must be files", {.file = path});
    }
  }
  const TrainingSettings settings = training_settings(request.settings, request.threads);
  const bool tokenize = request.settings.flag("tokenize");
  Bitext text;
  read_bitext(files.train, {tokenize, request.lenient}, request.threads, *request.monitor, text);
  ModelWriter writer("alignment", 0);
  write_model(text, train(text, settings, *request.monitor), settings, tokenize, writer);
  return ModelFile::from_bytes(writer.bytes(), files.train[0]);
}

struct Totals {
  std::int64_t pairs = 0, words[2] = {}, converged = 0, proven = 0, rounds = 0;
  double log_likelihood[2] = {};

  void add(const WordPair& pair, const Aligned& a) {
    ++pairs;
    for (int d = 0; d < 2; ++d) {
      log_likelihood[d] += a.log_likelihood[d];
      if (!pair.words[d].empty() && !pair.words[1 - d].empty()) {
        words[d] += static_cast<std::int64_t>(pair.words[1 - d].size());
      }
    }
    converged += a.optimal && a.nodes <= 1;
    proven += a.optimal;
    rounds += a.rounds;
  }
  std::string text(bool agree, double seconds) const {
    const auto perplexity = [&](int d) {
      return words[d] ? std::exp(-log_likelihood[d] / static_cast<double>(words[d])) : 1.0;
    };
    std::string out =
        fmt::format("{} pairs in {:.2f} s ({:.0f} a second), perplexity {:.3f} and {:.3f}", pairs,
                    seconds, static_cast<double>(pairs) / seconds, perplexity(0), perplexity(1));
    if (agree && pairs > 0) {
      const auto n = static_cast<double>(pairs);
      out += fmt::format("; {:.2f}% agree by prices alone, {:.2f}% proven, {:.1f} rounds each",
                         100 * static_cast<double>(converged) / n,
                         100 * static_cast<double>(proven) / n, static_cast<double>(rounds) / n);
    }
    return out;
  }
};

}  // namespace

int run_align(const TaskRequest& request) {
  const AlignOptions options = align_options(request.settings);
  const Files files = files_of(request);
  if (!files.train.empty() && request.models->named())
    throw Error("--train learns a model of its own: expected no -m beside it");
  std::optional<ModelFile> own;
  if (!files.train.empty()) own.emplace(train_model(request, files));
  if (request.monitor->stopped()) return 1;
  const AlignmentModel model(own ? *own : request.models->file());
  const Aligner aligner(model);
  const bool agree = options.combine == Combine::kAgree;
  const auto writer = make_alignment_writer(
      request.to.empty() ? "pharaoh" : request.to,
      {.scores = request.settings.flag("scores"), .n_best = options.n_best > 1, .agree = agree});
  const bool tokenize = model.raw_text() || request.settings.flag("tokenize");
  PairReader reader(files.input, {tokenize, request.lenient});
  const std::string& certificate = request.settings.text("certificate");
  if (!certificate.empty() && !agree)
    throw Error("--certificate needs --combine agree: the others decide without a search");
  std::optional<ProofFile> proof_file;
  if (!certificate.empty()) proof_file.emplace(certificate);

  // Some pairs at a time: one is a few microseconds of work.
  using Job = std::vector<WordPair>;
  struct Result {
    std::vector<std::string> pieces;
    Totals totals;
    ProofLines proofs;
    std::int64_t bytes = 0;
  };
  constexpr std::size_t kPairs = 64;
  std::vector<Aligner::Work> works(request.threads);
  Totals totals;
  std::int64_t told = 0;
  const auto start = std::chrono::steady_clock::now();
  request.monitor->stage("aligning", reader.size());
  request.write(writer->begin());
  const auto take = [&](Job& job) {
    if (request.monitor->stopped()) return false;
    job.resize(kPairs);
    std::size_t read = 0;
    while (read < kPairs && reader.read(job[read])) ++read;
    job.resize(read);
    return read > 0;
  };
  const auto work = [&](int thread, const Job& job) {
    Result result;
    if (proof_file) works[thread].proofs = &result.proofs;
    for (const WordPair& pair : job) {
      const Aligned a = aligner.align(pair.words[0], pair.words[1], options, works[thread]);
      writer->append(result.pieces.emplace_back(), pair, a);
      result.totals.add(pair, a);
    }
    result.bytes = reader.bytes_read();
    return result;
  };
  const auto emit = [&](Result& result) {
    std::string out;
    for (std::string& piece : result.pieces) out += writer->place(std::move(piece));
    request.write(out);
    if (proof_file) proof_file->add(result.proofs);
    totals.pairs += result.totals.pairs;
    totals.converged += result.totals.converged;
    totals.proven += result.totals.proven;
    totals.rounds += result.totals.rounds;
    for (int d = 0; d < 2; ++d) {
      totals.words[d] += result.totals.words[d];
      totals.log_likelihood[d] += result.totals.log_likelihood[d];
    }
    request.monitor->advance(std::max<std::int64_t>(0, result.bytes - told));
    told = std::max(told, result.bytes);
    return true;
  };
  run_ordered<Job, Result>(request.threads, take, work, emit);
  request.write(writer->end());
  if (request.settings.flag("summary")) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    fmt::print(stderr, "{}\n", totals.text(agree, std::max(took.count(), 1e-9)));
  }
  return proof_file ? proof_file->finish(false) : 0;
}

}  // namespace entente::alignment
