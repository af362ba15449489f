#include "tools/feed/live_feed.h"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <span>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "engine/base/status_macros.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/mold/retransmission.h"
#include "engine/wire/soup/login.h"
#include "engine/wire/soup/packets.h"
#include "tools/os/network/await_readable.h"

namespace tools {
namespace {

using engine::FeedHandler;
using engine::FeedLine;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1'000 * kMillisecond;

// The handler wants the time as often.
constexpr int64_t kReceiverWait = kMillisecond;
// How late an answer to Ask() may be.
constexpr int64_t kBooksWait = 10 * kMillisecond;
constexpr uint32_t kSpinCount = 2'000;
constexpr auto kFullRingWait = absl::Microseconds(20);

// A snapshot of which nothing comes for so long is begun again.
constexpr int64_t kDownloadPatience = 5 * kSecond;
// SoupBinTCP: each side speaks once a second.
constexpr int64_t kHeartbeatAfter = kSecond;
// Read of a snapshot before the lines are read again.
constexpr size_t kSnapshotReadsMax = 16;

FeedHandler::Options HandlerOptions(const LiveFeedOptions& options) {
  FeedHandler::Options handler = options.handler;
  handler.has_snapshots = options.snapshots.has_value();
  return handler;
}

uint32_t SpinCount(const LiveFeedOptions& options) {
  return options.is_busy || UsableCores().size() < 2 ? 0 : kSpinCount;
}

std::string SoupBytes(engine::SoupType type) {
  std::string bytes;
  engine::AppendSoupPacket(type, {}, bytes);
  return bytes;
}

}  // namespace

absl::StatusOr<std::unique_ptr<LiveFeed>> LiveFeed::Start(const LiveFeedOptions& options) {
  const size_t lines_max = options.format == FeedFormat::kItch ? 2 : 1;
  if (options.lines.empty() || options.lines.size() > lines_max) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.lines.size(), " lines, expected 1",
                     lines_max == 1 ? ": messages without numbers cannot be compared" : " or 2"));
  }
  std::unique_ptr<LiveFeed> feed(new LiveFeed(options));
  RETURN_IF_ERROR(feed->Open());
  RETURN_IF_ERROR(feed->StartThreads());
  return feed;
}

LiveFeed::LiveFeed(const LiveFeedOptions& options)
    : options_(options),
      ring_(options.ring_slots),
      bell_(SpinCount(options)),
      decoder_(ring_, symbols_,
               options.tape_bytes_max == 0 ? nullptr : &tape_.emplace(options.tape_bytes_max),
               [this] { AwaitRoom(); }),
      handler_(HandlerOptions(options), output_),
      keeper_(ring_, ticks_, options.orders_max) {}

absl::Status LiveFeed::Open() {
  for (const FeedAddress& line : options_.lines) {
    const DatagramReceiverOptions options = {.interface = line.interface,
                                             .buffer_bytes = options_.buffer_bytes};
    ASSIGN_OR_RETURN(lines_.emplace_back(), DatagramReceiver::Open(line.endpoint, options));
  }
  if (options_.retransmission.has_value()) {
    const bool is_ip6 = options_.retransmission->family == Endpoint::Family::kIp6;
    const Endpoint any = {
        .family = options_.retransmission->family, .host = is_ip6 ? "::" : "0.0.0.0", .port = 0};
    ASSIGN_OR_RETURN(answers_,
                     DatagramReceiver::Open(any, {.buffer_bytes = options_.buffer_bytes}));
    retransmission_ = SystemAddress::Of(*options_.retransmission);
  }
  return absl::OkStatus();
}

absl::Status LiveFeed::StartThreads() {
  booking_ = std::make_unique<Thread>(
      "books", [this] { KeepBooks(); },
      [this] {
        has_all_ = true;
        bell_.Ring();
      },
      options_.books_core);
  RETURN_IF_ERROR(booking_->status());
  receiving_ = std::make_unique<Thread>(
      "feed", [this] { Receive(); }, [this] { is_stopping_ = true; }, options_.receiver_core);
  return receiving_->status();
}

void LiveFeed::Stop() {
  // The books' thread has the rest when the other has ended.
  receiving_.reset();
  booking_.reset();
}

LiveFeed::Received LiveFeed::received() const {
  Received received = {.state = handler_.state(),
                       .session = handler_.session(),
                       .feed = handler_.counters(),
                       .decoder = decoder_.counters(),
                       .snapshot_failures = snapshot_failures_,
                       .note = snapshot_note_};
  for (const std::unique_ptr<DatagramReceiver>& line : lines_) {
    const DatagramReceiver::Counters& counters = line->counters();
    received.datagrams += counters.received;
    received.oversized += counters.oversized;
    received.dropped_by_system += counters.dropped_by_system;
  }
  if (received.note.empty()) received.note = std::string(decoder_.first_error().message());
  return received;
}

LiveFeed::Booked LiveFeed::booked() const {
  return {.counters = keeper_.books().counters(),
          .orders = keeper_.books().order_count(),
          .latencies = keeper_.latencies()};
}

std::vector<std::string> LiveFeed::addresses() const {
  std::vector<std::string> addresses;
  for (const auto& line : lines_) addresses.push_back(line->address().ToString());
  return addresses;
}

void LiveFeed::Receive() {
  while (!is_stopping_.load(std::memory_order_relaxed)) {
    bool has_read = false;
    now_ = clock_.Now();
    for (size_t line = 0; line < lines_.size(); ++line) has_read |= ReadLine(line);
    if (answers_ != nullptr) has_read |= ReadAnswers();
    if (download_.has_value()) has_read |= ReadSnapshot();
    handler_.Tick(now_);
    if (has_read) bell_.Ring();
    if (received_.is_asked()) received_.Answer(received());
    if (has_read || options_.is_busy) continue;
    AwaitInput();
  }
}

bool LiveFeed::ReadLine(size_t line) {
  const auto datagrams = lines_[line]->Receive();
  decoder_.set_received(TickClock::Ticks());
  for (const DatagramReceiver::Datagram& datagram : datagrams) {
    if (options_.format == FeedFormat::kItch) {
      handler_.TakePacket(static_cast<FeedLine>(line), datagram.payload, now_);
    } else {
      decoder_.TakeAddCancel(datagram.payload);
    }
  }
  return !datagrams.empty();
}

bool LiveFeed::ReadAnswers() {
  const auto datagrams = answers_->Receive();
  decoder_.set_received(TickClock::Ticks());
  for (const DatagramReceiver::Datagram& datagram : datagrams) {
    handler_.TakeAnswer(datagram.payload, now_);
  }
  return !datagrams.empty();
}

bool LiveFeed::ReadSnapshot() {
  for (size_t i = 0; i < kSnapshotReadsMax; ++i) {
    const auto bytes = download_->connection->Receive();
    if (!bytes.ok()) {
      EndDownload(bytes.status());
      return true;
    }
    if (bytes->empty()) {
      if (now_ - download_->spoken >= kHeartbeatAfter) {
        download_->connection->Send(SoupBytes(engine::SoupType::kClientHeartbeat));
        download_->spoken = now_;
      }
      return i > 0;
    }
    download_->moved = now_;
    const auto complete = download_->snapshot.Take(*bytes);
    if (!complete.ok()) {
      EndDownload(complete.status());
      return true;
    }
    if (*complete) {
      download_->connection->Send(SoupBytes(engine::SoupType::kLogoutRequest));
      snapshot_note_.clear();
      const std::optional<Download> done = std::exchange(download_, std::nullopt);
      decoder_.set_received(TickClock::Ticks());
      handler_.TakeSnapshot(done->snapshot.session(), done->snapshot.next_sequence(),
                            done->snapshot.framed(), now_);
      return true;
    }
  }
  return true;
}

// The handler asks again.
void LiveFeed::EndDownload(const absl::Status& why) {
  ++snapshot_failures_;
  snapshot_note_ = std::string(why.message());
  download_.reset();
}

void LiveFeed::RequestMessages(absl::string_view session, const engine::MoldRange& range) {
  // Without a server the handler goes on without them, when its patience is over.
  if (answers_ == nullptr || !engine::IsMoldSession(session)) return;
  const auto count = static_cast<uint16_t>(range.last - range.first + 1);
  const std::string request = engine::MoldRequestBytes(session, range.first, count);
  answers_->SendTo(*retransmission_, engine::AsBytes(request));
}

void LiveFeed::RequestSnapshot() {
  if (download_.has_value()) {
    if (now_ - download_->moved < kDownloadPatience) return;
    EndDownload(absl::DeadlineExceededError("the snapshot server has fallen silent"));
  }
  auto connection = StreamClient::Connect(*options_.snapshots);
  if (!connection.ok()) {
    ++snapshot_failures_;
    snapshot_note_ = std::string(connection.status().message());
    return;
  }
  std::string login;
  engine::AppendSoupLoginRequest({.user = options_.user,
                                  .password = options_.password,
                                  .session = handler_.session(),
                                  .sequence = 1},
                                 login);
  (*connection)->Send(login);
  download_.emplace(Download{.connection = std::move(*connection), .moved = now_, .spoken = now_});
}

// The kernel's buffers fill meanwhile: what they drop is asked for later.
void LiveFeed::AwaitRoom() {
  bell_.Ring();
  if (options_.is_busy) {
    _mm_pause();
  } else {
    absl::SleepFor(kFullRingWait);
  }
}

void LiveFeed::AwaitInput() {
  std::array<int, kAwaitedMax> descriptors = {};
  size_t count = 0;
  for (const auto& line : lines_) descriptors[count++] = line->descriptor();
  if (answers_ != nullptr) descriptors[count++] = answers_->descriptor();
  if (download_.has_value()) descriptors[count++] = download_->connection->descriptor();
  AwaitReadable(std::span(descriptors).first(count), kReceiverWait);
}

void LiveFeed::KeepBooks() {
  while (true) {
    // Read before the ring: what was added before it is then seen.
    const bool has_all = has_all_.load(std::memory_order_acquire);
    const size_t count = keeper_.Turn();
    if (booked_.is_asked()) booked_.Answer(booked());
    if (count > 0) continue;
    if (has_all) return;
    if (options_.is_busy) {
      _mm_pause();
    } else {
      bell_.Wait(kBooksWait);
    }
  }
}

}  // namespace tools
