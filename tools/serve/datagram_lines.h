// The lines of a feed: packets leave in batches, each to every line.

#ifndef TOOLS_SERVE_DATAGRAM_LINES_H_
#define TOOLS_SERVE_DATAGRAM_LINES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/gateway/itch/itch_publisher.h"
#include "tools/os/network/datagrams.h"
#include "tools/os/network/endpoint.h"

namespace tools {

// Not thread-safe: owned by the publisher's thread. Allocates in the constructor and Add() only.
class DatagramLines final : public engine::FeedLines {
 public:
  // No packet is longer than `packet_bytes_max`.
  explicit DatagramLines(size_t packet_bytes_max);

  // Errors: those of DatagramSender::Open.
  absl::Status Add(const Endpoint& destination, const DatagramSenderOptions& options);

  // The packet leaves with the batch: once this is full, or by Flush().
  void Send(engine::Bytes packet) override;
  void Flush();

  // Of all lines.
  DatagramSender::Counters counters() const;

 private:
  static constexpr size_t kBatchMax = 64;

  const size_t packet_bytes_max_;
  std::vector<std::unique_ptr<DatagramSender>> lines_;
  std::vector<std::byte> places_;  // One for each packet of a batch.
  std::vector<engine::Bytes> batch_;
};

}  // namespace tools

#endif  // TOOLS_SERVE_DATAGRAM_LINES_H_
