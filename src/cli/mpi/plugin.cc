// Processes of one training as MPI has them, in a library of its own, so that the command depends on
// MPI only where it is started by mpirun (see cli/processes.h).
#include <mpi.h>

#include <algorithm>

extern "C" {

int entente_mpi_begin(int* rank, int* size) {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return 0;
}

void entente_mpi_broadcast(double* numbers, long count, int from) {
  constexpr long kPiece = 1L << 20;
  for (long at = 0; at < count; at += kPiece)
    MPI_Bcast(numbers + at, static_cast<int>(std::min(kPiece, count - at)), MPI_DOUBLE, from,
              MPI_COMM_WORLD);
}

void entente_mpi_end() { MPI_Finalize(); }

}  // extern "C"
