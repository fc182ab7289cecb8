// Text in, documents out; training and evaluation of every task, by the tables that the command is made from.
#include "entente/language.h"

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <memory>
#include <mutex>

#include "base/parallel.h"
#include "bindings.h"
#include "corpus/writers.h"
#include "pipeline/models.h"
#include "pipeline/task_models.h"
#include "pipeline/train.h"
#include "tasks/registry.h"

namespace entente::python {

namespace {

using DocumentPointer = std::shared_ptr<Document>;

std::vector<DocumentPointer> parse_many(const Language& nlp, const std::vector<std::string>& texts,
                                        int threads) {
  std::vector<DocumentPointer> out(texts.size());
  Interrupts interrupts;
  {
    const py::gil_scoped_release release;
    parallel_for(
        static_cast<int>(texts.size()), thread_count(threads),
        [&](int i, int) {
          if (interrupts.happened()) return;
          out[i] = std::make_shared<Document>();
          out[i]->text = texts[i];
          nlp.parse(*out[i]);
        },
        1);
  }
  if (take_interrupt(interrupts)) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
  return out;
}

// Tells Python how far it is; stops at Ctrl-C, or where the callback returns False.
class CallbackMonitor : public Monitor {
 public:
  CallbackMonitor(py::object callback, const Interrupts& interrupts)
      : callback_(std::move(callback)), interrupts_(interrupts) {}
  ~CallbackMonitor() override {
    const py::gil_scoped_acquire gil;
    callback_ = py::none();
  }
  void stage(const std::string& name, std::int64_t total) override { tell("stage", name, total); }
  void advance(std::int64_t steps) override { tell("advance", "", steps); }
  void say(const std::string& line) override { tell("say", line, 0); }
  bool stopped() const override { return stopped_ || interrupts_.happened(); }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void tell(const char* what, const std::string& text, std::int64_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopped_ || callback_.is_none()) return;
    const py::gil_scoped_acquire gil;
    try {
      const py::object answer = callback_(what, text, number);
      if (answer.ptr() == Py_False) stopped_ = true;
    } catch (py::error_already_set&) {
      error_ = std::current_exception();
      stopped_ = true;
    }
  }

  py::object callback_;
  const Interrupts& interrupts_;
  std::mutex mutex_;
  bool stopped_ = false;
  std::exception_ptr error_;
};

// None if it finished, else what is kept and whether Ctrl-C was why.
py::object train_task(const std::string& task, const std::vector<std::string>& train_paths,
                      const std::vector<std::string>& dev_paths,
                      const std::vector<std::string>& models, const GivenSettings& settings,
                      int epochs, std::uint64_t seed, int threads, bool restart,
                      const std::string& output, const py::object& callback) {
  TrainingPlan plan;
  plan.task = task;
  plan.train_paths = train_paths;
  plan.dev_paths = dev_paths;
  plan.models = models;
  plan.settings = settings;
  plan.options.epochs = epochs;
  plan.options.seed = seed;
  plan.options.threads = thread_count(threads);
  plan.restart = restart;
  plan.output = output;
  Interrupts interrupts;
  CallbackMonitor monitor(callback, interrupts);
  Trained trained;
  {
    const py::gil_scoped_release release;
    trained = train(plan, monitor);
  }
  const bool interrupted = take_interrupt(interrupts);
  if (!interrupted) monitor.rethrow();
  if (trained && !interrupted) return py::none();
  return py::make_tuple(trained ? "stopped when the model was written" : trained.stopped("call"),
                        interrupted);
}

std::string evaluate_task(const std::string& name, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& model_names,
                          const GivenSettings& settings, int threads, const py::object& callback) {
  const Task& task = find_task(name);
  PipelineModels models(task, model_names);
  Interrupts interrupts;
  CallbackMonitor monitor(callback, interrupts);
  std::string out;
  TaskRequest request;
  request.inputs = inputs;
  request.settings = Settings(name, task.settings(), kEvaluate, settings);
  request.models = &models;
  request.threads = thread_count(threads);
  request.json = true;
  request.monitor = &monitor;
  request.write = [&](std::string_view text) { out += text; };
  {
    const py::gil_scoped_release release;
    task.evaluate(request);
  }
  monitor.rethrow();
  take_interrupt(interrupts);
  return out;
}

py::list task_table() {
  py::list out;
  for (const Task* task : all_tasks()) {
    py::dict row;
    row["name"] = std::string(task->name());
    row["summary"] = std::string(task->summary());
    std::vector<std::string> needs;
    for (std::string_view n : task->needs()) needs.emplace_back(n);
    row["needs"] = needs;
    py::list settings;
    for (const Setting& s : task->settings()) {
      py::dict one;
      one["name"] = s.name;
      one["help"] = s.help;
      one["default"] = s.otherwise;
      one["range"] = s.range();
      one["train"] = (s.verbs & kTrain) != 0;
      one["annotate"] = (s.verbs & kAnnotate) != 0;
      one["evaluate"] = (s.verbs & kEvaluate) != 0;
      settings.append(one);
    }
    row["settings"] = settings;
    out.append(row);
  }
  return out;
}

}  // namespace

void bind_language(py::module_& m) {
  py::class_<Document, DocumentPointer>(m, "Document")
      .def_property_readonly("text", [](const Document& d) { return d.text; })
      .def_property_readonly("sentence_count", [](const Document& d) { return d.sentences.size(); })
      .def_property_readonly("word_count",
                             [](const Document& d) {
                               std::size_t count = 0;
                               for (const Sentence& s : d.sentences) count += s.words.size();
                               return count;
                             })
      .def("write", [](const Document& d, const std::string& format,
                       const std::vector<std::string>& layers) {
        const py::gil_scoped_release release;
        return write_document(d, format, layers);
      });
  m.def("output_formats", [] {
    std::vector<std::string> out;
    for (const OutputFormat& f : output_formats()) out.emplace_back(f.name);
    return out;
  });
  m.def("read_document",
        [](const std::string& text, const std::string& format, const std::string& file) {
          const py::gil_scoped_release release;
          return std::make_shared<Document>(read_document(text, format, file));
        });
  py::class_<Language>(m, "Language")
      .def(py::init([](const std::vector<std::string>& layers,
                       const std::vector<std::string>& models, const GivenSettings& settings,
                       const std::string& folder) {
        LanguageOptions o;
        o.layers = layers;
        o.models = models;
        o.settings = settings;
        o.model_folder = folder;
        const py::gil_scoped_release release;
        return std::make_unique<Language>(o);
      }))
      .def_property_readonly("layers", &Language::layers)
      .def("parse_many", &parse_many)
      .def("annotate", [](const Language& nlp, Document& d) {
        const py::gil_scoped_release release;
        nlp.annotate(d);
      });
  m.def("tasks", &task_table);
  m.def("train", &train_task);
  m.def("evaluate", &evaluate_task);
}

}  // namespace entente::python
