// Runs every transcript of testdata/transcripts, each as a test of its name.
//
//   bazel run //engine/core:transcript_test -- --update
//
// rewrites the answers in the source tree. Commit them only when you understand what changed: the
// difference is a change of the rules.

#include "engine/differential/transcript.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/core/exchange.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/names.h"
#include "engine/messages/reject_reason.h"
#include "engine/reference/reference_exchange.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kFolder = "testdata/transcripts";
constexpr absl::string_view kUpdateCommand = "bazel run //engine/core:transcript_test -- --update";

// Every engine that a user can select.
TranscriptEngines MakeEngines() {
  TranscriptEngines engines;
  engines.push_back(std::make_unique<EngineInTranscript<Exchange>>());
  engines.push_back(std::make_unique<EngineInTranscript<ReferenceExchange>>());
  return engines;
}

std::vector<fs::path> TranscriptsIn(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The lines of both, those of `expected` alone marked '-', those of `actual` alone '+'.
std::string DiffOfLines(const std::string& expected, const std::string& actual) {
  const std::vector<std::string> a = absl::StrSplit(expected, '\n');
  const std::vector<std::string> b = absl::StrSplit(actual, '\n');
  // common[i][j]: how many lines a[i..] and b[j..] share, in order.
  std::vector<std::vector<size_t>> common(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      common[i][j] =
          a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::string diff;
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      absl::StrAppend(&diff, "  ", a[i++], "\n");
      ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      absl::StrAppend(&diff, "- ", a[i++], "\n");
    } else {
      absl::StrAppend(&diff, "+ ", b[j++], "\n");
    }
  }
  return diff;
}

class TranscriptFile : public testing::Test {
 public:
  explicit TranscriptFile(fs::path path) : path_(std::move(path)) {}

  void TestBody() override {
    const std::string expected = ReadFile(path_);
    const auto result = RunTranscript(path_.string(), expected, MakeEngines());
    ASSERT_TRUE(result.ok()) << result.status().message();
    if (result->text != expected) {
      FAIL() << path_.string() << " (- as written, + as answered):\n"
             << DiffOfLines(expected, result->text)
             << "If the new answers are right: " << kUpdateCommand;
    }
  }

 private:
  const fs::path path_;
};

// ---- What the transcripts together must cover.

class Coverage : public testing::Test {
 protected:
  Coverage() {
    for (const fs::path& path : TranscriptsIn(fs::path(std::string(kFolder)))) {
      const auto result = RunTranscript(path.string(), ReadFile(path), MakeEngines());
      if (!result.ok()) continue;  // That transcript's own test fails.
      for (const Command& command : result->commands) command_kinds_.insert(NameOf(command.kind));
      for (const Event& event : result->events) {
        event_kinds_.insert(NameOf(event.kind));
        if (event.kind == EventKind::kRejected)
          reject_reasons_.insert(NameOf(event.reject_reason()));
        if (event.kind == EventKind::kCancelled) {
          cancel_reasons_.insert(NameOf(event.cancel_reason()));
        }
        if (event.kind == EventKind::kAmended) outcomes_.insert(NameOf(event.priority()));
      }
    }
  }

  // All names of an enumeration but that of zero, which none has: numbers have names up to its
  // last.
  template <typename Enum>
  static std::set<std::string> AllNames() {
    std::set<std::string> names;
    for (int number = 1; number < 256; ++number) {
      const std::string name = NameOf(static_cast<Enum>(number));
      if (name == absl::StrCat(number)) break;
      names.insert(name);
    }
    return names;
  }
  template <typename Enum>
  static void ExpectAllIn(const std::set<std::string>& seen) {
    for (const std::string& name : AllNames<Enum>()) {
      EXPECT_TRUE(seen.contains(name)) << "no transcript shows " << name;
    }
  }

  std::set<std::string> command_kinds_, event_kinds_, reject_reasons_, cancel_reasons_, outcomes_;
};

TEST_F(Coverage, EveryWordOfTheExchangeIsInATranscript) {
  ExpectAllIn<CommandKind>(command_kinds_);
  ExpectAllIn<EventKind>(event_kinds_);
  ExpectAllIn<RejectReason>(reject_reasons_);
  ExpectAllIn<CancelReason>(cancel_reasons_);
  ExpectAllIn<PriorityOutcome>(outcomes_);
}

// ---- The runner itself.

std::string RunText(absl::string_view text) {
  const auto result = RunTranscript("t.txt", text, MakeEngines());
  return result.ok() ? result->text : std::string(result.status().message());
}

TEST(TranscriptRunner, WritesTheAnswersUnderEachBlock) {
  EXPECT_EQ(RunText("# A rule.\nmarket ACME\n\n\n# Why.\nbid price=1 quantity=2\nbook\n"),
            "# A rule.\n"
            "market ACME\n"
            "\n"
            "# Why.\n"
            "bid price=1 quantity=2\n"
            "book\n"
            "----\n"
            "2.0 accepted order=2 side=bid price=1.00 quantity=2 remaining=2\n"
            "bid 1.00 2 (1)\n");
}

TEST(TranscriptRunner, ReplacesAnswersThatAreNoLongerGiven) {
  EXPECT_EQ(RunText("# A rule.\nmarket ACME\n\nbook\n----\nbid 1.00 2 (1)\n"),
            "# A rule.\nmarket ACME\n\nbook\n----\nempty\n");
}

TEST(TranscriptRunner, IsStableOnWhatItWrote) {
  const std::string once =
      RunText("# A rule.\nmarket A\nmarket B\nbook market=A\n  at 2026-01-02T00:00:00Z");
  EXPECT_EQ(RunText(once), once);
}

TEST(TranscriptRunner, NamesTheLineOfAMistake) {
  EXPECT_EQ(RunText(""), "t.txt:1: a transcript begins with '# ' and the rule it states");
  EXPECT_EQ(RunText("market ACME"),
            "t.txt:1: a transcript begins with '# ' and the rule it states");
  EXPECT_EQ(RunText("# A rule.\nbid price=1"),
            "t.txt:2: price=1 needs a known market, or a number of units such as #100");
  EXPECT_EQ(RunText("# A rule.\n\nmarket"),
            "t.txt:3: expected: market <symbol> [binary [tapered]] [mirrored] [unopened]");
  EXPECT_EQ(RunText("# A rule.\nmarket A unopened binary"),
            "t.txt:2: expected: market <symbol> [binary [tapered]] [mirrored] [unopened]");
  EXPECT_EQ(RunText("# A rule.\nfund 1"), "t.txt:2: expected: fund <account> <dollars>");
  EXPECT_EQ(RunText("# A rule.\nfund 1 x"), "t.txt:2: expected: fund <account> <dollars>");
  EXPECT_EQ(RunText("# A rule.\nfund 1 0.00005"), "t.txt:2: account 1 cannot be funded");
  EXPECT_EQ(RunText("# A rule.\naccount"), "t.txt:2: expected the number of an account");
  EXPECT_EQ(RunText("# A rule.\naccount 1 2"), "t.txt:2: expected: account <account>");
  EXPECT_EQ(RunText("# A rule.\nmarket A\nmarket A"), "t.txt:3: market A cannot be defined");
  EXPECT_EQ(RunText("# A rule.\nmarket A\nbook market=B"),
            "t.txt:3: expected market=<symbol> of a defined market");
  EXPECT_EQ(RunText("# A rule.\nbook"), "t.txt:2: expected market=<symbol> of a defined market");
  EXPECT_EQ(RunText("# A rule.\nmarket A\nbook now"), "t.txt:3: expected: book [market=<symbol>]");
  EXPECT_EQ(RunText("# A rule.\nmarket A\nqueue price=1"),
            "t.txt:3: expected: queue bid|ask price=<price> [market=<symbol>]");
  EXPECT_EQ(RunText("# A rule.\nmarket A\nqueue bid price=x"),
            "t.txt:3: 'x' is not a decimal number");
  EXPECT_EQ(RunText("# A rule.\nat noon").substr(0, 9), "t.txt:2: ");
  EXPECT_EQ(RunText("# A rule.\nat 2025-01-01T00:00:00Z"),
            "t.txt:2: time does not go back; it is 2026-01-01T00:00:00.000000000Z");
  EXPECT_EQ(RunText("# A rule.\ndigest me"), "t.txt:2: expected: digest");
  EXPECT_EQ(RunText("# A rule.\n7 2026-01-01T00:00:00Z advance_time"),
            "t.txt:2: a transcript numbers its commands itself; times are set by 'at'");
  EXPECT_EQ(RunText("# A rule.\nadvance_time\n----\n----\n"),
            "t.txt:4: '----' within an answer; a blank line ends the block");
}

// An engine that forgets to say that time advances.
class SilentEngine final : public TranscriptEngine {
 public:
  void Apply(const Command& command, Bytes attachment, EventBuffer& events) override {
    engine_.Apply(command, attachment, events);
    if (command.kind == CommandKind::kAdvanceTime) events.Begin(command.sequence);
  }
  const MarketDirectory& markets() const override { return engine_.markets(); }
  void VisitOrders(MarketId market, Side side,
                   absl::FunctionRef<void(const RestingOrder&)> visit) const override {
    engine_.VisitOrders(market, side, visit);
  }
  std::optional<MoneyInTranscript> FindAccount(AccountId) const override { return std::nullopt; }
  int64_t Position(AccountId, MarketId) const override { return 0; }
  Digest StateDigest() const override { return engine_.StateDigest(); }
  void CheckInvariants() const override {}

 private:
  Exchange engine_;
};

TEST(TranscriptRunner, NoticesThatTheEventsGiveOtherBalances) {
  TranscriptEngines engines;
  engines.push_back(std::make_unique<SilentEngine>());
  const auto result = RunTranscript("t.txt", "# A rule.\nfund 1 1.00\n", engines);
  EXPECT_EQ(result.status().message(), "t.txt:2: the events tell other balances or positions");
}

TEST(TranscriptRunner, NoticesThatTwoEnginesDisagree) {
  TranscriptEngines engines = MakeEngines();
  engines.push_back(std::make_unique<SilentEngine>());
  const auto result = RunTranscript("t.txt", "# A rule.\nmarket A\nadvance_time\n", engines);
  EXPECT_EQ(result.status().message(), "t.txt:3: two engines say different things");
}

// ---- --update

int Update() {
  const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (workspace == nullptr) {
    std::cerr << "--update writes into the source tree: " << kUpdateCommand << "\n";
    return 1;
  }
  int result_code = 0;
  for (const fs::path& path : TranscriptsIn(fs::path(workspace) / std::string(kFolder))) {
    const std::string old_text = ReadFile(path);
    const auto result = RunTranscript(path.string(), old_text, MakeEngines());
    if (!result.ok()) {
      std::cerr << result.status().message() << "\n";
      result_code = 1;
    } else if (result->text != old_text) {
      std::ofstream(path, std::ios::binary) << result->text;
      std::cout << "updated " << path.string() << "\n";
    }
  }
  return result_code;
}

int Main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 2 && absl::string_view(argv[1]) == "--update") return Update();
  if (argc != 1) {
    std::cerr << "unknown argument " << argv[1] << "; expected --update or nothing\n";
    return 1;
  }
  for (const fs::path& path : TranscriptsIn(fs::path(std::string(kFolder)))) {
    testing::RegisterTest("Transcript", path.stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [path]() -> TranscriptFile* { return new TranscriptFile(path); });
  }
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace engine

int main(int argc, char** argv) { return engine::Main(argc, argv); }
