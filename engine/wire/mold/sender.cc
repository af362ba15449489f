#include "engine/wire/mold/sender.h"

#include "engine/base/check.h"

namespace engine {

MoldSender::MoldSender(absl::string_view session, size_t payload_bytes_max, uint64_t first_sequence)
    : packet_(session, payload_bytes_max) {
  packet_.Begin(first_sequence);
}

void MoldSender::Add(Bytes framed, Send send) {
  if (packet_.Add(framed)) [[likely]]
    return;
  Flush(send);
  CHECK(packet_.Add(framed)) << "a message of " << framed.size() << " bytes has no room";
}

void MoldSender::Flush(Send send) {
  if (waiting() == 0) return;
  const uint64_t next = next_sequence();
  send(packet_.Finish());
  packet_.Begin(next);
}

void MoldSender::Heartbeat(Send send) {
  Flush(send);
  send(packet_.Finish());
}

void MoldSender::EndSession(Send send) {
  Flush(send);
  packet_.EndSession();
  send(packet_.Finish());
  packet_.Begin(packet_.sequence());
}

}  // namespace engine
