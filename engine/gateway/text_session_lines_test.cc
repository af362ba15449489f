// Lines and the order of their replies; and what a conversation does when there is no space, or no
// going on.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
      conversation.Say("SUBMIT 1 ACME SELL 10 5\nnonsense\nPRINT ACME\n"),
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
  EXPECT_TRUE(conversation.session.Finish().ok());
  EXPECT_EQ(conversation.TakeReplies(), "ACK 1 order=1\n") << "and it is settled";
}

TEST(TextSession, SettlesOnlyWhenSomethingWaits) {
  Conversation conversation(100);
  conversation.Say("PRINT\nCANCEL 7\n");
  EXPECT_EQ(conversation.settle_count, 0);
  conversation.Say("SUBMIT 1 ACME SELL 10 5\nPRINT\nPRINT\n");
  EXPECT_EQ(conversation.settle_count, 1);
}

TEST(TextSession, NeverLeavesTooManyUnsettled) {
  Conversation conversation(SIZE_MAX);
  std::string lines;
  for (uint64_t i = 0; i < TextSession::kEndedKept; ++i) {
    absl::StrAppend(&lines, "SUBMIT ", i, " ACME SELL 10 0\n");
  }
  conversation.Say(lines);
  EXPECT_EQ(conversation.settle_count, 1);
}

TEST(TextSession, APolicyIsTheHostsAffairAndAnsweredInOrder) {
  Conversation conversation(/*waiting_max=*/100);
  EXPECT_EQ(conversation.Say("SUBMIT 5 ACME SELL 1 1\nPOLICY DISK\n"),
            "ACK 5 order=1\nERROR line 2: this session has one acknowledgement policy\n");
  conversation.has_policies = true;
  EXPECT_EQ(conversation.Say("SUBMIT 6 ACME SELL 1 1\nPOLICY DISK\nPOLICY none\n"),
            "ACK 6 order=2\nPOLICY disk\nPOLICY none\n");
  EXPECT_EQ(conversation.policies,
            (std::vector<TextAckPolicy>{TextAckPolicy::kDisk, TextAckPolicy::kNone}));
}

// Says that there is no space, and passes on the rest.
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

TEST(TextSession, AFullDiskRefusesAndTheConversationGoesOn) {
  Conversation conversation(/*waiting_max=*/100);
  FullSink sink(conversation.exchange);
  TextSession session(sink, conversation, Conversation::Markets(), Conversation::Options());
  conversation.exchange.ListenWith(&session);
  ASSERT_TRUE(session.OnBytes(AsBytes(absl::string_view("SUBMIT 1 ACME SELL 1 1\n"))).ok());
  sink.is_full = true;
  ASSERT_TRUE(
      session.OnBytes(AsBytes(absl::string_view("SUBMIT 2 ACME SELL 1 1\nCANCEL 1\n"))).ok());
  sink.is_full = false;
  ASSERT_TRUE(
      session.OnBytes(AsBytes(absl::string_view("SUBMIT 2 ACME SELL 1 1\nCANCEL 1\n"))).ok());
  ASSERT_TRUE(session.Finish().ok());
  EXPECT_EQ(session.output(),
            "ACK 1 order=1\nREJECT 2 disk_full\nREJECT 1 disk_full\n"
            "ACK 2 order=2\nCANCELLED 1 1.0 requested\n");
}

TEST(TextSession, AFullDiskThatEndsTheJournalEndsTheConversation) {
  Conversation conversation;
  FullSink sink(conversation.exchange);
  TextSession session(sink, conversation, Conversation::Markets(), Conversation::Options());
  sink.is_full = true;
  conversation.settle_status = absl::ResourceExhaustedError("write: no space left");
  EXPECT_EQ(session.OnBytes(AsBytes(absl::string_view("SUBMIT 2 ACME SELL 1 1\n"))),
            conversation.settle_status);
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

TEST(TextSession, AHostThatCannotSettleEndsTheConversation) {
  Conversation conversation(100);
  conversation.settle_status = absl::UnavailableError("the disk is gone");
  const std::string lines = "SUBMIT 1 ACME BUY 1 1\nPRINT\n";
  EXPECT_EQ(conversation.session.OnBytes(AsBytes(lines)).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(conversation.session.Finish().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace engine
