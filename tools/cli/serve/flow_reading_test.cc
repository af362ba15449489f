// The commands of a session of Nasdaq are the same from its file and from the journal that record
// makes of it, in every range; and the thread that reads ahead gives them all, round by round.

#include "tools/cli/serve/flow_reading.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/gateway/flow/flow_source.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/serve/flow_read_ahead.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/os/doorbells.h"

namespace tools {
namespace {

using engine::Command;

constexpr char kSession[] = "testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz";
constexpr engine::MarketId kUa(8010);

std::string Journal() {
  static const std::string path = [] {
    const std::string journal = testing::TempDir() + "/session.tape";
    const VerbResult recorded =
        RunVerb(MakeRecordVerb(), {"--from", "itch", kSession, "-o", journal});
    EXPECT_EQ(recorded.code, ExitCode::kOk) << recorded.error;
    return journal;
  }();
  return path;
}

absl::StatusOr<std::vector<Command>> Read(const std::string& path, const std::string& range) {
  const auto reading = FlowReading::Open(path, range, FlowReading::Markets::kAll);
  if (!reading.ok()) return reading.status();
  std::vector<Command> commands;
  while (true) {
    const auto more =
        (*reading)->Next([&](const Command& command) { commands.push_back(command); });
    if (!more.ok()) return more.status();
    if (!*more) return commands;
  }
}

TEST(FlowReading, AnItchFileIsItsJournal) {
  for (const char* range :
       {"", "@1..@100", "@30000..", "@40000..+7", "@2019-07-30T13:30:00Z..@2019-07-30T13:30:00.05Z",
        "..@+1s", "@37704", "@30000..+30ms", "@2019-07-30T13:30:00Z..+50ms"}) {
    const auto of_journal = Read(Journal(), range);
    ASSERT_TRUE(of_journal.ok()) << of_journal.status();
    const auto of_file = Read(kSession, range);
    ASSERT_TRUE(of_file.ok()) << of_file.status();
    EXPECT_FALSE(of_file->empty()) << range;
    EXPECT_TRUE(*of_file == *of_journal)
        << range << ": " << of_file->size() << " against " << of_journal->size();
  }
}

TEST(FlowReading, AnItchFileHasNoPositionsFromItsEnd) {
  EXPECT_EQ(Read(kSession, "@-5..").status().message(),
            std::string(kSession) +
                ": '@-5..' counts from the end, which an ITCH file has no index for; 'ticktape "
                "record --from itch' makes a journal of it");
}

// Until the end of a round.
std::vector<Command> TakeAll(FlowReadAhead& source, FutexDoorbell& bell) {
  std::vector<Command> all;
  std::vector<Command> some;
  while (true) {
    const auto state = source.Take(some);
    EXPECT_TRUE(state.ok()) << state.status();
    if (!state.ok() || *state == engine::FlowSource::State::kEnd) return all;
    if (*state == engine::FlowSource::State::kLater) {
      bell.Wait(1'000'000'000);
      continue;
    }
    EXPECT_FALSE(some.empty());
    all.insert(all.end(), some.begin(), some.end());
  }
}

TEST(FlowReadAhead, EachRoundHasAllOrdersOfTheMarket) {
  auto expected = Read(Journal(), "@20000..");
  ASSERT_TRUE(expected.ok());
  std::erase_if(*expected, [](const Command& command) { return !IsAboutOrdersOf(kUa, command); });
  ASSERT_GT(expected->size(), 5u);
  FutexDoorbell bell;
  FlowReadAhead source({.path = Journal(), .range = "@20000..", .market = kUa}, bell);
  ASSERT_TRUE(source.status().ok());
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(TakeAll(source, bell), *expected);
    source.BeginAgain();
  }
}

TEST(FlowReadAhead, EndsWhileItWaitsForRoom) {
  const std::string workload = testing::TempDir() + "/workload.tape";
  ASSERT_EQ(RunVerb(MakeRecordVerb(),
                    {"--from", "workload", "--markets", "1", "--commands", "30000", "-o", workload})
                .code,
            ExitCode::kOk);
  FutexDoorbell bell;
  FlowReadAhead source({.path = workload, .market = engine::MarketId(1)}, bell);
  std::vector<Command> some;
  while (*source.Take(some) == engine::FlowSource::State::kLater) bell.Wait(1'000'000'000);
  EXPECT_FALSE(some.empty());
}

TEST(FlowReadAhead, AnErrorFollowsWhatCameBefore) {
  FutexDoorbell bell;
  FlowReadAhead source({.path = "none.tape", .market = kUa}, bell);
  std::vector<Command> some;
  absl::StatusOr<engine::FlowSource::State> state = engine::FlowSource::State::kLater;
  while (state.ok() && *state == engine::FlowSource::State::kLater) {
    bell.Wait(1'000'000);
    state = source.Take(some);
  }
  EXPECT_TRUE(absl::IsNotFound(state.status())) << state.status();
}

}  // namespace
}  // namespace tools
