// The files beside a journal's segments, damaged, oversized or of another journal: what every verb
// makes of checkpoints.trace and of snapshots that are not to be trusted.

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// So many that a shell goes on from a snapshot, 16,384 commands before the end.
constexpr int kCommands = 26'000;
constexpr size_t kHeaderBytes = 64;
constexpr size_t kEntryBytes = 96;

std::string PathOf(absl::string_view name) { return absl::StrCat(testing::TempDir(), "/", name); }

// Two journals of WriteSampleJournal have one UUID, as two copies of a folder have that went on
// apart: here, after `common` commands.
std::string WriteJournal(absl::string_view name, int common, int seed) {
  std::vector<std::string> commands = {SampleCommands().front()};
  for (int i = 0; i < kCommands; ++i) {
    const int shift = i < common ? 0 : seed;
    commands.push_back(absl::StrFormat("%s market=AAPL price=%d.0000 quantity=%d account=%d",
                                       i % 3 == 0 ? "ask" : "bid", 300 + (i + shift) * 7 % 9,
                                       1 + (i + shift) % 4, 1 + i % 5));
  }
  return WriteSampleJournal(name, {.commands = commands, .block_records = 512});
}

std::string Sidecar(const std::string& journal) {
  return absl::StrCat(journal, "/checkpoints.trace");
}

std::string BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void Flip(const std::string& path, size_t at) {
  std::string bytes = BytesOf(path);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string CopyOf(const std::string& path, absl::string_view name) {
  fs::copy(path, PathOf(name), fs::copy_options::recursive);
  return PathOf(name);
}

VerbResult Shell(const std::string& path) { return RunVerb(MakeShellVerb(), {"-o", path}); }

VerbResult Repair(const std::string& path) { return RunVerb(MakeRepairVerb(), {path, "--apply"}); }

std::string StateAt(const std::string& path, const std::string& position) {
  const std::string output = RunVerb(MakeSnapshotVerb(), {"restore", path, position}).output;
  return output.substr(output.find("state digest"));
}

// ---- Snapshots

const std::string& Mine() {
  static const std::string path = WriteJournal("mine", 5'000, 0);
  return path;
}

// Begins with the same 5,000 commands, goes on with others, and has snapshots at 4096 and 8192.
const std::string& Theirs() {
  static const std::string path = [] {
    const std::string journal = WriteJournal("theirs", 5'000, 1);
    for (const char* position : {"@4096", "@8192"}) {
      EXPECT_EQ(RunVerb(MakeSnapshotVerb(), {"make", journal, position}).code, ExitCode::kOk);
    }
    return journal;
  }();
  return path;
}

std::string FileAt(const std::string& journal, int sequence, absl::string_view ending) {
  return absl::StrFormat("%s/snapshots/%020d%s", journal, sequence, std::string(ending));
}

void Give(const std::string& from, int sequence, const std::string& to) {
  fs::create_directories(to + "/snapshots");
  for (const char* ending : {".snap", ".proven"}) {
    fs::copy_file(FileAt(from, sequence, ending), FileAt(to, sequence, ending));
  }
}

// What may have become of a sidecar, so that it does not say whose log it is.
struct SidecarLoss {
  const char* name;
  std::function<void(const std::string& sidecar)> lose;
};

const std::vector<SidecarLoss>& SidecarLosses() {
  static const std::vector<SidecarLoss> losses = {
      {"whole", [](const std::string&) {}},
      {"missing", [](const std::string& path) { fs::remove(path); }},
      {"no_header", [](const std::string& path) { fs::resize_file(path, kHeaderBytes / 2); }},
      {"no_entries", [](const std::string& path) { fs::resize_file(path, kHeaderBytes); }},
      {"damaged",
       [](const std::string& path) {
         for (size_t at = kHeaderBytes + 8; at < fs::file_size(path); at += kEntryBytes) {
           Flip(path, at);
         }
       }},
      {"theirs",
       [](const std::string& path) {
         fs::copy_file(Sidecar(Theirs()), path, fs::copy_options::overwrite_existing);
       }},
  };
  return losses;
}

TEST(ForeignSnapshot, OfADivergedCopyIsNeverUsedEvenWithoutASidecar) {
  const std::string expected = StateAt(Mine(), "@9000");
  for (const SidecarLoss& loss : SidecarLosses()) {
    SCOPED_TRACE(loss.name);
    const std::string path = CopyOf(Mine(), absl::StrCat("foreign_", loss.name));
    Give(Theirs(), 8192, path);
    loss.lose(Sidecar(path));
    const VerbResult verified = RunVerb(MakeSnapshotVerb(), {"verify", path});
    EXPECT_EQ(verified.code, ExitCode::kDamaged);
    EXPECT_THAT(verified.output, AllOf(Not(HasSubstr("restored")), HasSubstr("of another log")));
    EXPECT_EQ(StateAt(path, "@9000"), expected);
    const VerbResult resumed = Shell(path);
    EXPECT_EQ(resumed.code, ExitCode::kOk);
    EXPECT_THAT(resumed.error, HasSubstr("brought back from the first record"));
    // What the shell has left of its run is that of this journal.
    EXPECT_THAT(RunVerb(MakeReplayVerb(), {path, "--json"}).output,
                loss.name == std::string("theirs") ? HasSubstr(R"("equal":false)")
                                                   : HasSubstr(R"("equal":true)"));
  }
}

TEST(ForeignSnapshot, OfTheCommonBeginningIsUsedWithoutASidecar) {
  const std::string path = CopyOf(Mine(), "common_beginning");
  Give(Theirs(), 4096, path);
  fs::remove(Sidecar(path));
  const VerbResult verified = RunVerb(MakeSnapshotVerb(), {"verify", path});
  EXPECT_EQ(verified.code, ExitCode::kOk) << verified.error;
  // No recorded state was there to compare with.
  EXPECT_THAT(verified.output, Not(HasSubstr("restored, equal")));
  EXPECT_THAT(Shell(path).error, HasSubstr("brought back from the snapshot at @4096"));
}

TEST(ForeignSnapshot, CountsForNothingWhenSegmentsAreToBeDeleted) {
  const std::string path = CopyOf(Mine(), "foreign_prune");
  Give(Theirs(), 8192, path);
  fs::remove(Sidecar(path));
  EXPECT_THAT(RunVerb(MakePruneVerb(), {path}).output, HasSubstr("0 eligible snapshots"));
}

// ---- Checkpoints

// The checkpoints at 4096, 8192, … and at the end.
constexpr size_t kEntries = kCommands / 4096 + 1;

bool IsKeptAside(const std::string& path, const std::string& bytes) {
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("checkpoints.torn.") && BytesOf(entry.path()).find(bytes) != bytes.npos) {
      return true;
    }
  }
  return false;
}

std::string DamagedEntry(const std::string& name, size_t entry) {
  const std::string path = CopyOf(Mine(), name);
  Flip(Sidecar(path), kHeaderBytes + entry * kEntryBytes + 40);
  return path;
}

TEST(Checkpoints, OneFlippedBitCostsOneOfThem) {
  const std::string path = DamagedEntry("one_bit", 1);
  EXPECT_THAT(RunVerb(MakeInfoVerb(), {path, "--json"}).output,
              HasSubstr(absl::StrCat(R"("count":)", kEntries - 1)));
  const VerbResult replayed = RunVerb(MakeReplayVerb(), {path, "--json"});
  EXPECT_THAT(replayed.output,
              HasSubstr(absl::StrCat(R"("trace_digests_compared":)", kEntries - 1, R"(,"state)")));
  EXPECT_THAT(replayed.error, HasSubstr("the checkpoint at byte 160 is damaged and not used"));
}

TEST(Checkpoints, AreKeptAsTheyWereByRepairWhichSaysSo) {
  const std::string path = DamagedEntry("repaired", 1);
  const std::string before = BytesOf(Sidecar(path));
  EXPECT_THAT(RunVerb(MakeRepairVerb(), {path}).output, HasSubstr("checkpoints.torn.1"));
  const VerbResult repaired = Repair(path);
  EXPECT_EQ(repaired.code, ExitCode::kOk) << repaired.error;
  EXPECT_THAT(repaired.output, HasSubstr("checkpoints.torn.1"));
  EXPECT_TRUE(IsKeptAside(path, before));
  EXPECT_THAT(RunVerb(MakeVerifyVerb(), {path, "--replay", "--json"}).output,
              HasSubstr(absl::StrCat(R"("log_digests_compared":)", kEntries,
                                     R"(,"trace_digests_compared":)", kEntries - 1)));
}

TEST(Checkpoints, AreKeptByAShellThatStartsWhichSaysSo) {
  // A torn end, as a crash leaves it, and one that was damaged.
  for (const size_t entry : {size_t{1}, kEntries - 1}) {
    const std::string path = DamagedEntry(absl::StrCat("restarted_", entry), entry);
    const std::string before = BytesOf(Sidecar(path));
    const VerbResult resumed = Shell(path);
    EXPECT_EQ(resumed.code, ExitCode::kOk) << resumed.error;
    EXPECT_THAT(resumed.error, HasSubstr(absl::StrCat("the checkpoint at byte ",
                                                      kHeaderBytes + entry * kEntryBytes,
                                                      " is damaged and not used")));
    const std::string after = BytesOf(Sidecar(path));
    for (size_t i = 0; i < kEntries; ++i) {
      const std::string bytes = before.substr(kHeaderBytes + i * kEntryBytes, kEntryBytes);
      EXPECT_TRUE(after.find(bytes) != after.npos || IsKeptAside(path, bytes)) << entry << i;
    }
  }
}

TEST(Checkpoints, ADamagedHeaderCostsNone) {
  const std::string path = CopyOf(Mine(), "header_bit");
  Flip(Sidecar(path), 20);
  EXPECT_THAT(RunVerb(MakeReplayVerb(), {path, "--json"}).output,
              HasSubstr(absl::StrCat(R"("trace_digests_compared":)", kEntries, R"(,"state)")));
  EXPECT_THAT(Shell(path).error, HasSubstr("checkpoints.torn.1"));
  EXPECT_THAT(RunVerb(MakeReplayVerb(), {path, "--json"}).output,
              HasSubstr(absl::StrCat(R"("trace_digests_compared":)", kEntries, R"(,"state)")));
}

// Opening a pipe would wait for someone to write to it.
TEST(Checkpoints, AreARegularFileOrSetAside) {
  for (const std::string kind : {"pipe", "folder", "link"}) {
    SCOPED_TRACE(kind);
    const std::string path = CopyOf(Mine(), "kinds_of_sidecars");
    fs::rename(Sidecar(path), path + "/elsewhere");
    if (kind == "pipe") {
      ASSERT_EQ(::mkfifo(Sidecar(path).c_str(), 0600), 0);
    } else if (kind == "folder") {
      fs::create_directory(Sidecar(path));
    } else {
      fs::create_symlink("elsewhere", Sidecar(path));
    }
    const VerbResult verified = RunVerb(MakeVerifyVerb(), {path});
    EXPECT_EQ(verified.code, ExitCode::kOk) << verified.error;
    EXPECT_THAT(verified.output, HasSubstr("not a regular file"));
    EXPECT_EQ(RunVerb(MakeInfoVerb(), {path}).code, ExitCode::kOk);
    EXPECT_EQ(RunVerb(MakeReplayVerb(), {path}).code, ExitCode::kOk);
    EXPECT_THAT(Shell(path).error, HasSubstr("checkpoints.torn.1"));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(Sidecar(path))));
    EXPECT_FALSE(fs::is_regular_file(fs::symlink_status(path + "/checkpoints.torn.1")));
    fs::remove_all(path);
  }
}

TEST(Checkpoints, OfATebibyteAreReadAsFarAsTheJournalHasAny) {
  const std::string path = CopyOf(Mine(), "tebibyte");
  constexpr uintmax_t kTebibyte = uintmax_t{1} << 40;
  fs::resize_file(Sidecar(path), kTebibyte);
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {path}).code, ExitCode::kOk);
  EXPECT_THAT(RunVerb(MakeInfoVerb(), {path, "--json"}).output,
              HasSubstr(absl::StrCat(R"("count":)", kEntries)));
  const VerbResult replayed = RunVerb(MakeReplayVerb(), {path, "--json"});
  EXPECT_THAT(replayed.output, HasSubstr(absl::StrCat(R"("trace_digests_compared":)", kEntries)));
  EXPECT_THAT(replayed.error, HasSubstr("later entries are not read"));
  const std::string other = CopyOf(Mine(), "tebibyte_too");
  fs::resize_file(Sidecar(other), kTebibyte);
  EXPECT_EQ(Repair(path).code, ExitCode::kOk);
  EXPECT_EQ(Shell(other).code, ExitCode::kOk);
  for (const std::string& journal : {path, other}) {
    EXPECT_LT(fs::file_size(Sidecar(journal)), 4096u);
    EXPECT_EQ(fs::file_size(journal + "/checkpoints.torn.1"), kTebibyte) << "kept as it was";
    EXPECT_THAT(RunVerb(MakeReplayVerb(), {journal, "--json"}).output,
                HasSubstr(absl::StrCat(R"("trace_digests_compared":)", kEntries)));
    fs::remove(journal + "/checkpoints.torn.1");
  }
}

}  // namespace
}  // namespace tools
