// Several processes that work on one thing, where the program was started by something like mpirun.
//
//   Processes& all = processes();                 // alone, unless main() found others
//   for (int h = 0; h < heaps; ++h)
//     if (h % all.size() == all.rank()) work(h);
//   all.broadcast(numbers, h % all.size());       // everybody has them now
//
// Every process runs the same program with the same arguments and must call broadcast the same
// number of times with as many numbers. Whoever adds up what it got in a fixed order has the same
// sums, to the last bit, for any number of processes. Only the first writes files.
#pragma once

#include <span>

namespace entente {

class Processes {
 public:
  virtual ~Processes() = default;
  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  virtual void broadcast(std::span<double> /*numbers*/, int /*from*/) {}
  bool is_first() const { return rank() == 0; }
};

Processes& processes();
// `all` must live as long as the program; nullptr: alone again. Before any thread is started.
void set_processes(Processes* all);

}  // namespace entente
