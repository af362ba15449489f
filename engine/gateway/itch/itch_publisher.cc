#include "engine/gateway/itch/itch_publisher.h"

namespace engine {

ItchPublisher::ItchPublisher(Venue& venue, FeedLines& lines, const ItchPublisherOptions& options)
    : venue_(venue), lines_(lines), packet_bytes_(options.packet_bytes), kept_(options.kept_bytes) {
  venue.Add(*this);
}

void ItchPublisher::Fold(const Command& command, Bytes attachment, std::span<const Event> events,
                         ItchFeed::Send send) {
  feed_.Take(command, attachment, events, send);
  feed_.CompleteCommand(send);
}

void ItchPublisher::OnHistory(const Command& command, Bytes attachment,
                              std::span<const Event> events) {
  Fold(command, attachment, events, [this](Bytes frame) { kept_.Add(frame); });
}

void ItchPublisher::Start(const std::string& session, SteadyTime now) {
  session_ = session;
  sender_.emplace(session, packet_bytes_, next_sequence());
  retransmission_.emplace(session, packet_bytes_, kept_);
  sender_->Heartbeat(ToLines());
  sent_at_ = now;
  announced_ = next_sequence();
}

void ItchPublisher::OnReleased(const Command& command, std::span<const Event> events,
                               const Origin&) {
  Fold(command, venue_.attachment(), events, [this](Bytes frame) {
    kept_.Add(frame);
    sender_->Add(frame, ToLines());
  });
}

void ItchPublisher::Act(SteadyTime now) {
  if (next_sequence() == announced_) {
    if (now < next_time()) return;
    sender_->Heartbeat(ToLines());
  } else {
    sender_->Flush(ToLines());
  }
  sent_at_ = now;
  announced_ = next_sequence();
}

void ItchPublisher::End(bool is_over) {
  if (is_over) {
    sender_->EndSession(ToLines());
  } else {
    sender_->Heartbeat(ToLines());
  }
}

}  // namespace engine
