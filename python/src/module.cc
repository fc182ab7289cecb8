// The module entente._core: thin; what users see is written in Python beside it.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bindings.h"

namespace entente::python {

namespace {

std::atomic<bool> interrupted{false};
struct sigaction python_action;

void on_interrupt(int signal) {
  interrupted.store(true);
  if (python_action.sa_handler != SIG_DFL && python_action.sa_handler != SIG_IGN) {
    python_action.sa_handler(signal);
  }
}

[[noreturn]] void wrong(const char* name, const std::string& expected, const std::string& found) {
  throw Error(std::string(name) + ": expected " + expected + ", found " + found);
}

std::string described(const py::array& a) {
  std::string shape;
  for (py::ssize_t i = 0; i < a.ndim(); ++i) shape += (i ? " x " : "") + std::to_string(a.shape(i));
  return "an array of " + std::string(py::str(a.dtype())) + (a.ndim() ? ", " + shape : "");
}

}  // namespace

Interrupts::Interrupts() {
  if (::syscall(SYS_gettid) != ::getpid()) return;  // Python handles signals in its main thread
  interrupted.store(false);
  struct sigaction mine {};
  mine.sa_handler = on_interrupt;
  ::sigemptyset(&mine.sa_mask);
  installed_ = ::sigaction(SIGINT, &mine, &python_action) == 0;
}

Interrupts::~Interrupts() {
  if (!installed_) return;
  ::sigaction(SIGINT, &python_action, nullptr);
  interrupted.store(false);
}

const std::atomic<bool>* interrupt_flag() { return &interrupted; }

const std::atomic<bool>* Interrupts::stop() const { return installed_ ? &interrupted : nullptr; }
bool Interrupts::happened() const { return installed_ && interrupted.load(); }

bool take_interrupt(const Interrupts& interrupts) {
  if (!interrupts.happened()) return false;
  if (PyErr_CheckSignals() != 0) {
    if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw py::error_already_set();
    PyErr_Clear();
  }
  return true;
}

Matrix::Matrix(const py::object& value, const char* name, int dimensions) {
  const std::string expected = dimensions == 1 ? "a row of numbers" : "a matrix of numbers";
  array_ = py::array::ensure(value);
  if (!array_) {
    PyErr_Clear();
    wrong(name, expected, std::string(py::str(py::type::of(value))));
  }
  const char kind = array_.dtype().kind();
  const auto size = array_.itemsize();
  if (kind == 'i' || kind == 'u' || kind == 'b' || (kind == 'f' && size == 2)) {
    array_ = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(array_);
  } else if (kind != 'f' || (size != 4 && size != 8) || array_.dtype().byteorder() == '>') {
    wrong(name, expected + " (float32 or float64)", described(array_));
  }
  if (array_.ndim() != dimensions) wrong(name, expected, described(array_));
  const bool single = array_.itemsize() == 4;
  const auto step = static_cast<py::ssize_t>(array_.itemsize());
  const auto rows = static_cast<std::size_t>(dimensions == 2 ? array_.shape(0) : 1);
  const auto columns = static_cast<std::size_t>(array_.shape(dimensions - 1));
  for (int d = 0; d < dimensions; ++d) {
    if (array_.strides(d) % step == 0) continue;  // fields of a record may lie anywhere
    array_ = py::array::ensure(array_, py::array::c_style | py::array::forcecast);
    break;
  }
  const std::ptrdiff_t row_step = dimensions == 2 ? array_.strides(0) / step : 0;
  const std::ptrdiff_t column_step = array_.strides(dimensions - 1) / step;
  view_ = single ? MatrixView(static_cast<const float*>(array_.data()), rows, columns, row_step,
                              column_step)
                 : MatrixView(static_cast<const double*>(array_.data()), rows, columns, row_step,
                              column_step);
}

Integers::Integers(const py::object& value, const char* name, int columns) {
  const std::string expected =
      columns == 1 ? "a row of whole numbers" : "whole numbers, n x " + std::to_string(columns);
  if (value.is_none()) {
    array_ = py::array_t<std::int32_t>(0);
    return;
  }
  py::array given = py::array::ensure(value);
  if (!given) {
    PyErr_Clear();
    wrong(name, expected, std::string(py::str(py::type::of(value))));
  }
  const char kind = given.dtype().kind();
  const bool empty = given.size() == 0;
  if (kind != 'i' && kind != 'u' && !empty) wrong(name, expected, described(given));
  const bool fits =
      columns == 1 ? given.ndim() == 1 : given.ndim() == 2 && given.shape(1) == columns;
  if (!fits && !empty) wrong(name, expected, described(given));
  array_ = py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!array_) throw py::error_already_set();
  if (given.itemsize() > 4 && !empty) {  // what does not fit into int32 must not wrap around
    const py::array wide =
        py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(given);
    const auto* w = static_cast<const std::int64_t*>(wide.data());
    for (py::ssize_t i = 0; i < wide.size(); ++i) {
      if (w[i] != data()[i]) wrong(name, "numbers below 2^31", std::to_string(w[i]));
    }
  }
  rows_ = static_cast<std::size_t>(given.size()) / static_cast<std::size_t>(columns);
}

}  // namespace entente::python

PYBIND11_MODULE(_core, m) {
  using namespace entente;
  using namespace entente::python;
  m.doc() = "What the package entente is made of; use that.";
  static py::exception<Error> error(m, "Error", PyExc_ValueError);
  error.attr("__doc__") =
      "Bad input; message, file, line and column say what and where (file may be empty, line and "
      "column 0).";
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const Error& e) {
      py::object made = py::reinterpret_borrow<py::object>(error.ptr())(e.what());
      made.attr("message") = e.message();
      made.attr("file") = e.place().file;
      made.attr("line") = e.place().line;
      made.attr("column") = e.place().column;
      PyErr_SetObject(error.ptr(), made.ptr());
    }
  });
  bind_graph(m);
  bind_solving(m);
  bind_builders(m);
  bind_forest(m);
  bind_schema(m);
#ifdef ENTENTE_HAS_LANGUAGE
  bind_language(m);
#endif
}
