// The text protocol, journalled: what the journal is asked for, and what time does.

#include "tools/cli/record/text_conversation.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"
#include "journal/writer.h"
#include "replay/recorder.h"
#include "tools/cli/base/console.h"
#include "tools/os/input.h"

namespace tools {
namespace {

using replay::AckPolicy;

constexpr size_t kChunkBytes = 64 << 10;

// A session over a new journal, with everything that it replied.
class Shell {
 public:
  Shell(const std::string& name, AckPolicy ack, int thread_count) {
    clock.Set(*engine::Timestamp::Parse("2026-01-01T00:00:00Z"));
    auto started = TextConversation::Start({.recording = {.path = testing::TempDir() + "/" + name,
                                                          .created_by = "a test",
                                                          .recorder = {.ack = ack},
                                                          .writer = {},
                                                          .thread_count = thread_count,
                                                          .engine = {}},
                                            .account = engine::AccountId(1)},
                                           clock, console_);
    CHECK_OK(started.status());
    conversation = *std::move(started);
  }

  void Say(absl::string_view lines) {
    for (; !lines.empty(); lines.remove_prefix(std::min(kChunkBytes, lines.size()))) {
      CHECK_OK(conversation->Feed(engine::AsBytes(lines.substr(0, kChunkBytes)),
                                  [this] { TakeReplies(); }));
    }
  }
  void TakeReplies() {
    absl::StrAppend(&replies, conversation->output());
    conversation->ClearOutput();
  }
  void Finish() {
    CHECK_OK(conversation->Finish().status());
    TakeReplies();
  }
  const journal::Writer& writer() const { return conversation->recording().writer(); }

  engine::ManualClock clock;
  std::string replies;
  std::unique_ptr<TextConversation> conversation;

 private:
  Console console_{[](absl::string_view) {}, [](absl::string_view) {}, {}};
};

// Every second line is answered by the session itself, in each of the ways in which it does that.
std::string LinesWithRefusals(int count) {
  engine::Prng prng(1);
  std::string lines = "SUBMIT 1 SYM0 BUY 1.00 1\n";
  for (int i = 0; i < count; i += 2) {
    absl::StrAppend(&lines, "SUBMIT ", 2 + i, " SYM", prng.Below(16),
                    prng.Chance(50) ? " BUY " : " SELL ", 90 + prng.Below(20), " ",
                    1 + prng.Below(9), "\n");
    switch (prng.Below(5)) {
      case 0:
        absl::StrAppend(&lines, "CANCEL 0\n");
        break;
      case 1:
        absl::StrAppend(&lines, "SUBMIT 1 SYM0 BUY 1.00 1\n");
        break;
      case 2:
        absl::StrAppend(&lines, "nonsense\n");
        break;
      case 3:
        absl::StrAppend(&lines, "MODIFY 0 1 1\n");
        break;
      default:
        absl::StrAppend(&lines, prng.Chance(1) ? "PRINT SYM3\n" : "SUBMIT 0 SYM0 BUY 1.00001 1\n");
    }
  }
  return lines;
}

// What the gateway answers by itself asks nothing of the journal, and waits only to be in order.
TEST(TextConversation, ARefusedLineCostsNoBlockAndNoSync) {
  const std::string lines = LinesWithRefusals(60'000);
  std::string expected;
  for (const AckPolicy ack : {AckPolicy::kNone, AckPolicy::kWritten, AckPolicy::kDisk}) {
    for (const int thread_count : {1, 2}) {
      SCOPED_TRACE(absl::StrCat("policy ", static_cast<int>(ack), ", ", thread_count, " threads"));
      Shell shell(absl::StrCat("refused_", static_cast<int>(ack), thread_count), ack, thread_count);
      shell.Say(lines);
      shell.Finish();
      const journal::WriterStats stats = shell.writer().stats();
      EXPECT_GT(stats.records, 30'000u);
      // Full blocks only.
      EXPECT_LE(stats.blocks, stats.records / 4096 + 2);
      EXPECT_LE(stats.syncs, stats.blocks + 3);
      EXPECT_LE(stats.stored_bytes, 16 * stats.records);
      if (expected.empty()) expected = shell.replies;
      EXPECT_TRUE(shell.replies == expected) << "the replies depend on the lines alone";
    }
  }
}

// No command comes; time alone ends the order, and is in the journal.
TEST(TextConversation, AnOrderExpiresInAnIdleSession) {
  for (const int thread_count : {1, 2}) {
    SCOPED_TRACE(thread_count);
    Shell shell(absl::StrCat("expires_", thread_count), AckPolicy::kDisk, thread_count);
    shell.Say(
        "SUBMIT 1 ACME SELL 10 5 GTT=2026-01-01T00:00:10Z\n"
        "SUBMIT 2 ACME SELL 11 5\n");
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const auto input = Input::Open(absl::StrCat("/proc/self/fd/", ends[0]));
    ASSERT_TRUE(input.ok()) << input.status();
    int turns = 0;
    CHECK_OK(shell.conversation->AwaitInput(**input, [&] {
      shell.TakeReplies();
      ASSERT_LT(++turns, 1000);
      if (absl::StrContains(shell.replies, "ACK 2 ")) {
        shell.clock.Set(*engine::Timestamp::Parse("2026-01-01T00:00:10Z"));
      }
      // What ends the wait: it would not end by itself.
      if (absl::StrContains(shell.replies, "expired")) close(std::exchange(ends[1], -1));
    }));
    if (ends[1] >= 0) close(ends[1]);
    close(ends[0]);
    const size_t record_count = shell.writer().next_sequence().value() - 1;
    EXPECT_EQ(record_count, 4u) << "a market, two orders, the time";
    shell.Say("PRINT ACME\n");
    shell.Finish();
    EXPECT_TRUE(absl::StrContains(shell.replies, "CANCELLED 1 5 expired\n")) << shell.replies;
  }
}

// A venue may have thousands of markets, of which few trade.
TEST(TextConversation, PrintShowsTheMarketsThatHaveOrdersAndCountsTheOthers) {
  Shell shell("prints", AckPolicy::kNone, 1);
  shell.Say(
      "SUBMIT 1 ONE SELL 10 5\nSUBMIT 2 TWO SELL 11 5\nSUBMIT 3 THREE BUY 12 5\n"
      "CANCEL 1\nPRINT\nCANCEL 2\nCANCEL 3\nPRINT\nPRINT ONE\n");
  shell.Finish();
  const std::string& replies = shell.replies;
  EXPECT_TRUE(absl::StrContains(replies, "TWO  0 bid levels, 1 ask level\n")) << replies;
  EXPECT_TRUE(absl::StrContains(replies, "THREE  1 bid level, 0 ask levels\n")) << replies;
  EXPECT_TRUE(absl::StrContains(replies, "\n1 market without orders\nEND\n")) << replies;
  EXPECT_TRUE(absl::StrContains(replies, "\n3 markets without orders\nEND\n")) << replies;
  EXPECT_EQ(replies.find("ONE  0 bid levels"), replies.rfind("ONE  0 bid levels"));
  EXPECT_TRUE(absl::StrContains(replies, "ONE  0 bid levels")) << "it was asked for by name";
}

}  // namespace
}  // namespace tools
