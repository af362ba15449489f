// ticktape schema as a user meets it.

#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/storage/testing/temporary_folder.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::TempDir;

// A copy of that journal: Bazel lays out data as links.
std::string Fixture(const std::string& name) {
  static const journal::TemporaryFolder copies;
  if (!std::filesystem::exists(copies.At(name))) {
    copies.Copy("testdata/journals/v1/" + name, name);
  }
  return copies.At(name);
}

std::string OldSession() { return Fixture("exchange_session"); }

TEST(SchemaVerbTest, TheOldestSessionIsReadToday) {
  const VerbResult result = RunVerb(MakeSchemaVerb(), {"compat", OldSession()});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.output << result.error;
  EXPECT_THAT(result.output, StartsWith("COMPATIBLE"));
}

TEST(SchemaVerbTest, AnOlderProgramWouldNotReadTodaysJournals) {
  const std::string today = WriteSampleJournal("schema_today");
  const VerbResult result = RunVerb(MakeSchemaVerb(), {"compat", today, "--against", OldSession()});
  EXPECT_EQ(result.code, ExitCode::kDifferent) << result.output << result.error;
  EXPECT_THAT(result.output, StartsWith("INCOMPATIBLE"));
  EXPECT_THAT(result.output, HasSubstr("broken"));
}

TEST(SchemaVerbTest, ASavedSchemaStandsForItsJournal) {
  const std::string today = WriteSampleJournal("schema_saved");
  const std::string file = TempDir() + "/saved.schema";
  ASSERT_EQ(RunVerb(MakeSchemaVerb(), {"save", today, "-o", file}).code, ExitCode::kOk);
  EXPECT_EQ(RunVerb(MakeSchemaVerb(), {"compat", file}).code, ExitCode::kOk);
  EXPECT_THAT(RunVerb(MakeSchemaVerb(), {"show", file}).output, HasSubstr("  price @"));
}

TEST(SchemaVerbTest, RowsOfAnotherApplicationAreNotCompared) {
  const VerbResult result = RunVerb(MakeSchemaVerb(), {"compat", Fixture("minimal")});
  EXPECT_EQ(result.code, ExitCode::kNotComparable) << result.output;
  EXPECT_THAT(result.error, HasSubstr("its rows are structs "));
}

TEST(SchemaVerbTest, AFileOfAnythingIsRefused) {
  const std::string file = TempDir() + "/rubbish.schema";
  std::ofstream(file) << "this is no schema, but long enough to be a few words";
  const VerbResult result = RunVerb(MakeSchemaVerb(), {"compat", file});
  EXPECT_EQ(result.code, ExitCode::kDamaged);
  EXPECT_THAT(result.error, HasSubstr("rubbish.schema: the recorded schema cannot be read"));
}

TEST(SchemaVerbTest, MachinesReadOneObject) {
  const VerbResult result = RunVerb(MakeSchemaVerb(), {"compat", OldSession(), "--json"});
  EXPECT_THAT(result.output, StartsWith("{\"schema\":\"ticktape.schema_compat/1\""));
  EXPECT_THAT(result.output, HasSubstr("\"compatible\":true"));
}

}  // namespace
}  // namespace tools
