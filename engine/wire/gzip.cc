#include "engine/wire/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;

}  // namespace

struct GzipReader::Inflater {
  z_stream stream = {};
};

bool LooksLikeGzip(Bytes beginning) {
  return beginning.size() >= kGzipMagicBytes && beginning[0] == std::byte{0x1f} &&
         beginning[1] == std::byte{0x8b};
}

GzipReader::GzipReader() : inflater_(std::make_unique<Inflater>()) {
  CHECK_EQ(inflateInit2(&inflater_->stream, kGzipOnly), Z_OK);
}

GzipReader::~GzipReader() { inflateEnd(&inflater_->stream); }

void GzipReader::Feed(Bytes chunk) {
  if (!status_.ok()) return;
  CHECK_EQ(inflater_->stream.avail_in, 0u);
  CHECK(chunk.size() <= std::numeric_limits<uInt>::max());
  chunk_offset_ += chunk_.size();
  chunk_ = chunk;
  // zlib does not write to its input, but declares it const only when built with ZLIB_CONST.
  inflater_->stream.next_in =
      const_cast<Bytef*>(reinterpret_cast<const Bytef*>(chunk.data()));  // NOLINT
  inflater_->stream.avail_in = static_cast<uInt>(chunk.size());
}

absl::StatusOr<size_t> GzipReader::Read(MutableBytes out) {
  RETURN_IF_ERROR(status_);
  CHECK(!out.empty());
  z_stream& stream = inflater_->stream;
  const size_t room = std::min<size_t>(out.size(), std::numeric_limits<uInt>::max());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(room);
  while (stream.avail_out > 0) {
    SkipPadding();
    if (stream.avail_in == 0 && !inside_member_) break;
    const uInt in_before = stream.avail_in;
    const uInt out_before = stream.avail_out;
    const int outcome = inflate(&stream, Z_NO_FLUSH);
    if (outcome == Z_STREAM_END) {
      ++member_count_;
      inside_member_ = false;
      CHECK_EQ(inflateReset(&stream), Z_OK);
      continue;
    }
    if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
      const bool is_new = !inside_member_ && member_count_ > 0;
      absl::Status refused = Refuse(is_new ? "what follows the last member is not gzip"
                                    : stream.msg != nullptr ? stream.msg
                                                            : "inflate fails");
      // Bytes from before the damage are returned first; the next call fails.
      if (stream.avail_out < room) break;
      return refused;
    }
    inside_member_ = true;
    if (in_before == stream.avail_in && out_before == stream.avail_out) break;
  }
  return room - stream.avail_out;
}

absl::Status GzipReader::Finish() {
  RETURN_IF_ERROR(status_);
  if (inside_member_) return Refuse("the stream ends inside a member");
  if (member_count_ == 0) return Refuse("the stream ends before its first member");
  return absl::OkStatus();
}

uint64_t GzipReader::offset() const {
  return chunk_offset_ + chunk_.size() - inflater_->stream.avail_in;
}

void GzipReader::SkipPadding() {
  z_stream& stream = inflater_->stream;
  if (inside_member_ || member_count_ == 0) return;
  while (stream.avail_in > 0 && *stream.next_in == 0) {
    ++stream.next_in;
    --stream.avail_in;
  }
}

absl::Status GzipReader::Refuse(const char* what) {
  status_ = absl::DataLossError(
      absl::StrCat("gzip: damaged at byte ", offset(), " of the compressed stream: ", what));
  return status_;
}

}  // namespace engine
