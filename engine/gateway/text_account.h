// What the sessions of one account share: its orders with their client ids, and the words for what
// happens to them.
//
//   command, events ─► TextAccount ─┬─► asker: the replies of the session whose request it was
//                          │        └─► others: those of every other session of the account
//                          └─ KnownOrders
//
// Its knowledge is what has been applied. An id stays known for kEndedKept commands after its order
// has ended, so that replies depend on the lines alone and not on when events are released: until
// then, a cancel or modify of it becomes a command, and the exchange rejects it.

#ifndef ENGINE_GATEWAY_TEXT_ACCOUNT_H_
#define ENGINE_GATEWAY_TEXT_ACCOUNT_H_

#include <cstdint>
#include <span>
#include <string>

#include "engine/base/sequence_number.h"
#include "engine/gateway/known_orders.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/views/venue_memory.h"
#include "engine/wire/text/reply.h"

namespace engine {

// Not thread-safe: owned by the thread that submits. `markets` and `memory` outlive it.
class TextAccount {
 public:
  static constexpr uint64_t kEndedKept = 1 << 13;

  // With a memory, a client id that was ever used names no other order; without one, it may once
  // its order has ended.
  TextAccount(AccountId id, const MarketDirectory& markets, const VenueMemory* memory = nullptr)
      : id_(id), memory_(memory), markets_(markets) {}
  TextAccount(const TextAccount&) = delete;
  TextAccount& operator=(const TextAccount&) = delete;

  AccountId id() const { return id_; }

  // Where words go; each may be null. An order's fills and ends, and changes of money, are for
  // both; the answers to a request are for its asker alone.
  struct Audience {
    std::string* asker = nullptr;
    std::string* others = nullptr;
  };

  // Call it when a command is applied, for each of its events that may concern the account, in
  // order: all events of the account's own commands, and those that name the account.
  void OnEvent(const Command& command, const Event& event, Audience audience);
  void OnApplied(const Command& command, std::span<const Event> events, Audience audience) {
    for (const Event& event : events) OnEvent(command, event, audience);
  }

  // The latest order with that client id, until it is forgotten; null if there is none.
  const KnownOrder* Find(uint64_t client_id) const { return orders_.FindClient(client_id); }
  // The same; null also if the order has ended.
  const KnownOrder* FindLive(uint64_t client_id) const {
    const KnownOrder* const known = Find(client_id);
    return known == nullptr || known->has_ended ? nullptr : known;
  }

  // Why a new order cannot have that id.
  enum class IdProblem { kNone, kDuplicate, kTooMany };
  IdProblem ProblemOf(uint64_t client_id) const;

  // Forgets the orders that ended kEndedKept commands before `last`, which a session has submitted.
  void ForgetEnded(SequenceNumber last) {
    if (last.value() < kEndedKept) return;
    orders_.ForgetEnded(last - kEndedKept);
  }

  uint64_t live_order_count() const { return orders_.live_count(); }

  // CHECKs that its tables of orders agree. Walks everything.
  void CheckInvariants() const { orders_.CheckInvariants(); }

 private:
  void OnAccepted(const Command& command, const Event& event);
  void Remember(const Event& event, uint64_t client_id, const MarketDefinition* market) {
    orders_.Remember(event.order_id, client_id, market, event.quantity);
  }
  void OnChanged(const Event& event);  // Cancelled, reduced or amended.
  void OnReplaced(const Command& command, const Event& event);
  void OnRejected(const Command& command, const Event& event);
  void Fill(OrderId order, const Event& trade, FillParty party);

  KnownOrder* FindLiveOrder(OrderId order);
  bool IsOurs(const Command& command) const { return command.account == id_; }
  bool IsOurs(const Event& event) const { return event.account == id_; }

  // `words` appends to a string.
  void Answer(const auto& words) const {
    if (audience_.asker != nullptr) words(*audience_.asker);
  }
  void Tell(const auto& words) const {
    Answer(words);
    if (audience_.others != nullptr) words(*audience_.others);
  }

  const AccountId id_;
  const VenueMemory* const memory_;
  const MarketDirectory& markets_;
  KnownOrders orders_;  // Until kEndedKept commands after their end.
  Audience audience_;   // During OnEvent.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_TEXT_ACCOUNT_H_
