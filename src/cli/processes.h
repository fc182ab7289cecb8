// The processes that mpirun started, for commands that share their work (base/processes.h).
//
//   const std::unique_ptr<Processes> others = join_processes();   // nullptr: there are none
//
// Looks for libentente_mpi.so beside the program, or in ../lib/entente, only if the environment says
// that mpirun started several; Error if it is not there: this entente was built without MPI.
#pragma once

#include <memory>

#include "base/processes.h"

namespace entente::cli {

// Joined until it is destroyed.
std::unique_ptr<Processes> join_processes();

}  // namespace entente::cli
