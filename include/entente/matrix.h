// A matrix of scores where it lies: float or double, rows and columns any distance apart. Nothing is copied.
//
//   MatrixView m(scores.data(), 28, 5);        // 28 x 5, row by row
//   double x = m(3, 1);
//
// What it points to must outlive it. Reading costs one branch; thread-safe.
#pragma once

#include <cstddef>

namespace entente {

class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(const float* data, std::size_t rows, std::size_t columns)
      : MatrixView(data, rows, columns, static_cast<std::ptrdiff_t>(columns), 1) {}
  MatrixView(const double* data, std::size_t rows, std::size_t columns)
      : MatrixView(data, rows, columns, static_cast<std::ptrdiff_t>(columns), 1) {}
  // Steps count numbers, not bytes.
  MatrixView(const float* data, std::size_t rows, std::size_t columns, std::ptrdiff_t row_step,
             std::ptrdiff_t column_step)
      : single_(data), rows_(rows), columns_(columns), row_step_(row_step), column_step_(column_step) {}
  MatrixView(const double* data, std::size_t rows, std::size_t columns, std::ptrdiff_t row_step,
             std::ptrdiff_t column_step)
      : double_(data), rows_(rows), columns_(columns), row_step_(row_step), column_step_(column_step) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double operator()(std::size_t row, std::size_t column) const {
    const std::ptrdiff_t at =
        static_cast<std::ptrdiff_t>(row) * row_step_ + static_cast<std::ptrdiff_t>(column) * column_step_;
    return single_ ? static_cast<double>(single_[at]) : double_[at];
  }
  // Rows [first, first + count).
  MatrixView part(std::size_t first, std::size_t count) const {
    MatrixView out = *this;
    if (single_) out.single_ += static_cast<std::ptrdiff_t>(first) * row_step_;
    if (double_) out.double_ += static_cast<std::ptrdiff_t>(first) * row_step_;
    out.rows_ = count;
    return out;
  }

 private:
  const float* single_ = nullptr;
  const double* double_ = nullptr;
  std::size_t rows_ = 0, columns_ = 0;
  std::ptrdiff_t row_step_ = 0, column_step_ = 1;
};

}  // namespace entente
