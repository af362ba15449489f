#include "engine/wire/gzip.h"

#include <algorithm>
#include <array>
#include <limits>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;

}  // namespace

bool LooksLikeGzip(Bytes beginning) {
  return beginning.size() >= kGzipMagicBytes && beginning[0] == std::byte{0x1f} &&
         beginning[1] == std::byte{0x8b};
}

GzipReader::GzipReader() { CHECK_EQ(inflateInit2(&stream_, kGzipOnly), Z_OK); }

GzipReader::~GzipReader() { inflateEnd(&stream_); }

void GzipReader::Feed(Bytes chunk) {
  if (!status_.ok()) return;
  CHECK_EQ(stream_.avail_in, 0u);
  CHECK(chunk.size() <= std::numeric_limits<uInt>::max());
  chunk_offset_ += chunk_.size();
  chunk_ = chunk;
  // zlib does not write to its input, but declares it const only when built with ZLIB_CONST.
  stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(chunk.data()));  // NOLINT
  stream_.avail_in = static_cast<uInt>(chunk.size());
}

absl::StatusOr<size_t> GzipReader::Read(MutableBytes out) {
  RETURN_IF_ERROR(status_);
  CHECK(!out.empty());
  const size_t room = std::min<size_t>(out.size(), std::numeric_limits<uInt>::max());
  stream_.next_out = reinterpret_cast<Bytef*>(out.data());
  stream_.avail_out = static_cast<uInt>(room);
  while (stream_.avail_out > 0) {
    SkipPadding();
    if (stream_.avail_in == 0 && !inside_member_) break;
    const uInt in_before = stream_.avail_in;
    const uInt out_before = stream_.avail_out;
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    if (outcome == Z_STREAM_END) {
      ++member_count_;
      inside_member_ = false;
      CHECK_EQ(inflateReset(&stream_), Z_OK);
      continue;
    }
    if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
      const bool is_new = !inside_member_ && member_count_ > 0;
      absl::Status refused = Refuse(is_new ? "what follows the last member is not gzip"
                                    : stream_.msg != nullptr ? stream_.msg
                                                             : "inflate fails");
      // Bytes from before the damage are returned first; the next call fails.
      if (stream_.avail_out < room) break;
      return refused;
    }
    inside_member_ = true;
    if (in_before == stream_.avail_in && out_before == stream_.avail_out) break;
  }
  return room - stream_.avail_out;
}

absl::Status GzipReader::Finish() {
  RETURN_IF_ERROR(status_);
  if (inside_member_) return Refuse("it ends inside a member, as a file does that was cut off");
  if (member_count_ == 0)
    return Refuse("it ends before its first member, as a file does that was cut off");
  return absl::OkStatus();
}

uint64_t GzipReader::offset() const { return chunk_offset_ + chunk_.size() - stream_.avail_in; }

void GzipReader::SkipPadding() {
  if (inside_member_ || member_count_ == 0) return;
  while (stream_.avail_in > 0 && *stream_.next_in == 0) {
    ++stream_.next_in;
    --stream_.avail_in;
  }
}

absl::Status GzipReader::Refuse(const char* what) {
  status_ = absl::DataLossError(
      absl::StrCat("gzip: damaged at byte ", offset(), " of the compressed stream: ", what));
  return status_;
}

GzipWriter::GzipWriter() {
  constexpr int kMemoryLevel = 8;
  CHECK_EQ(deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipOnly, kMemoryLevel,
                        Z_DEFAULT_STRATEGY),
           Z_OK);
}

GzipWriter::~GzipWriter() { deflateEnd(&stream_); }

void GzipWriter::Write(absl::string_view plain, std::string& out) {
  CHECK(plain.size() <= std::numeric_limits<uInt>::max());
  Compress(plain, Z_NO_FLUSH, out);
}

void GzipWriter::Finish(std::string& out) { Compress({}, Z_FINISH, out); }

void GzipWriter::Compress(absl::string_view plain, int flush, std::string& out) {
  // zlib does not write to its input, but declares it const only when built with ZLIB_CONST.
  stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(plain.data()));  // NOLINT
  stream_.avail_in = static_cast<uInt>(plain.size());
  std::array<char, 1 << 16> piece;
  do {
    stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_out = static_cast<uInt>(piece.size());
    CHECK(deflate(&stream_, flush) != Z_STREAM_ERROR);
    out.append(piece.data(), piece.size() - stream_.avail_out);
  } while (stream_.avail_out == 0);
}

}  // namespace engine
