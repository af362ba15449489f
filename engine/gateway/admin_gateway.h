// The operators' protocol: any command, in its text form, from sessions that know a token.
//
//   bytes ─► lines ─► token, then MessageText ─► Venue ─► applied ─► events as text, outcome
//                                    │ no command                              │
//   TakeReady() ◄── released ◄── held ◄── ERROR line ◄─────────────────────────┘
//
// engine/wire/text/PROTOCOL.md, section 6, describes it. Only the asker is answered.

#ifndef ENGINE_GATEWAY_ADMIN_GATEWAY_H_
#define ENGINE_GATEWAY_ADMIN_GATEWAY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/gateway/reply_queue.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/session_table.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "engine/types/market_definition.h"
#include "engine/wire/text/line_reader.h"

namespace engine {

// Not thread-safe: owned by the thread that submits. All references outlive it.
class AdminGateway final : public SessionGateway {
 public:
  // Of a line, without its ending: attachments are hexadecimal.
  static constexpr size_t kLineBytesMax = size_t{64} << 10;
  // The events of one command that its answer shows.
  static constexpr size_t kEventsShownMax = 100;
  // After so many lines a session is full until Continue(), so that others have their turn: one
  // command may change all orders.
  static constexpr size_t kLinesOfTurn = 64;
  // Of replies, held or not yet taken, at which a session takes no more lines.
  static constexpr size_t kReplyBytesMax = kReplyBytesEnd / 2;

  // The markets that operators define are added to `markets`. With an empty token, each session is
  // refused.
  AdminGateway(Venue& venue, MarketDirectory& markets, std::string token);

  // What the program submits before an operator's command, as commands of its own. Its errors are
  // those of the sink, and then the command is not submitted.
  void SetBefore(std::function<absl::Status(const Command& command)> before) {
    before_ = std::move(before);
  }

  SessionId Open() override { return sessions_.Add().id; }
  void Close(SessionId id) override;

  // The first line is the token.
  absl::Status OnBytes(SessionId id, Bytes bytes) override;
  bool is_full(SessionId id) const override;
  absl::Status Continue(SessionId id) override;
  absl::Status OnEnd(SessionId id) override;

  bool is_over(SessionId id) const override;
  bool has_logged_in(SessionId id) const override;
  bool has_held(SessionId id) const override;

  bool has_ready() const override { return !ready_.empty(); }
  void TakeReady(absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) override;
  void Resume(SessionId id) override;

  // A session leaves nothing to do.
  absl::Status Work(absl::FunctionRef<bool()>) override { return absl::OkStatus(); }
  bool has_work() const override { return false; }

  size_t session_count() const override { return sessions_.size(); }

  void OnApplied(const Command& command, std::span<const Event> events,
                 const Origin& origin) override;
  void OnReleased(const Command& command, std::span<const Event> events,
                  const Origin& origin) override;

 private:
  // Of one connection.
  struct Session {
    explicit Session(SessionId its_id) : id(its_id) {}

    const SessionId id;
    LineReader lines{kLineBytesMax};
    ReplyQueue replies;
    size_t lines_of_turn = 0;
    bool knows_token = false;
    bool is_over = false;
    bool is_ready = false;  // It is in ready_.
  };
  // Replies that wait for a release.
  struct Held {
    SequenceNumber sequence;
    SessionId session;
  };

  Session* Find(SessionId id) const { return sessions_.Find(id); }
  static bool IsFull(const Session& session);
  // Takes lines until there is none or the session is full.
  absl::Status TakeLines(Session& session);
  absl::Status OnLine(Session& session, const TextLine& line);
  void CheckToken(Session& session, const TextLine& line);
  absl::Status Submit(Session& session, const ParsedCommand& parsed);
  // Replies of the session itself, which wait for the commands before.
  void Error(Session& session, uint64_t line, absl::string_view what);
  void Answered(Session& session);
  void MakeReady(Session& session);

  Venue& venue_;
  const uint32_t number_;
  MarketDirectory& markets_;
  const MessageText text_;
  const std::string token_;
  std::function<absl::Status(const Command& command)> before_ = [](const Command&) {
    return absl::OkStatus();
  };

  SessionTable<Session> sessions_;
  std::deque<Held> held_;                          // In the order of their sequence numbers.
  std::vector<SessionId> ready_;                   // With replies to send, or over.
  std::optional<MarketDefinition> being_defined_;  // By the command in Submit().
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_ADMIN_GATEWAY_H_
