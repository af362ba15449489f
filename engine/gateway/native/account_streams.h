// The streams of events of the accounts that have a login, folded from the events of all commands:
// the same ones for the same journal, save the times.

#ifndef ENGINE_GATEWAY_NATIVE_ACCOUNT_STREAMS_H_
#define ENGINE_GATEWAY_NATIVE_ACCOUNT_STREAMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "engine/gateway/native/event_stream.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"

namespace engine {

// Who may log in. Users are unique. A regular value type.
struct NativeLogin {
  std::string user = {};      // 1 to 16 characters.
  std::string password = {};  // At most 24.
  AccountId account = {};
  absl::flat_hash_set<MarketId> markets = {};  // Where it may trade; empty: in all.
  bool cancels_at_end = false;  // The end of its connection cancels the account's orders.
};

// Of a command that its account sent to this process by this protocol; zero of all others.
struct NativeStamps {
  uint64_t received_at = 0;
  uint32_t waited_nanos = 0;
  uint32_t engine_nanos = 0;
};

// Not thread-safe: owned by the gateway. Allocates for a block of events, and for none alone.
class AccountStreams {
 public:
  // Each stream keeps its newest `events_kept`.
  AccountStreams(const std::vector<NativeLogin>& logins, size_t events_kept);

  // A command that was applied, in order.
  void OnApplied(const Command& command, std::span<const Event> events, const NativeStamps& stamps);
  // The first command that was applied and is not released. Calls `wake` with the account of each
  // event that may be read now.
  void OnReleased(const Command& command, std::span<const Event> events,
                  absl::FunctionRef<void(AccountId account)> wake);

  // REQUIRES: a login has the account. Streams stay where they are.
  const EventStream& Of(AccountId account) const { return *streams_.find(account)->second; }

 private:
  // Null if no login has the account.
  EventStream* Find(AccountId account) const {
    const auto found = streams_.find(account);
    return found == streams_.end() ? nullptr : found->second.get();
  }

  absl::flat_hash_map<AccountId, std::unique_ptr<EventStream>> streams_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_NATIVE_ACCOUNT_STREAMS_H_
