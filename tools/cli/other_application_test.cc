// The verbs on a journal that holds no commands of the exchange: the rows of a counter. What is
// known of it is its application's machine and vocabulary; a journal of an application that is not
// known at all is printed, and nothing drives it.

#include <rapidjson/document.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/journal_metadata.h"
#include "journal/storage/posix_storage.h"
#include "replay/compare/write_log.h"
#include "replay/engines.h"
#include "replay/log_source.h"
#include "replay/machine.h"
#include "replay/testing/counter_machine.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/command_line.h"

namespace tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr size_t kLength = 9000;
constexpr uint64_t kWrongAbove = 2000;

// `fast` counts, and `reference` counts wrong above kWrongAbove.
const replay::Application& CounterApplication() {
  static const replay::Application counter = {
      .name = replay::kCounterApplication,
      .row_schema_id = replay::kCounterRowSchema,
      .semantics_version = 1,
      .make_machine = [](replay::EngineKind kind) -> std::unique_ptr<replay::Machine> {
        return std::make_unique<replay::CounterMachine>(
            kind == replay::EngineKind::kFast ? 0 : kWrongAbove);
      },
      .make_vocabulary = []() -> std::unique_ptr<replay::Vocabulary> {
        return std::make_unique<replay::CounterVocabulary>();
      }};
  return counter;
}

struct Printed {
  ExitCode code = ExitCode::kOk;
  std::string output;
  std::string error;
};

Printed RunVerb(const std::vector<std::string>& words, const Console::Options& options = {}) {
  Printed printed;
  Console console([&](absl::string_view text) { absl::StrAppend(&printed.output, text); },
                  [&](absl::string_view text) { absl::StrAppend(&printed.error, text); }, options);
  printed.code = RunCommandLine(words, console);
  console.Flush();
  return printed;
}

std::string Read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class OtherApplicationTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    AddApplication(CounterApplication());
    const replay::Log log = replay::CounterSession(kLength);
    Write(Path("counter.tape"), log, replay::kCounterApplication);
    replay::Log other = log;
    other[7000].row.payload[8] ^= std::byte{1};
    Write(Path("other.tape"), other, replay::kCounterApplication);
    Write(Path("unknown.tape"), log, "something else");
  }

  static std::string Path(absl::string_view name) {
    return absl::StrCat(::testing::TempDir(), "/", name);
  }

  // With the digests of the counter.
  static void Write(const std::string& path, const replay::Log& log, const char* application) {
    std::filesystem::remove_all(path);
    const auto directory = journal::OpenPosixDirectory(path, journal::DirectoryMode::kCreate);
    ASSERT_TRUE(directory.ok()) << directory.status();
    const journal::JournalMetadata metadata = {.application = application,
                                               .build_id = "a test",
                                               .semantics_version = 1,
                                               .created_by = "a test",
                                               .row_schema_id = replay::kCounterRowSchema,
                                               .row_schema = {}};
    const auto counter = OpenSubject("fast", Isolation::kNone, CounterApplication());
    ASSERT_TRUE(counter.ok()) << counter.status();
    const absl::Status written = WriteLog(**directory, log, metadata, counter->get());
    ASSERT_TRUE(written.ok()) << written;
  }

  const std::string counter_ = Path("counter.tape");
  const std::string unknown_ = Path("unknown.tape");
};

TEST_F(OtherApplicationTest, CatPrintsItsRowsInItsWords) {
  const Printed printed = RunVerb({"cat", counter_, "@1..+40"});
  EXPECT_EQ(printed.code, ExitCode::kOk) << printed.error;
  EXPECT_THAT(printed.output, AllOf(HasSubstr("1 add counter="), HasSubstr(" clear_at counter=")));
  const Printed json = RunVerb({"cat", counter_, "@1..+1", "--json"});
  rapidjson::Document row;
  row.Parse(json.output.c_str());
  ASSERT_FALSE(row.HasParseError()) << json.output;
  EXPECT_STREQ(row["kind"].GetString(), "add");
  EXPECT_TRUE(row["amount"].IsUint64());
  const Printed where = RunVerb({"cat", counter_, "--where", "kind==new_order"});
  EXPECT_EQ(where.code, ExitCode::kNotComparable);
  EXPECT_THAT(where.error, HasSubstr("was written by 'counter test'"));
}

TEST_F(OtherApplicationTest, ReplayHasTheRecordedDigestsAndTellsItsOutputs) {
  const Printed printed = RunVerb({"replay", counter_});
  EXPECT_EQ(printed.code, ExitCode::kOk) << printed.output << printed.error;
  EXPECT_THAT(printed.output, HasSubstr("replayed with the counter engine"));
  const Printed bad = RunVerb({"replay", counter_, "--engine", "reference"});
  EXPECT_EQ(bad.code, ExitCode::kDifferent);
  EXPECT_THAT(bad.output, HasSubstr("trace digest differs at "));
  const Printed outputs = RunVerb({"replay", counter_, "--to", "@20", "--emit", "-"});
  EXPECT_THAT(outputs.output, HasSubstr(" changed counter="));
  EXPECT_THAT(outputs.output, Not(HasSubstr("accepted")));
}

TEST_F(OtherApplicationTest, VerifyReplaysIt) {
  const Printed printed = RunVerb({"verify", "--replay", counter_});
  EXPECT_EQ(printed.code, ExitCode::kOk) << printed.output << printed.error;
  EXPECT_THAT(printed.output, HasSubstr("CLEAN"));
  EXPECT_EQ(RunVerb({"verify", "--replay", counter_, "--engine", "reference"}).code,
            ExitCode::kDifferent);
}

TEST_F(OtherApplicationTest, DiffFindsTheRecordAndTheOutput) {
  const Printed journals = RunVerb({"diff", counter_, Path("other.tape")});
  EXPECT_EQ(journals.code, ExitCode::kDifferent) << journals.error;
  EXPECT_THAT(journals.output, AllOf(HasSubstr("@7001"), HasSubstr("differs          amount: ")));
  const Printed engines = RunVerb({"diff", counter_, "--engine-b", "reference", "--all"});
  EXPECT_EQ(engines.code, ExitCode::kDifferent) << engines.error;
  EXPECT_THAT(engines.output, HasSubstr("add: changed.value"));
  EXPECT_THAT(engines.output, AllOf(HasSubstr(" add counter="), HasSubstr("   value: ")));
  EXPECT_THAT(engines.output, HasSubstr("B was given A's state"));
}

TEST_F(OtherApplicationTest, BisectFindsTheSameRecordFromTheDigests) {
  const auto first = [](const std::vector<std::string>& words) -> rapidjson::Document {
    const Printed printed = RunVerb(words);
    EXPECT_EQ(printed.code, ExitCode::kDifferent) << printed.error;
    rapidjson::Document report;
    report.Parse(printed.output.c_str());
    EXPECT_FALSE(report.HasParseError()) << printed.output;
    return report;
  };
  const auto diffed = first({"diff", counter_, "--engine-b", "reference", "--json"});
  const auto bisected =
      first({"bisect", counter_, "--engine-b", "reference", "--cache", "", "--json"});
  const auto& found = bisected["difference"];
  EXPECT_EQ(found["sequence"].GetUint64(), diffed["difference"]["sequence"].GetUint64());
  EXPECT_GT(found["sequence"].GetUint64(), 1u);
  EXPECT_STREQ(found["class"].GetString(), "add: changed.value");
  EXPECT_STREQ(found["row"]["kind"].GetString(), "add");
  const auto value = [&](const char* side) {
    return found[side]["outputs"][0]["value"].GetUint64();
  };
  EXPECT_EQ(value("b"), value("a") + 1);
}

TEST_F(OtherApplicationTest, MinimizeKeepsTheAdditionsThatFail) {
  const std::string name = Path("small");
  for (const char* ending : {".tape", ".txt"}) std::filesystem::remove_all(name + ending);
  const Printed printed =
      RunVerb({"minimize", counter_, "--engine-b", "reference", "-o", name, "--json"});
  EXPECT_EQ(printed.code, ExitCode::kDifferent) << printed.error;
  rapidjson::Document report;
  report.Parse(printed.output.c_str());
  ASSERT_FALSE(report.HasParseError()) << printed.output;
  EXPECT_TRUE(report["complete"].GetBool());
  // At most 100 at a time, beyond kWrongAbove, and one more.
  EXPECT_GE(report["commands"].GetUint64(), kWrongAbove / 100 + 2);
  EXPECT_LE(report["commands"].GetUint64(), 60u);
  EXPECT_THAT(Read(name + ".txt"), AllOf(StartsWith("# add: changed.value\n"),
                                         Not(HasSubstr(" ask ")), HasSubstr("\n----\n1.0 ")));
  EXPECT_EQ(RunVerb({"verify", "--replay", name + ".tape"}).code, ExitCode::kOk);
  EXPECT_EQ(RunVerb({"diff", name + ".tape", "--engine-b", "reference"}).code,
            ExitCode::kDifferent);
}

// One run of the verb, which otherwise starts a program for each.
TEST_F(OtherApplicationTest, RetimeNamesItsKinds) {
  const Printed printed = RunVerb({"retime", counter_, "--speed", "max", "--one-run"});
  EXPECT_EQ(printed.code, ExitCode::kOk) << printed.error;
  EXPECT_THAT(printed.output, AllOf(HasSubstr("add"), HasSubstr("clear_at"), HasSubstr("done")));
}

TEST_F(OtherApplicationTest, VerbsAboutOrdersRefuseIt) {
  const std::vector<std::vector<std::string>> all = {
      {"inspect", counter_, "--order", "1"}, {"stats", counter_}, {"export", counter_}};
  for (const std::vector<std::string>& words : all) {
    const Printed printed = RunVerb(words);
    EXPECT_EQ(printed.code, ExitCode::kNotComparable) << words.front();
    EXPECT_THAT(printed.error, HasSubstr("which is no exchange")) << words.front();
  }
}

TEST_F(OtherApplicationTest, ItsRowsAreInspectedAndExported) {
  const Printed row = RunVerb({"inspect", counter_, "@7"});
  EXPECT_EQ(row.code, ExitCode::kOk) << row.error;
  EXPECT_THAT(row.output, AllOf(HasSubstr("@7"), HasSubstr("counter"), HasSubstr("amount"),
                                HasSubstr("7.0 refused counter=")))
      << "the row, and what came of it";
  const Printed rows = RunVerb({"export", counter_, "@7..@8", "--format", "jsonl"});
  EXPECT_EQ(rows.code, ExitCode::kOk) << rows.error;
  EXPECT_THAT(rows.output, AllOf(StartsWith("{\"schema\":\"ticktape.row/1\",\"sequence\":7"),
                                 HasSubstr("\n{\"schema\":\"ticktape.row/1\",\"sequence\":8")));
}

TEST_F(OtherApplicationTest, WhatIsNotKnownIsPrintedInNumbersAndNotDriven) {
  const Printed printed = RunVerb({"cat", unknown_, "@1..+2"});
  EXPECT_EQ(printed.code, ExitCode::kOk) << printed.error;
  EXPECT_THAT(printed.output, HasSubstr("1 1970-01-01T00:00:00.001000000Z payload=0100"));
  const std::vector<std::vector<std::string>> driven = {
      {"replay", unknown_},
      {"diff", unknown_, "--engine-b", "fast"},
      {"minimize", unknown_, "--engine-b", "reference", "-o", Path("never")},
      {"retime", unknown_, "--one-run"},
      {"inspect", unknown_}};
  for (const std::vector<std::string>& words : driven) {
    const Printed refused = RunVerb(words);
    EXPECT_EQ(refused.code, ExitCode::kNotComparable) << words.front();
    EXPECT_THAT(refused.error, HasSubstr("was written by 'something else'")) << words.front();
  }
  EXPECT_EQ(RunVerb({"verify", "--deep", unknown_}).code, ExitCode::kOk);
}

}  // namespace
}  // namespace tools
