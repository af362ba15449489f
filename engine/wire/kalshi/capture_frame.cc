#include "engine/wire/kalshi/capture_frame.h"

#include "absl/status/status.h"
#include "engine/wire/kalshi/json_members.h"
#include "simdjson.h"

namespace engine::kalshi {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

CaptureType TypeOf(absl::string_view name) {
  if (name == "orderbook_snapshot") return CaptureType::kSnapshot;
  if (name == "orderbook_delta") return CaptureType::kDelta;
  return name == "trade" ? CaptureType::kTrade : CaptureType::kOther;
}

}  // namespace

absl::StatusOr<CaptureFrame> CaptureReader::Read(absl::string_view line) {
  const std::optional<element> root = document_.Parse(line);
  if (!root.has_value()) return absl::InvalidArgumentError(document_.error());
  object top;
  if (root->get(top) != simdjson::SUCCESS) {
    return absl::InvalidArgumentError("expected a JSON object: a frame, or one in an envelope");
  }
  CaptureFrame frame;
  JsonMembers envelope(top);
  object whole = top;
  if (envelope.Has("frame")) {
    whole = envelope.Object("frame");
    if (envelope.Has("received_ts_ms")) frame.time = envelope.MillisOf("received_ts_ms");
    if (!envelope.status().ok()) return envelope.status();
  }
  JsonMembers fields(whole);
  frame.type_name = fields.Text("type");
  frame.type = TypeOf(frame.type_name);
  frame.sid = fields.IntegerIfAny("sid");
  frame.seq = fields.IntegerIfAny("seq");
  if (frame.type == CaptureType::kOther || !fields.status().ok()) {
    if (!fields.status().ok()) return fields.status();
    return frame;
  }
  const object msg = fields.Object("msg");
  if (!fields.status().ok()) return fields.status();
  JsonMembers message(msg);
  frame.ticker = message.Text("market_ticker");
  if (!frame.time.has_value()) frame.time = ReadMessageTime(message);
  if (frame.type == CaptureType::kSnapshot) {
    ReadSnapshot(form_, message, frame.levels);
  } else if (frame.type == CaptureType::kDelta) {
    frame.levels.push_back(ReadDelta(form_, message));
  } else {
    frame.trade = ReadTrade(form_, message);
  }
  if (!message.status().ok()) return message.status();
  return frame;
}

}  // namespace engine::kalshi
