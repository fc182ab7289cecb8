// A model on disk: named sections of bytes behind a header that says what the file is.
//
//   ModelWriter writer("dependency", fingerprint);
//   writer.add("parser/weights", std::span<const std::int8_t>(weights));
//   writer.add_strings("parser/labels", labels);
//   writer.write("en.model");                       // whole, then renamed into place
//
//   ModelFile file("en.model");                     // memory-mapped: nothing is read until used
//   file.expect("dependency", fingerprint);         // else an Error that says what differs
//   std::span<const std::int8_t> w = file.array<std::int8_t>("parser/weights");
//
// Sections start at multiples of 64 bytes. Numbers are little-endian, as everywhere we run (a CHECK
// says so). The header carries magic, version, task and a fingerprint of the features; the sizes of
// all sections are checked against the file's when it is opened, and the checksum at the file's end
// (base/checksum.h; a few milliseconds for 20 MB) against all that stands before it, so that a cut,
// damaged or foreign file is an Error and never a crash or another answer. Files of version 1 have
// no checksum and are read as they are; seal_model_file() gives them one. Reading is thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace entente {

class ModelFile;

class ModelWriter {
 public:
  ModelWriter(std::string task, std::uint64_t fingerprint)
      : task_(std::move(task)), fingerprint_(fingerprint) {}

  void add_bytes(std::string name, std::span<const std::byte> bytes);
  template <typename T>
  void add(std::string name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add_bytes(std::move(name), std::as_bytes(values));
  }
  void add_number(std::string name, double value) {
    add<double>(std::move(name), std::span<const double>(&value, 1));
  }
  void add_strings(std::string name, std::span<const std::string> strings);
  void add_all(const ModelFile& file);  // every section of another file

  std::string bytes() const;  // the whole file
  void write(const std::string& path) const;

 private:
  std::string task_;
  std::uint64_t fingerprint_;
  std::vector<std::pair<std::string, std::string>> sections_;
};

class ModelFile {
 public:
  explicit ModelFile(const std::string& path);
  static ModelFile from_bytes(std::string bytes, std::string name);  // for tests
  ~ModelFile();
  ModelFile(ModelFile&& other) noexcept;
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;

  const std::string& name() const { return name_; }
  const std::string& task() const { return task_; }
  std::uint64_t fingerprint() const { return fingerprint_; }
  bool sealed() const { return sealed_; }  // has a checksum, and it was right
  void expect(std::string_view task, std::uint64_t fingerprint) const;

  bool has(std::string_view name) const;
  std::span<const std::byte> bytes(std::string_view name) const;  // Error if it is not there
  template <typename T>
  std::span<const T> array(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::span<const std::byte> raw = bytes(name);
    if (raw.size() % sizeof(T) != 0) fail("section \"" + std::string(name) + "\" has a bad size");
    return {reinterpret_cast<const T*>(raw.data()), raw.size() / sizeof(T)};
  }
  double number(std::string_view name) const;
  std::vector<std::string> strings(std::string_view name) const;
  std::vector<std::string> section_names() const;
  // For readers of sections that find them inconsistent.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  ModelFile() = default;
  void read_header();
  void check_seal();

  struct Section {
    std::string name;
    std::size_t begin, size;
  };
  std::string name_, task_, owned_;
  std::uint64_t fingerprint_ = 0;
  std::span<const std::byte> data_;
  bool mapped_ = false, sealed_ = false;
  std::vector<Section> sections_;
};

// Adds the checksum to a model file that has none; false: it had one, and it is right.
bool seal_model_file(const std::string& path);

}  // namespace entente
