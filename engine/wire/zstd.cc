#include "engine/wire/zstd.h"

#include <zstd.h>

#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

constexpr int kWindowLogMax = 27;
constexpr int kLevel = 3;

// Compresses all of `plain`, and with ZSTD_e_end everything that is pending.
void Compress(ZSTD_CCtx* context, absl::string_view plain, ZSTD_EndDirective directive,
              std::string& out) {
  ZSTD_inBuffer from = {.src = plain.data(), .size = plain.size(), .pos = 0};
  std::array<char, 1 << 16> piece;
  while (true) {
    ZSTD_outBuffer to = {.dst = piece.data(), .size = piece.size(), .pos = 0};
    const size_t left = ZSTD_compressStream2(context, &to, &from, directive);
    CHECK(ZSTD_isError(left) == 0) << ZSTD_getErrorName(left);
    out.append(piece.data(), to.pos);
    if (directive == ZSTD_e_end ? left == 0 : from.pos == from.size) return;
  }
}

}  // namespace

bool LooksLikeZstd(Bytes beginning) {
  if (beginning.size() < kZstdMagicBytes) return false;
  const auto magic = LoadLittleEndian<uint32_t>(beginning.data());
  return magic == ZSTD_MAGICNUMBER ||
         (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

ZstdReader::ZstdReader() : context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
  CHECK(context_ != nullptr);
  CHECK(ZSTD_isError(ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLogMax)) ==
        0);
}

void ZstdReader::Feed(Bytes chunk) {
  if (!status_.ok()) return;
  CHECK(chunk_.empty());
  chunk_ = chunk;
}

absl::StatusOr<size_t> ZstdReader::Read(MutableBytes out) {
  RETURN_IF_ERROR(status_);
  CHECK(!out.empty());
  ZSTD_outBuffer to = {.dst = out.data(), .size = out.size(), .pos = 0};
  while (to.pos < to.size && (!chunk_.empty() || has_more_)) {
    ZSTD_inBuffer from = {.src = chunk_.data(), .size = chunk_.size(), .pos = 0};
    const size_t left = ZSTD_decompressStream(context_.get(), &to, &from);
    chunk_ = chunk_.subspan(from.pos);
    offset_ += from.pos;
    if (ZSTD_isError(left) != 0) {
      absl::Status refused = Refuse(ZSTD_getErrorName(left));
      if (to.pos > 0) break;  // Bytes from before the damage first; the next call fails.
      return refused;
    }
    inside_frame_ = left != 0;
    has_more_ = to.pos == to.size && inside_frame_;
  }
  return to.pos;
}

absl::Status ZstdReader::Finish() {
  RETURN_IF_ERROR(status_);
  if (inside_frame_) return Refuse("it ends inside a frame, as a file does that was cut off");
  return absl::OkStatus();
}

absl::Status ZstdReader::Refuse(const char* what) {
  status_ = absl::DataLossError(
      absl::StrCat("zstd: damaged at byte ", offset_, " of the compressed stream: ", what));
  return status_;
}

ZstdWriter::ZstdWriter() : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  CHECK(context_ != nullptr);
  for (const auto& [parameter, value] :
       {std::pair(ZSTD_c_compressionLevel, kLevel), std::pair(ZSTD_c_checksumFlag, 1)}) {
    CHECK(ZSTD_isError(ZSTD_CCtx_setParameter(context_.get(), parameter, value)) == 0);
  }
}

void ZstdWriter::Write(absl::string_view plain, std::string& out) {
  Compress(context_.get(), plain, ZSTD_e_continue, out);
}

void ZstdWriter::Finish(std::string& out) { Compress(context_.get(), {}, ZSTD_e_end, out); }

}  // namespace engine
