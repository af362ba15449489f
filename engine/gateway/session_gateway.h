// A gateway whose sessions are streams of bytes: what a program needs to connect it to a network.
//
//   Open ─► OnBytes ... OnEnd ─► Close
//   TakeReady ◄── replies that may leave
//
// A session that holds too many replies is full, and takes its bytes later. Events of other
// sessions may fill it at any time.

#ifndef ENGINE_GATEWAY_SESSION_GATEWAY_H_
#define ENGINE_GATEWAY_SESSION_GATEWAY_H_

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "engine/gateway/venue.h"

namespace engine {

// A session, from its connection to its end. A place is used again with another generation, so that
// an old id names no session.
struct SessionId {
  uint32_t place = 0;  // Dense from 0.
  uint32_t generation = 0;

  friend bool operator==(const SessionId&, const SessionId&) = default;
};

// Not thread-safe: owned by the thread that submits.
class SessionGateway : public Gateway {
 public:
  // The size of unsent replies at which a session ends: its client reads nothing, and what happens
  // to its account goes on. Sessions take no more input long before.
  static constexpr size_t kReplyBytesEnd = size_t{8} << 20;

  virtual SessionId Open() = 0;
  // Forgets the session. What it has submitted goes on, unless the protocol cancels that: Work().
  // No effect for a session that is closed.
  virtual void Close(SessionId id) = 0;

  // Takes input, cut anywhere, up to its end or until is_full(). If it is full then, the bytes stay
  // valid until Continue() leaves it not full. REQUIRES: the session is open, and has taken all
  // bytes before: the last OnBytes() or Continue() left it not full.
  // Errors, of these three: those of the sink and the host, which end all sessions.
  virtual absl::Status OnBytes(SessionId id, Bytes bytes) = 0;
  virtual bool is_full(SessionId id) const = 0;
  virtual absl::Status Continue(SessionId id) = 0;
  // The client sends no more. A session that has not logged in is over. REQUIRES: as OnBytes().
  virtual absl::Status OnEnd(SessionId id) = 0;

  // Whether the session is to be closed once its replies are sent: it did not log in, or its
  // client reads too slowly.
  virtual bool is_over(SessionId id) const = 0;
  virtual bool has_logged_in(SessionId id) const = 0;
  // Whether replies of the session wait for a release.
  virtual bool has_held(SessionId id) const = 0;

  // Whether TakeReady() has something to offer.
  virtual bool has_ready() const = 0;
  // Offers what each session may send since the last call. If `take` returns false, because its
  // client reads too slowly, the replies stay until Resume().
  virtual void TakeReady(absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) = 0;
  virtual void Resume(SessionId id) = 0;

  // Submits what sessions that have ended leave to do, as long as `has_room` returns true and the
  // disk has space. Errors: those of the sink, but a full disk, which a later call tries again.
  virtual absl::Status Work(absl::FunctionRef<bool()> has_room) = 0;
  // Whether Work() is to be called without a wait.
  virtual bool has_work() const = 0;

  // Does what the protocol does by time, such as pings. Call it when next_time() has come; it may
  // be called earlier.
  virtual void OnTime(SteadyTime) {}
  virtual SteadyTime next_time() const { return SteadyTime::Max(); }

  virtual size_t session_count() const = 0;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_SESSION_GATEWAY_H_
