// Hostile clients of Kalshi's API beside one that behaves.
//
//   hostile bytes ─► Talk() ─► what the venue answered
//   ExpectTrades()           ─► whether the other client is served meanwhile

#ifndef TOOLS_SERVE_TESTING_KALSHI_HOSTILE_H_
#define TOOLS_SERVE_TESTING_KALSHI_HOSTILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/serve/testing/kalshi_venue.h"

namespace tools {

// What a connection has received, and whether the venue has ended it.
struct KalshiHeard {
  std::string bytes;
  bool has_ended = false;

  // Of the first answer; 0 if there is none.
  int status() const;
};

// The client that behaves is account 1's, on a connection of its own. At the end of each test it
// trades, and the journal has the commands that it sent, and those that hostile clients were
// acknowledged.
class KalshiHostile : public KalshiVenue {
 protected:
  KalshiHostile();
  void TearDown() override;

  // Its order rests, and it cancels it: two commands.
  void ExpectTrades();

  // Sends the bytes and runs the venue until the connection ends, or nothing happens any more.
  // Counts orders that are acknowledged.
  KalshiHeard Talk(MemoryPeer& peer, absl::string_view bytes);
  // On a new connection.
  KalshiHeard Talk(absl::string_view bytes);
  // The venue has no more sessions than these, at the latest after some turns.
  void ExpectSessions(size_t count);

  // A session of WebSocket.
  std::unique_ptr<MemoryPeer> OpenSocket(absl::string_view key);

  // Commands in the journal since the venue has begun.
  uint64_t commands() const;
  // Hostile clients with a key may be refused in the journal as well.
  void AllowRefusedCommands() { may_be_refused_ = true; }

 private:
  uint64_t begun_at_ = 0;
  uint64_t trades_ = 0;
  uint64_t acknowledged_ = 0;
  bool may_be_refused_ = false;
  std::unique_ptr<MemoryPeer> trader_;
};

}  // namespace tools

#endif  // TOOLS_SERVE_TESTING_KALSHI_HOSTILE_H_
