#include "corpus/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "base/signals.h"

namespace entente {

namespace {

constexpr std::size_t kChunk = 1 << 16;
constexpr std::string_view kMagic = "\x1F\x8B";

}  // namespace

struct CorpusFile::Inflater {
  Inflater() {
    constexpr int kGzipOnly = 15 + 16;
    ENTENTE_CHECK(inflateInit2(&stream, kGzipOnly) == Z_OK);
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
};

CorpusFile::CorpusFile(const std::string& path) : InputFile(path) {}
CorpusFile::~CorpusFile() = default;

void CorpusFile::fail(const std::string& message) const { throw Error(message, {.file = name()}); }

bool CorpusFile::refill() {
  packed_.erase(0, packed_at_);
  packed_at_ = 0;
  const std::size_t old = packed_.size();
  packed_.resize(old + kChunk);
  const std::size_t got = InputFile::read_some(packed_.data() + old, kChunk);
  packed_.resize(old + got);
  return got > 0;
}

bool CorpusFile::start_member() {
  while (packed_.size() - packed_at_ < kMagic.size() && refill()) {
  }
  const std::string_view rest = std::string_view(packed_).substr(packed_at_);
  // Some tools fill the file up with zeros; gzip itself forgives those and nothing else.
  if (rest.empty() || rest.front() == '\0') return false;
  if (!rest.starts_with(kMagic)) fail("there is something else after the gzipped data");
  inflateReset(&inflater_->stream);
  return true;
}

std::size_t CorpusFile::read_some(char* data, std::size_t size) {
  if (!started_) {
    started_ = true;
    while (packed_.size() < kMagic.size() && refill()) {
    }
    if (std::string_view(packed_).starts_with(kMagic)) inflater_ = std::make_unique<Inflater>();
  }
  if (!inflater_) {
    if (packed_at_ == packed_.size()) return InputFile::read_some(data, size);
    const std::size_t some = std::min(size, packed_.size() - packed_at_);
    std::memcpy(data, packed_.data() + packed_at_, some);
    packed_at_ += some;
    return some;
  }
  z_stream& z = inflater_->stream;
  z.next_out = reinterpret_cast<Bytef*>(data);
  z.avail_out = static_cast<uInt>(size);
  while (z.avail_out == size && !ended_) {
    if (packed_at_ == packed_.size() && !refill()) {
      if (stop_flag().load()) return 0;
      fail("the gzipped data is cut short");
    }
    z.next_in = reinterpret_cast<Bytef*>(packed_.data() + packed_at_);
    z.avail_in = static_cast<uInt>(packed_.size() - packed_at_);
    const int result = inflate(&z, Z_NO_FLUSH);
    packed_at_ = packed_.size() - z.avail_in;
    if (result == Z_STREAM_END) {
      ended_ = !start_member();
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      fail(std::string("the gzipped data is damaged") + (z.msg ? std::string(": ") + z.msg : ""));
    }
  }
  return size - z.avail_out;
}

}  // namespace entente
