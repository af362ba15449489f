// What the journal says of OUCH: the streams of the logins, the tokens of the firms, and the orders
// that rest.
//
//   record, events ─► OnApplied ─► streams, held ─► Release ─► may be sent
//                        │
//                        └─► tokens, orders: known to the next request
//
// It is folded from records alone, with the logins of the venue file: after a restart, the journal
// makes the same ledger, and each message has the same number and bytes as before.
//
// Memory, of the current session: 64 bytes a token, 160 an order that rests, and what a stream has.

#ifndef ENGINE_GATEWAY_OUCH_LEDGER_H_
#define ENGINE_GATEWAY_OUCH_LEDGER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/ouch/order_rules.h"
#include "engine/gateway/ouch/record.h"
#include "engine/gateway/ouch/stream.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/wire/ouch/messages.h"

namespace engine {

// Who may log in. Users are unique, in upper and lower case.
struct OuchLogin {
  std::string user = {};      // At most kSoupUserBytes.
  std::string password = {};  // At most kSoupPasswordBytes.
  std::string firm = {};      // 1 to 4 characters.
  AccountId account = {};
  bool cancels_at_end = false;  // The end of its connection cancels its orders.
};

// A session: all streams begin and end together.
struct OuchDay {
  static constexpr int64_t kNanos = 86'400'000'000'000;

  std::string session = {};    // Its name.
  Timestamp midnight = {};     // With which it began, in UTC.
  bool may_lose_tail = false;  // Messages may have been sent of records that are lost.

  Timestamp end() const { return Timestamp::FromNanos(midnight.nanos() + kNanos); }

  friend bool operator==(const OuchDay&, const OuchDay&) = default;
};

// Not thread-safe: owned by the gateway. Logins have an index. References outlive it.
class OuchLedger {
 public:
  static constexpr size_t kTokensMax = size_t{1} << 22;  // Of a firm in a session.

  // `logins` are not changed.
  OuchLedger(const std::vector<OuchLogin>& logins, const MarketDirectory& markets);

  // A command that was applied, in order.
  void OnApplied(const Command& command, Bytes attachment, std::span<const Event> events);
  // The records up to `sequence` are acknowledged. Calls `wake` with each login whose stream may be
  // read further.
  void Release(SequenceNumber sequence, absl::FunctionRef<void(size_t login)> wake);

  // Nullopt before the first.
  const std::optional<OuchDay>& day() const { return day_; }
  // REQUIRES: there is a day. Connections may keep the stream of a day that has ended.
  const std::shared_ptr<OuchStream>& StreamOf(size_t login) const {
    return accounts_[login].stream;
  }

  bool IsUsed(size_t login, const ouch::Token& token) const;
  bool HasRoomForToken(size_t login) const;

  // An order that rests; null if there is none. Valid until the next command.
  const OuchOrder* Find(OrderId id) const;
  const OuchOrder* Find(size_t login, const ouch::Token& token) const;
  // In ascending order of ids.
  const std::map<OrderId, OuchOrder>& orders() const { return orders_; }

 private:
  struct Account {
    const OuchLogin* login = nullptr;
    size_t firm = 0;
    std::shared_ptr<OuchStream> stream;
    bool is_touched = false;  // By the command that is applied.
  };
  // The order that has the token, or none.
  using Tokens = absl::flat_hash_map<ouch::Token, OrderId>;
  struct Held {
    SequenceNumber sequence;
    size_t login = 0;
    std::shared_ptr<OuchStream> stream;
    OuchStream::Place end;
  };

  void On(const Event& event);
  void OnAccepted(const Event& event);
  void OnReplaced(const Event& event);
  void OnReduced(const Event& event);
  void OnAmended(const Event& event);
  void OnCancelled(const Event& event);
  void OnRejected(const Event& event);
  void OnNoted();
  void Execute(OrderId id, const Event& trade, char liquidity);
  void BeginDay(absl::string_view more);

  // The request of the record, if it is of this kind and its login is known.
  template <typename Request>
  const Request* RequestAs() const;
  void Use(const ouch::Token& token, size_t login, OrderId order = {});
  OuchOrder* FindOrder(OrderId id);
  void Remove(OrderId id);
  void Reject(size_t login, const ouch::Token& token, OuchRefusal why);
  void SendModified(const OuchOrder& order);
  void SendCancelled(const OuchOrder& order, uint32_t shares, char reason);
  // Appends the message, after its time is set.
  template <typename Message>
  void Send(size_t login, Message message);

  const MarketDirectory& markets_;
  std::vector<Account> accounts_;
  absl::flat_hash_map<std::string, size_t> by_user_;
  std::vector<Tokens> tokens_;  // Of each firm.

  std::optional<OuchDay> day_;
  std::map<OrderId, OuchOrder> orders_;
  std::deque<Held> held_;  // Ascending by sequence.

  // While a command is applied.
  const Command* command_ = nullptr;
  std::optional<OuchRecord> record_;
  std::optional<ouch::Inbound> request_;
  std::optional<size_t> asker_;  // The login of the record.
  std::vector<size_t> touched_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_OUCH_LEDGER_H_
