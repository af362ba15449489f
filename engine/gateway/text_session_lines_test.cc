// Lines and the order of their replies; and the behaviour on a full disk or after
// an error.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/gateway/testing/conversation.h"
#include "engine/gateway/text_session.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(TextSession, RepliesKeepTheOrderOfTheLines) {
  Conversation conversation(100);
  EXPECT_EQ(
      conversation.SayAll("SUBMIT 1 ACME SELL 10 5\nnonsense\nPRINT ACME\n"),
      "ACK 1 order=1\n"
      "ERROR line 2: expected SUBMIT, MARKET, CANCEL, MODIFY, PRINT or POLICY, found 'nonsense'\n"
      "BOOK ACME\n"
      "END\n");
}

TEST(TextSession, LinesThatAreTooLongAreSkipped) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("#" + std::string(1000, 'x') + "\nSUBMIT 1 ACME BUY 1 1\n"),
            "ERROR line 1: expected at most 512 bytes, found more\n"
            "ACK 1 order=1\n");
}

TEST(TextSession, BlankLinesAndCommentsCountAsLinesAndAreNotAnswered) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("\n# hello\r\n  \nX\n"),
            "ERROR line 4: expected SUBMIT, MARKET, CANCEL, MODIFY, PRINT or POLICY, found 'X'\n");
}

TEST(TextSession, TheLastLineNeedsNoEnding) {
  Conversation conversation(100);
  EXPECT_EQ(conversation.Say("SUBMIT 1 ACME BUY 1 1"), "");
  EXPECT_EQ(conversation.SayAll(""), "ACK 1 order=1\n");
}

// Every kind of line that the session answers by itself.
constexpr char kRefusedLines[] =
    "nonsense\n"
    "CANCEL 77\n"
    "MODIFY 77 1 1\n"
    "SUBMIT 1 ACME SELL 10 5\n"
    "SUBMIT 2 ACME SELL 10.001 5\n"
    "SUBMIT 2 NOPE SELL 10 5\n"
    "PRINT NOPE\n"
    "PRINT\n"
    "POLICY DISK\n";
constexpr int kRefusedReplyCount = 10;  // PRINT has two lines.

// A refusal is released without a command of its own, and not before the command that
// it follows: a book shows that command's effect (J3).
TEST(TextSession, ItsOwnRepliesLeaveWithTheCommandThatTheyFollow) {
  Conversation conversation(100);
  EXPECT_EQ(conversation.Say(absl::StrCat("SUBMIT 1 ACME SELL 10 5\n", kRefusedLines,
                                          "SUBMIT 3 ACME SELL 10 5\n", kRefusedLines)),
            "");
  conversation.exchange.Release(1);
  const std::string first = conversation.TakeReplies();
  EXPECT_TRUE(absl::StartsWith(first, "ACK 1 order=1\nERROR line 2: ")) << first;
  EXPECT_EQ(std::count(first.begin(), first.end(), '\n'), 1 + kRefusedReplyCount) << first;
  conversation.exchange.Release(1);
  const std::string second = conversation.TakeReplies();
  EXPECT_TRUE(absl::StartsWith(second, "ACK 3 order=2\nERROR line 12: ")) << second;
  EXPECT_EQ(std::count(second.begin(), second.end(), '\n'), 1 + kRefusedReplyCount) << second;
  // Nothing is in flight: nothing waits.
  const std::string third = conversation.Say(kRefusedLines);
  EXPECT_EQ(std::count(third.begin(), third.end(), '\n'), kRefusedReplyCount) << third;
  EXPECT_EQ(conversation.exchange.commands().size(), 2u);
}

// A client that sends faster than the journal writes is not read: memory is bounded, and
// nothing is lost.
TEST(TextSession, AcceptsNoLinesWhileTooManyRepliesAreHeld) {
  Conversation conversation(SIZE_MAX);
  std::string lines = "SUBMIT 1 ACME SELL 10 5\n";
  while (lines.size() < TextSession::kReplyBytesMax) lines += kRefusedLines;
  ASSERT_TRUE(conversation.session.OnBytes(AsBytes(lines)).ok());
  ASSERT_TRUE(conversation.session.is_full());
  EXPECT_EQ(conversation.session.output(), "");
  conversation.exchange.Release();
  EXPECT_LT(conversation.session.output().size(), TextSession::kReplyBytesMax + 1000);
  ASSERT_TRUE(conversation.session.Continue().ok());
  EXPECT_TRUE(conversation.session.is_full()) << "it was released, and not taken";
  std::string replies;
  while (conversation.session.is_full()) {
    replies += conversation.TakeReplies();
    ASSERT_TRUE(conversation.session.Continue().ok());
  }
  replies += conversation.SayAll("");

  Conversation in_one_call(0);
  EXPECT_TRUE(replies == in_one_call.SayAll(lines));
}

TEST(TextSession, TheHostSetsAPolicyAndItIsAnsweredInOrder) {
  Conversation conversation(/*waiting_max=*/100);
  EXPECT_EQ(conversation.SayAll("SUBMIT 5 ACME SELL 1 1\nPOLICY DISK\n"),
            "ACK 5 order=1\nERROR line 2: this session has one acknowledgement policy\n");
  conversation.has_policies = true;
  EXPECT_EQ(conversation.SayAll("SUBMIT 6 ACME SELL 1 1\nPOLICY DISK\nPOLICY none\n"),
            "ACK 6 order=2\nPOLICY disk\nPOLICY none\n");
  EXPECT_EQ(conversation.policies,
            (std::vector<TextAckPolicy>{TextAckPolicy::kDisk, TextAckPolicy::kNone}));
}

// Refuses some records for lack of space, and passes on the rest.
class FullSink final : public CommandSink {
 public:
  explicit FullSink(CommandSink& sink) : sink_(sink) {}
  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override {
    if (is_full) return absl::ResourceExhaustedError("the disk is full");
    return sink_.Submit(command, attachment);
  }
  bool is_full = false;

 private:
  CommandSink& sink_;
};

TEST(TextSession, AFullDiskRefusesAndTheConversationContinues) {
  Conversation conversation(/*waiting_max=*/100);
  FullSink sink(conversation.exchange);
  TextSession session(sink, conversation, conversation.markets, conversation.account, {});
  conversation.exchange.ListenWith(&session);
  ASSERT_TRUE(session.OnBytes(AsBytes(absl::string_view("SUBMIT 1 ACME SELL 1 1\n"))).ok());
  sink.is_full = true;
  ASSERT_TRUE(
      session.OnBytes(AsBytes(absl::string_view("SUBMIT 2 ACME SELL 1 1\nCANCEL 1\n"))).ok());
  sink.is_full = false;
  ASSERT_TRUE(
      session.OnBytes(AsBytes(absl::string_view("SUBMIT 2 ACME SELL 1 1\nCANCEL 1\n"))).ok());
  ASSERT_TRUE(session.Finish().ok());
  conversation.exchange.Release();
  EXPECT_EQ(session.output(),
            "ACK 1 order=1\nREJECT 2 disk_full\nREJECT 1 disk_full\n"
            "ACK 2 order=2\nCANCELLED 1 1.0 requested\n");
}

// Has no space for one record: the one that counter names.
class SinkWithoutSpaceOnce final : public CommandSink {
 public:
  explicit SinkWithoutSpaceOnce(CommandSink& sink) : sink_(sink) {}
  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override {
    if (passes_left-- == 0) return absl::ResourceExhaustedError("the disk is full");
    return sink_.Submit(command, attachment);
  }
  int passes_left = -1;

 private:
  CommandSink& sink_;
};

// Any record that a line needs may find no space: the line is refused, nothing is left of
// it that it could not have, and sent again it is accepted.
TEST(TextSession, AFullDiskRefusesALineIfAnyOfItsRecordsHasNoSpace) {
  for (const absl::string_view line :
       {"SUBMIT 7 ACME SELL 12 1\n", "SUBMIT 7 NEW SELL 12 1\n", "MARKET 7 ACME BUY 1\n",
        "MARKET 7 NEW BUY 1\n", "CANCEL 1\n", "MODIFY 1 11 3\n"}) {
    bool was_refused = true;
    for (int passes = 0; was_refused; ++passes) {
      SCOPED_TRACE(absl::StrCat(line, " after ", passes, " records"));
      Conversation conversation;
      SinkWithoutSpaceOnce sink(conversation.exchange);
      TextSession session(sink, conversation, conversation.markets, conversation.account,
                          Conversation::AutoDefine());
      conversation.exchange.ListenWith(&session);
      const auto say = [&](absl::string_view line) {
        const absl::Status status = session.OnBytes(AsBytes(line));
        EXPECT_TRUE(status.ok()) << status;
        const std::string replies(session.output());
        session.ClearOutput();
        return replies;
      };
      say("SUBMIT 1 ACME SELL 11 2\n");
      sink.passes_left = passes;
      const std::string first = say(line);
      was_refused = sink.passes_left < 0;
      sink.passes_left = -1;
      const absl::string_view id = line[0] == 'C' || line[1] == 'O' ? "1" : "7";
      EXPECT_EQ(absl::EndsWith(first, absl::StrCat("REJECT ", id, " disk_full\n")), was_refused)
          << first;
      if (!was_refused) continue;
      const std::string again = say(line);
      EXPECT_FALSE(absl::StrContains(again, "REJECT")) << again;
      EXPECT_FALSE(absl::StrContains(again, "ERROR")) << again;
      EXPECT_EQ(absl::StrContains(first, "DEFINED") + absl::StrContains(again, "DEFINED"),
                absl::StrContains(line, "NEW"));
      EXPECT_TRUE(session.Finish().ok());
      conversation.account.CheckInvariants();
    }
  }
}

TEST(TextSession, AFullDiskRefusesAChangeOfPolicyAndTheConversationContinues) {
  Conversation conversation;
  conversation.policy_status = absl::ResourceExhaustedError("the disk is full");
  EXPECT_EQ(conversation.Say("POLICY DISK\n"), "ERROR line 1: the disk is full\n");
  conversation.policy_status = absl::OkStatus();
  conversation.has_policies = true;
  EXPECT_EQ(conversation.Say("POLICY DISK\n"), "POLICY disk\n");
}

TEST(TextSession, AFullDiskThatEndsTheJournalEndsTheConversation) {
  Conversation conversation;
  FullSink sink(conversation.exchange);
  TextSession session(sink, conversation, conversation.markets, conversation.account, {});
  sink.is_full = true;
  conversation.journal_status = absl::ResourceExhaustedError("write: no space left");
  EXPECT_EQ(session.OnBytes(AsBytes(absl::string_view("SUBMIT 2 ACME SELL 1 1\n"))),
            conversation.journal_status);
}

TEST(TextSession, AFailingSinkEndsTheConversation) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME BUY 1 1\n");
  conversation.exchange.Break();
  const std::string lines = "SUBMIT 2 ACME BUY 1 1\nSUBMIT 3 ACME BUY 1 1\n";
  EXPECT_EQ(conversation.session.OnBytes(AsBytes(lines)).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(conversation.session.OnBytes(AsBytes(lines)).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(conversation.session.Finish().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(conversation.TakeReplies(), "");
}

}  // namespace
}  // namespace engine
