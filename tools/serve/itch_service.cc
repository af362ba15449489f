#include "tools/serve/itch_service.h"

#include <algorithm>
#include <cstddef>

#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "engine/wire/mold/packet.h"
#include "tools/os/network/endpoint.h"

namespace tools {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;
// What the system keeps of a burst, if it grants so much.
constexpr int kBufferBytes = 4 << 20;

}  // namespace

std::string ItchSessionName(const journal::Uuid& journal, journal::AckPolicy ack,
                            engine::Timestamp now) {
  if (ack != journal::AckPolicy::kNone) {
    return journal.ToString().substr(0, engine::kMoldSessionBytes);
  }
  // "N" and the time of the start in 10 us, which no UUID looks like.
  constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr int64_t kPartNanos = 10'000;
  std::string name(engine::kMoldSessionBytes, 'N');
  int64_t part = std::max<int64_t>(now.nanos(), 0) / kPartNanos;
  for (size_t place = name.size() - 1; place > 0; --place, part /= 36) {
    name[place] = kDigits[part % 36];
  }
  return name;
}

bool SecondLimit::Take(engine::SteadyTime now) {
  if (now - second_ >= kSecondNanos) {
    second_ = now;
    count_ = 0;
  }
  if (count_ == count_max_) return false;
  ++count_;
  return true;
}

ItchService::ItchService(const ItchConfig& config, engine::Venue& venue)
    : config_(config),
      lines_(config.packet_bytes),
      publisher_(
          venue, lines_,
          {.packet_bytes = config.packet_bytes, .kept_bytes = size_t{config.kept_megabytes} << 20}),
      snapshots_(publisher_, config.logins),
      limit_(config.requests_per_second_max) {}

absl::Status ItchService::Start(const std::string& session, Network& network) {
  for (const ItchLineConfig& line : config_.lines) {
    ASSIGN_OR_RETURN(const Endpoint destination, Endpoint::Parse(line.address));
    RETURN_IF_ERROR(
        lines_.Add(destination,
                   {.interface = line.interface, .hops = line.hops, .buffer_bytes = kBufferBytes}));
  }
  if (!config_.retransmission.empty()) {
    ASSIGN_OR_RETURN(const Endpoint address, Endpoint::Parse(config_.retransmission));
    ASSIGN_OR_RETURN(requests_, DatagramReceiver::Open(address));
    RETURN_IF_ERROR(network.WakeAtInput(requests_->descriptor()));
  }
  publisher_.Start(session, network.Now());
  lines_.Flush();
  return absl::OkStatus();
}

void ItchService::Act(engine::SteadyTime now) {
  if (requests_ != nullptr) Answer(now);
  publisher_.Act(now);
  lines_.Flush();
}

void ItchService::Answer(engine::SteadyTime now) {
  for (int batch = 0; batch < kRequestBatchesOfTurn; ++batch) {
    const auto requests = requests_->Receive();
    has_more_requests_ = !requests.empty();
    if (!has_more_requests_) return;
    for (const DatagramReceiver::Datagram& request : requests) {
      if (!limit_.Take(now)) {
        ++requests_refused_;
        continue;
      }
      const engine::Bytes answer = publisher_.Answer(request.payload);
      if (!answer.empty()) requests_->SendTo(*request.source, answer);
    }
  }
}

engine::SteadyTime ItchService::next_time() const {
  return has_more_requests_ ? engine::SteadyTime() : publisher_.next_time();
}

void ItchService::End(journal::AckPolicy ack) {
  publisher_.End(/*is_over=*/ack == journal::AckPolicy::kNone);
  lines_.Flush();
}

ItchService::Counts ItchService::counts() const {
  const DatagramSender::Counters lines = lines_.counters();
  return {.messages = publisher_.feed_counters().messages,
          .packets = lines.sent,
          .dropped = lines.dropped,
          .requests_refused = requests_refused_,
          .retransmission = publisher_.retransmission_counters()};
}

}  // namespace tools
