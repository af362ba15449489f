// UDP: datagrams to one address, and those that arrive at one. Neither ever blocks.
//
//   Send([1][2][3]) ─► DatagramSender ──► unicast or multicast ──► DatagramReceiver ─► Receive()
//                                                SendTo() ◄───────────────┘  answers
//
// UDP loses datagrams: the sender counts those that it knows of, the receiver those that its
// system dropped.

#ifndef TOOLS_OS_NETWORK_DATAGRAMS_H_
#define TOOLS_OS_NETWORK_DATAGRAMS_H_

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/network/system_address.h"

namespace tools {

struct DatagramSenderOptions {
  // Where multicast leaves: the name of an interface or its IPv4 address. Empty: as the system
  // routes it.
  std::string interface = {};
  // Of multicast: how many networks it crosses. 1: the local one only.
  int hops = 1;
  // Of multicast: whether receivers on this machine get it.
  bool is_looped = true;
  // What the system keeps of unsent output; 0: what it keeps by itself.
  int buffer_bytes = 0;
  // Datagrams of one size that follow one another, of which the last may be shorter, are given to
  // the system as one, which it or the device cuts (UDP GSO). Without effect where this is missing.
  bool is_segmented = true;
};

// Sends to one address. Not thread-safe: owned by its publisher. Allocates when opened only.
class DatagramSender {
 public:
  // Of datagrams.
  struct Counters {
    uint64_t sent = 0;
    uint64_t dropped = 0;  // The system had no room, or refused them.
    uint64_t calls = 0;    // Of the system.
  };

  // Errors: INVALID_ARGUMENT for a destination of a Unix socket or without a port, or an unknown
  // interface; those of the system, with the address.
  static absl::StatusOr<std::unique_ptr<DatagramSender>> Open(
      const Endpoint& destination, const DatagramSenderOptions& options = {});
  ~DatagramSender();
  DatagramSender(const DatagramSender&) = delete;
  DatagramSender& operator=(const DatagramSender&) = delete;

  // Sends them in this order; what the system does not take is dropped.
  void Send(std::span<const engine::Bytes> datagrams);

  const Counters& counters() const { return counters_; }
  // Whether datagrams of one size are given to the system as one.
  bool is_segmented() const { return is_segmented_; }
  const Endpoint& destination() const { return destination_; }
  int descriptor() const { return socket_; }

 private:
  struct Control;

  DatagramSender(int socket, const Endpoint& destination, bool is_segmented);

  // How many of the first datagrams the system can take as one.
  size_t CountSegments(std::span<const engine::Bytes> datagrams) const;
  // Prepares calls_ for the first datagrams.
  void Prepare(std::span<const engine::Bytes> datagrams);
  // Returns how many of the prepared datagrams were sent or dropped: not all, if the rest has to be
  // prepared again.
  size_t Transmit();

  const int socket_;
  const Endpoint destination_;
  bool is_segmented_;
  Counters counters_;
  std::vector<iovec> parts_;
  std::vector<Control> controls_;
  std::vector<mmsghdr> units_;  // Of one part, or of more that are segments.
};

struct DatagramReceiverOptions {
  // Where multicast is received: the name of an interface or its IPv4 address. Empty: as the system
  // chooses.
  std::string interface = {};
  // What the system keeps of unread input; 0: what it keeps by itself. The system has a limit.
  int buffer_bytes = 0;
  size_t batch_max = 64;  // Datagrams of one Receive().
  // Longer datagrams are dropped, and counted.
  size_t datagram_bytes_max = 65'535;
  // Whether datagrams have times of arrival.
  bool is_stamped = false;
};

// Receives at one address, and answers from it. Not thread-safe: owned by its reader. Allocates
// when opened only.
class DatagramReceiver {
 public:
  // Valid until the next Receive().
  struct Datagram {
    engine::Bytes payload = {};
    const SystemAddress* source = nullptr;  // Never nullptr.
    engine::Timestamp arrived = {};         // When the system received it, if asked for.
  };
  struct Counters {
    uint64_t received = 0;
    uint64_t oversized = 0;          // Longer than `datagram_bytes_max`.
    uint64_t dropped_by_system = 0;  // No room was left; known once a later one arrives.
    uint64_t answers = 0;            // By SendTo().
    uint64_t answers_dropped = 0;
  };

  // A multicast address is joined; any number of receivers may have the same one. Port 0 is any
  // that is free. Errors: as DatagramSender::Open.
  static absl::StatusOr<std::unique_ptr<DatagramReceiver>> Open(
      const Endpoint& address, const DatagramReceiverOptions& options = {});
  ~DatagramReceiver();
  DatagramReceiver(const DatagramReceiver&) = delete;
  DatagramReceiver& operator=(const DatagramReceiver&) = delete;

  // Returns datagrams that have arrived, the first `batch_max` of them; none if none are left.
  std::span<const Datagram> Receive();

  // Sends from the address of this receiver; returns false if the system did not take it. To the
  // source of a datagram, or SystemAddress::Of an endpoint.
  bool SendTo(const SystemAddress& to, engine::Bytes payload);

  const Counters& counters() const { return counters_; }
  // With the port that the system chose.
  const Endpoint& address() const { return address_; }
  // Readable while datagrams wait.
  int descriptor() const { return socket_; }

 private:
  struct Control;

  DatagramReceiver(int socket, const Endpoint& address, const DatagramReceiverOptions& options);

  // Fills the first `used_` places.
  void ReceiveBatch();
  void Prepare(size_t place);
  void NoteDropped(uint32_t dropped);
  // Returns false if it is dropped.
  bool Take(size_t place, Datagram& datagram);

  const int socket_;
  const Endpoint address_;
  const size_t datagram_bytes_max_;
  Counters counters_;
  uint32_t dropped_by_system_ = 0;  // As the system counts: modulo 2^32.
  // By place of the batch.
  std::unique_ptr<std::byte[]> buffers_;
  std::vector<iovec> parts_;
  std::vector<Control> controls_;
  std::vector<SystemAddress> sources_;
  std::vector<mmsghdr> units_;
  size_t used_ = 0;  // Places to prepare before the next call.
  std::vector<Datagram> datagrams_;
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_DATAGRAMS_H_
