#include "tools/cli/maintenance/examination.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

constexpr char kSyncs[] = "4 KiB + fdatasync";

// What a word says about a place for a journal.
struct Meaning {
  absl::string_view words;  // Any of these. None: any other word.
  Health health;
  const char* meaning;
};

constexpr Meaning kFileSystems[] = {
    {"ext4 xfs", Health::kGood,
     "A sync reaches the device, and space laid out ahead stays where it is."},
    {"btrfs zfs bcachefs", Health::kFair,
     "Copies on write: safe, but space laid out ahead does not help, and syncs vary more."},
    {"tmpfs ramfs", Health::kBad,
     "Memory: nothing survives a restart of the machine, even with --ack disk. For tests."},
    {"overlay", Health::kFair,
     "A container's own layer, which goes with the container. Put journals on a volume."},
    {"nfs nfs4 cifs smb3 9p virtiofs fuse", Health::kFair,
     "On a network or another program: what a sync means, and whether the lock keeps a second "
     "writer out, is up to it. Following looks every half millisecond."},
    {"", Health::kFair, "Not one that is known here; ext4 and xfs are."},
};

constexpr Meaning kMountOptions[] = {
    {"nobarrier barrier=0", Health::kBad,
     "No barriers: a power cut may take records that were acknowledged. Only with a battery for "
     "every cache; else mount without it."},
    {"ro", Health::kFair, "Read-only: journals here can be read and followed, not written."},
    {"sync", Health::kFair, "Every write waits for the device: safe, and slow without need."},
    {"data=journal", Health::kFair, "Every byte is written twice: half of the throughput."},
    {"", Health::kGood, "Nothing in the way of a journal."},
};

// Returns the first row of the table with any of `words`, or its last row.
const Meaning& Find(std::span<const Meaning> table, const std::vector<std::string>& words) {
  for (const Meaning& row : table) {
    for (const absl::string_view word : absl::StrSplit(row.words, ' ')) {
      if (absl::c_linear_search(words, word)) return row;
    }
  }
  return table.back();
}

}  // namespace

absl::string_view ToString(Health health) {
  constexpr std::array<absl::string_view, 3> kNames = {"good", "fair", "bad"};
  return kNames[static_cast<size_t>(health)];
}

SyncTimes Summarise(std::vector<uint64_t> nanos) {
  std::sort(nanos.begin(), nanos.end());
  const auto at = [&](size_t percent) { return nanos[(nanos.size() - 1) * percent / 100]; };
  return {.count = nanos.size(),
          .min = nanos.front(),
          .p50 = at(50),
          .p90 = at(90),
          .p99 = at(99),
          .max = nanos.back()};
}

std::vector<DurationCount> CountDurations(const std::vector<uint64_t>& nanos) {
  std::vector<DurationCount> rows;
  if (nanos.empty()) return rows;
  const uint64_t longest = *std::max_element(nanos.begin(), nanos.end());
  constexpr uint64_t kFirst = 2'000;
  for (uint64_t limit = kFirst;; limit *= 2) {
    const uint64_t above = limit == kFirst ? 0 : limit / 2;
    const auto count = std::count_if(nanos.begin(), nanos.end(), [&](uint64_t duration) {
      return duration <= limit && (limit == kFirst || duration > above);
    });
    if (count > 0 || !rows.empty()) {
      rows.push_back({.up_to_nanos = limit, .count = static_cast<uint64_t>(count)});
    }
    if (longest <= limit) return rows;
  }
}

Diagnosis ExamineFileSystem(const StorageFacts& facts) {
  const std::string& name = facts.file_system;
  const Meaning& found = Find(kFileSystems, {absl::StartsWith(name, "fuse") ? "fuse" : name});
  return {.name = "file system",
          .value = facts.device.empty()
                       ? name
                       : absl::StrCat(name, " on ", facts.device, " at ", facts.mount_point),
          .health = found.health,
          .meaning = found.meaning};
}

Diagnosis ExamineMountOptions(const StorageFacts& facts) {
  const Meaning& found = Find(kMountOptions, facts.options);
  return {.name = "mount options",
          .value = absl::StrJoin(facts.options, ","),
          .health = found.health,
          .meaning = found.meaning};
}

Diagnosis ExamineSpace(const StorageFacts& facts) {
  constexpr uint64_t kSegmentBytes = uint64_t{256} << 20;
  const uint64_t segments = facts.free_bytes / kSegmentBytes;
  Diagnosis diagnosis{.name = "free space",
                      .value = HumanBytes(facts.free_bytes),
                      .meaning = absl::StrCat(
                          "Room for ", Counted(segments, "segment"), " of 256 MiB, some ",
                          HumanCount(static_cast<double>(facts.free_bytes) / 12), " commands.")};
  if (segments < 4) diagnosis.health = Health::kFair;
  if (segments < 1) {
    diagnosis.health = Health::kBad;
    diagnosis.meaning = "Not even one segment of 256 MiB fits.";
  }
  return diagnosis;
}

Diagnosis ExamineSyncs(const SyncTimes& times) {
  const double per_second = 1e9 / static_cast<double>(std::max<uint64_t>(1, times.p50));
  Diagnosis diagnosis{
      .name = kSyncs,
      .value = absl::StrCat("p50 ", HumanNanos(times.p50), ", p99 ", HumanNanos(times.p99),
                            ", max ", HumanNanos(times.max), " of ", WithCommas(times.count)),
      .meaning = absl::StrCat("With --ack disk an event waits about that long, and ",
                              HumanCount(per_second),
                              " groups of commands can be acknowledged in a second.")};
  const char* doubt = "";
  if (times.p50 < 15'000) {
    doubt =
        " No device without protected memory is that fast: either it has some, or someone between "
        "here and the device confirms what is not done, and a power cut will show it.";
  } else if (times.p50 > 20'000'000) {
    doubt = " That is slow: a disk that turns, or one that is shared.";
  } else if (times.p99 > 20 * times.p50) {
    doubt = " One in a hundred takes over 20 times as long: something else uses the device.";
  }
  if (*doubt != '\0') diagnosis.health = Health::kFair;
  diagnosis.meaning += doubt;
  return diagnosis;
}

Diagnosis ExamineFailedSyncs(const absl::Status& error) {
  return {.name = kSyncs,
          .value = "not measured",
          .health = Health::kBad,
          .meaning = absl::StrCat("No journal can be written here as it is: ",
                                  absl::string_view(error.message()))};
}

Diagnosis ExamineClock(const ClockFacts& facts) {
  Diagnosis diagnosis{
      .name = "clock",
      .value = absl::StrFormat("%s, steps of %d ns, %.0f ns a reading", facts.source,
                               facts.resolution_nanos, facts.read_nanos),
      .meaning = "Every command gets its time from it at no cost that counts."};
  if (facts.read_nanos > 200) {
    diagnosis.health = Health::kFair;
    diagnosis.meaning =
        "Reading it calls the kernel, or worse: at a million commands a second this alone takes "
        "a good part of a core. The source tsc would be better.";
  } else if (facts.resolution_nanos > 1000) {
    diagnosis.health = Health::kFair;
    diagnosis.meaning = "Coarse: many commands will share a timestamp. Their order is unaffected.";
  }
  return diagnosis;
}

Diagnosis ExamineProcessors(uint64_t count, double handover_nanos) {
  Diagnosis diagnosis{.name = "processors", .value = absl::StrCat(count), .meaning = ""};
  if (count < 2) {
    diagnosis.health = Health::kFair;
    diagnosis.meaning = "Sequencing and writing share one: expect half of the throughput.";
    return diagnosis;
  }
  absl::StrAppendFormat(&diagnosis.value, ", %.0f ns from one to another", handover_nanos);
  diagnosis.meaning = "One can sequence and match while another writes.";
  if (handover_nanos > 1000) {
    diagnosis.health = Health::kFair;
    diagnosis.meaning = "They are slow to hear of each other: busy with other work, or far apart.";
  }
  return diagnosis;
}

}  // namespace tools
