#include "tools/cli/slice/testing/corrupt.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/base/prng.h"
#include "engine/base/status_macros.h"
#include "journal/finding.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/verify.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/report.h"

namespace tools {
namespace {

// Damages the files of a copy of a journal, as disks, crashes and people do.
//
// Pure except for the directory; the same arguments give the same damage.

// One kind of damage to the file of one segment. A regular value type.
struct Damage {
  enum class Kind {
    kFlip,         // Bit `second` (0 to 7) of the byte at `first`.
    kTruncate,     // The file is truncated to `first` bytes.
    kZero,         // Bytes `first` to `second`, both included, become zero.
    kSwapSectors,  // The 4096 bytes of sector `first` are swapped with those of sector `second`.
    kDropSegment,  // The file is deleted.
  };
  Kind kind = Kind::kFlip;
  std::optional<uint64_t> segment;  // The segment's index; nullopt: the last.
  uint64_t first = 0;
  uint64_t second = 0;

  // Returns the options that request it: "--flip 8192:3 --segment 0".
  std::string ToString() const;
};

inline constexpr uint64_t kSectorBytes = 4096;

// File names of a journal, by segment index.
using SegmentFiles = std::map<uint64_t, std::string>;

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

// "8192:3", "8192..9000", "2:5". Errors: INVALID_ARGUMENT with what was expected.
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

// REQUIRES: the journal is not damaged yet. Errors: the reader's.
absl::StatusOr<SegmentFiles> SegmentFilesOf(const journal::Directory& directory) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader, journal::Reader::Open(directory));
  SegmentFiles files;
  for (const journal::SegmentInfo& segment : reader->info().segments) {
    files.emplace(segment.segment_index, segment.file_name);
  }
  return files;
}

// Returns random damage, equal for equal seeds and files; never a dropped segment. REQUIRES: there
// is a segment. Errors: the storage's.
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

// Applies the damage. Errors: OUT_OF_RANGE with the file's length or the existing segments; the
// storage's.
absl::Status Apply(const Damage& damage, const SegmentFiles& files, journal::Directory& directory) {
  ASSIGN_OR_RETURN(const std::string name, FileOf(damage, files));
  if (damage.kind == Damage::Kind::kDropSegment) return directory.Remove(name);
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::File> file, directory.OpenForWrite(name));
  RETURN_IF_ERROR(ApplyToFile(damage, name, *file));
  return file->Close();
}

// Copies every file, byte for byte. Errors: the storages'.
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

constexpr char kExamples[] = R"(  corrupt a.tape --flip 8192:3 -o bad.tape
  corrupt a.tape --truncate 20000 --segment 0 -o torn.tape
  corrupt a.tape --drop-segment 1 -o gap.tape
  corrupt a.tape --seed 7 -o some.tape

Only the copy is damaged. Places are bytes, or sectors of 4096, of one segment's file:
the last, if --segment does not say which. Options may be combined and repeated; they
are carried out in the order of this help. Prints what was done, as the options that
do it again, and what 'verify --deep' says of the copy: CLEAN (nothing that matters
was hit), TORN or DAMAGED.)";

class CorruptVerb final : public Verb {
 public:
  CorruptVerb() : Verb("corrupt", "Make a damaged copy of a journal, for tests", kExamples) {}

  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<std::vector<Damage>> Damages(const journal::Directory& directory,
                                              const SegmentFiles& files) const;
  std::string path_;
  std::string output_;
  std::vector<std::string> flips_;
  std::vector<std::string> zeros_;
  std::vector<std::string> swaps_;
  std::optional<uint64_t> truncate_;
  std::vector<uint64_t> drops_;
  std::optional<uint64_t> segment_;
  std::optional<uint64_t> seed_;
};

void CorruptVerb::Declare(Options& options) {
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  options.Add("-o,--output", output_, "The damaged copy: a folder that does not exist")
      .Type("OUTPUT")
      .Required();
  options.Add("--flip", flips_, "Flip a bit: the byte's place, and 0 to 7").Type("BYTE:BIT");
  options.Add("--zero", zeros_, "Make these bytes zero, both ends included").Type("A..B");
  options.Add("--swap-sectors", swaps_, "Exchange two sectors of 4096 bytes").Type("A:B");
  options.Add("--truncate", truncate_, "End the file after so many bytes")
      .Type("COUNT")
      .NotNegative();
  options.Add("--drop-segment", drops_, "Remove a segment's file").Type("INDEX").NotNegative();
  options.Add("--segment", segment_, "Which segment; the last if left out")
      .Type("INDEX")
      .NotNegative();
  options.Add("--seed", seed_, "Something at random, somewhere; the same for the same seed")
      .Type("NUMBER")
      .NotNegative();
}

absl::StatusOr<std::vector<Damage>> CorruptVerb::Damages(const journal::Directory& directory,
                                                         const SegmentFiles& files) const {
  std::vector<Damage> damages;
  for (const std::string& text : flips_) {
    ASSIGN_OR_RETURN(damages.emplace_back(), ParseFlip(text));
  }
  for (const std::string& text : zeros_) {
    ASSIGN_OR_RETURN(damages.emplace_back(), ParseZero(text));
  }
  for (const std::string& text : swaps_) {
    ASSIGN_OR_RETURN(damages.emplace_back(), ParseSwapSectors(text));
  }
  if (truncate_.has_value()) {
    damages.push_back({.kind = Damage::Kind::kTruncate, .segment = {}, .first = *truncate_});
  }
  for (Damage& damage : damages) damage.segment = segment_;
  for (const uint64_t index : drops_) {
    damages.push_back({.kind = Damage::Kind::kDropSegment, .segment = index});
  }
  if (seed_.has_value()) {
    ASSIGN_OR_RETURN(damages.emplace_back(), RandomDamage(directory, files, *seed_));
  }
  if (!damages.empty()) return damages;
  return absl::InvalidArgumentError(
      "what to damage? expected one of --flip, --zero, --swap-sectors, --truncate, "
      "--drop-segment, --seed");
}

absl::StatusOr<ExitCode> CorruptVerb::Run(Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> from,
                   journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(const SegmentFiles files, SegmentFilesOf(*from));
  ASSIGN_OR_RETURN(const std::vector<Damage> damages, Damages(*from, files));
  ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> folder,
                   UnfinishedFolder::Create(output_));
  journal::Directory& to = folder->directory();
  RETURN_IF_ERROR(CopyFiles(*from, to));
  for (const Damage& damage : damages) RETURN_IF_ERROR(Apply(damage, files, to));
  const auto verified = journal::Verify(to, {.deep = true});
  RETURN_IF_ERROR(folder->Finish());
  // The damage may be so large that the copy is no longer a journal; that is not an error.
  const std::string verdict(verified.ok() ? journal::ToString(verified->verdict)
                                          : verified.status().message());
  Report report("ticktape.corrupt/1");
  report.Line(Styled(Style::kBold, output_), ", a damaged copy of ", path_);
  report.Field("path", path_);
  report.Field("output", output_);
  report.BeginArray("damage");
  for (const Damage& damage : damages) {
    report.Row("done", damage);
    report.Element(damage.ToString());
  }
  report.EndArray();
  report.Fact("verify says", "verdict", verdict);
  if (verified.ok()) {
    report.Field("records", verified->record_count);
    report.BeginArray("findings");
    for (const journal::Finding& finding : verified->findings) {
      report.Row(finding.verdict == journal::Verdict::kClean ? "warning" : "finding", finding);
      report.Element(finding.ToString());
    }
    report.EndArray();
  }
  report.PrintTo(console);
  return ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeCorruptVerb() { return std::make_unique<CorruptVerb>(); }

}  // namespace tools
