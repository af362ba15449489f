#include "replay/compare/event_stream.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/time_in_force.h"

namespace replay {
namespace {

constexpr uint64_t kMagic = 0x5350415445504154;  // "TAPETAPS"
constexpr size_t kFrameHeaderBytes = 8;
constexpr size_t kStringBytesMax = 4096;

class Out {
 public:
  template <std::unsigned_integral T>
  void Number(T value) {
    std::byte bytes[sizeof(T)];
    engine::StoreLittleEndian(value, bytes);
    Raw(bytes);
  }
  void Raw(engine::Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void Text(absl::string_view text) {
    text = text.substr(0, kStringBytesMax);
    Number(static_cast<uint32_t>(text.size()));
    Raw(engine::AsBytes(text));
  }
  void PadTo8() { bytes_.resize((bytes_.size() + 7) / 8 * 8); }
  void Reserve(size_t size) { bytes_.reserve(size); }
  std::vector<std::byte> Take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// Reads past the end return zeros, and Finish() reports them.
class In {
 public:
  explicit In(engine::Bytes bytes) : bytes_(bytes) {}

  template <std::unsigned_integral T>
  T Number() {
    const engine::Bytes bytes = Raw(sizeof(T));
    return bytes.empty() ? T{0} : engine::LoadLittleEndian<T>(bytes.data());
  }
  engine::Bytes Raw(size_t size) {
    if (bytes_.size() - at_ < size) {
      short_ = true;
      at_ = bytes_.size();
      return {};
    }
    at_ += size;
    return bytes_.subspan(at_ - size, size);
  }
  std::string Text() {
    const uint32_t size = Number<uint32_t>();
    if (size > kStringBytesMax) short_ = true;
    return short_ ? "" : std::string(engine::AsText(Raw(size)));
  }
  void PadTo8() { Raw((8 - at_ % 8) % 8); }
  size_t left() const { return bytes_.size() - at_; }

  absl::Status Finish(absl::string_view what) const {
    if (!short_ && left() == 0) return absl::OkStatus();
    return absl::DataLossError(
        absl::StrCat("event stream: ", what, " of ", bytes_.size(), " bytes ",
                     short_ ? "ends too early" : absl::StrCat("goes on ", left(), " bytes longer"),
                     "; EVENT_STREAM.md says what was expected"));
  }

 private:
  const engine::Bytes bytes_;
  size_t at_ = 0;
  bool short_ = false;
};

void PutDigest(Out& out, const engine::Digest& digest) {
  out.Number(digest.low);
  out.Number(digest.high);
}

engine::Digest GetDigest(In& in) {
  engine::Digest digest;
  digest.low = in.Number<uint64_t>();
  digest.high = in.Number<uint64_t>();
  return digest;
}

constexpr size_t kOrderBytes = 80;

void PutOrder(Out& out, const engine::RestingOrder& order) {
  out.Number(order.id.value());
  out.Number(order.priority.value());
  out.Number(static_cast<uint64_t>(order.price.units()));
  out.Number(order.quantity_remaining.units());
  out.Number(order.quantity_filled.units());
  out.Number(static_cast<uint64_t>(order.expires_at.nanos()));
  out.Number(static_cast<uint64_t>(order.credit.micros()));
  out.Number(order.account.value());
  out.Number(order.market.value());
  out.Number(static_cast<uint8_t>(order.side));
  out.Number(static_cast<uint8_t>(order.tif));
  out.Number(order.flags.bits());
  out.Number(uint8_t{0});
  out.Number(order.group.value());
  out.Number(uint16_t{0});
  out.Number(uint64_t{0});
}

engine::RestingOrder GetOrder(In& in) {
  engine::RestingOrder order;
  order.id = engine::OrderId(in.Number<uint64_t>());
  order.priority = engine::SequenceNumber(in.Number<uint64_t>());
  order.price = engine::Price::FromUnits(static_cast<int64_t>(in.Number<uint64_t>()));
  order.quantity_remaining = engine::Quantity::FromUnits(in.Number<uint64_t>());
  order.quantity_filled = engine::Quantity::FromUnits(in.Number<uint64_t>());
  order.expires_at = engine::Timestamp::FromNanos(static_cast<int64_t>(in.Number<uint64_t>()));
  order.credit = engine::Money::FromMicros(static_cast<int64_t>(in.Number<uint64_t>()));
  order.account = engine::AccountId(in.Number<uint32_t>());
  order.market = engine::MarketId(in.Number<uint32_t>());
  order.side = static_cast<engine::Side>(in.Number<uint8_t>());
  order.tif = static_cast<engine::TimeInForce>(in.Number<uint8_t>());
  order.flags = engine::OrderFlags::FromBits(in.Number<uint8_t>());
  in.Number<uint8_t>();
  order.group = engine::GroupId(in.Number<uint16_t>());
  in.Number<uint16_t>();
  in.Number<uint64_t>();
  return order;
}

// Fills `into`; returns false if the input ended before the first byte.
absl::StatusOr<bool> ReadAll(ByteChannel& channel, engine::MutableBytes into) {
  size_t have = 0;
  while (have < into.size()) {
    ASSIGN_OR_RETURN(const size_t got, channel.Read(into.subspan(have)));
    if (got == 0) break;
    have += got;
  }
  if (have == 0 && !into.empty()) return false;
  if (have == into.size()) return true;
  return absl::DataLossError(absl::StrCat("event stream: it ends in the middle of a frame, after ",
                                          have, " of ", into.size(), " bytes"));
}

}  // namespace

std::vector<std::byte> Encode(const StreamHello& hello) {
  Out out;
  out.Number(kMagic);
  out.Number(hello.major);
  out.Number(hello.minor);
  out.Number(hello.identity.semantics_version);
  out.Number(hello.row_schema_id);
  out.Text(hello.identity.name);
  out.Text(hello.identity.build_id);
  return out.Take();
}

absl::StatusOr<StreamHello> DecodeHello(engine::Bytes payload) {
  In in(payload);
  if (in.Number<uint64_t>() != kMagic) {
    return absl::DataLossError(
        "event stream: the other end does not say hello; is it an engine server?");
  }
  StreamHello hello;
  hello.major = in.Number<uint16_t>();
  hello.minor = in.Number<uint16_t>();
  if (hello.major != kStreamMajor) return hello;  // What follows may be anything.
  hello.identity.semantics_version = in.Number<uint32_t>();
  hello.row_schema_id = in.Number<uint64_t>();
  hello.identity.name = in.Text();
  hello.identity.build_id = in.Text();
  RETURN_IF_ERROR(in.Finish("a hello"));
  return hello;
}

std::vector<std::byte> Encode(const journal::Batch& batch, const Ask& ask) {
  Out out;
  out.Reserve(16 + batch.rows.size_bytes());
  out.Number(static_cast<uint32_t>(batch.rows.size()));
  out.Number(static_cast<uint32_t>(batch.attachments.size()));
  out.Number((ask.state ? 1u : 0u) | (ask.invariants ? 2u : 0u));
  out.Number(uint32_t{0});
  out.Raw(std::as_bytes(batch.rows));
  for (const journal::AttachmentView& attachment : batch.attachments) {
    out.Number(attachment.sequence.value());
    out.Number(static_cast<uint64_t>(attachment.bytes.size()));
    out.Raw(attachment.bytes);
    out.PadTo8();
  }
  return out.Take();
}

absl::StatusOr<RecordsFrame> DecodeRecords(engine::Bytes payload) {
  In in(payload);
  RecordsFrame frame;
  const uint32_t row_count = in.Number<uint32_t>();
  const uint32_t attachment_count = in.Number<uint32_t>();
  const uint32_t ask = in.Number<uint32_t>();
  in.Number<uint32_t>();
  frame.ask = {.state = (ask & 1) != 0, .invariants = (ask & 2) != 0};
  const engine::Bytes rows = in.Raw(size_t{row_count} * sizeof(journal::Row));
  if (rows.empty()) return absl::DataLossError("event stream: a frame of no records");
  frame.rows.resize(row_count);
  std::memcpy(frame.rows.data(), rows.data(), rows.size());
  for (uint32_t i = 1; i < row_count; ++i) {
    if (frame.rows[i].sequence == frame.rows[i - 1].sequence.Next()) continue;
    return absl::DataLossError(absl::StrCat("event stream: record ", frame.rows[i].sequence.value(),
                                            " follows record ",
                                            frame.rows[i - 1].sequence.value()));
  }
  engine::SequenceNumber before = frame.rows.front().sequence - 1;
  for (uint32_t i = 0; i < attachment_count && in.left() > 0; ++i) {
    const engine::SequenceNumber sequence(in.Number<uint64_t>());
    const uint64_t size = in.Number<uint64_t>();
    if (size > journal::kMaxAttachmentBytes || sequence <= before ||
        sequence > frame.rows.back().sequence) {
      return absl::DataLossError(absl::StrCat("event stream: an attachment of ", size,
                                              " bytes to record ", sequence.value(),
                                              ", which does not belong there"));
    }
    before = sequence;
    frame.attachments.push_back({.sequence = sequence, .bytes = in.Raw(size)});
    in.PadTo8();
  }
  RETURN_IF_ERROR(in.Finish("a frame of records"));
  if (frame.attachments.size() != attachment_count) {
    return absl::DataLossError("event stream: attachments are missing");
  }
  return frame;
}

std::vector<std::byte> Encode(const Answer& answer) {
  Out out;
  out.Number(answer.last.value());
  out.Number(answer.output_count);
  PutDigest(out, answer.outputs);
  PutDigest(out, answer.state);
  out.Number(answer.state_size);
  return out.Take();
}

absl::StatusOr<Answer> DecodeAnswer(engine::Bytes payload) {
  In in(payload);
  Answer answer;
  answer.last = engine::SequenceNumber(in.Number<uint64_t>());
  answer.output_count = in.Number<uint64_t>();
  answer.outputs = GetDigest(in);
  answer.state = GetDigest(in);
  answer.state_size = in.Number<uint64_t>();
  RETURN_IF_ERROR(in.Finish("an answer"));
  return answer;
}

std::vector<std::byte> Encode(const OrdersRequest& request) {
  Out out;
  out.Number(request.market.value());
  out.Number(static_cast<uint32_t>(request.side));
  return out.Take();
}

absl::StatusOr<OrdersRequest> DecodeOrdersRequest(engine::Bytes payload) {
  In in(payload);
  const engine::MarketId market(in.Number<uint32_t>());
  const uint32_t side = in.Number<uint32_t>();
  RETURN_IF_ERROR(in.Finish("a request for orders"));
  if (side != 1 && side != 2) {
    return absl::DataLossError(
        absl::StrCat("event stream: orders of side ", side, "; expected 1 (bid) or 2 (ask)"));
  }
  return OrdersRequest{.market = market, .side = static_cast<engine::Side>(side)};
}

std::vector<std::byte> Encode(std::span<const engine::RestingOrder> orders) {
  Out out;
  for (const engine::RestingOrder& order : orders) PutOrder(out, order);
  return out.Take();
}

absl::StatusOr<std::vector<engine::RestingOrder>> DecodeOrders(engine::Bytes payload) {
  if (payload.size() % kOrderBytes != 0) {
    return absl::DataLossError(absl::StrCat("event stream: orders of ", payload.size(),
                                            " bytes; expected a multiple of ", kOrderBytes));
  }
  In in(payload);
  std::vector<engine::RestingOrder> orders;
  while (in.left() > 0) orders.push_back(GetOrder(in));
  return orders;
}

absl::StatusOr<std::vector<Output>> DecodeOutputs(engine::Bytes payload) {
  if (payload.size() % sizeof(Output) != 0) {
    return absl::DataLossError(absl::StrCat("event stream: events of ", payload.size(),
                                            " bytes; expected a multiple of ", sizeof(Output)));
  }
  std::vector<Output> outputs(payload.size() / sizeof(Output));
  if (!payload.empty()) std::memcpy(outputs.data(), payload.data(), payload.size());
  return outputs;
}

std::vector<std::byte> Encode(const SavedState& state) {
  Out out;
  out.Number(state.sequence.value());
  PutDigest(out, state.digest);
  out.Number(static_cast<uint64_t>(state.parts.size()));
  for (const std::vector<std::byte>& part : state.parts) {
    out.Number(static_cast<uint64_t>(part.size()));
    out.Raw(part);
    out.PadTo8();
  }
  return out.Take();
}

absl::StatusOr<SavedState> DecodeState(engine::Bytes payload) {
  In in(payload);
  SavedState state;
  state.sequence = engine::SequenceNumber(in.Number<uint64_t>());
  state.digest = GetDigest(in);
  const uint64_t part_count = in.Number<uint64_t>();
  for (uint64_t i = 0; i < part_count && in.left() > 0; ++i) {
    const engine::Bytes part = in.Raw(in.Number<uint64_t>());
    state.parts.emplace_back(part.begin(), part.end());
    in.PadTo8();
  }
  RETURN_IF_ERROR(in.Finish("a state"));
  if (state.parts.size() == part_count) return state;
  return absl::DataLossError(absl::StrCat("event stream: a state of ", part_count,
                                          " parts, of which ", state.parts.size(), " came"));
}

bool FitsAFrame(const SavedState& state) {
  size_t size = 32;
  for (const std::vector<std::byte>& part : state.parts) size += part.size() + 16;
  return size <= kFrameBytesMax;
}

absl::Status WriteFrame(ByteChannel& channel, FrameKind kind, engine::Bytes payload) {
  // The events of one command have no size limit.
  if (payload.size() > kFrameBytesMax) {
    return absl::ResourceExhaustedError(
        absl::StrCat("event stream: a frame of ", payload.size(), " bytes; 256 MiB are possible"));
  }
  std::byte header[kFrameHeaderBytes] = {};
  engine::StoreLittleEndian(static_cast<uint32_t>(payload.size()), header);
  engine::StoreLittleEndian(static_cast<uint16_t>(kind), header + 4);
  RETURN_IF_ERROR(channel.Write(header));
  return payload.empty() ? absl::OkStatus() : channel.Write(payload);
}

absl::StatusOr<std::optional<Frame>> ReadFrame(ByteChannel& channel) {
  std::byte header[kFrameHeaderBytes];
  ASSIGN_OR_RETURN(const bool any, ReadAll(channel, header));
  if (!any) return std::nullopt;
  const uint32_t size = engine::LoadLittleEndian<uint32_t>(header);
  Frame frame;
  frame.kind = static_cast<FrameKind>(engine::LoadLittleEndian<uint16_t>(header + 4));
  if (size > kFrameBytesMax || engine::LoadLittleEndian<uint16_t>(header + 6) != 0) {
    return absl::DataLossError(absl::StrCat("event stream: malformed frame (",
                                            engine::ToHex(header),
                                            "); does the other end print to its standard output?"));
  }
  // Reads in pieces, so that a false length allocates little more than the bytes received.
  constexpr size_t kPieceBytes = 1 << 20;
  while (frame.payload.size() < size) {
    const size_t have = frame.payload.size();
    frame.payload.resize(std::min<size_t>(size, have + kPieceBytes));
    ASSIGN_OR_RETURN(const bool more, ReadAll(channel, std::span(frame.payload).subspan(have)));
    if (!more) return absl::DataLossError("event stream: it ends in the middle of a frame");
  }
  return frame;
}

absl::Status CheckCompatible(const StreamHello& theirs, const StreamHello& ours) {
  if (theirs.major != ours.major) {
    return absl::UnimplementedError(
        absl::StrCat("the engine speaks version ", theirs.major, ".", theirs.minor,
                     " of the event stream, this program ", ours.major, ".", ours.minor));
  }
  if (theirs.row_schema_id != ours.row_schema_id) {
    return absl::UnimplementedError(absl::StrCat(
        "the engine reads rows of schema ", absl::Hex(theirs.row_schema_id, absl::kZeroPad16),
        ", this program has rows of schema ", absl::Hex(ours.row_schema_id, absl::kZeroPad16)));
  }
  return absl::OkStatus();
}

}  // namespace replay
