// One conversation in the text protocol: lines in, commands out; events in, replies out.
//
//   bytes ─► lines ─► requests ─► Command ─► CommandSink
//                        │
//                        └─ refused at once ─┐
//   replies ◄────────────────────────────────┴── OnEvents ◄─ whoever releases events
//
// Specified in engine/wire/text/PROTOCOL.md. Sans-I/O: it knows neither core nor journal.
//
// Replies come in the order of the lines, and they and the commands depend on the lines alone:
// neither on how they were cut into chunks, nor on when events are released. To that end the host
// settles before the session itself answers or decides whether an id is free; and an id stays known
// for kEndedKept commands after its order has ended, so that a cancel or modify of it becomes a
// command, and is refused by the exchange, whether or not the end was heard.

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

  // Has the events of all submitted commands released: when it returns OK, OnEvents has heard them.
  // Errors: those of the journal, sticky.
  virtual absl::Status Settle() = 0;

  // Appends the book of one market, or of all when null, to `out`: whole lines. Everything has been
  // settled before.
  virtual void PrintBook(const MarketDefinition* market, std::string& out) = 0;

  // What the events of commands wait for from now on. False: this program has no choice. Errors:
  // those of the journal, sticky.
  virtual absl::StatusOr<bool> SetAckPolicy(TextAckPolicy) { return false; }
};

// Not thread-safe: owned by the thread that submits and releases. It speaks for one account, and
// hears the events of all commands: register it as an EventListener where `sink`'s events are
// released, which may happen inside Submit or later, in order.
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

  // More than are ever submitted and not released: the session settles before there are so many.
  static constexpr uint64_t kEndedKept = 1 << 13;

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

  // Takes the next piece of input, however it is cut.
  // Errors: those of the sink and the host, sticky.
  absl::Status OnBytes(Bytes chunk);

  // At the end of input: takes the last line, if it had no ending, and settles.
  absl::Status Finish();

  void OnEvents(const Command& command, std::span<const Event> events) override;

  // Replies so far; the caller takes them and clears.
  const std::string& output() const { return output_; }
  void ClearOutput() { output_.clear(); }

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
  absl::Status DefineMarket(const MarketDefinition& definition);
  const MarketDefinition* FindMarket(absl::string_view symbol);

  // The order of `id` that is live, as far as is known without settling; null when none is.
  const KnownOrder* FindLive(uint64_t id) const;
  KnownOrder* FindLive(OrderId order);
  // Fills in whose it is.
  absl::StatusOr<SequenceNumber> Submit(Command& command, Bytes attachment = {});
  // Of a cancel or modify. What the sink could not take is answered, and the conversation goes on.
  absl::Status SubmitOrRefuse(Command& command);
  absl::Status RefuseFull(uint64_t id, const absl::Status& refused);

  // Answers by the session itself.
  absl::Status Settle();
  template <typename Reason>
  absl::Status Refuse(uint64_t id, Reason reason);
  absl::Status Error(absl::string_view what);

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

  // The markets of the last symbols, by a few bits of the symbol: most lines name one of few.
  std::array<const MarketDefinition*, 256> market_cache_ = {};

  // Those submitted, until kEndedKept commands after their end.
  KnownOrders orders_;

  SequenceNumber last_submitted_;
  SequenceNumber last_heard_;

  LineReader lines_;
  uint64_t line_number_ = 0;
  std::string output_;
  absl::Status status_;  // Sticky; see the class comment.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_TEXT_SESSION_H_
