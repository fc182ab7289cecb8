#include "learn/model_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "base/checksum.h"
#include "base/files.h"
#include "entente/error.h"

namespace entente {

namespace {

constexpr char kMagic[8] = {'e', 'n', 't', 'e', 'n', 't', 'e', '\n'};
constexpr std::uint32_t kVersion = 2;          // the last eight bytes are the checksum of the rest
constexpr std::uint32_t kUnsealedVersion = 1;  // the same without
constexpr std::size_t kAlign = 64;

std::size_t aligned(std::size_t n) { return (n + kAlign - 1) / kAlign * kAlign; }

template <typename T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void append_text(std::string& out, std::string_view text) {
  append(out, static_cast<std::uint64_t>(text.size()));
  out += text;
}

// Reads the header, refusing to look past its end.
class HeaderReader {
 public:
  HeaderReader(std::span<const std::byte> data, const ModelFile& file) : data_(data), file_(file) {}
  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string text() {
    const auto size = number<std::uint64_t>();
    if (size > data_.size()) file_.fail("the file is cut short or damaged");
    return std::string(reinterpret_cast<const char*>(take(size)), size);
  }

 private:
  const std::byte* take(std::size_t size) {
    if (size > data_.size() - at_) file_.fail("the file is cut short or damaged");
    at_ += size;
    return data_.data() + at_ - size;
  }
  std::span<const std::byte> data_;
  const ModelFile& file_;
  std::size_t at_ = 0;
};

}  // namespace

void ModelWriter::add_bytes(std::string name, std::span<const std::byte> bytes) {
  for (const auto& section : sections_) ENTENTE_CHECK(section.first != name);
  sections_.emplace_back(std::move(name),
                         std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void ModelWriter::add_strings(std::string name, std::span<const std::string> strings) {
  std::string joined;
  for (const std::string& s : strings) append_text(joined, s);
  add_bytes(std::move(name), std::as_bytes(std::span<const char>(joined)));
}

void ModelWriter::add_all(const ModelFile& file) {
  for (const std::string& name : file.section_names()) {
    // What several parts of a model share (word classes) stands there once.
    const bool there = std::any_of(sections_.begin(), sections_.end(),
                                   [&](const auto& section) { return section.first == name; });
    if (!there) add_bytes(name, file.bytes(name));
  }
}

std::string ModelWriter::bytes() const {
  static_assert(std::endian::native == std::endian::little);
  std::string header(kMagic, sizeof kMagic);
  append(header, kVersion);
  append(header, static_cast<std::uint32_t>(sections_.size()));
  append(header, fingerprint_);
  append_text(header, task_);
  std::size_t header_size = header.size();
  for (const auto& [name, bytes] : sections_) header_size += 8 + name.size() + 16;
  std::size_t at = aligned(header_size);
  for (const auto& [name, bytes] : sections_) {
    append_text(header, name);
    append(header, static_cast<std::uint64_t>(at));
    append(header, static_cast<std::uint64_t>(bytes.size()));
    at = aligned(at + bytes.size());
  }
  std::string out = std::move(header);
  for (const auto& [name, bytes] : sections_) {
    out.resize(aligned(out.size()), '\0');
    out += bytes;
  }
  append(out, checksum(std::as_bytes(std::span<const char>(out))));
  return out;
}

void ModelWriter::write(const std::string& path) const { write_whole_file(path, bytes()); }

ModelFile::ModelFile(const std::string& path) : name_(path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status {};
  const bool regular = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data =
      regular && size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  ::close(fd);
  if (data == MAP_FAILED) fail("not a model file");
  mapped_ = true;
  data_ = {static_cast<const std::byte*>(data), size};
  try {
    read_header();
  } catch (...) {
    ::munmap(data, size);
    throw;
  }
}

ModelFile ModelFile::from_bytes(std::string bytes, std::string name) {
  ModelFile file;
  file.name_ = std::move(name);
  // Room to start at a multiple of 64, as in a mapped file.
  file.owned_.assign(bytes.size() + kAlign, '\0');
  char* begin = file.owned_.data();
  begin += (kAlign - reinterpret_cast<std::uintptr_t>(begin) % kAlign) % kAlign;
  std::memcpy(begin, bytes.data(), bytes.size());
  file.data_ = {reinterpret_cast<const std::byte*>(begin), bytes.size()};
  file.read_header();
  return file;
}

ModelFile::~ModelFile() {
  if (mapped_) ::munmap(const_cast<std::byte*>(data_.data()), data_.size());
}

ModelFile::ModelFile(ModelFile&& other) noexcept
    : name_(std::move(other.name_)),
      task_(std::move(other.task_)),
      owned_(std::move(other.owned_)),
      fingerprint_(other.fingerprint_),
      data_(std::exchange(other.data_, {})),
      mapped_(std::exchange(other.mapped_, false)),
      sealed_(other.sealed_),
      sections_(std::move(other.sections_)) {}

void ModelFile::read_header() {
  HeaderReader in(data_, *this);
  if (data_.size() < sizeof kMagic || std::memcmp(data_.data(), kMagic, sizeof kMagic) != 0) {
    fail("not a model file");
  }
  in.number<std::uint64_t>();
  const auto version = in.number<std::uint32_t>();
  if (version != kVersion && version != kUnsealedVersion) {
    fail("has format version " + std::to_string(version) + ", this program reads " +
         std::to_string(kUnsealedVersion) + " and " + std::to_string(kVersion) +
         "; train it again");
  }
  if (version == kVersion) check_seal();
  constexpr std::uint32_t kMostSections = 10000;  // ours have dozens
  const auto sections = in.number<std::uint32_t>();
  if (sections > kMostSections) fail("the file is cut short or damaged");
  fingerprint_ = in.number<std::uint64_t>();
  task_ = in.text();
  for (std::uint32_t i = 0; i < sections; ++i) {
    Section s{in.text(), 0, 0};
    s.begin = in.number<std::uint64_t>();
    s.size = in.number<std::uint64_t>();
    if (s.begin % kAlign != 0 || s.begin > data_.size() || s.size > data_.size() - s.begin ||
        has(s.name)) {
      fail("the file is cut short or damaged");
    }
    sections_.push_back(std::move(s));
  }
}

void ModelFile::check_seal() {
  std::uint64_t stored = 0;
  const std::span<const std::byte> rest = data_.first(data_.size() - sizeof stored);
  std::memcpy(&stored, rest.data() + rest.size(), sizeof stored);
  if (checksum(rest) != stored) fail("the file is cut short or damaged (its checksum is wrong)");
  sealed_ = true;
}

void ModelFile::expect(std::string_view task, std::uint64_t fingerprint) const {
  if (task_ != task)
    fail("is a model for \"" + task_ + "\", not for \"" + std::string(task) + "\"");
  if (fingerprint_ != fingerprint) {
    fail("was trained by another version of this program, with other features; train it again");
  }
}

bool ModelFile::has(std::string_view name) const {
  for (const Section& s : sections_) {
    if (s.name == name) return true;
  }
  return false;
}

std::span<const std::byte> ModelFile::bytes(std::string_view name) const {
  for (const Section& s : sections_) {
    if (s.name == name) return data_.subspan(s.begin, s.size);
  }
  fail("has no section \"" + std::string(name) + "\"");
}

double ModelFile::number(std::string_view name) const {
  const std::span<const double> values = array<double>(name);
  if (values.size() != 1) fail("section \"" + std::string(name) + "\" has a bad size");
  return values[0];
}

std::vector<std::string> ModelFile::strings(std::string_view name) const {
  const std::span<const std::byte> raw = bytes(name);
  HeaderReader in(raw, *this);
  std::vector<std::string> out;
  for (std::size_t used = 0; used < raw.size(); used += 8 + out.back().size()) {
    out.push_back(in.text());
  }
  return out;
}

std::vector<std::string> ModelFile::section_names() const {
  std::vector<std::string> out;
  for (const Section& s : sections_) out.push_back(s.name);
  return out;
}

void ModelFile::fail(const std::string& message) const { throw Error(message, {.file = name_}); }

bool seal_model_file(const std::string& path) {
  const ModelFile file(path);
  if (file.sealed()) return false;
  ModelWriter writer(file.task(), file.fingerprint());
  writer.add_all(file);
  writer.write(path);
  return true;
}

}  // namespace entente
