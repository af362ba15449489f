// ticktape schema as a user meets it.

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/golden/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::TempDir;

constexpr char kOld[] = "testdata/journals/v1/exchange_session";

TEST(SchemaVerbTest, TheOldestSessionIsReadToday) {
  const VerbResult result = RunVerb(MakeSchemaVerb(), {"compat", kOld});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.output << result.error;
  EXPECT_THAT(result.output, StartsWith("COMPATIBLE"));
}

TEST(SchemaVerbTest, AnOlderProgramWouldNotReadTodaysJournals) {
  const std::string today = WriteSampleJournal("schema_today");
  const VerbResult result = RunVerb(MakeSchemaVerb(), {"compat", today, "--against", kOld});
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
  const VerbResult result = RunVerb(MakeSchemaVerb(), {"compat", "testdata/journals/v1/minimal"});
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
  const VerbResult result = RunVerb(MakeSchemaVerb(), {"compat", kOld, "--json"});
  EXPECT_THAT(result.output, StartsWith("{\"schema\":\"ticktape.schema_compat/1\""));
  EXPECT_THAT(result.output, HasSubstr("\"compatible\":true"));
}

}  // namespace
}  // namespace tools
