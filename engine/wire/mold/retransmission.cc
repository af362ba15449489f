#include "engine/wire/mold/retransmission.h"

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/wire/big_endian.h"
#include "engine/wire/mold/packet.h"

namespace engine {

absl::StatusOr<MoldRequest> ParseMoldRequest(Bytes payload) {
  if (payload.size() != kMoldHeaderBytes) {
    return absl::InvalidArgumentError(absl::StrCat("MoldUDP64: a request of ", payload.size(),
                                                   " bytes, expected ", kMoldHeaderBytes));
  }
  const MoldRequest request = {
      .session = AsText(payload.first(kMoldSessionBytes)),
      .sequence = LoadBigEndian<uint64_t>(payload.data() + kMoldSessionBytes),
      .count = LoadBigEndian<uint16_t>(payload.data() + kMoldHeaderBytes - sizeof(uint16_t))};
  if (request.sequence == 0 || request.count == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "MoldUDP64: a request of session '", absl::CHexEscape(request.session), "' for ",
        request.count, " messages from ", request.sequence, " on, expected some, from 1 on"));
  }
  return request;
}

std::string MoldRequestBytes(absl::string_view session, uint64_t sequence, uint16_t count) {
  // As a packet without messages, but with a count.
  struct Fields {
    BigEndianInteger<uint64_t> sequence;
    BigEndianInteger<uint16_t> count;
  };
  CHECK(IsMoldSession(session) && sequence != 0 && count != 0);
  std::string bytes(session);
  bytes.resize(kMoldSessionBytes, ' ');
  return absl::StrCat(bytes, AsText(AsBytes(Fields{.sequence = sequence, .count = count})));
}

MoldRetransmission::MoldRetransmission(absl::string_view session, size_t payload_bytes_max,
                                       MoldHistory& history)
    : session_(session), history_(history), packet_(session, payload_bytes_max) {}

Bytes MoldRetransmission::Answer(Bytes payload) {
  const absl::StatusOr<MoldRequest> request = ParseMoldRequest(payload);
  if (!request.ok()) {
    ++counters_.malformed;
    return {};
  }
  if (absl::StripTrailingAsciiWhitespace(request->session) != session_) {
    ++counters_.of_other_sessions;
    return {};
  }
  packet_.Begin(request->sequence);
  history_.Visit(request->sequence, [&](Bytes framed) {
    return packet_.count() < request->count && packet_.Add(framed);
  });
  if (packet_.count() == 0) {
    ++counters_.without_messages;
    return {};
  }
  ++counters_.answered;
  counters_.messages += packet_.count();
  return packet_.Finish();
}

}  // namespace engine
