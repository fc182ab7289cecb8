#include "cli/processes.h"

#include <dlfcn.h>

#include <cstdlib>
#include <exception>
#include <filesystem>

#include "entente/error.h"

namespace entente::cli {

namespace {

namespace fs = std::filesystem;

class MpiProcesses : public Processes {
 public:
  explicit MpiProcesses(void* library) : exceptions_(std::uncaught_exceptions()) {
    const auto begin = reinterpret_cast<int (*)(int*, int*)>(find(library, "entente_mpi_begin"));
    broadcast_ =
        reinterpret_cast<void (*)(double*, long, int)>(find(library, "entente_mpi_broadcast"));
    end_ = reinterpret_cast<void (*)()>(find(library, "entente_mpi_end"));
    if (begin(&rank_, &size_) != 0) throw Error("MPI cannot be started");
    set_processes(this);
  }
  ~MpiProcesses() override {
    set_processes(nullptr);
    // The others would wait for one that failed.
    if (std::uncaught_exceptions() == exceptions_) end_();
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void broadcast(std::span<double> numbers, int from) override {
    broadcast_(numbers.data(), static_cast<long>(numbers.size()), from);
  }

 private:
  static void* find(void* library, const char* name) {
    void* at = dlsym(library, name);
    if (at == nullptr) throw Error(std::string("libentente_mpi.so has no ") + name);
    return at;
  }

  int exceptions_, rank_ = 0, size_ = 1;
  void (*broadcast_)(double*, long, int) = nullptr;
  void (*end_)() = nullptr;
};

}  // namespace

std::unique_ptr<Processes> join_processes() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (size == nullptr || std::atoi(size) < 2) return nullptr;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& path :
       {folder / "libentente_mpi.so", folder.parent_path() / "lib/entente/libentente_mpi.so"}) {
    if (!fs::exists(path, error)) continue;
    // Its parts are loaded by MPI itself and look for MPI's names among all.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) throw Error(std::string("MPI cannot be loaded: ") + dlerror());
    return std::make_unique<MpiProcesses>(library);
  }
  throw Error("started by mpirun, but this entente was built without MPI (libentente_mpi.so)");
}

}  // namespace entente::cli
