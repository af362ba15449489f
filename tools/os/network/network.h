// Stream connections for one loop on one thread: thousands of them, served in turns.
//
//   ┌──────────────────────────── Turn ────────────────────────────┐
//   send what waits ─► wait ─► accept ─► read each once ─► report ──┘─► NetworkHandler
//   Send() ─► the connection's output, which leaves at the next turn, or by Flush()
//
// The policy is here; StreamSockets moves the bytes: SystemSockets through the operating system,
// MemorySockets within the process, for tests.

#ifndef TOOLS_OS_NETWORK_NETWORK_H_
#define TOOLS_OS_NETWORK_NETWORK_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/doorbell.h"
#include "engine/base/steady_time.h"
#include "tools/os/network/output_buffer.h"
#include "tools/os/network/stream_sockets.h"

namespace tools {

// Names one connection for ever: no later connection gets the same value. Calls that name a
// connection which has ended do nothing. The default value names none.
struct ConnectionId {
  uint32_t slot = 0;        // Dense from 0, used again.
  uint32_t generation = 0;  // Of the slot, from 1.

  friend constexpr auto operator<=>(ConnectionId, ConnectionId) = default;
};

struct ListenerId {
  uint32_t index = 0;

  friend constexpr auto operator<=>(ListenerId, ListenerId) = default;
};

enum class CloseReason {
  kClosed,      // By Close(): all output was sent.
  kUnflushed,   // By Close(), whose time was over before all output was sent.
  kAborted,     // By Abort().
  kReset,       // By the peer or by the network: output may be lost.
  kOutputFull,  // The peer read too slowly: output exceeded its limit.
};

absl::string_view NameOf(CloseReason reason);

// What happens to connections: OnAccepted first, OnClosed last, exactly once. Called by Turn()
// only, never from within another call. A handler may call every method of the network but Turn().
class NetworkHandler {
 public:
  virtual ~NetworkHandler() = default;

  // `peer`: its address. Valid during the call.
  virtual void OnAccepted(ConnectionId connection, ListenerId listener, absl::string_view peer) = 0;

  // At least one byte, cut anywhere. Valid during the call. Not called after Close() or Abort().
  virtual void OnBytes(ConnectionId connection, engine::Bytes bytes) = 0;

  // The peer sends no more; it may still read. The connection lasts until it is closed.
  virtual void OnInputEnded(ConnectionId connection) = 0;

  // The unsent bytes had exceeded the mark, and fell to half of it or less.
  virtual void OnDrained(ConnectionId connection) = 0;

  virtual void OnClosed(ConnectionId connection, CloseReason reason) = 0;
};

struct NetworkOptions {
  // Of one listener at the same time: those of another have their own places. Further ones are
  // accepted and closed, so that the peer sees an end instead of waiting.
  uint32_t connections_max = 10'000;
  // A connection with more unsent bytes ends, as kOutputFull.
  size_t output_bytes_max = size_t{4} << 20;
  // See OnDrained.
  size_t output_mark_bytes = size_t{64} << 10;
  // Read from one connection in one turn.
  size_t read_bytes_max = size_t{16} << 10;
  // Bounds of one turn over all connections. A turn ends its reads at the first of them, so it may
  // read one piece more than the bytes. The others have the next turn, after the replies of this
  // one.
  uint32_t turn_reads_max = 16;
  size_t turn_bytes_max = size_t{8} << 10;
  // Accepted from one listener in one turn.
  uint32_t accepts_max = 64;
  // How long accepting pauses when the system has no descriptor or memory left.
  int64_t accept_pause_nanos = 100'000'000;
  // How long a connection may last after Close().
  int64_t close_nanos = 5'000'000'000;
};

// Since the network was made.
struct NetworkCounts {
  uint64_t accepted = 0;
  uint64_t refused = 0;        // Because of connections_max.
  uint64_t accept_pauses = 0;  // Because the system had no descriptor or memory left.
};

// Not thread-safe: owned by the thread of the loop; only bell() may be rung by others. The
// destructor closes all connections without reports.
class Network {
 public:
  // `sockets` outlives the network, which is its only user.
  explicit Network(StreamSockets& sockets, const NetworkOptions& options = {});
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  struct Listener {
    ListenerId id;
    std::string address;  // With the port that the system chose: what a client connects to.
  };

  // `address`: "127.0.0.1:80", "[::1]:80", "localhost:80", "80", where port 0 is any that is free;
  // or "unix:PATH", a socket that only its user may connect to. Errors: INVALID_ARGUMENT; those of
  // the system, with the address: UNAVAILABLE or ALREADY_EXISTS if it is in use, PERMISSION_DENIED.
  absl::StatusOr<Listener> Listen(absl::string_view address);

  // Accepts no more. Its connections last.
  void StopListening(ListenerId listener);

  // Input of `descriptor`, which is not the network's, ends the wait of Turn() from now on: once
  // for each edge, so that its owner reads until there is none. REQUIRES: the sockets are the
  // system's. Errors: RESOURCE_EXHAUSTED if the system has no room for it.
  absl::Status WakeAtInput(int descriptor);

  // Sends what waits to be sent. Waits until something happens, until `deadline`, a ring of bell()
  // or a signal. Then accepts, reads from each connection that has bytes, in the order in which
  // they became ready, and reports to `handler`. Waits for nothing if there is work.
  void Turn(engine::SteadyTime deadline, NetworkHandler& handler);

  // Ends the wait of Turn(), or of the next one. Ringing is thread-safe, and allowed in the handler
  // of a signal.
  engine::Doorbell& bell() { return sockets_.bell(); }

  // Appends to the connection's output.
  void Send(ConnectionId connection, engine::Bytes bytes);

  // Sends immediately what the connections take, instead of at the next turn.
  void Flush();

  // Returns the bytes that the system has not taken yet; 0 if the connection has ended.
  size_t UnsentBytes(ConnectionId connection) const;

  // No bytes of the connection are read, so that its peer has to wait. A reset is still reported.
  void PauseReading(ConnectionId connection);
  void ResumeReading(ConnectionId connection);

  // While input is held, no connection is read, and their peers have to wait; all else goes on. A
  // handler may hold it between two reads.
  void HoldInput(bool is_held) { is_input_held_ = is_held; }

  // Sends all output, then ends both directions. Further input is read and dropped, because a
  // socket that is closed with unread input makes the system discard output.
  void Close(ConnectionId connection);

  // Ends the connection immediately: its output is lost, and the peer sees a reset.
  void Abort(ConnectionId connection);

  engine::SteadyTime Now() { return sockets_.Now(); }

  // Of all connections that were accepted and whose end was not reported yet.
  uint32_t connection_count() const { return connection_count_; }
  const NetworkCounts& counts() const { return counts_; }

 private:
  struct Connection {
    int socket = StreamSockets::kNone;
    uint32_t generation = 1;
    uint32_t listener = 0;  // An index of listeners_.
    bool is_readable : 1 = false;
    bool is_writable : 1 = false;
    bool is_queued : 1 = false;      // In ready_.
    bool is_dirty : 1 = false;       // In dirty_.
    bool is_paused : 1 = false;      // By PauseReading().
    bool is_at_end : 1 = false;      // All input has arrived: reads reach the end of it.
    bool has_ended : 1 = false;      // The end of input was read.
    bool is_above_mark : 1 = false;  // OnDrained is due.
    bool is_closing : 1 = false;     // By Close().
    bool is_shut : 1 = false;        // The peer has been informed that no output follows.
    OutputBuffer output;
  };
  struct ListenerState {
    int socket = StreamSockets::kNone;
    bool is_ready = false;  // There may be a connection to accept.
    uint32_t connection_count = 0;
  };
  struct Closing {
    ConnectionId connection;
    engine::SteadyTime deadline;
  };
  struct Closed {
    ConnectionId connection;
    CloseReason reason;
  };

  // nullptr if the connection has ended.
  Connection* Find(ConnectionId id);
  const Connection* Find(ConnectionId id) const;
  ConnectionId Add(int socket, uint32_t listener);
  void Remove(ConnectionId id);
  void End(ConnectionId id, Connection& connection, CloseReason reason);
  void EndIfFlushed(ConnectionId id, Connection& connection);

  void Wait(engine::SteadyTime deadline);
  bool HasWork() const;
  bool IsAnyListenerReady() const;
  void Take(const SocketEvent& event);
  void QueueRead(ConnectionId id, Connection& connection);
  void QueueFlush(ConnectionId id, Connection& connection);

  void AcceptFrom(uint32_t listener, NetworkHandler& handler);
  // Returns false if the system has no room for it.
  bool Welcome(const StreamSockets::Accepted& accepted, uint32_t listener, NetworkHandler& handler);
  void PauseAccepting();
  void ReadReady(NetworkHandler& handler);
  // Returns how many bytes it read.
  size_t ReadOnce(ConnectionId id, Connection& connection, NetworkHandler& handler);
  void FlushOne(ConnectionId id, Connection& connection);
  void NoteMark(ConnectionId id, Connection& connection);
  void EndOverdue();
  void ReportDrained(NetworkHandler& handler);
  void ReportClosed(NetworkHandler& handler);

  StreamSockets& sockets_;
  const NetworkOptions options_;
  NetworkCounts counts_;
  std::vector<std::byte> input_;  // Of the connection that is read.

  std::vector<ListenerState> listeners_;
  bool is_accepting_paused_ = false;
  engine::SteadyTime accepting_resumes_;

  std::vector<Connection> connections_;  // By slot.
  std::vector<uint32_t> free_slots_;
  uint32_t connection_count_ = 0;
  SpareBuffers spare_buffers_;

  std::vector<SocketEvent> events_;
  bool is_input_held_ = false;
  std::deque<ConnectionId> ready_;     // To read, in the order of turns.
  std::vector<ConnectionId> dirty_;    // To flush.
  std::vector<ConnectionId> drained_;  // To report.
  std::vector<Closed> closed_;         // To report.
  std::deque<Closing> closing_;        // Ascending by deadline.
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_NETWORK_H_
