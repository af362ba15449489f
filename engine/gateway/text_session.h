// One session of the text protocol: lines in, commands out; events in, replies out.
//
//   bytes ─► lines ─► requests ─► Command ─► CommandSink
//                        │                        │ OnApplied: events become replies
//                        └─ refused, queried ─┐   │
//   output() ◄── OnEvents: released ◄── ReplyQueue, held
//
// Specified in engine/wire/text/PROTOCOL.md. Sans-I/O: it has no access to core or journal and
// waits for neither. What it knows of orders is its account's; a reply waits for its command in the
// ReplyQueue.
//
// Replies are in the order of the lines. Replies and commands depend on the lines alone: neither on
// how the lines were cut into chunks, nor on when events are released.

#ifndef ENGINE_GATEWAY_TEXT_SESSION_H_
#define ENGINE_GATEWAY_TEXT_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/gateway/reply_queue.h"
#include "engine/gateway/text_account.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/wire/text/decimal_word.h"
#include "engine/wire/text/line_reader.h"
#include "engine/wire/text/reply.h"
#include "engine/wire/text/request.h"

namespace engine {

// The services that the session needs from the program around it.
class TextSessionHost {
 public:
  virtual ~TextSessionHost() = default;

  // OK, or the error that ended the journal; after an error nothing more is submitted.
  virtual absl::Status JournalStatus() const = 0;

  // Appends the book of one market, or of all if null, to `out`, in whole lines. The book has all
  // submitted commands applied.
  virtual void PrintBook(const MarketDefinition* market, std::string& out) = 0;

  // Sets what the events of commands wait for from now on. Returns false if this program offers no
  // choice. Errors: those of the journal, sticky; RESOURCE_EXHAUSTED may be temporary, as for
  // CommandSink.
  virtual absl::StatusOr<bool> SetAckPolicy(TextAckPolicy) { return false; }
};

// Not thread-safe: owned by the thread that submits and releases. It acts for one account and
// receives the events of all commands: register it as an EventListener where the commands of `sink`
// are applied, which must happen within Submit, and released, which may happen there or later, in
// order.
//
// An error of the sink or the host is sticky: OnBytes and Finish then return it and read no more
// lines.
class TextSession final : public EventListener {
 public:
  struct Options {
    // Whether an order for an unknown symbol defines a market, with the next id after the highest:
    // prices in units of 0.0001, whole quantities, any price above zero.
    bool auto_define_markets = false;
    size_t auto_markets_max = 10'000;
    // Whether a PRINT, which may cost as much as thousands of orders, ends the session's turn:
    // is_full() is true after it, until Continue().
    bool rests_after_print = false;
  };

  // The size of replies, held or not yet taken, at which the session takes no more lines: a slow
  // disk or a slow client slows intake.
  static constexpr size_t kReplyBytesMax = 4 << 20;

  // `markets` are those of `account`; the session adds what it defines. All references outlive it.
  TextSession(CommandSink& sink, TextSessionHost& host, MarketDirectory& markets,
              TextAccount& account, Options options);

  // Replays what happened before the session, in order, so that it answers as if it had received
  // those lines. Makes no replies.
  void OnHistory(const Command& command, std::span<const Event> events);

  // Takes the next piece of input, cut anywhere, up to its end or until is_full().
  // REQUIRES: the previous piece is used up.
  // Errors: those of the sink and the host, sticky.
  absl::Status OnBytes(Bytes chunk);

  // Whether the session takes no more lines until replies have been released and cleared. `chunk`
  // then stays valid until a call of Continue(), which takes the rest of it, returns with is_full()
  // false.
  bool is_full() const { return rests_ || reply_bytes() >= kReplyBytesMax; }
  size_t reply_bytes() const { return replies_.size_bytes(); }
  absl::Status Continue();

  // Call at the end of input: takes the last line if it has no ending. The last replies are
  // released with the last command. REQUIRES: as OnBytes().
  absl::Status Finish();

  void OnApplied(const Command& command, std::span<const Event> events) override;
  void OnEvents(const Command& command, std::span<const Event> events) override;

  // For a gateway of many sessions, which calls these instead of the last two, and only for the
  // commands that concern the session.
  //
  // Appends words that wait for `sequence`, which is applied.
  std::string& words() { return replies_.text(); }
  void Hold(SequenceNumber sequence) {
    last_applied_ = sequence;
    replies_.HoldUntil(sequence);
  }
  void Release(SequenceNumber sequence) { replies_.Release(sequence); }
  bool has_held() const { return replies_.has_held(); }
  // What the session says by itself from now on waits for `sequence`, the last one applied.
  void SetLastApplied(SequenceNumber sequence) { last_applied_ = sequence; }

  // The released replies; the caller takes and clears them.
  absl::string_view output() const { return replies_.released(); }
  void ClearOutput() { replies_.ClearReleased(); }

 private:
  absl::Status OnLine(const TextLine& line);
  absl::Status On(const NoRequest&) { return absl::OkStatus(); }
  absl::Status On(const SubmitRequest& request);
  absl::Status On(const MarketRequest& request);
  absl::Status On(const CancelRequest& request);
  absl::Status On(const ModifyRequest& request);
  absl::Status On(const PrintRequest& request);
  absl::Status On(const PolicyRequest& request);

  // The common part of SUBMIT and MARKET. `command` lacks market, price and quantity.
  absl::Status SubmitOrder(uint64_t id, absl::string_view symbol, const DecimalWord& price,
                           const DecimalWord& quantity, Command& command);
  // The session knows the market once its definition is applied; if the sink fails, nothing is
  // defined.
  absl::Status DefineMarket(const MarketDefinition& definition);

  // Sets the account and submits.
  absl::StatusOr<SequenceNumber> Submit(Command& command, Bytes attachment = {});
  // If the disk is full, replies with a rejection, and the session continues.
  absl::Status SubmitOrRefuse(Command& command);
  absl::Status RefuseFull(uint64_t id, const absl::Status& refused);
  // An order for a symbol that names no market.
  absl::Status RefuseUnknown(uint64_t id, absl::string_view symbol);

  // Replies of the session itself, held until the last applied command is released.
  template <typename Reason>
  absl::Status Refuse(uint64_t id, Reason reason);
  absl::Status Error(absl::string_view what);
  absl::Status Answered();

  CommandSink& sink_;
  TextSessionHost& host_;
  const Options options_;

  MarketDirectory& markets_;
  TextAccount& account_;
  bool rests_ = false;  // After a PRINT.
  size_t auto_market_count_ = 0;
  const MarketDefinition* being_defined_ = nullptr;  // By the command in Submit().

  SequenceNumber last_applied_;  // Of the commands of all accounts.

  LineReader lines_;
  uint64_t line_number_ = 0;
  ReplyQueue replies_;
  absl::Status status_;  // Sticky; see the class comment.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_TEXT_SESSION_H_
