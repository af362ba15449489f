// Drives the gateways with a conversation journal and its command journal, and compares every byte
// that they send.
//
//   conversation ─► rows ─► gateways ─► bytes ══ rows
//                              │  ▲
//   command journal ═══════ Submit └─ events ◄─ Driver
//
// Nothing here has a clock, a socket or a secret: times are those of the records, verdicts those of
// the rows.

#ifndef TOOLS_SERVE_CONVERSATION_REPLAY_H_
#define TOOLS_SERVE_CONVERSATION_REPLAY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/conversation.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/text_gateway.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/views/venue_memory.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "tools/serve/kalshi_service.h"
#include "tools/serve/venue_config.h"

namespace tools {

// Where a replayed conversation first differs from the recorded one. A regular value type.
struct TalkDifference {
  engine::SequenceNumber row;      // Of the conversation journal.
  engine::SequenceNumber applied;  // Of the command journal.
  engine::TalkGateway gateway = {};
  engine::SessionId session;  // 0.0: of none.
  std::string request;        // What that session sent last.
  std::string expected;       // In words, with the bytes in quotes if they are recorded.
  std::string actual;
};

struct TalkReport {
  uint64_t rows = 0;
  uint64_t sessions = 0;
  uint64_t requests = 0;   // Reads from connections.
  uint64_t replies = 0;    // Writes to connections, compared.
  uint64_t commands = 0;   // Submitted by sessions, compared.
  bool has_ended = false;  // The venue ended in order, and so do the rows.
  std::string early_end;   // Why the rest could not be compared; empty if all was.
  std::optional<TalkDifference> difference;
};

// Not thread-safe. All references outlive it.
class ConversationReplay final : public engine::TextSessionHost,
                                 private engine::TextLogins,
                                 private engine::CommandSink,
                                 private KalshiWitness {
 public:
  // TextSessionHost::PrintBook, with the markets.
  using PrintBooks = std::function<void(const engine::MarketDefinition*,
                                        const engine::MarketDirectory&, std::string&)>;

  // `conversation` stands at its first row.
  ConversationReplay(journal::Reader& conversation, journal::Reader& commands,
                     PrintBooks print_books);

  // The first row, and the configuration after it: the command journal must be replayed to there.
  // Errors: the reader's; NOT_FOUND if there is no row; DATA_LOSS if it is another one.
  absl::StatusOr<engine::SequenceNumber> ReadStart();

  // The venue file without secrets; empty if Kalshi's API was not recorded.
  const std::string& configuration() const { return configuration_; }
  // Makes the gateway of Kalshi's API, from the configuration. Call it before the history, which
  // must be whole. `config` outlives this.
  void ServeKalshi(const VenueConfig& config);

  // Makes the account known, whether or not it logs in. Before the history.
  void AddAccount(engine::AccountId account) { text_gateway_.AddAccount(account); }

  // The history before the conversation, as a VenueServer gets it.
  void Restore(engine::VenueMemory memory, const engine::MarketDirectory& markets);
  void OnRestingOrder(const engine::Command& command, std::span<const engine::Event> events) {
    text_gateway_.OnHistory(command, events);
  }
  void OnHistory(const journal::Record& record, std::span<const engine::Event> events);

  // Replays all rows, or up to the first difference. `driver` has applied the history, up to the
  // start. Errors: the readers'.
  absl::StatusOr<TalkReport> Run(replay::Driver& driver);

  absl::Status JournalStatus() const override { return absl::OkStatus(); }
  void PrintBook(const engine::MarketDefinition* market, std::string& out) override {
    print_books_(market, markets_, out);
  }

 private:
  struct Row {
    engine::TalkRow talk;
    std::vector<std::byte> attachment;
  };
  // A command whose events wait for their release.
  struct InFlight {
    engine::Command command;
    std::vector<engine::Event> events;
  };
  // A session, at its place of its gateway.
  struct Talker {
    uint32_t generation = 0;  // 0: it is closed.
    std::vector<std::byte> input;
    bool is_full = false;  // When it took bytes last: it has not taken all of `input`.
    std::string request;   // What it sent last.
  };

  absl::StatusOr<engine::TextLogin> Login(absl::string_view name,
                                          absl::string_view secret) override;
  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override;

  // A KalshiWitness.
  engine::Timestamp Now() override { return handled_time_; }
  bool Proves() override;

  absl::Status ReadRow();
  absl::Status ReadCommand();
  // Applies what others than sessions submitted, and releases, as the row says.
  absl::Status CatchUp(const engine::TalkRow& row);
  // Whether there is no next row where one is needed; that is the early end.
  bool IsCutOff();
  // Whether the next command is there, and not of a later time; if not, that is the early end.
  bool HasCommandUntil(engine::Timestamp time);
  absl::Status ApplyNext();
  void ReleaseUpTo(engine::SequenceNumber sequence);
  absl::Status Handle(const Row& row);
  absl::Status HandleOpened(engine::SessionId session);
  absl::Status HandleBytes(const Row& row);
  absl::Status HandleInputEnded(engine::SessionId session);
  absl::Status HandleContinued(engine::SessionId session);
  absl::Status HandleInjected(const Row& row);
  absl::Status Settle(Talker& talker, engine::SessionId session, absl::Status status);
  // Null if it is not open.
  Talker* FindTalker(engine::SessionId session);
  absl::Status Unfit(absl::string_view what) const;
  void Offer();
  bool Compare(engine::SessionId session, absl::string_view replies);

  bool NextIs(engine::TalkKind kind) const { return next_.has_value() && next_->talk.kind == kind; }
  absl::Status Differ(engine::SessionId session, std::string expected, std::string actual);
  bool is_over() const { return report_.difference.has_value() || !report_.early_end.empty(); }

  journal::Reader& conversation_;
  journal::Reader& commands_;
  const PrintBooks print_books_;

  engine::MarketDirectory markets_;
  engine::Venue venue_;
  engine::TextGateway text_gateway_;
  std::string configuration_;
  bool takes_faults_ = false;
  std::unique_ptr<ReplayedKalshi> kalshi_;  // Null if there is none.
  replay::Driver* driver_ = nullptr;

  std::optional<Row> next_;                      // The row after the one that is handled.
  std::optional<journal::Record> next_command_;  // Of the reader, until it is read on.
  engine::SequenceNumber handled_;               // The row.
  engine::Timestamp handled_time_;
  engine::TalkGateway handled_gateway_ = {};
  engine::SessionGateway* gateway_ = nullptr;  // That of the row.
  uint64_t proofs_ = 0;                        // How many were asked for.
  bool is_others_ = false;                     // The command that is submitted.
  engine::SequenceNumber applied_;
  engine::SequenceNumber released_;
  std::deque<InFlight> in_flight_;
  std::array<std::vector<Talker>, 2> talkers_;  // By gateway, then place of the session.
  absl::Status read_status_;
  TalkReport report_;
};

}  // namespace tools

#endif  // TOOLS_SERVE_CONVERSATION_REPLAY_H_
