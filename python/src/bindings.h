// What the files of the module share: arrays as they lie in memory, Ctrl-C, errors.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <string>

#include "entente/error.h"
#include "entente/matrix.h"
#include "entente/options.h"

namespace entente::python {

namespace py = pybind11;

// One part of the module each; called by PYBIND11_MODULE.
void bind_graph(py::module_& m);
void bind_solving(py::module_& m);
void bind_builders(py::module_& m);
void bind_forest(py::module_& m);
void bind_schema(py::module_& m);
void bind_language(py::module_& m);

// A float32 or float64 array of one or two dimensions where it lies; whole numbers and lists are converted, all else
// is an Error that says what `name` should have been. Holds a reference: keep it while the view is used.
class Matrix {
 public:
  Matrix(const py::object& value, const char* name, int dimensions);
  const MatrixView& view() const { return view_; }
  std::size_t rows() const { return view_.rows(); }
  std::size_t columns() const { return view_.columns(); }

 private:
  py::array array_;
  MatrixView view_;
};

// Whole numbers in a row, of one dimension or n x `columns`; copied only if they are not int32 in C order.
class Integers {
 public:
  Integers(const py::object& value, const char* name, int columns = 1);  // None: empty
  const std::int32_t* data() const { return static_cast<const std::int32_t*>(array_.data()); }
  std::size_t rows() const { return rows_; }
  std::int32_t operator[](std::size_t i) const { return data()[i]; }

 private:
  py::array array_;
  std::size_t rows_ = 0;
};

// While it lives, Ctrl-C in the main thread sets stop(); Python's own handler runs too. Others are not disturbed.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  const std::atomic<bool>* stop() const;
  bool happened() const;

 private:
  bool installed_ = false;
};

// What Ctrl-C sets while an Interrupts lives; false otherwise.
const std::atomic<bool>* interrupt_flag();

// After a computation with the GIL held again: takes back the KeyboardInterrupt that Ctrl-C left; true if there was.
bool take_interrupt(const Interrupts& interrupts);

}  // namespace entente::python
