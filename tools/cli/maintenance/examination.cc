#include "tools/cli/maintenance/examination.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

constexpr char kSyncs[] = "4 KiB + fdatasync";

std::string NanosText(uint64_t nanos) { return HumanSeconds(static_cast<double>(nanos) / 1e9); }

bool IsOneOf(absl::string_view word, std::initializer_list<absl::string_view> words) {
  return absl::c_linear_search(words, word);
}

}  // namespace

absl::string_view ToString(Health health) {
  switch (health) {
    case Health::kGood:
      return "good";
    case Health::kFair:
      return "fair";
    case Health::kBad:
      return "bad";
  }
  return "?";
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

Diagnosis ExamineFileSystem(const StorageFacts& facts) {
  Diagnosis diagnosis{.name = "file system",
                      .value = facts.device.empty()
                                   ? facts.file_system
                                   : absl::StrCat(facts.file_system, " on ", facts.device, " at ",
                                                  facts.mount_point),
                      .meaning = ""};
  const std::string& name = facts.file_system;
  if (IsOneOf(name, {"ext4", "xfs"})) {
    diagnosis.meaning = "A sync reaches the device, and space laid out ahead stays where it is.";
  } else if (IsOneOf(name, {"btrfs", "zfs", "bcachefs"})) {
    diagnosis.health = Health::kFair;
    diagnosis.meaning =
        "Copies on write: safe, but space laid out ahead does not help, and syncs vary more.";
  } else if (IsOneOf(name, {"tmpfs", "ramfs"})) {
    diagnosis.health = Health::kBad;
    diagnosis.meaning =
        "Memory: nothing survives a restart of the machine, even with --ack disk. For tests.";
  } else if (name == "overlay") {
    diagnosis.health = Health::kFair;
    diagnosis.meaning =
        "A container's own layer, which goes with the container. Put journals on a volume.";
  } else if (IsOneOf(name, {"nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs"}) ||
             name.rfind("fuse", 0) == 0) {
    diagnosis.health = Health::kFair;
    diagnosis.meaning =
        "On a network or another program: what a sync means, and whether the lock keeps a "
        "second writer out, is up to it. Following looks every half millisecond.";
  } else {
    diagnosis.health = Health::kFair;
    diagnosis.meaning = "Not one that is known here; ext4 and xfs are.";
  }
  return diagnosis;
}

Diagnosis ExamineMountOptions(const StorageFacts& facts) {
  Diagnosis diagnosis{.name = "mount options",
                      .value = absl::StrJoin(facts.options, ","),
                      .meaning = "Nothing in the way of a journal."};
  const auto has = [&](absl::string_view option) {
    return absl::c_linear_search(facts.options, option);
  };
  if (has("nobarrier") || has("barrier=0")) {
    diagnosis.health = Health::kBad;
    diagnosis.meaning =
        "No barriers: a power cut may take records that were acknowledged. Only with a "
        "battery for every cache; else mount without it.";
  } else if (has("ro")) {
    diagnosis.health = Health::kFair;
    diagnosis.meaning = "Read-only: journals here can be read and followed, not written.";
  } else if (has("sync")) {
    diagnosis.health = Health::kFair;
    diagnosis.meaning = "Every write waits for the device: safe, and slow without need.";
  } else if (has("data=journal")) {
    diagnosis.health = Health::kFair;
    diagnosis.meaning = "Every byte is written twice: half of the throughput.";
  }
  return diagnosis;
}

Diagnosis ExamineSpace(const StorageFacts& facts) {
  constexpr uint64_t kSegmentBytes = uint64_t{256} << 20;
  const uint64_t segments = facts.free_bytes / kSegmentBytes;
  Diagnosis diagnosis{.name = "free space",
                      .value = HumanBytes(facts.free_bytes),
                      .meaning = absl::StrCat(
                          "Room for ", WithCommas(segments), " segments of 256 MiB, some ",
                          HumanCount(static_cast<double>(facts.free_bytes) / 12), " commands.")};
  if (segments < 4) diagnosis.health = Health::kFair;
  if (segments < 1) {
    diagnosis.health = Health::kBad;
    diagnosis.meaning = "Not even one segment of 256 MiB fits.";
  }
  return diagnosis;
}

Diagnosis ExamineSyncs(const SyncTimes& times) {
  Diagnosis diagnosis{
      .name = kSyncs,
      .value = absl::StrCat("p50 ", NanosText(times.p50), ", p99 ", NanosText(times.p99), ", max ",
                            NanosText(times.max), " of ", WithCommas(times.count)),
      .meaning = ""};
  const double per_second = 1e9 / static_cast<double>(std::max<uint64_t>(1, times.p50));
  diagnosis.meaning =
      absl::StrCat("With --ack disk an event waits about that long, and ", HumanCount(per_second),
                   " groups of commands can be acknowledged in a second.");
  if (times.p50 < 15'000) {
    diagnosis.health = Health::kFair;
    diagnosis.meaning = absl::StrCat(
        diagnosis.meaning,
        " No device without protected memory is that fast: either it has some, or "
        "someone between here and the device confirms what is not done, and a power cut "
        "will show it.");
  } else if (times.p99 > 20 * times.p50 || times.p50 > 20'000'000) {
    diagnosis.health = Health::kFair;
    diagnosis.meaning = absl::StrCat(
        diagnosis.meaning, times.p50 > 20'000'000
                               ? " That is slow: a disk that turns, or one that is shared."
                               : " One in a hundred takes over 20 times as long: "
                                 "something else uses the device.");
  }
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
