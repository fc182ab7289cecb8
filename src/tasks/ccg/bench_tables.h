// Tables 3 to 7 and Figure 6 of Auli and Lopez (2011), the paper's rows beside ours: what
// `entente bench ccg` prints, section by section (bench.h).
//
//   BenchLab lab(request);
//   print_table_4(lab);
//
// Cost: a training a row, unless the lab has kept it.
#pragma once

#include "tasks/ccg/bench_lab.h"

namespace entente::ccg {

void print_figure_6(BenchLab& lab);
void print_table_3(BenchLab& lab);
void print_table_4(BenchLab& lab);
struct SectionsOf5And6 {
  bool table_5 = false, table_6 = false;
  bool reverse = false;  // their rows with reverse supertagging
};
void print_tables_5_and_6(BenchLab& lab, const SectionsOf5And6& wanted);
void print_table_7(BenchLab& lab);

}  // namespace entente::ccg
