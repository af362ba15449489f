// One conversation in the text protocol: lines in, commands out; events in, replies out.
//
//   bytes ─► lines ─► requests ─► Command ─► CommandSink
//                        │                        │ OnApplied: events become replies
//                        └─ refused, queried ─┐   │
//   output() ◄── OnEvents: released ◄── ReplyQueue, held
//
// Specified in engine/wire/text/PROTOCOL.md. Sans-I/O: it knows neither core nor journal, and waits
// for neither: what it knows of orders is what has been applied, and a reply waits for its command
// in the ReplyQueue.
//
// Replies come in the order of the lines, and they and the commands depend on the lines alone:
// neither on how they were cut into chunks, nor on when events are released. To that end an id
// stays known for kEndedKept commands after its order has ended: a cancel or modify of it becomes a
// command, and is refused by the exchange.

#ifndef ENGINE_GATEWAY_TEXT_SESSION_H_
#define ENGINE_GATEWAY_TEXT_SESSION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/gateway/known_orders.h"
#include "engine/gateway/reply_queue.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/wire/text/decimal_word.h"
#include "engine/wire/text/line_reader.h"
#include "engine/wire/text/request.h"

namespace engine {

// What the session needs of the program around it.
class TextSessionHost {
 public:
  virtual ~TextSessionHost() = default;

  // OK, or the error that ended the journal: then nothing is submitted any more.
  virtual absl::Status JournalStatus() const = 0;

  // Appends the book of one market, or of all when null, to `out`: whole lines. As it is with all
  // submitted commands applied.
  virtual void PrintBook(const MarketDefinition* market, std::string& out) = 0;

  // What the events of commands wait for from now on. False: this program has no choice. Errors:
  // those of the journal, sticky; RESOURCE_EXHAUSTED may pass, as CommandSink's.
  virtual absl::StatusOr<bool> SetAckPolicy(TextAckPolicy) { return false; }
};

// Not thread-safe: owned by the thread that submits and releases. It speaks for one account, and
// hears the events of all commands: register it as an EventListener where `sink`'s commands are
// applied, which must happen inside Submit, and released, which may happen there or later, in
// order.
//
// Failure of the sink or the host is sticky: OnBytes and Finish then return it, and no line is
// read.
class TextSession final : public EventListener {
 public:
  struct Options {
    // Whose orders these are. One session per account: client ids are the account's.
    AccountId account;

    // Whether an order for a symbol that is no market defines it, with the id that follows the
    // highest, as `auto_market` (whose id and symbol do not matter).
    bool auto_define_markets = false;
    MarketDefinition auto_market = DollarMarket();
    size_t auto_markets_max = 10'000;
  };

  static constexpr uint64_t kEndedKept = 1 << 13;

  // Bytes of replies, held back or not taken yet, at which no more lines are taken: a slow disk and
  // a slow client slow intake.
  static constexpr size_t kReplyBytesMax = 4 << 20;

  // Prices of 0.0001, whole quantities, any price above zero.
  static MarketDefinition DollarMarket();

  // `markets` are those that the log has defined before; nobody else defines any while the session
  // lasts, unless OnMarket tells. `sink` and `host` outlive the session.
  TextSession(CommandSink& sink, TextSessionHost& host, const MarketDirectory& markets,
              Options options);

  // What happened before the session, in order: it then knows the account's orders and their client
  // ids, as if it had heard the conversation. Replies nothing.
  void OnHistory(const Command& command, std::span<const Event> events);

  // A market that somebody else has defined.
  void OnMarket(const MarketDefinition& market);

  // Takes the next piece of input, however it is cut, up to its end or until is_full().
  // REQUIRES: the piece before is used up.
  // Errors: those of the sink and the host, sticky.
  absl::Status OnBytes(Bytes chunk);

  // Whether it takes no line until replies have been released and cleared. `chunk` then stays valid
  // until Continue(), which takes the rest of it, leaves it not full.
  bool is_full() const { return replies_.size_bytes() >= kReplyBytesMax; }
  absl::Status Continue();

  // At the end of input: takes the last line, if it had no ending. The last replies come with the
  // release of the last command. REQUIRES: as OnBytes().
  absl::Status Finish();

  void OnApplied(const Command& command, std::span<const Event> events) override;
  void OnEvents(const Command& command, std::span<const Event> events) override;

  // Replies that were released; the caller takes them and clears.
  absl::string_view output() const { return replies_.released(); }
  void ClearOutput() { replies_.ClearReleased(); }

  const MarketDirectory& markets() const { return markets_; }
  uint64_t live_order_count() const { return orders_.live_count(); }

  // That what it knows of orders agrees. CHECKs; walks everything.
  void CheckInvariants() const { orders_.CheckInvariants(); }

 private:
  absl::Status OnLine(const TextLine& line);
  absl::Status On(const NoRequest&) { return absl::OkStatus(); }
  absl::Status On(const SubmitRequest& request);
  absl::Status On(const MarketRequest& request);
  absl::Status On(const CancelRequest& request);
  absl::Status On(const ModifyRequest& request);
  absl::Status On(const PrintRequest& request);
  absl::Status On(const PolicyRequest& request);

  // What SUBMIT and MARKET share. `command` lacks market, price and quantity.
  absl::Status SubmitOrder(uint64_t id, absl::string_view symbol, const DecimalWord& price,
                           const DecimalWord& quantity, Command& command);
  // Knows the market once its definition is applied: what the sink could not take defines nothing.
  absl::Status DefineMarket(const MarketDefinition& definition);
  const MarketDefinition* FindMarket(absl::string_view symbol);

  // The order of `id` that is live; null when none is.
  const KnownOrder* FindLive(uint64_t id) const;
  KnownOrder* FindLive(OrderId order);
  // Fills in whose it is.
  absl::StatusOr<SequenceNumber> Submit(Command& command, Bytes attachment = {});
  // What the sink could not take is answered, and the conversation goes on.
  absl::Status SubmitOrRefuse(Command& command);
  absl::Status RefuseFull(uint64_t id, const absl::Status& refused);

  // Answers by the session itself, held behind what was applied before them.
  template <typename Reason>
  absl::Status Refuse(uint64_t id, Reason reason);
  absl::Status Error(absl::string_view what);
  absl::Status Answered();

  // The events of one command, one method per kind.
  void OnEvent(const Command& command, const Event& event);
  void OnAccepted(const Command& command, const Event& event);
  void OnTrade(const Event& event);
  void OnCancelled(const Event& event);
  void OnReduced(const Event& event);
  void OnReplaced(const Command& command, const Event& event);
  void OnAmended(const Event& event);
  void OnRejected(const Command& command, const Event& event);

  // Those that ended kEndedKept commands ago.
  void ForgetEnded() {
    if (last_submitted_.value() < kEndedKept) return;
    orders_.ForgetEnded(last_submitted_ - kEndedKept);
  }
  void Fill(OrderId order, const Event& trade, bool is_maker);
  bool IsOurs(const Command& command) const { return command.account == options_.account; }
  bool IsOurs(const Event& event) const { return event.account == options_.account; }

  CommandSink& sink_;
  TextSessionHost& host_;
  const Options options_;

  MarketDirectory markets_;
  MarketId market_highest_;
  size_t auto_market_count_ = 0;
  const MarketDefinition* being_defined_ = nullptr;  // By the command that is being submitted.

  // The markets of the last symbols, by a few bits of the symbol: most lines name one of few.
  std::array<const MarketDefinition*, 256> market_cache_ = {};

  // Those submitted, until kEndedKept commands after their end.
  KnownOrders orders_;

  SequenceNumber last_submitted_;
  SequenceNumber last_applied_;  // Of anybody's commands.

  LineReader lines_;
  uint64_t line_number_ = 0;
  ReplyQueue replies_;
  absl::Status status_;  // Sticky; see the class comment.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_TEXT_SESSION_H_
