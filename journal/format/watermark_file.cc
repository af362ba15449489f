#include "journal/format/watermark_file.h"

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"

namespace journal {
namespace {

// The file's bytes.
struct Image {
  std::array<char, 8> magic = {'T', 'T', 'W', 'M', 'A', 'R', 'K', '1'};
  Watermark watermark;
  uint64_t hash = 0;  // XXH3-64 of the 56 bytes before.

  friend bool operator==(const Image&, const Image&) = default;
};
static_assert(sizeof(Image) == 64);
static_assert(std::has_unique_object_representations_v<Image>);

Image ImageOf(const Watermark& watermark) {
  Image image{.watermark = watermark};
  image.hash = HashOfMembers(image);
  return image;
}

}  // namespace

absl::StatusOr<Watermark> ReadWatermark(const Directory& directory) {
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file, directory.OpenForRead(kWatermarkFileName));
  Image image;
  ASSIGN_OR_RETURN(const size_t size, file->Read(0, std::as_writable_bytes(std::span(&image, 1))));
  const Watermark& watermark = image.watermark;
  if (size == sizeof(image) && watermark.reserved == 0 && image == ImageOf(watermark)) {
    return watermark;
  }
  return absl::DataLossError(absl::StrCat(kWatermarkFileName, ": expected ", sizeof(image),
                                          " bytes with the hash of them"));
}

absl::Status WatermarkFile::Write(const Watermark& watermark) {
  if (file_ == nullptr) {
    absl::StatusOr<std::unique_ptr<File>> file = directory_.OpenForWrite(kWatermarkFileName);
    if (absl::IsNotFound(file.status())) file = directory_.Create(kWatermarkFileName);
    RETURN_IF_ERROR(file.status());
    file_ = *std::move(file);
  }
  return file_->Write(0, engine::AsBytes(ImageOf(watermark)));
}

absl::Status WatermarkFile::Remove() {
  if (file_ == nullptr) return absl::OkStatus();
  file_.reset();
  return directory_.Remove(kWatermarkFileName);
}

}  // namespace journal
