#include "tools/cli/compare/fuzz_verb.h"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/differential/differential.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/kinds.h"
#include "engine/messages/reject_reason.h"
#include "engine/reference/reference_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::TempDir;

// An exchange that has one event too many for a replace that trades.
class Faulty final : public engine::Candidate {
 public:
  void Apply(const engine::Command& command, engine::Bytes attachment,
             engine::EventBuffer& events) override {
    exchange_.Apply(command, attachment, events);
    const bool replaced = events.events().front().kind == engine::EventKind::kReplaced;
    if (replaced && events.events().size() > 1) events.Append({});
  }
  engine::Digest StateDigest() const override { return exchange_.StateDigest(); }
  void CheckInvariants() const override {}

 private:
  engine::ReferenceExchange exchange_;
};

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(FuzzVerbTest, ADifferenceLeavesItsJournalAndAShortTranscript) {
  const std::string output = absl::StrCat(TempDir(), "/found");
  const VerbResult result = RunVerb(MakeFuzzVerb([] { return std::make_unique<Faulty>(); }),
                                    {"--seed", "9", "--runs", "1", "-o", output});
  EXPECT_EQ(result.code, ExitCode::kDifferent) << result.error;
  EXPECT_THAT(result.output, StartsWith("DIFFERENT: seed 9, scenario equity, command "));
  EXPECT_THAT(result.output, HasSubstr("; shrunk to 4:\n"));
  const std::string transcript = ReadFile(output + ".txt");
  EXPECT_THAT(transcript, StartsWith("# Found by ticktape fuzz --seed 9 --runs 1.\n\n"));
  EXPECT_THAT(transcript, HasSubstr("\nreplace "));
  const auto journal = OpenJournal(output + ".tape");
  ASSERT_TRUE(journal.ok()) << journal.status().message();
  EXPECT_GT(journal->reader->info().record_count(), 4u);
}

TEST(FuzzVerbTest, ComparesAndSaysHowMuch) {
  const VerbResult result =
      RunVerb(MakeFuzzVerb(), {"--runs", "9", "--seed", "9", "--commands-per-run", "100"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.output << result.error;
  EXPECT_THAT(result.output, HasSubstr("EQUAL: 900 commands compared in 9 runs"));
  EXPECT_THAT(result.output, HasSubstr("self_trade       100 commands"));
}

// Without the time it took.
std::string Counted(const std::string& jobs) {
  const VerbResult result = RunVerb(
      MakeFuzzVerb(), {"--runs", "40", "--commands-per-run", "300", "--seed", "7", "-j", jobs});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  const size_t line = result.output.find('\n');
  return absl::StrCat(result.output.substr(0, result.output.rfind(',', line)),
                      result.output.substr(line));
}

TEST(FuzzVerbTest, TheJobsChangeNothing) {
  const std::string one = Counted("1");
  EXPECT_THAT(one, StartsWith("EQUAL: 12,000 commands compared in 40 runs"));
  EXPECT_EQ(Counted("2"), one);
  EXPECT_EQ(Counted("5"), one);
}

TEST(FuzzVerbTest, OfSeveralDifferencesThatOfTheLowestSeedIsReported) {
  const auto find = [](const std::string& jobs) {
    const std::string output = absl::StrCat(TempDir(), "/lowest", jobs);
    return RunVerb(MakeFuzzVerb([] { return std::make_unique<Faulty>(); }),
                   {"--runs", "20", "--seed", "9", "-j", jobs, "-o", output, "--json"})
        .output;
  };
  EXPECT_THAT(find("1"), HasSubstr("\"seed\":9,"));
  EXPECT_THAT(find("4"), HasSubstr("\"seed\":9,"));
}

TEST(FuzzVerbTest, SaysWhatWasReached) {
  const VerbResult result = RunVerb(MakeFuzzVerb(), {"--runs", "27"});
  const size_t kinds = engine::kCommandKinds.size() - 1;
  const size_t cancels = engine::kCancelReasonNames.size() - 1;
  EXPECT_THAT(result.output, HasSubstr(absl::StrCat("  commands         ", kinds, " of ", kinds,
                                                    " kinds carried out\n")));
  EXPECT_THAT(result.output, HasSubstr(absl::StrCat("  cancels          ", cancels, " of ", cancels,
                                                    " reasons\n")));
}

TEST(FuzzVerbTest, ForMachinesItIsOneObject) {
  const VerbResult result =
      RunVerb(MakeFuzzVerb(), {"--runs", "1", "--commands-per-run", "50", "--json"});
  EXPECT_EQ(result.code, ExitCode::kOk);
  EXPECT_THAT(result.output, HasSubstr("\"agrees\":true"));
  EXPECT_THAT(result.output, HasSubstr("\"commands\":50"));
}

TEST(FuzzVerbTest, NoTimeIsNoRun) {
  EXPECT_EQ(RunVerb(MakeFuzzVerb(), {"--seconds", "0"}).code, ExitCode::kUsage);
}

}  // namespace
}  // namespace tools
