#include "tools/cli/slice/damage.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/base/prng.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/reader.h"

namespace tools {
namespace {

absl::StatusOr<Damage> ParsePair(Damage::Kind kind, absl::string_view option,
                                 absl::string_view text, absl::string_view between,
                                 absl::string_view expected) {
  Damage damage = {.kind = kind, .segment = {}};
  const size_t at = text.find(between);
  if (at != absl::string_view::npos && engine::ParseInteger(text.substr(0, at), damage.first) &&
      engine::ParseInteger(text.substr(at + between.size()), damage.second)) {
    return damage;
  }
  return absl::InvalidArgumentError(
      absl::StrCat(option, " '", text, "' makes no sense; expected ", expected));
}

absl::StatusOr<std::string> FileOf(const Damage& damage, const SegmentFiles& files) {
  const uint64_t first = files.begin()->first;
  const uint64_t last = files.rbegin()->first;
  const uint64_t segment = damage.segment.value_or(last);
  const auto found = files.find(segment);
  if (found != files.end()) return found->second;
  return absl::OutOfRangeError(
      absl::StrCat("there is no segment ", segment, "; expected ", first, " to ", last));
}

absl::Status Outside(const Damage& damage, absl::string_view name, uint64_t bytes) {
  return absl::OutOfRangeError(absl::StrCat(damage.ToString(), " is outside: ", name, " has ",
                                            bytes, " bytes, ", bytes / kSectorBytes, " sectors"));
}

using Buffer = std::vector<std::byte>;

absl::StatusOr<Buffer> ReadAt(const journal::File& file, uint64_t offset, uint64_t count) {
  Buffer buffer(count);
  ASSIGN_OR_RETURN(const size_t read, file.Read(offset, buffer));
  buffer.resize(read);
  return buffer;
}

absl::Status ApplyToFile(const Damage& damage, absl::string_view name, journal::File& file) {
  ASSIGN_OR_RETURN(const uint64_t bytes, file.Size());
  switch (damage.kind) {
    case Damage::Kind::kFlip: {
      if (damage.first >= bytes || damage.second > 7) return Outside(damage, name, bytes);
      ASSIGN_OR_RETURN(Buffer byte, ReadAt(file, damage.first, 1));
      byte.front() ^= std::byte{1} << damage.second;
      return file.Write(damage.first, byte);
    }
    case Damage::Kind::kTruncate:
      if (damage.first >= bytes) return Outside(damage, name, bytes);
      return file.Truncate(damage.first);
    case Damage::Kind::kZero:
      if (damage.second >= bytes || damage.first > damage.second) {
        return Outside(damage, name, bytes);
      }
      return file.Write(damage.first, Buffer(damage.second - damage.first + 1));
    case Damage::Kind::kSwapSectors: {
      const uint64_t sectors = bytes / kSectorBytes;
      if (damage.first >= sectors || damage.second >= sectors) return Outside(damage, name, bytes);
      ASSIGN_OR_RETURN(const Buffer a, ReadAt(file, damage.first * kSectorBytes, kSectorBytes));
      ASSIGN_OR_RETURN(const Buffer b, ReadAt(file, damage.second * kSectorBytes, kSectorBytes));
      RETURN_IF_ERROR(file.Write(damage.first * kSectorBytes, b));
      return file.Write(damage.second * kSectorBytes, a);
    }
    case Damage::Kind::kDropSegment:
      break;
  }
  return absl::OkStatus();
}

}  // namespace

std::string Damage::ToString() const {
  const std::string where = segment.has_value() ? absl::StrCat(" --segment ", *segment) : "";
  switch (kind) {
    case Kind::kFlip:
      return absl::StrCat("--flip ", first, ":", second, where);
    case Kind::kTruncate:
      return absl::StrCat("--truncate ", first, where);
    case Kind::kZero:
      return absl::StrCat("--zero ", first, "..", second, where);
    case Kind::kSwapSectors:
      return absl::StrCat("--swap-sectors ", first, ":", second, where);
    case Kind::kDropSegment:
      return absl::StrCat("--drop-segment ", segment.value_or(0));
  }
  return "";
}

absl::StatusOr<Damage> ParseFlip(absl::string_view text) {
  return ParsePair(Damage::Kind::kFlip, "--flip", text, ":",
                   "BYTE:BIT, a place in the segment's file and 0 to 7, e.g. 8192:3");
}

absl::StatusOr<Damage> ParseZero(absl::string_view text) {
  return ParsePair(Damage::Kind::kZero, "--zero", text, "..",
                   "A..B, the first and the last byte, e.g. 8192..12287");
}

absl::StatusOr<Damage> ParseSwapSectors(absl::string_view text) {
  return ParsePair(Damage::Kind::kSwapSectors, "--swap-sectors", text, ":",
                   "A:B, two numbers of 4096-byte sectors, e.g. 2:5");
}

absl::StatusOr<SegmentFiles> SegmentFilesOf(const journal::Directory& directory) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader, journal::Reader::Open(directory));
  SegmentFiles files;
  for (const journal::SegmentInfo& segment : reader->info().segments) {
    files.emplace(segment.segment_index, segment.file_name);
  }
  return files;
}

absl::StatusOr<Damage> RandomDamage(const journal::Directory& directory, const SegmentFiles& files,
                                    uint64_t seed) {
  engine::Prng prng(seed);
  const auto chosen =
      std::next(files.begin(), static_cast<std::ptrdiff_t>(prng.Below(files.size())));
  Damage damage = {.kind = Damage::Kind::kFlip, .segment = chosen->first};
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::File> file,
                   directory.OpenForRead(chosen->second));
  ASSIGN_OR_RETURN(const uint64_t bytes, file->Size());
  const uint64_t sectors = std::max<uint64_t>(bytes / kSectorBytes, 1);
  switch (prng.Below(4)) {
    case 0:
      damage.first = prng.Below(std::max<uint64_t>(bytes, 1));
      damage.second = prng.Below(8);
      return damage;
    case 1:
      damage.kind = Damage::Kind::kTruncate;
      damage.first = prng.Below(std::max<uint64_t>(bytes, 1));
      return damage;
    case 2:
      damage.kind = Damage::Kind::kZero;
      damage.first = prng.Below(sectors) * kSectorBytes;
      damage.second = damage.first + kSectorBytes - 1;
      return damage;
    default:
      damage.kind = Damage::Kind::kSwapSectors;
      damage.first = prng.Below(sectors);
      damage.second = prng.Below(sectors);
      return damage;
  }
}

absl::Status Apply(const Damage& damage, const SegmentFiles& files, journal::Directory& directory) {
  ASSIGN_OR_RETURN(const std::string name, FileOf(damage, files));
  if (damage.kind == Damage::Kind::kDropSegment) return directory.Remove(name);
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::File> file, directory.OpenForWrite(name));
  RETURN_IF_ERROR(ApplyToFile(damage, name, *file));
  return file->Close();
}

absl::Status CopyFiles(const journal::Directory& from, journal::Directory& to) {
  constexpr uint64_t kPieceBytes = 1 << 20;
  ASSIGN_OR_RETURN(const std::vector<std::string> names, from.List());
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::File> source, from.OpenForRead(name));
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::File> copy, to.Create(name));
    for (uint64_t offset = 0;;) {
      ASSIGN_OR_RETURN(const Buffer piece, ReadAt(*source, offset, kPieceBytes));
      if (piece.empty()) break;
      RETURN_IF_ERROR(copy->Write(offset, piece));
      offset += piece.size();
    }
    RETURN_IF_ERROR(copy->Close());
  }
  return absl::OkStatus();
}

}  // namespace tools
