#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replay/semantics_version.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::TempDir;

// Without the first line, which begins with the path.
std::string InfoOf(const std::vector<std::string>& words) {
  const VerbResult result = RunVerb(MakeInfoVerb(), words);
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  return result.output.substr(result.output.find('\n') + 1);
}

// Overwrites bytes of the journal's first segment.
void Damage(const std::string& path, int64_t offset) {
  std::fstream file(absl::StrCat(path, "/segment-000000.tape"),
                    std::ios::in | std::ios::out | std::ios::binary);
  ASSERT_TRUE(file.is_open());
  file.seekp(offset);
  file << "damage";
}

TEST(InfoVerbTest, ShowsWhatTheHeadersSay) {
  const std::string path = WriteSampleJournal("info");
  EXPECT_EQ(RunVerb(MakeInfoVerb(), {path}).output,
            absl::StrCat(path, ", journal 01000000000000000200000000000000\n", InfoOf({path})));
  EXPECT_THAT(
      InfoOf({path}),
      StartsWith(absl::StrCat("  format           1.1, created 2020-01-30T09:30:00.000000000Z\n"
                              "  written by       ticktape exchange, a test, rules version ",
                              replay::kSemanticsVersion,
                              "\n"
                              "  records          15, @1..@15\n"
                              "  time             2020-01-30T09:30:00.000000000Z to "
                              "2020-01-30T09:30:14.000000000Z\n"
                              "  state            sealed, headers CLEAN; 'verify' reads the rest\n"
                              "  durable          at least to @15\n"
                              "  size             32.0 KiB in 1 segment\n"
                              "  checkpoints      1, the last at @15\n"
                              "  log digest       68d0fa18290a7a6d35e6ceb6c3398e3a\n"
                              "  trace digest     ")));
}

TEST(InfoVerbTest, MetaShowsTheEmbeddedSchema) {
  const std::string text = InfoOf({WriteSampleJournal("info_meta"), "--meta"});
  EXPECT_THAT(text, HasSubstr("  command line     WriteSampleJournal\n"
                              "  row schema       0x"));
  EXPECT_THAT(text, HasSubstr("                   messages.capnp:Command  0x"));
}

TEST(InfoVerbTest, WhatTheFileSaysDoesNotReachTheTerminalRaw) {
  const std::string path = WriteSampleJournal(
      "info_hostile", {.commands = {}, .created_by = "\x1b]0;title\x07\nforged line"});
  EXPECT_THAT(InfoOf({path, "--meta"}),
              HasSubstr("  command line     \\x1b]0;title\\x07\\nforged line\n"));
}

// A killed writer's digests may be on disk where its last records are not.
TEST(InfoVerbTest, ACheckpointBeyondTheLastRecordIsNotTheLast) {
  const std::string path = WriteSampleJournal("info_beyond");
  const std::string segment = path + "/segment-000000.tape";
  std::filesystem::resize_file(segment, std::filesystem::file_size(segment) - 4096 * 3);
  const std::string text = InfoOf({path});
  EXPECT_THAT(text, HasSubstr("  records          12, @1..@12\n"));
  EXPECT_THAT(text,
              HasSubstr("  checkpoints      none\n"
                        "  warning          1 checkpoint beyond the last record, up to @15: "));
  EXPECT_THAT(RunVerb(MakeInfoVerb(), {path, "--json"}).output,
              HasSubstr(R"("checkpoints":{"count":0,"beyond_the_end":1})"));
}

TEST(InfoVerbTest, SegmentsAreATable) {
  EXPECT_THAT(
      InfoOf({WriteSampleJournal("info_segments"), "--segments"}),
      EndsWith("\n\n"
               "  segment                     first         last      records   blocks       size  "
               "state\n"
               "  segment-000000.tape             1           15           15        4   32.0 KiB  "
               "sealed\n"));
}

TEST(InfoVerbTest, SaysThatAJournalIsNotSealed) {
  const std::string path =
      WriteSampleJournal("info_unsealed", {.commands = SampleCommands(), .sealed = false});
  EXPECT_THAT(InfoOf({path}),
              HasSubstr("  state            not sealed: being written, or its writer was killed, "
                        "headers CLEAN; 'verify' reads the rest\n"
                        "  durable          nothing that the log itself tells of\n"
                        "  size             24.0 KiB in 1 segment\n"
                        "  checkpoints      none\n"));
}

TEST(InfoVerbTest, ShowsAnEmptyJournal) {
  EXPECT_THAT(InfoOf({WriteSampleJournal("info_empty", SampleJournalOptions())}),
              HasSubstr("  records          none\n"
                        "  state            sealed, headers CLEAN; 'verify' reads the rest\n"));
}

TEST(InfoVerbTest, JsonHasEveryField) {
  const std::string path = WriteSampleJournal("info_json");
  const std::string json = RunVerb(MakeInfoVerb(), {path, "--json"}).output;
  EXPECT_THAT(json,
              StartsWith(absl::StrCat(
                  R"({"schema":"ticktape.info/1","path":")", path,
                  R"(","uuid":"01000000000000000200000000000000","format":"1.1",)"
                  R"("created":"2020-01-30T09:30:00.000000000Z","records":15,"first_sequence":1,)"
                  R"("last_sequence":15,"first_time":"2020-01-30T09:30:00.000000000Z",)"
                  R"("last_time":"2020-01-30T09:30:14.000000000Z","sealed":true,"verdict":"CLEAN",)"
                  R"("verdict_of":"headers","reason":"","durable_sequence":15,"bytes":32768,)"
                  R"("metadata":{"application":"ticktape exchange","build":"a test",)"
                  R"("semantics_version":)",
                  replay::kSemanticsVersion,
                  R"(,"created_by":"WriteSampleJournal","time_zone":"","row_schema_id":"0x)")));
  EXPECT_THAT(json, HasSubstr(R"("segments":[{"index":0,"file":"segment-000000.tape","uuid":")"));
  EXPECT_THAT(
      json,
      HasSubstr(R"("sealed":true,"index_intact":true,"first_sequence":1,)"
                R"("last_sequence":15,"records":15,)"
                R"("first_time":"2020-01-30T09:30:00.000000000Z",)"
                R"("last_time":"2020-01-30T09:30:14.000000000Z","blocks":4,"bytes":32768}])"));
  EXPECT_THAT(json, HasSubstr(R"("checkpoints":{"count":1,"last_sequence":15,)"
                              R"("log_digest":"68d0fa18290a7a6d35e6ceb6c3398e3a",)"
                              R"("trace_digest":")"));
}

TEST(InfoVerbTest, ADamagedSidecarDoesNotHideTheJournal) {
  const std::string path = WriteSampleJournal("info_sidecar");
  std::ofstream(absl::StrCat(path, "/checkpoints.trace")) << "nonsense";
  const std::string text = InfoOf({path});
  EXPECT_THAT(text, HasSubstr("  records          15, @1..@15\n"));
  EXPECT_THAT(text, HasSubstr("  checkpoints      checkpoints.trace"));
}

TEST(InfoVerbTest, AMissingSidecarIsNoProblem) {
  const std::string path = WriteSampleJournal("info_no_sidecar");
  std::filesystem::remove(absl::StrCat(path, "/checkpoints.trace"));
  EXPECT_THAT(InfoOf({path}), HasSubstr("  checkpoints      none\n"));
}

TEST(InfoVerbTest, AnUnsealedJournalTellsHowFarItIsDurable) {
  const std::string path = WriteSampleJournal(
      "info_synced", {.commands = SampleCommands(), .sealed = false, .synced = true});
  EXPECT_THAT(InfoOf({path}), HasSubstr("  durable          at least to @12\n"));
}

TEST(InfoVerbTest, DamageIsPrintedAndInTheExitCode) {
  const std::string path = WriteSampleJournal(
      "info_damaged", {.commands = SampleCommands(), .sealed = false, .synced = true});
  Damage(path, 3 * 4096 + 200);  // Within the second block.
  const VerbResult result = RunVerb(MakeInfoVerb(), {path});
  EXPECT_EQ(result.code, ExitCode::kDamaged) << result.output;
  EXPECT_THAT(result.output, HasSubstr("DAMAGED: segment 000000 [0x3000..0x4000): sequences 5..8"));
}

TEST(InfoVerbTest, WithoutAPreambleThereIsNothingToShow) {
  const std::string path = WriteSampleJournal("info_no_preamble");
  Damage(path, 0);
  Damage(path, 4096);
  const VerbResult result = RunVerb(MakeInfoVerb(), {path});
  EXPECT_EQ(result.code, ExitCode::kDamaged) << result.output;
  EXPECT_THAT(result.error, HasSubstr("preamble"));
}

TEST(InfoVerbTest, SaysWhichPathIsNoJournal) {
  const std::string missing = absl::StrCat(TempDir(), "/nowhere");
  EXPECT_EQ(RunVerb(MakeInfoVerb(), {missing}).code, ExitCode::kIo);
  EXPECT_THAT(RunVerb(MakeInfoVerb(), {missing}).error, HasSubstr(missing));

  const std::string empty = absl::StrCat(TempDir(), "/empty");
  std::filesystem::create_directory(empty);
  EXPECT_EQ(RunVerb(MakeInfoVerb(), {empty}).code, ExitCode::kIo);
  EXPECT_THAT(RunVerb(MakeInfoVerb(), {empty}).error, HasSubstr(empty));

  const std::string file = absl::StrCat(TempDir(), "/file");
  std::ofstream(file) << "text";
  EXPECT_EQ(RunVerb(MakeInfoVerb(), {file}).code, ExitCode::kIo);
  EXPECT_THAT(RunVerb(MakeInfoVerb(), {file}).error, HasSubstr(file));
}

}  // namespace
}  // namespace tools
