// A feed handler that runs: one thread receives and decodes, another keeps the books.
//
//   line A ──►┌───────────┐          ┌─────────────┐ slots ┌────────────┐
//   line B ──►│FeedHandler│─► in ───►│ FeedDecoder │──────►│ BookKeeper │
//   answers ─►└───────────┘  order   └─────────────┘ ring  └────────────┘
//   snapshot ─────┘ requests ─► retransmission, snapshot server
//             the receiving thread                          the books' thread

#ifndef TOOLS_FEED_LIVE_FEED_H_
#define TOOLS_FEED_LIVE_FEED_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "engine/gateway/feed/feed_handler.h"
#include "engine/views/feed_books.h"
#include "engine/wire/mold/receiver.h"
#include "tools/feed/asked_value.h"
#include "tools/feed/book_keeper.h"
#include "tools/feed/feed_decoder.h"
#include "tools/feed/feed_ring.h"
#include "tools/feed/feed_symbols.h"
#include "tools/feed/feed_tape.h"
#include "tools/feed/snapshot_download.h"
#include "tools/os/clocks.h"
#include "tools/os/doorbells.h"
#include "tools/os/measuring.h"
#include "tools/os/network/datagrams.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/network/stream_client.h"
#include "tools/os/network/system_address.h"
#include "tools/os/thread.h"

namespace tools {

enum class FeedFormat : uint8_t {
  kItch,       // ITCH messages in MoldUDP64.
  kAddCancel,  // One message a datagram, without numbers: of one line, and nothing is noticed.
};

struct FeedAddress {
  Endpoint endpoint = {};
  std::string interface = {};  // Where multicast is received; empty: as the system chooses.
};

struct LiveFeedOptions {
  FeedFormat format = FeedFormat::kItch;
  std::vector<FeedAddress> lines = {};  // A, and B if there is one.
  std::optional<Endpoint> retransmission = {};
  std::optional<Endpoint> snapshots = {};
  std::string user = {};
  std::string password = {};
  engine::FeedHandler::Options handler = {};  // Without `has_snapshots`.
  size_t orders_max = engine::FeedBooks::kOrdersMaxDefault;
  size_t ring_slots = size_t{1} << 14;  // A power of two.
  int buffer_bytes = 8 << 20;           // Of each line's socket; the system has a limit.
  size_t tape_bytes_max = 0;            // 0: no tape.
  std::optional<int> receiver_core = {};
  std::optional<int> books_core = {};
  bool is_busy = false;  // The threads spin and never sleep.
};

// Not thread-safe: owned by the thread that shows what happens. What it returns by value was true a
// moment ago.
class LiveFeed {
 public:
  // What the receiving thread has counted.
  struct Received {
    engine::FeedHandler::State state = {};
    std::string session = {};
    engine::FeedHandler::Counters feed = {};  // Zero for add-cancel.
    FeedDecoder::Counters decoder = {};
    uint64_t datagrams = 0;          // Of the lines.
    uint64_t oversized = 0;          // Likewise.
    uint64_t dropped_by_system = 0;  // Likewise: no room was left.
    uint64_t snapshot_failures = 0;
    std::string note = {};  // The last failure of a snapshot, or the first malformed message.
  };
  // What the books' thread has.
  struct Booked {
    engine::FeedBooks::Counters counters = {};
    uint64_t orders = 0;
    FeedLatencies latencies = {};
  };

  // Opens the lines and starts the threads. Errors: those of the sockets; INVALID_ARGUMENT for a
  // number of lines that the format has not.
  static absl::StatusOr<std::unique_ptr<LiveFeed>> Start(const LiveFeedOptions& options);
  ~LiveFeed() { Stop(); }
  LiveFeed(const LiveFeed&) = delete;
  LiveFeed& operator=(const LiveFeed&) = delete;

  // Each thread answers within some milliseconds: Take...() has it then.
  void AskReceived() { received_.Ask(); }
  void AskBooked() { booked_.Ask(); }
  std::optional<Received> TakeReceived() { return received_.Take(); }
  std::optional<Booked> TakeBooked() { return booked_.Take(); }

  // Ends the threads, once all that was received is in the books. May be called again.
  void Stop();

  // Of a feed that has stopped.
  Received received() const;
  Booked booked() const;
  const engine::FeedBooks& books() const { return keeper_.books(); }

  const FeedSymbols& symbols() const { return symbols_; }
  // Null if there is none.
  FeedTape* tape() { return tape_.has_value() ? &*tape_ : nullptr; }
  // Of the lines, with the ports that the system chose.
  std::vector<std::string> addresses() const;

 private:
  struct Download {
    std::unique_ptr<StreamClient> connection;
    SnapshotDownload snapshot = {};
    engine::SteadyTime moved = {};   // When bytes came last.
    engine::SteadyTime spoken = {};  // When it last sent.
  };

  class Output final : public engine::FeedOutput {
   public:
    explicit Output(LiveFeed& feed) : feed_(feed) {}
    void Clear() override { feed_.decoder_.Clear(); }
    void Take(engine::Bytes framed) override { feed_.decoder_.TakeItch(framed); }
    void RequestMessages(absl::string_view session, const engine::MoldRange& range) override {
      feed_.RequestMessages(session, range);
    }
    void RequestSnapshot() override { feed_.RequestSnapshot(); }

   private:
    LiveFeed& feed_;
  };

  explicit LiveFeed(const LiveFeedOptions& options);
  absl::Status Open();
  absl::Status StartThreads();

  // ---- The receiving thread.
  void Receive();
  bool ReadLine(size_t line);
  bool ReadAnswers();
  bool ReadSnapshot();
  void EndDownload(const absl::Status& why);
  void RequestMessages(absl::string_view session, const engine::MoldRange& range);
  void RequestSnapshot();
  void AwaitRoom();
  void AwaitInput();

  // ---- The books' thread.
  void KeepBooks();

  const LiveFeedOptions options_;
  const TickClock ticks_ = TickClock::Calibrate();
  MonotonicClock clock_;
  FeedSymbols symbols_;
  std::optional<FeedTape> tape_;
  FeedRing ring_;
  FutexDoorbell bell_;  // The books' thread waits for it.
  std::atomic<bool> is_stopping_ = false;
  std::atomic<bool> has_all_ = false;  // Nothing is added to the ring any more.
  AskedValue<Received> received_;
  AskedValue<Booked> booked_;

  // The receiving thread's.
  std::vector<std::unique_ptr<DatagramReceiver>> lines_;
  std::unique_ptr<DatagramReceiver> answers_;    // Null without retransmission.
  std::optional<SystemAddress> retransmission_;  // Likewise.
  std::optional<Download> download_;
  FeedDecoder decoder_;
  Output output_{*this};
  engine::FeedHandler handler_;
  engine::SteadyTime now_;
  uint64_t snapshot_failures_ = 0;
  std::string snapshot_note_;

  // The books' thread's.
  BookKeeper keeper_;

  std::unique_ptr<Thread> receiving_;
  std::unique_ptr<Thread> booking_;
};

}  // namespace tools

#endif  // TOOLS_FEED_LIVE_FEED_H_
