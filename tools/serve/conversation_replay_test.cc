// Conversations that are recorded, replayed, and changed by a hand that should be noticed.

#include "tools/serve/conversation_replay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/conversation.h"
#include "engine/gateway/conversation_recorder.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/text_gateway.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/recorder.h"
#include "tools/serve/testing/kept_talk.h"

namespace tools {
namespace {

using engine::SequenceNumber;
using engine::SessionId;
using engine::TalkKind;

std::unique_ptr<journal::Writer> NewWriter(journal::Directory& directory) {
  return journal::Writer::Create(directory, journal::JournalMetadata(),
                                 journal::Uuid::FromWords(1, 2), {})
      .value();
}

// A venue with one market, whose sessions are called one by one.
class Venue final : public engine::TextSessionHost, public engine::TextLogins {
 public:
  explicit Venue(journal::Directory& directory)
      : writer_(NewWriter(directory)),
        sidecar_(journal::SidecarWriter::Create(directory, writer_->journal_uuid()).value()),
        recorder_(*writer_, clock_, *sidecar_, driver_, venue_,
                  {.ack = replay::AckPolicy::kWritten}) {
    venue_.Connect(log_);
    log_.Start(recorder_);
    gateway_.AddAccount(engine::AccountId(7));
    gateway_.AddAccount(engine::AccountId(8));
    const engine::MarketDefinition market = {
        .id = engine::MarketId(3), .symbol = "ACME", .price_decimals = 2};
    engine::Command define;
    define.kind = engine::CommandKind::kDefineMarket;
    define.market = market.id;
    EXPECT_TRUE(recorder_.Submit(define, EncodeMarketDefinition(market)).ok());
    markets_.Add(market);
  }

  absl::StatusOr<engine::TextLogin> Login(absl::string_view name,
                                          absl::string_view secret) override {
    if (secret != "hunter2") return absl::PermissionDeniedError("login refused");
    return engine::TextLogin{.account = engine::AccountId(name == "bob" ? 8 : 7),
                             .cancels_at_end = name == "cod"};
  }
  absl::Status JournalStatus() const override { return recorder_.status(); }
  void PrintBook(const engine::MarketDefinition*, std::string& out) override { out += "BOOK\n"; }

  void Say(SessionId session, absl::string_view text) {
    EXPECT_TRUE(conversation.OnBytes(session, engine::AsBytes(text)).ok());
    while (conversation.is_full(session)) EXPECT_TRUE(conversation.Continue(session).ok());
  }
  // Releases and sends; sessions in `slow` take nothing.
  void Send(const std::vector<SessionId>& slow = {}) {
    EXPECT_TRUE(recorder_.Commit().ok());
    conversation.TakeReady([&](SessionId session, absl::string_view replies) {
      if (std::ranges::count(slow, session) != 0) return false;
      absl::StrAppend(&sent, replies);
      return true;
    });
  }
  void AdvanceTime() {
    clock_.Set(engine::Timestamp::FromNanos(clock_.Now().nanos() + 1'000'000'000));
    engine::Command command;
    command.kind = engine::CommandKind::kAdvanceTime;
    EXPECT_TRUE(recorder_.Submit(command, {}).ok());
  }
  void Finish() {
    log_.End();
    EXPECT_TRUE(recorder_.Finish().ok());
  }

  std::string sent;

 private:
  engine::ManualClock clock_;
  engine::MarketDirectory markets_;
  engine::Venue venue_;
  KeptTalk talk_{clock_};
  engine::ConversationLog log_{venue_, talk_, {.keeps_sent_bytes = true}};
  engine::RecordedLogins logins_{log_, *this};
  engine::TextGateway gateway_{venue_, *this, logins_, markets_};

 public:
  engine::ConversationRecorder conversation{log_, gateway_, engine::TalkGateway::kText,
                                            engine::MakeLoginMasks()};
  const KeptRows& rows() const { return talk_.rows(); }

 private:
  replay::ExchangeMachine machine_;
  replay::Driver driver_{machine_};
  std::unique_ptr<journal::Writer> writer_;
  std::unique_ptr<journal::SidecarWriter> sidecar_;
  replay::Recorder recorder_;
};

class ConversationReplayTest : public testing::Test {
 protected:
  // Something of everything.
  ConversationReplayTest() {
    Venue venue(commands_);
    engine::ConversationRecorder& talk = venue.conversation;
    const SessionId ann = talk.Open();
    const SessionId bob = talk.Open();
    venue.Say(ann, "LOGIN ann hun");
    venue.Say(ann, "ter2\nSUBMIT 1 ACME BUY 10.00 5\nSUBM");
    venue.Say(bob, "LOGIN bob hunter2\nSUBMIT 1 ACME SELL 10.00 2\nPRINT\nFOO\n");
    venue.Send({ann});
    venue.AdvanceTime();
    const SessionId thief = talk.Open();
    venue.Say(thief, "LOGIN ann guess\n");
    venue.Say(ann, "IT 2 ACME BUY 9.00 1\nCANCEL 1\nSUBMIT 1 ACME BUY 9.00 1\n");
    talk.Resume(ann);
    venue.Send();
    talk.Close(thief);
    const SessionId cod = talk.Open();
    venue.Say(cod, "LOGIN cod hunter2\nSUBMIT 10 ACME BUY 8.00 1\nSUBMIT 11 ACME BUY 8.00 1\n");
    venue.Send();
    talk.Close(cod);
    EXPECT_TRUE(talk.Work([] { return false; }).ok());
    int room = 1;
    EXPECT_TRUE(talk.Work([&] { return room-- > 0; }).ok());
    EXPECT_TRUE(talk.Work([] { return true; }).ok());
    std::string many;
    for (int i = 100; i < 400; ++i) absl::StrAppend(&many, "SUBMIT ", i, " ACME SELL 99.00 1\n");
    venue.Say(bob, many);
    EXPECT_TRUE(talk.OnEnd(bob).ok());
    venue.Send();
    talk.Close(bob);
    talk.Close(ann);
    venue.Send();
    venue.Finish();
    sent_ = venue.sent;
    rows_ = venue.rows();
  }

  static absl::StatusOr<TalkReport> Replay(const KeptRows& rows, journal::Directory& commands) {
    const std::vector<engine::AccountId> accounts = {engine::AccountId(7), engine::AccountId(8)};
    return ReplayTalk(rows, commands, accounts,
                      [](const auto&, const auto*, std::string& out) { out += "BOOK\n"; });
  }

  // Whether one who replays these rows learns that they are not the recorded ones.
  bool IsNoticed(const KeptRows& rows) {
    const auto report = Replay(rows, commands_);
    return !report.ok() || report->difference.has_value() || !report->early_end.empty();
  }

  journal::MemoryDirectory commands_;
  std::string sent_;
  KeptRows rows_;
};

TEST_F(ConversationReplayTest, SendsEveryByteAgain) {
  ASSERT_TRUE(absl::StrContains(sent_, "FILL 1 2 @ 10.00"));
  const auto report = Replay(rows_, commands_);
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_FALSE(report->difference.has_value())
      << report->difference->row << " expected " << report->difference->expected << ", actual "
      << report->difference->actual;
  EXPECT_EQ(report->early_end, "");
  EXPECT_TRUE(report->has_ended);
  EXPECT_EQ(report->sessions, 4u);
  EXPECT_EQ(report->rows, rows_.size());
  // All but the definition and the passing of time.
  const auto reader = journal::Reader::Open(commands_).value();
  EXPECT_EQ(report->commands, reader->info().last_sequence.value() - 2);
  EXPECT_GT(report->replies, 3u);
}

// What others do fills a slow session between two of its reads, and its replies leave before the
// rest of its bytes is taken.
TEST_F(ConversationReplayTest, FollowsSessionsThatOthersFill) {
  journal::MemoryDirectory commands;
  Venue venue(commands);
  engine::ConversationRecorder& talk = venue.conversation;
  const SessionId ann = talk.Open();
  const SessionId eve = talk.Open();
  const SessionId bob = talk.Open();
  venue.Say(ann, "LOGIN ann hunter2\nSUBMIT 1 ACME SELL 10.00 900000\n");
  venue.Say(eve, "LOGIN eve hunter2\n");
  venue.Say(bob, "LOGIN bob hunter2\n");
  venue.Send();
  uint64_t id = 0;
  while (!talk.is_full(ann)) {
    std::string many;
    for (int i = 0; i < 100; ++i) absl::StrAppend(&many, "SUBMIT ", ++id, " ACME BUY 10.00 1\n");
    venue.Say(bob, many);
    venue.Send({ann, eve});
  }
  EXPECT_TRUE(talk.OnBytes(ann, engine::AsBytes("SUBMIT 2 ACME BUY 9.00 1\nSUBM")).ok());
  EXPECT_TRUE(talk.OnEnd(eve).ok());
  talk.Resume(ann);
  venue.Send();
  EXPECT_FALSE(talk.is_full(ann));
  EXPECT_TRUE(talk.Continue(ann).ok());
  venue.Say(ann, "IT 3 ACME BUY 9.00 1\n");
  venue.Send();
  EXPECT_TRUE(absl::StrContains(venue.sent, "ACK 3 "));
  venue.Finish();
  const auto report = Replay(venue.rows(), commands);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->difference.has_value()) << report->difference->expected;
  EXPECT_TRUE(report->has_ended);
}

TEST_F(ConversationReplayTest, HasNoSecret) {
  for (const KeptRow& kept : rows_) {
    for (const char* const secret : {"hun", "ter2", "guess"}) {
      EXPECT_FALSE(absl::StrContains(kept.attachment, secret)) << kept.attachment;
    }
  }
}

TEST_F(ConversationReplayTest, FindsTheFirstReplyThatDiffers) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].row.kind != TalkKind::kSent) continue;
    KeptRows changed = rows_;
    changed[i].row.hash ^= 1;
    const auto report = Replay(changed, commands_);
    ASSERT_TRUE(report.ok()) << report.status();
    ASSERT_TRUE(report->difference.has_value()) << i;
    EXPECT_EQ(report->difference->row, SequenceNumber(i + 1));
    EXPECT_TRUE(absl::StrContains(report->difference->expected, " bytes, hash "));
    EXPECT_EQ(report->difference->session,
              (SessionId{rows_[i].row.place, rows_[i].row.generation}));
  }
}

TEST_F(ConversationReplayTest, NoticesARequestThatWasChanged) {
  size_t changed_count = 0;
  for (size_t i = 0; i < rows_.size(); ++i) {
    const size_t at = rows_[i].attachment.find("SUBMIT");
    if (rows_[i].row.kind != TalkKind::kBytes || at == std::string::npos) continue;
    KeptRows changed = rows_;
    changed[i].attachment[at] = 'X';
    EXPECT_TRUE(IsNoticed(changed)) << "row " << i + 1;
    ++changed_count;
  }
  EXPECT_GE(changed_count, 4u);
}

// Rows that say nothing by themselves may go: a resumption of a session that has nothing more.
TEST_F(ConversationReplayTest, NoticesALostRow) {
  for (size_t i = 0; i + 1 < rows_.size(); ++i) {
    const TalkKind kind = rows_[i].row.kind;
    if (kind == TalkKind::kReleased || kind == TalkKind::kNoRoom || kind == TalkKind::kWorked ||
        kind == TalkKind::kClosed || kind == TalkKind::kInputEnded || kind == TalkKind::kResumed) {
      continue;
    }
    KeptRows changed = rows_;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_TRUE(IsNoticed(changed)) << "row " << i + 1 << ", " << static_cast<int>(kind);
  }
}

TEST_F(ConversationReplayTest, TakesAnyRowsSafely) {
  uint64_t random = 1;
  for (size_t i = 0; i < rows_.size(); ++i) {
    for (size_t byte = 16; byte < sizeof(engine::TalkRow); ++byte) {
      random = random * 6364136223846793005 + 1442695040888963407;
      auto bytes = std::bit_cast<std::array<uint8_t, sizeof(engine::TalkRow)>>(rows_[i].row);
      bytes[byte] ^= static_cast<uint8_t>(1 + (random >> 33) % 255);
      KeptRows changed = rows_;
      changed[i].row = std::bit_cast<engine::TalkRow>(bytes);
      const auto report = Replay(changed, commands_);
      EXPECT_TRUE(report.ok() || !report.status().message().empty());
    }
  }
}

// Of a venue that was killed, wherever that was.
TEST_F(ConversationReplayTest, ComparesWhatACutConversationHas) {
  for (size_t size = 1; size < rows_.size(); ++size) {
    const auto report =
        Replay({rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(size)}, commands_);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_FALSE(report->difference.has_value())
        << size << ": expected " << report->difference->expected << ", actual "
        << report->difference->actual;
    EXPECT_FALSE(report->has_ended);
  }
}

// As after a crash without acknowledgements.
TEST_F(ConversationReplayTest, SaysWhereTheCommandsEnd) {
  journal::MemoryDirectory fewer;
  const auto reader = journal::Reader::Open(commands_).value();
  const auto writer = NewWriter(fewer);
  for (int i = 0; i < 5; ++i) {
    const auto record = reader->Next();
    ASSERT_TRUE(record.ok() && record->has_value());
    ASSERT_TRUE(writer->Append(*(*record)->row, (*record)->attachment).ok());
  }
  ASSERT_TRUE(writer->Close().ok());
  const auto report = Replay(rows_, fewer);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->difference.has_value());
  EXPECT_TRUE(absl::StrContains(report->early_end, "lost the commands of this run after @5"));

  // The next run has used their numbers.
  journal::MemoryDirectory other;
  const auto again = journal::Reader::Open(commands_).value();
  const auto next_run = NewWriter(other);
  for (uint64_t i = 0; i < 50; ++i) {
    const auto record = again->Next();
    ASSERT_TRUE(record.ok() && record->has_value());
    journal::Row row = *(*record)->row;
    if (i >= 5) row.timestamp = engine::Timestamp::FromNanos(60'000'000'000);
    ASSERT_TRUE(next_run->Append(row, (*record)->attachment).ok());
  }
  ASSERT_TRUE(next_run->Close().ok());
  const auto shorter = Replay(rows_, other);
  ASSERT_TRUE(shorter.ok()) << shorter.status();
  EXPECT_FALSE(shorter->difference.has_value());
  EXPECT_EQ(shorter->early_end, report->early_end);
}

TEST(LoginMask, HidesAllButTheName) {
  const auto masked = [](absl::string_view text, size_t cut) {
    engine::LoginMask mask;
    const std::string first = mask.Mask(engine::AsBytes(text.substr(0, cut)));
    return first + mask.Mask(engine::AsBytes(text.substr(cut)));
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"LOGIN ann hunter2\nSUBMIT 1\n", "LOGIN ann *******\nSUBMIT 1\n"},
      {"  login\tann  hunter2 more\r\nx", "  login\tann  ******* ****\r\nx"},
      {"hunter2\nhunter2", "*******\nhunter2"},
      {"LOG hunter2\n", "LOG *******\n"},
      {"LOGINhunter2 x\n", "LOGIN******* *\n"},
      {"L hunter2 a LOGIN b c\n", "L ******* * ***** * *\n"},
      {"\nhunter2", "\nhunter2"},
      {"LOGIN ann hunter2 # my hunter2\r\nx", "LOGIN ann ******* # ** *******\r\nx"},
      {"LOGIN ann #hunter2 x\n", "LOGIN ann #******* *\n"},
      {"LOGIN ann hun#ter2\n", "LOGIN ann ********\n"},
      {"# hunter2\n", "# *******\n"},
  };
  for (const auto& [text, expected] : cases) {
    for (size_t cut = 0; cut <= text.size(); ++cut) EXPECT_EQ(masked(text, cut), expected);
  }
}

}  // namespace
}  // namespace tools
