// The stages of the campaign about the folder: other programs that work in it, or on its
// name.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "journal/finding.h"
#include "journal/format/preamble.h"
#include "journal/maintenance/repair_plan.h"
#include "journal/maintenance/retention.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/testing/temporary_folder.h"
#include "journal/testing/campaign.h"
#include "journal/testing/campaign_journals.h"
#include "journal/testing/hooked_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/uuid.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

absl::Status AppendEach(Writer& writer, uint64_t begin, uint64_t end) {
  absl::Status status;
  for (uint64_t i = begin; i < end && status.ok(); ++i) {
    status = writer.Append(SmallLog()[i].row, SmallLog()[i].attachment);
  }
  return status.ok() ? writer.Write() : status;
}

// Checks that the folder holds the journal of `uuid` with this many records, and nothing else.
std::string CheckFolder(const std::string& path, const Uuid& uuid, uint64_t count) {
  const auto directory = OpenPosixDirectory(path, DirectoryMode::kReadOnly);
  if (!directory.ok()) return directory.status().ToString();
  const auto report = Verify(**directory);
  if (!report.ok()) return report.status().ToString();
  if (report->verdict != Verdict::kClean) {
    return absl::StrCat("(b) ", ToString(report->verdict), ": ",
                        report->findings.front().ToString());
  }
  const auto reader = Reader::Open(**directory);
  if (!reader.ok()) return reader.status().ToString();
  if ((*reader)->info().uuid != uuid) return "(b) it is another journal's";
  return ReadJournal(**directory).records == FirstOfSmallLog(count)
             ? ""
             : "(b) it does not hold its writer's records";
}

constexpr uint64_t kGroups = 4;
constexpr uint64_t kGroupRecords = 120;  // More than a segment holds.

// Before group `when` the folder is moved away, and a second writer starts in its place.
std::string MoveFolder(uint64_t when) {
  const TemporaryFolder root;
  const std::string day = root.At("day");
  const Uuid others = Uuid::FromWords(2, 2);
  const auto directory = OpenPosixDirectory(day, DirectoryMode::kCreate);
  if (!directory.ok()) return directory.status().ToString();
  const auto writer =
      Writer::Create(**directory, TestMetadata(), TestUuid(), kTestCreated, OnePageBlocks());
  if (!writer.ok()) return writer.status().ToString();
  for (uint64_t group = 0; group < kGroups; ++group) {
    if (group == when) {
      root.Rename("day", "day.old");
      const auto place = OpenPosixDirectory(day, DirectoryMode::kCreate);
      if (!place.ok()) return place.status().ToString();
      const auto second =
          Writer::Create(**place, TestMetadata(), others, kTestCreated, OnePageBlocks());
      if (!second.ok()) return absl::StrCat("the second writer: ", second.status().ToString());
      absl::Status status = AppendEach(**second, 0, kGroups * kGroupRecords);
      if (status.ok()) status = (*second)->Close();
      if (!status.ok()) return absl::StrCat("the second writer: ", status.ToString());
    }
    absl::Status status = AppendEach(**writer, group * kGroupRecords, (group + 1) * kGroupRecords);
    if (status.ok() && group + 1 == kGroups) status = (*writer)->Close();
    if (!status.ok()) return absl::StrCat("the first writer: ", status.ToString());
  }
  std::string violation = CheckFolder(day, others, kGroups * kGroupRecords);
  if (!violation.empty()) return absl::StrCat("the second journal: ", violation);
  violation = CheckFolder(root.At("day.old"), TestUuid(), kGroups * kGroupRecords);
  return violation.empty() ? "" : absl::StrCat("the first journal: ", violation);
}

constexpr uint64_t kManyRecords = 30'000;

// Sealed segments that hold several runs of the log digest (FORMAT.md, section 9), and one after
// them.
JournalBytes ManySegments() {
  MemoryDirectory directory;
  const WriterOptions options = {.segment_bytes = 128 << 10, .block_records = 512};
  const auto writer =
      Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
  AppendAll(*writer, RecordSource(5, 1).Take(kManyRecords));
  CHECK_OK(writer->Sync());
  CHECK_GE(writer->stats().segments, 5u);
  return directory.Snapshot();
}

}  // namespace

std::string EveryMovedFolder() {
  for (uint64_t when = 0; when < kGroups; ++when) {
    const std::string violation = MoveFolder(when);
    if (!violation.empty()) return absl::StrCat("moved before group ", when, ": ", violation);
  }
  return "";
}

std::string EveryTakenName() {
  const std::vector<std::byte> others(100, std::byte{7});
  for (uint64_t segment = 1; segment <= 3; ++segment) {
    const std::string name = SegmentFileName(segment);
    MemoryDirectory directory;
    const auto writer =
        Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, OnePageBlocks());
    if (!writer.ok()) return writer.status().ToString();
    directory.SetContents(name, others);
    if (AppendEach(**writer, 0, SmallLog().size()).ok()) {
      return absl::StrCat(name, " is another's, and a writer passes it silently");
    }
    if (directory.Contents(name) != others) {
      return absl::StrCat(name, " is another's, and was replaced");
    }
  }
  return "";
}

std::string EveryPruneBesideAnother(Share share) {
  const JournalBytes files = ManySegments();
  uint64_t number = 0;
  for (const bool first_deletes_more : {true, false}) {
    const EligibleSnapshots more = {SequenceNumber(kManyRecords - 1), SequenceNumber(kManyRecords)};
    const EligibleSnapshots fewer = {SequenceNumber(kManyRecords / 2),
                                     SequenceNumber(kManyRecords)};
    bool reached = true;
    for (uint64_t when = 0; reached; ++when) {
      if (!share.Has(number++)) continue;
      const auto directory = MemoryDirectory::FromSnapshot(files);
      uint64_t calls = 0;
      absl::Status second;
      const auto come = [&] {
        if (calls++ == when) {
          second = Prune(*directory, first_deletes_more ? fewer : more).status();
        }
      };
      HookedDirectory hooked(*directory, come, come);
      const absl::Status first = Prune(hooked, first_deletes_more ? more : fewer).status();
      reached = calls > when;
      const std::string what = absl::StrCat("before call ", when, " of the first: ");
      if (!first.ok()) return absl::StrCat(what, "it fails: ", first.ToString());
      if (!second.ok() && !absl::IsUnavailable(second)) {
        return absl::StrCat(what, "the second fails: ", second.ToString());
      }
      const auto writer = Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated);
      if (!writer.ok()) {
        return absl::StrCat(what, "(b) no writer continues: ", writer.status().ToString());
      }
    }
  }
  return "";
}

std::string EveryChangeIsLocked() {
  const auto directory = MemoryDirectory::FromSnapshot(ManySegments());
  const auto check = [&](absl::string_view who, const absl::Status& status) -> std::string {
    if (!status.ok()) return absl::StrCat(who, ": ", status.ToString());
    if (directory->changes_without_lock() == 0) return "";
    return absl::StrCat(who, " changes the journal while it holds no lock");
  };
  for (const bool beside_a_writer : {true, false}) {
    const auto writer =
        Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated, OnePageBlocks());
    if (!writer.ok()) return writer.status().ToString();
    const SequenceNumber last = (*writer)->next_sequence() - 1;
    const auto sidecar = SidecarWriter::Open(*directory, (*writer)->journal_uuid(), last);
    if (!sidecar.ok()) return sidecar.status().ToString();
    OwnedRecord next = ReadJournal(*directory).records.back();
    next.row.sequence = last.Next();
    absl::Status status = (*writer)->Append(next.row);
    if (status.ok()) status = (*writer)->Close();
    // As a recorder does: values that are known only at the end.
    if (status.ok()) status = (*sidecar)->Append({.sequence = last.Next()});
    if (status.ok()) status = (*sidecar)->Close();
    std::string violation = check("a writer", status);
    if (violation.empty() && beside_a_writer) {
      const auto pruned =
          Prune(*directory, {SequenceNumber(kManyRecords - 1), SequenceNumber(kManyRecords)});
      violation = check("a prune", pruned.status());
    }
    if (!violation.empty()) return violation;
  }
  return check("a repair", Repair(*directory).status());
}

std::string EveryNewFolder() {
  const TemporaryFolder root;
  root.MakeFolder("made by hand");
  root.MakeFolder("made by hand, too");
  root.MakeFolder("elsewhere/with a link");
  root.MakeLink("a link", "elsewhere/with a link");
  const struct {
    absl::string_view name;
    absl::string_view parent;
  } folders[] = {
      {"new", ""}, {"made by hand", ""}, {"made by hand, too/", ""}, {"a link", "elsewhere"}};
  for (const auto& folder : folders) {
    for (const DirectoryMode mode : {DirectoryMode::kCreate, DirectoryMode::kReadWrite}) {
      absl::Status opened;
      const bool is_synced = SyncsDirectory(root.At(folder.parent), [&] {
        opened = OpenPosixDirectory(root.At(folder.name), mode).status();
      });
      if (!opened.ok()) return opened.ToString();
      if (!is_synced) return absl::StrCat("a power cut may take '", folder.name, "' away");
    }
  }
  return "";
}

}  // namespace journal
