#include "tasks/ccg/bench_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/bootstrap.h"
#include "base/text.h"
#include "corpus/layers/ccg/auto.h"
#include "entente/error.h"

namespace entente::ccg {

std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> out;
  for (const std::string& p : pieces_of(text)) {
    char* end = nullptr;
    out.push_back(std::strtod(p.c_str(), &end));
    if (*end != '\0' || !(out.back() > 0))
      throw Error("expected numbers above 0 with commas, found " + quoted(text));
  }
  if (out.empty()) throw Error("expected at least one number");
  return out;
}

std::string key_of(const TrainingOptions& o) {
  return fmt::format("features {} beams {} most {} targets {}", static_cast<int>(o.features),
                     static_cast<int>(o.beams), o.most, static_cast<int>(o.targets));
}

std::string key_of(const ParseOptions& o) {
  return fmt::format("decoding {} strategy {} rounds {}", static_cast<int>(o.decoding),
                     static_cast<int>(o.strategy), o.rounds);
}

BenchLab::BenchLab(const TaskRequest& request)
    : request_(request),
      settings_(request.settings),
      monitor_(*request.monitor),
      rows_(request.settings.text("keep")) {
  options_.supertags.epochs = settings_.integer("bench_supertag_epochs");
  options_.supertags.bits = 21;
  options_.jackknife = settings_.integer("bench_jackknife");
  options_.weights.threads = std::max(1, request.threads);
  options_.weights.iterations = settings_.integer("bench_iterations");
  options_.weights.supertags = false;
  options_.add_gold = false;
}

bool BenchLab::read() {
  const std::string folder = settings_.text("corpus") + "/" + settings_.text("scheme");
  dev_path_ = folder + "-dev.auto.gz";
  train_ = read(folder + "-train.auto.gz", settings_.integer("sentences"), false);
  dev_ = read(dev_path_, settings_.integer("dev_sentences"), false);
  if (monitor_.stopped()) return false;
  say(fmt::format("{}: {} training sentences, {} of dev, parts of speech by our tagger\n",
                  settings_.text("scheme"), train_.all.size(), dev_.all.size()));
  return true;
}

BenchCorpus BenchLab::read(const std::string& path, int most, bool file_tags) const {
  BenchCorpus out;
  out.all = std::move(read_derivations(path, out.table, true).all);
  if (most > 0 && most < static_cast<int>(out.all.size())) out.all.resize(most);
  out.tags = tags_of(out.all, *request_.models, file_tags, monitor_);
  return out;
}

std::string BenchLab::key() const {
  return fmt::format("{} train {} dev {} epochs {} parts {} iterations {} l2 {}",
                     settings_.text("scheme"), train_.all.size(), dev_.all.size(),
                     options_.supertags.epochs, options_.jackknife, options_.weights.iterations,
                     options_.weights.l2);
}

ParserTrainer& BenchLab::with_charts(const TrainingOptions& options) {
  if (trainer_ == nullptr) {
    trainer_ = std::make_unique<ParserTrainer>(train_.all, train_.table, train_.tags, options_);
    trainer_->train_taggers(monitor_);
  }
  if (charts_ != key_of(options) && !monitor_.stopped()) {
    trainer_->rebuild(options, monitor_);
    charts_ = key_of(options);
  }
  return *trainer_;
}

WeightsOptions BenchLab::weights(const std::string& loss, double tau) const {
  WeightsOptions w = options_.weights;
  w.loss = parse_loss(loss);
  w.loss.tau = tau;
  return w;
}

LazyParser BenchLab::learned(const TrainingOptions& charts, const WeightsOptions& w,
                             const std::string& loss) {
  return {fmt::format("{} {} {} tau {} supertags {}", key(), key_of(charts), loss,
                      loss == "cll" ? 0 : w.loss.tau, w.supertags),
          [this, charts, w] { return with_charts(charts).train(w, monitor_); }};
}

BenchRow BenchLab::test(LazyParser& parser, const ParseOptions& options) const {
  return rows_.get(parser.key() + " " + key_of(options), monitor_, [&] {
    BenchRow row;
    ParsingCost cost;
    row.scores = score_parser(parser.get(), dev_path_, dev_.tags, options, monitor_, &cost);
    const double n = static_cast<double>(std::max<std::size_t>(1, row.scores.size()));
    if (options.decoding == Decoding::agreement)
      row.note = fmt::format("  proven {:.2f}%, {:.1f} rounds a sentence",
                             100.0 * static_cast<double>(cost.proven) / n,
                             static_cast<double>(cost.rounds) / n);
    return row;
  });
}

void BenchLab::head(const std::string& title) const {
  say(fmt::format("\n{}\n{:22}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}\n", title, "", "LF", "LP", "LR",
                  "UF", "UP", "UR", "ST"));
}

void BenchLab::row(const std::string& name, const BenchRow& made, const char* paper) const {
  if (monitor_.stopped()) return;
  const Scores all = total(made.scores);
  const Counts &l = all.labelled, &u = all.unlabelled;
  say(fmt::format("{:22}{:7.2f}{:7.2f}{:7.2f}{:7.2f}{:7.2f}{:7.2f}{:7.2f}  coverage {:.2f}\n", name,
                  l.f1(), l.precision(), l.recall(), u.f1(), u.precision(), u.recall(),
                  all.supertags.recall(),
                  100.0 * static_cast<double>(all.parsed) / static_cast<double>(all.sentences)));
  if (!made.note.empty()) say(made.note + "\n");
  if (*paper != '\0') say(fmt::format("{:22}{}\n", "  paper", paper));
}

void BenchLab::compare(const std::string& what, const BenchRow& one, const BenchRow& other,
                       double (*measure)(const Counts&)) const {
  if (monitor_.stopped()) return;
  const std::span<const Scores> first = one.scores, second = other.scores;
  const BootstrapInterval i = paired_bootstrap<Scores>(
      static_cast<int>(first.size()),
      [&](int s, Scores& a, Scores& b) {
        a.add(first[s]);
        b.add(second[s]);
      },
      [&](const Scores& s) { return measure ? measure(s.labelled) : s.labelled.f1(); });
  say(fmt::format("{:22}{:+7.2f}{}, 95% of resampled dev {:+.2f} to {:+.2f}\n", what, i.difference,
                  measure ? "" : " LF", i.low, i.high));
}

TrainingOptions BenchLab::large() const {
  TrainingOptions o = options_;
  o.beams = TrainingBeams::large;
  o.most = settings_.integer("large_chart");
  o.targets = Targets::both;
  return o;
}

TrainingOptions BenchLab::restricted(std::int64_t most) const {
  TrainingOptions o = options_;
  o.features = FeatureSet::normal_form;
  o.beams = TrainingBeams::small;
  o.most = most;
  o.targets = Targets::both;
  return o;
}

TrainingOptions BenchLab::smallest() const {
  TrainingOptions o = restricted(3000);
  o.targets = targets_from(settings_.text("figure_targets"));
  return o;
}

Scores BenchLab::held_out(const TrainingOptions& charts, const std::string& loss, double tau) {
  const std::span<const std::vector<std::string>> tags(train_.tags.data() + part_.size(), held_);
  const auto make = [&]() -> BenchRow {
    if (part_trainer_ == nullptr) {
      part_trainer_ = std::make_unique<ParserTrainer>(part_, train_.table, part_tags_, charts);
      part_trainer_->train_taggers(monitor_);
    }
    if (part_charts_ != key_of(charts) && !monitor_.stopped()) {
      part_trainer_->rebuild(charts, monitor_);
      part_charts_ = key_of(charts);
    }
    const Parser parser = part_trainer_->train(weights(loss, tau), monitor_);
    return {score_parser(parser, rest_, train_.table, tags, {}, monitor_), ""};
  };
  const std::string name = fmt::format("{} choose {} {} {} tau {}", key(), chosen_from_,
                                       key_of(charts), loss, loss == "cll" ? 0 : tau);
  return total(rows_.get(name, monitor_, make).scores);
}

void BenchLab::choose() {
  chosen_from_ = std::min(settings_.integer("choose"), static_cast<int>(train_.all.size()));
  held_ = chosen_from_ / 5;
  const std::vector<double> l2s = numbers_of(settings_.text("l2s"));
  const std::vector<double> taus = numbers_of(settings_.text("taus"));
  const std::vector<double> exact = numbers_of(settings_.text("exact_taus"));
  options_.weights.l2 = l2s[0];
  tau_ = taus[0];
  exact_tau_ = exact[0];
  if (held_ == 0) return;
  const auto learned_from = static_cast<std::ptrdiff_t>(chosen_from_ - held_);
  part_.assign(train_.all.begin(), train_.all.begin() + learned_from);
  rest_.assign(train_.all.begin() + learned_from, train_.all.begin() + chosen_from_);
  part_tags_.assign(train_.tags.begin(), train_.tags.begin() + learned_from);
  say(fmt::format("chosen on {} sentences of train, learned from {} others (LF):\n", held_,
                  part_.size()));
  double best = -1, best_l2 = l2s[0];
  for (const double l2 : l2s) {
    if (l2s.size() == 1) break;
    options_.weights.l2 = l2;
    const double f = held_out(restricted(30000), "cll", 0).labelled.f1();
    say(fmt::format("  likelihood  l2 {:<6} {:6.2f}\n", l2, f));
    if (f > best) best_l2 = l2;
    best = std::max(best, f);
  }
  options_.weights.l2 = best_l2;
  const auto choose_tau = [&](const TrainingOptions& charts, const char* loss,
                              const std::vector<double>& from) {
    double most = -1, chosen = from[0];
    for (const double tau : from) {
      if (from.size() == 1) break;
      const double f = held_out(charts, loss, tau).labelled.f1();
      say(fmt::format("  {:11} tau {:<5} {:6.2f}\n", loss, tau, f));
      if (f > most) chosen = tau;
      most = std::max(most, f);
    }
    return chosen;
  };
  // Each with the model of the tables that it is for.
  tau_ = choose_tau(large(), "decf1", taus);
  exact_tau_ = choose_tau(restricted(30000), "f1", exact);
  say(fmt::format("  l2 {}, tau {} (decomposed), {} (exact)\n", best_l2, tau_, exact_tau_));
}

}  // namespace entente::ccg
