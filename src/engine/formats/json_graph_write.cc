// The native format, written: one line a variable, group or factor.
#include <cmath>
#include <vector>

#include "base/json.h"
#include "engine/formats/names.h"
#include "engine/formats/readers.h"

namespace entente {

namespace {

class GraphWriter {
 public:
  explicit GraphWriter(const Graph& graph) : graph_(graph) {}

  std::string run() {
    check_names();
    out_.begin_object();
    write_variables();
    write_fixed();
    write_factors();
    out_.line(0).end_object();
    return out_.take() + "\n";
  }

 private:
  void check_names() {
    const VariableNames unique(graph_);  // throws where they are not
    const int n = graph_.variable_count();
    names_.reserve(n);
    for (int v = 0; v < n; ++v) {
      names_.push_back(graph_.variable_name(Var{v}));
      if (names_.back().starts_with('!'))
        throw Error("a variable called " + quoted(names_.back()) +
                    " cannot be written: \"!\" negates");
    }
    NameTable groups;
    group_named_.resize(graph_.groups().size());
    group_of_.assign(n, -1);
    for (std::size_t g = 0; g < graph_.groups().size(); ++g) {
      const Group group = graph_.groups()[g];
      group_of_[group.first] = static_cast<int>(g);
      const std::string name = graph_.group_name(static_cast<int>(g));
      // Variables of a group with a name are called name=state.
      group_named_[g] = names_[group.first].starts_with(name + "=");
      if (group_named_[g] && !groups.add(groups.keep(name)).fresh)
        throw Error("two groups are called " + quoted(name));
    }
  }

  void write_variables() {
    out_.line(2).key("variables").begin_array();
    for (int v = 0; v < graph_.variable_count();) {
      out_.line(4).begin_object();
      if (group_of_[v] >= 0) {
        v += write_group(group_of_[v]);
      } else {
        out_.key("name").string(names_[v]).key("score").number(graph_.score(Var{v}));
        ++v;
      }
      out_.end_object();
    }
    if (graph_.variable_count() > 0) out_.line(2);
    out_.end_array();
  }

  int write_group(int g) {
    const Group group = graph_.groups()[g];
    const bool named = group_named_[g];
    const std::string name = graph_.group_name(g);
    if (named) out_.key("group").string(name);
    out_.key("states").begin_array();
    for (int s = 0; s < group.size; ++s) {
      if (!named) {
        out_.number(graph_.score(group[s]));
        continue;
      }
      out_.begin_object().key("name").string(names_[group.first + s].substr(name.size() + 1));
      out_.key("score").number(graph_.score(group[s])).end_object();
    }
    out_.end_array();
    return group.size;
  }

  void write_fixed() {
    bool any = false;
    for (std::size_t v = 0; v < graph_.fixed().size(); ++v) {
      if (graph_.fixed()[v] < 0) continue;
      if (!any) out_.line(2).key("fixed").begin_object();
      any = true;
      out_.key(names_[v]).integer(graph_.fixed()[v]);
    }
    if (any) out_.end_object();
  }

  void write_factors() {
    std::vector<bool> of_group(graph_.factor_count());
    for (std::size_t g = 0; g < graph_.groups().size(); ++g)
      of_group[graph_.group_factor(static_cast<int>(g))] = true;
    out_.line(2).key("factors").begin_array();
    bool any = false;
    for (int f = 0; f < graph_.factor_count(); ++f) {
      if (of_group[f]) continue;
      any = true;
      out_.line(4).begin_object();
      write_factor(f, graph_.factor(f));
      out_.end_object();
    }
    if (any) out_.line(2);
    out_.end_array();
  }

  void literal(Literal l) { out_.string(l.negated() ? "!" + names_[l.var()] : names_[l.var()]); }

  void literals(std::span<const Literal> list) {
    out_.key("literals").begin_array();
    for (Literal l : list) literal(l);
    out_.end_array();
  }

  void scores(std::string_view key, std::span<const double> values) {
    out_.key(key).begin_array();
    for (double x : values) {
      if (x == -kInfinity) {
        out_.null();
      } else {
        out_.number(x);
      }
    }
    out_.end_array();
  }

  void write_factor(int index, const FactorView& f) {
    const bool structured = f.kind == Kind::structured;
    const std::string_view type = structured ? f.structured->type() : "";
    if (structured && type != "sequence" && type != "arborescence" && type != "projective_tree" &&
        type != "head_automaton")
      throw Error("the factor " + quoted(graph_.factor_name(index)) +
                  " is a structured factor of type " + quoted(f.structured->type()) +
                  ", which JSON cannot hold");
    out_.key("kind").string(structured ? type : kind_name(f.kind));
    if (f.rule >= 0) out_.key("rule").string(graph_.rule_name(f.rule));
    if (!f.hard()) out_.key("cost").number(f.cost);
    // Back from the stored form to what the user wrote.
    given_.assign(f.links.begin(), f.links.end());
    const bool output = f.kind == Kind::exactly_one_output || f.kind == Kind::or_output ||
                        f.kind == Kind::and_output;
    if (f.kind == Kind::and_output) {
      for (Literal& l : given_) l = !l;
    }
    if (f.kind == Kind::exactly_one_output) given_.back() = !given_.back();
    if (f.kind == Kind::implies) given_.front() = !given_.front();
    const std::span<const Literal> all = given_;
    if (f.kind != Kind::table) literals(output ? all.first(all.size() - 1) : all);
    if (output) {
      out_.key("output");
      literal(all.back());
    }
    write_rest(index, f);
  }

  void write_rest(int index, const FactorView& f) {
    if (f.kind == Kind::count) {
      out_.key("lower").number(f.lower).key("upper").number(f.upper);
    } else if (f.kind == Kind::linear) {
      if (f.lower == kInfinity || f.upper == -kInfinity)
        throw Error("the factor " + quoted(graph_.factor_name(index)) +
                    " has an infinite bound that nothing meets");
      out_.key("coefficients").begin_array();
      for (double c : f.values) out_.number(c);
      out_.end_array();
      if (f.lower != -kInfinity) out_.key("lower").number(f.lower);
      if (f.upper != kInfinity) out_.key("upper").number(f.upper);
    } else if (f.kind == Kind::table) {
      write_axes(f);
      scores("scores", f.values);
    } else if (f.kind == Kind::disjoint) {
      out_.key("intervals").begin_array();
      for (Interval i : f.intervals) out_.begin_array().integer(i.begin).integer(i.end).end_array();
      out_.end_array();
    } else if (f.kind == Kind::structured) {
      write_structured(*f.structured);
    }
  }

  void write_structured(const StructuredFactor& f) {
    const auto shape = f.shape();
    const auto own = f.scores();
    if (f.type() == "sequence") {
      out_.key("length").integer(shape[0]).key("labels").integer(shape[1]);
      scores("transitions", own);
    } else if (f.type() == "head_automaton") {
      out_.key("left").integer(shape[0]).key("right").integer(shape[1]);
      out_.key("uppers").integer(shape[2]);
      const std::size_t grand = static_cast<std::size_t>(shape[2]) * (shape[0] + shape[1]);
      const std::size_t sides = shape[0] * (shape[0] + 3ll) / 2 + shape[1] * (shape[1] + 3ll) / 2;
      scores("pairs", own.first(sides));
      if (grand > 0 && own.size() > sides) scores("grand", own.subspan(sides));
    } else {
      out_.key("nodes").integer(shape[0]).key("arcs").begin_array();
      for (std::size_t i = 2; i < shape.size(); i += 2) {
        out_.begin_array().integer(shape[i]).integer(shape[i + 1]).end_array();
      }
      out_.end_array();
      if (shape[1]) out_.key("single_root").boolean(true);
    }
  }

  void write_axes(const FactorView& f) {
    out_.key("axes").begin_array();
    std::size_t at = 0;
    for (std::int32_t size : f.axes) {
      const auto axis = f.links.subspan(at, size);
      at += size;
      if (const int g = whole_group(axis); g >= 0) {
        out_.string(graph_.group_name(g));
        continue;
      }
      out_.begin_array();
      for (Literal l : axis) literal(l);
      out_.end_array();
    }
    out_.end_array();
  }

  // The named group whose states, in order, are these literals; -1 if there is none.
  int whole_group(std::span<const Literal> axis) const {
    const int g = group_of_[axis.front().var()];
    if (g < 0 || !group_named_[g]) return -1;
    const Group group = graph_.groups()[g];
    if (group.size != static_cast<int>(axis.size())) return -1;
    for (int s = 0; s < group.size; ++s) {
      if (axis[s] != Literal(group[s])) return -1;
    }
    return g;
  }

  const Graph& graph_;
  JsonWriter out_;
  std::vector<std::string> names_;
  std::vector<int> group_of_;  // of a group's first variable
  std::vector<bool> group_named_;
  std::vector<Literal> given_;
};

}  // namespace

std::string write_json_graph(const Graph& graph) { return GraphWriter(graph).run(); }

}  // namespace entente
