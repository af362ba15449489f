// No verb reads a DAMAGED journal as if it were complete. A table has every verb, and how it reads
// a journal; a verb that is not in it fails the test.

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/format/watermark_file.h"
#include "journal/storage/posix_storage.h"
#include "journal/testing/forge.h"
#include "journal/uuid.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verb.h"
#include "tools/cli/command_line.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr size_t kBlockBytes = 4096;
constexpr size_t kRecords = 5000;

// JOURNAL is damaged, WHOLE is as it was before, PIECE is a damaged copy, OTHER another journal;
// VENUE is the folder of a venue whose journal is a damaged copy.
// OUT does not exist, and must not exist afterwards; FOLDER is empty, and must stay so.
struct Reading {
  std::vector<std::string> words;
};

const std::vector<Reading>& Readings() {
  static const std::vector<Reading> readings = {
      {{"info", "JOURNAL"}},
      {{"stats", "JOURNAL"}},
      {{"stats", "JOURNAL", "@10.."}},
      {{"cat", "JOURNAL"}},
      {{"cat", "JOURNAL", "@10.."}},
      {{"cat", "JOURNAL", "@-1"}},
      {{"cat", "JOURNAL", "..", "--json"}},
      {{"cat", "JOURNAL", "--where", "sequence==1"}},
      {{"replay", "JOURNAL"}},
      {{"replay", "JOURNAL", "--engine", "reference"}},
      {{"verify", "JOURNAL"}},
      {{"verify", "JOURNAL", "--replay"}},
      {{"inspect", "JOURNAL"}},
      {{"inspect", "JOURNAL", "@-1"}},
      {{"inspect", "JOURNAL", "--watch", "order:3"}},
      {{"inspect", "JOURNAL", "@100", "--order", "3", "--life"}},
      {{"inspect", "JOURNAL", "--diff", "@10", "@-1"}},
      {{"repair", "JOURNAL"}},
      {{"seal", "JOURNAL"}},
      {{"repack", "JOURNAL", "OUT"}},
      {{"archive", "JOURNAL"}},
      {{"snapshot", "make", "JOURNAL"}},
      {{"snapshot", "restore", "JOURNAL"}},
      {{"diff", "JOURNAL", "WHOLE"}},
      {{"diff", "WHOLE", "JOURNAL"}},
      {{"diff", "JOURNAL", "--engine-b", "reference"}},
      {{"bisect", "JOURNAL", "--engine-b", "reference"}},
      {{"minimize", "JOURNAL", "--engine-b", "reference", "-o", "OUT"}},
      {{"backtest", "ladder", "JOURNAL"}},
      {{"backtest", "ladder", "JOURNAL", "-o", "OUT"}},
      {{"retime", "JOURNAL", "--speed", "max", "--one-run"}},
      {{"golden", "add", "JOURNAL", "--name", "a", "--into", "FOLDER", "--reason", "a test"}},
      {{"bundle", "JOURNAL", "-o", "OUT"}},
      {{"export", "JOURNAL", "-o", "OUT"}},
      {{"export", "JOURNAL", "-o", "-"}},
      {{"export", "JOURNAL", "--what", "events", "-o", "OUT"}},
      {{"cut", "JOURNAL", "-o", "OUT"}},
      {{"cut", "JOURNAL", "@40..", "-o", "OUT"}},
      {{"cut", "JOURNAL", "@40..", "--keep-sequence", "-o", "OUT"}},
      {{"cut", "JOURNAL", "--market", "AAPL", "-o", "OUT"}},
      {{"split", "JOURNAL", "--every", "1000", "-o", "OUT"}},
      {{"split", "JOURNAL", "--at", "@40", "-o", "OUT"}},
      {{"split", "JOURNAL", "--size", "64K", "-o", "OUT"}},
      {{"split", "JOURNAL", "--by", "day", "-o", "OUT"}},
      {{"split", "JOURNAL", "--by", "market", "-o", "OUT"}},
      {{"merge", "JOURNAL", "OTHER", "-o", "OUT"}},
      {{"merge", "JOURNAL", "OTHER", "--by", "time", "-o", "OUT"}},
      {{"merge", "JOURNAL", "PIECE", "-o", "OUT"}},
      {{"shell", "-o", "JOURNAL"}},
      {{"serve", "VENUE"}},
      {{"feed-load", "JOURNAL", "--to", "A=127.0.0.1:9", "--rate", "0", "--linger", "0s"}},
      {{"prune", "JOURNAL"}},
  };
  return readings;
}

// Verbs that read no journal to its end, and why.
const std::set<std::string>& Others() {
  static const std::set<std::string> others = {
      "demo",           // Of its own making.
      "record",         // Begins a journal.
      "hold",           // Names a record.
      "doctor",         // Looks at the file system.
      "schema",         // Reads what a preamble says of rows.
      "fuzz",           // Of its own making.
      "engine-server",  // Is sent records.
      "admin",          // Asks a venue, as do the next three.
      "trade",         "cancel-orders", "feed", "completions", "help", "man",
  };
  return others;
}

struct Result {
  ExitCode code = ExitCode::kOk;
  std::string text;
};

Result RunProgram(const std::vector<std::string>& words) {
  Result result;
  Console console([&](absl::string_view text) { absl::StrAppend(&result.text, text); },
                  [&](absl::string_view text) { absl::StrAppend(&result.text, text); }, {});
  result.code = RunCommandLine(words, console);
  console.Flush();
  return result;
}

std::vector<std::string> Commands() {
  std::vector<std::string> commands = SampleCommands();
  while (commands.size() < kRecords) {
    commands.push_back(absl::StrCat("bid market=AAPL price=", 300 + commands.size() % 20,
                                    ".1400 quantity=", 1 + commands.size() % 7, " account=4"));
  }
  return commands;
}

SampleJournalOptions KilledAfterAHeartbeat() {
  return {.commands = Commands(),
          .block_records = 400,
          .sealed = false,
          .synced = true,
          .heartbeat = true};
}

SampleJournalOptions Segments(uint64_t journal_id) {
  return {.commands = Commands(),
          .block_records = 100,
          .segment_bytes = 64 << 10,
          .journal_id = journal_id};
}

std::string CopyOf(const std::string& path, absl::string_view name) {
  std::string copy = absl::StrCat(testing::TempDir(), "/", name);
  fs::remove_all(copy);
  fs::copy(path, copy, fs::copy_options::recursive);
  return copy;
}

std::vector<std::string> SegmentsOf(const std::string& path) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".tape") names.insert(entry.path());
  }
  return {names.begin(), names.end()};
}

// Where the last block with records begins.
std::streamoff LastDataBlock(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  size_t last = 0;
  for (size_t page = 0; page + kBlockBytes <= bytes.size(); page += kBlockBytes) {
    if (bytes.compare(page, 4, "TBLK") == 0 && bytes[page + 6] == 1) last = page;
  }
  CHECK_NE(last, size_t{0});
  return static_cast<std::streamoff>(last);
}

void FlipBit(const std::string& file, std::streamoff at) {
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekg(at);
  const char flipped = static_cast<char>(stream.get() ^ 1);
  stream.seekp(at);
  stream.put(flipped);
}

// The folder of a venue with a copy of the journal. Slow, since a venue makes keys.
std::string NewVenue(const std::string& journal) {
  const std::string path = absl::StrCat(testing::TempDir(), "/venue");
  fs::remove_all(path);
  const Result result = RunProgram({"serve", "--init", path});
  CHECK(result.code == ExitCode::kOk) << result.text;
  CopyOf(journal, "venue/journal");
  return path;
}

class DamagedJournal : public ::testing::Test {
 protected:
  void ExpectEveryVerbToSaySo(const std::string& damaged, const std::string& whole) {
    const std::string other_path = absl::StrCat(testing::TempDir(), "/other");
    fs::remove_all(other_path);
    const std::string other =
        WriteSampleJournal("other", {.commands = SampleCommands(), .journal_id = 77});
    const std::string out = absl::StrCat(testing::TempDir(), "/out");
    const std::string folder = absl::StrCat(testing::TempDir(), "/folder");
    for (const Reading& reading : Readings()) {
      fs::remove_all(out);
      fs::remove_all(folder);
      fs::create_directory(folder);
      const std::string journal = CopyOf(damaged, "journal_that_is_read");
      const std::string piece = CopyOf(damaged, "piece_that_is_read");
      std::vector<std::string> words = reading.words;
      for (std::string& word : words) {
        if (word == "JOURNAL") word = journal;
        if (word == "WHOLE") word = whole;
        if (word == "OTHER") word = other;
        if (word == "PIECE") word = piece;
        if (word == "VENUE") word = NewVenue(damaged);
        if (word == "OUT") word = out;
        if (word == "FOLDER") word = folder;
      }
      SCOPED_TRACE(absl::StrJoin(words, " "));
      const Result result = RunProgram(words);
      const std::string last_words =
          result.text.substr(result.text.size() - std::min<size_t>(result.text.size(), 1000));
      // To `git bisect run` any other code than 125 would be an answer.
      const ExitCode expected = words.front() == "bisect" ? ExitCode::kSkip : ExitCode::kDamaged;
      EXPECT_EQ(static_cast<int>(result.code), static_cast<int>(expected)) << last_words;
      EXPECT_TRUE(absl::StrContains(result.text, "cannot be read") ||
                  absl::StrContains(result.text, "is damaged") ||
                  absl::StrContains(result.text, "does not continue"))
          << last_words;
      EXPECT_FALSE(fs::exists(out));
      EXPECT_TRUE(fs::is_empty(folder));
    }
  }
};

TEST_F(DamagedJournal, EveryVerbIsInTheTable) {
  std::set<std::string> known = Others();
  for (const Reading& reading : Readings()) known.insert(reading.words.front());
  for (const auto& verb : MakeVerbs()) {
    EXPECT_EQ(known.count(verb->name()), 1u)
        << verb->name() << ": how does it read a DAMAGED journal?";
  }
}

TEST_F(DamagedJournal, IsNotReadAsIfItWereCompleteWhereAHeartbeatSaysWhatIsMissing) {
  const std::string whole = WriteSampleJournal("heartbeat", KilledAfterAHeartbeat());
  const std::string damaged = CopyOf(whole, "heartbeat_damaged");
  const std::string segment = SegmentsOf(damaged).back();
  FlipBit(segment, LastDataBlock(segment) + 200);
  ExpectEveryVerbToSaySo(damaged, whole);
}

TEST_F(DamagedJournal, IsNotReadAsIfItWereCompleteWhereTheLastSegmentIsAnotherJournals) {
  const std::string whole = WriteSampleJournal("segments", Segments(1));
  const std::string stranger = WriteSampleJournal("stranger", Segments(2));
  // The segment of the same name, and one whose numbers the journal has already.
  for (const bool is_first : {false, true}) {
    const std::string damaged = CopyOf(whole, "last_is_strangers");
    const std::string last = SegmentsOf(damaged).back();
    const std::vector<std::string> theirs = SegmentsOf(stranger);
    ASSERT_GT(theirs.size(), 2u);
    fs::copy_file(is_first ? theirs.front() : theirs.back(), last,
                  fs::copy_options::overwrite_existing);
    SCOPED_TRACE(is_first);
    ExpectEveryVerbToSaySo(damaged, whole);
  }
}

TEST_F(DamagedJournal, IsReadUpToWhatIsMissingWhereAskedForThat) {
  const std::string whole = WriteSampleJournal("ranges", KilledAfterAHeartbeat());
  const std::string damaged = CopyOf(whole, "ranges_damaged");
  const std::string segment = SegmentsOf(damaged).back();
  FlipBit(segment, LastDataBlock(segment) + 200);
  const Result range = RunProgram({"cat", damaged, "@1..@4800", "--fields", "sequence"});
  EXPECT_EQ(range.code, ExitCode::kOk) << range.text;
  EXPECT_THAT(range.text, HasSubstr("\n4800\n"));
  const Result all = RunProgram({"cat", damaged, "--fields", "sequence"});
  EXPECT_EQ(all.code, ExitCode::kDamaged);
  EXPECT_THAT(all.text, HasSubstr("\n4800\n"));
  EXPECT_THAT(all.text, HasSubstr("4801..5000"));
  const Result missing = RunProgram({"cat", damaged, "@4900"});
  EXPECT_EQ(missing.code, ExitCode::kDamaged) << missing.text;
  const Result info = RunProgram({"info", damaged});
  EXPECT_THAT(info.text, HasSubstr("4,800, @1..@4800"));
}

TEST_F(DamagedJournal, IsNotFollowedAsIfItWereCompleteWithoutItsFirstSegments) {
  const std::string path = CopyOf(WriteSampleJournal("begins_late", Segments(1)), "followed");
  fs::remove(SegmentsOf(path).front());
  const Result result = RunProgram({"cat", path, "--follow", "--until-closed"});
  EXPECT_EQ(result.code, ExitCode::kDamaged) << result.text;
  EXPECT_THAT(result.text, HasSubstr("its first segments are missing"));
}

std::vector<std::byte> ReadFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const engine::Bytes bytes = engine::AsBytes(text);
  return {bytes.begin(), bytes.end()};
}

void WriteFile(const std::string& path, const std::vector<std::byte>& bytes) {
  std::ofstream(path, std::ios::binary) << engine::AsText(bytes);
}

// Every hash is right, and the times of later blocks are before those of earlier ones.
TEST_F(DamagedJournal, WhoseTimesRunBackIsAnErrorAndNoAbort) {
  const std::string path = WriteSampleJournal("times_run_back");
  const std::string segment = SegmentsOf(path).back();
  std::vector<std::byte> bytes = ReadFile(segment);
  journal::ShiftLaterTimes(bytes, -3'600'000'000'000);
  WriteFile(segment, bytes);
  for (const char* verb : {"replay", "inspect", "cat", "stats", "export", "verify"}) {
    const Result result = RunProgram({verb, path});
    EXPECT_EQ(static_cast<int>(result.code), static_cast<int>(ExitCode::kDamaged)) << result.text;
  }
}

TEST_F(DamagedJournal, HasALinkAFolderOrAPipeInASegmentsPlace) {
  const std::string whole = WriteSampleJournal("kinds_of_files", Segments(3));
  for (const bool is_last : {false, true}) {
    for (const std::string kind : {"link", "link to nothing", "folder", "pipe"}) {
      const std::string path = CopyOf(whole, "another_kind_of_file");
      const std::vector<std::string> segments = SegmentsOf(path);
      const std::string segment = is_last ? segments.back() : segments[1];
      fs::remove(segment);
      if (kind == "link") {
        fs::create_symlink(whole + "/" + fs::path(segment).filename().string(), segment);
      } else if (kind == "link to nothing") {
        fs::create_symlink("gone", segment);
      } else {
        ASSERT_EQ(
            kind == "folder" ? ::mkdir(segment.c_str(), 0700) : ::mkfifo(segment.c_str(), 0600), 0);
      }
      for (const char* verb : {"verify", "info", "cat", "replay"}) {
        SCOPED_TRACE(absl::StrCat(verb, ", ", kind));
        const Result result = RunProgram({verb, path});
        EXPECT_EQ(static_cast<int>(result.code), static_cast<int>(ExitCode::kDamaged));
        EXPECT_THAT(result.text, HasSubstr("not a regular file"));
      }
      fs::remove_all(path);
    }
  }
}

TEST_F(DamagedJournal, MayBeShorterThanAWatermarkThatVerifyAndInfoWarnOf) {
  const std::string path =
      WriteSampleJournal("watermark", {.commands = SampleCommands(), .sealed = false});
  const auto directory =
      journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadWrite).value();
  CHECK_OK(journal::WatermarkFile(*directory)
               .Write({.journal_uuid = journal::Uuid::FromWords(1, 2),
                       .durable_block = 1000,
                       .durable_sequence = engine::SequenceNumber(5000)}));
  for (const char* verb : {"verify", "info"}) {
    const Result result = RunProgram({verb, path});
    EXPECT_EQ(static_cast<int>(result.code), static_cast<int>(ExitCode::kOk)) << result.text;
    EXPECT_THAT(result.text, HasSubstr("warning"));
    EXPECT_THAT(result.text, HasSubstr("`watermark` says that block 1000 and sequence 5000"));
  }
}

}  // namespace
}  // namespace tools
