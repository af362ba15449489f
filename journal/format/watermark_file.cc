#include "journal/format/watermark_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"

namespace journal {
namespace {

constexpr size_t kBytes = 64;
constexpr size_t kHashOffset = 56;
constexpr char kMagic[] = "TTWMARK1";
constexpr size_t kMagicBytes = sizeof(kMagic) - 1;

using Image = std::array<std::byte, kBytes>;

Image Encode(const Watermark& watermark) {
  Image image = {};
  std::transform(kMagic, kMagic + kMagicBytes, image.begin(),
                 [](char c) { return static_cast<std::byte>(c); });
  std::copy(watermark.journal_uuid.bytes.begin(), watermark.journal_uuid.bytes.end(), &image[8]);
  engine::StoreLittleEndian(watermark.incarnation, &image[24]);
  engine::StoreLittleEndian(watermark.durable_block, &image[32]);
  engine::StoreLittleEndian(watermark.durable_sequence.value(), &image[40]);
  engine::StoreLittleEndian(watermark.block_hash, &image[48]);
  const engine::Bytes hashed = engine::Bytes(image).first(kHashOffset);
  engine::StoreLittleEndian(Hash64(hashed), &image[kHashOffset]);
  return image;
}

}  // namespace

absl::StatusOr<Watermark> ReadWatermark(const Directory& directory) {
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file, directory.OpenForRead(kWatermarkFileName));
  Image image = {};
  ASSIGN_OR_RETURN(const size_t size, file->Read(0, image));
  Watermark watermark;
  std::copy_n(&image[8], watermark.journal_uuid.bytes.size(), watermark.journal_uuid.bytes.begin());
  watermark.incarnation = engine::LoadLittleEndian<uint32_t>(&image[24]);
  watermark.durable_block = engine::LoadLittleEndian<uint64_t>(&image[32]);
  watermark.durable_sequence =
      engine::SequenceNumber(engine::LoadLittleEndian<uint64_t>(&image[40]));
  watermark.block_hash = engine::LoadLittleEndian<uint64_t>(&image[48]);
  if (size == kBytes && image == Encode(watermark)) return watermark;
  return absl::DataLossError(
      absl::StrCat(kWatermarkFileName, ": expected ", kBytes, " bytes with the hash of them"));
}

absl::Status WatermarkFile::Write(const Watermark& watermark) {
  if (file_ == nullptr) {
    absl::StatusOr<std::unique_ptr<File>> file = directory_.OpenForWrite(kWatermarkFileName);
    if (absl::IsNotFound(file.status())) file = directory_.Create(kWatermarkFileName);
    RETURN_IF_ERROR(file.status());
    file_ = *std::move(file);
  }
  return file_->Write(0, Encode(watermark));
}

absl::Status WatermarkFile::Remove() {
  if (file_ == nullptr) return absl::OkStatus();
  file_.reset();
  return directory_.Remove(kWatermarkFileName);
}

}  // namespace journal
