#include "replay/compare/event_stream.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"

namespace replay {
namespace {

constexpr uint64_t kMagic = 0x5350415445504154;  // "TAPETAPS"
constexpr size_t kFrameHeaderBytes = 8;
constexpr size_t kStringBytesMax = 4096;

// Whether the memory of a value is its encoding: integers, and types that hold some.
template <typename T>
concept Encodable = std::has_unique_object_representations_v<T>;

class Out {
 public:
  template <Encodable... T>
  void Values(const T&... values) {
    (Raw(std::as_bytes(std::span<const T, 1>(&values, 1))), ...);
  }
  void Raw(engine::Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void Text(absl::string_view text) {
    text = text.substr(0, kStringBytesMax);
    Values(static_cast<uint32_t>(text.size()));
    Raw(engine::AsBytes(text));
  }
  void Pad(size_t size) { bytes_.resize(bytes_.size() + size); }
  void PadTo8() { bytes_.resize((bytes_.size() + 7) / 8 * 8); }
  void Reserve(size_t size) { bytes_.reserve(size); }
  std::vector<std::byte> Take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// Reads past the end change nothing, and Finish() reports them.
class In {
 public:
  explicit In(engine::Bytes bytes) : bytes_(bytes) {}

  template <Encodable... T>
  void Values(T&... values) {
    (Copy(Raw(sizeof(T)), std::as_writable_bytes(std::span<T, 1>(&values, 1))), ...);
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
    uint32_t size = 0;
    Values(size);
    if (size > kStringBytesMax) short_ = true;
    return short_ ? "" : std::string(engine::AsText(Raw(size)));
  }
  void Pad(size_t size) { Raw(size); }
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
  static void Copy(engine::Bytes from, engine::MutableBytes to) {
    std::ranges::copy(from, to.begin());
  }

  const engine::Bytes bytes_;
  size_t at_ = 0;
  bool short_ = false;
};

constexpr size_t kOrderBytes = 80;

// The fields of an order in their sequence, for both directions.
template <typename Stream, typename Order>
void OrderFields(Stream& stream, Order& order) {
  stream.Values(order.id, order.priority, order.price, order.quantity_remaining,
                order.quantity_filled, order.expires_at, order.credit, order.account, order.market,
                order.side, order.tif, order.flags);
  stream.Pad(1);
  stream.Values(order.group);
  stream.Pad(8);
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
  out.Values(kMagic, hello.major, hello.minor, hello.identity.semantics_version,
             hello.row_schema_id);
  out.Text(hello.identity.name);
  out.Text(hello.identity.build_id);
  return out.Take();
}

absl::StatusOr<StreamHello> DecodeHello(engine::Bytes payload) {
  In in(payload);
  uint64_t magic = 0;
  in.Values(magic);
  if (magic != kMagic) {
    return absl::DataLossError(
        "event stream: the other end does not say hello; is it an engine server?");
  }
  StreamHello hello = {.major = 0, .minor = 0, .identity = {}};
  in.Values(hello.major, hello.minor);
  if (hello.major != kStreamMajor) return hello;  // What follows may be anything.
  in.Values(hello.identity.semantics_version, hello.row_schema_id);
  hello.identity.name = in.Text();
  hello.identity.build_id = in.Text();
  RETURN_IF_ERROR(in.Finish("a hello"));
  return hello;
}

std::vector<std::byte> Encode(const journal::Batch& batch, const Ask& ask) {
  Out out;
  out.Reserve(16 + batch.rows.size_bytes());
  out.Values(static_cast<uint32_t>(batch.rows.size()),
             static_cast<uint32_t>(batch.attachments.size()),
             (ask.state ? 1u : 0u) | (ask.invariants ? 2u : 0u));
  out.Pad(4);
  out.Raw(std::as_bytes(batch.rows));
  for (const journal::AttachmentView& attachment : batch.attachments) {
    out.Values(attachment.sequence, uint64_t{attachment.bytes.size()});
    out.Raw(attachment.bytes);
    out.PadTo8();
  }
  return out.Take();
}

absl::StatusOr<RecordsFrame> DecodeRecords(engine::Bytes payload) {
  In in(payload);
  RecordsFrame frame;
  uint32_t row_count = 0;
  uint32_t attachment_count = 0;
  uint32_t ask = 0;
  in.Values(row_count, attachment_count, ask);
  in.Pad(4);
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
    engine::SequenceNumber sequence;
    uint64_t size = 0;
    in.Values(sequence, size);
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
  out.Values(answer.last, answer.output_count, answer.outputs, answer.state, answer.state_size);
  return out.Take();
}

absl::StatusOr<Answer> DecodeAnswer(engine::Bytes payload) {
  In in(payload);
  Answer answer;
  in.Values(answer.last, answer.output_count, answer.outputs, answer.state, answer.state_size);
  RETURN_IF_ERROR(in.Finish("an answer"));
  return answer;
}

std::vector<std::byte> Encode(const OrdersRequest& request) {
  Out out;
  out.Values(request.market, static_cast<uint32_t>(request.side));
  return out.Take();
}

absl::StatusOr<OrdersRequest> DecodeOrdersRequest(engine::Bytes payload) {
  In in(payload);
  engine::MarketId market;
  uint32_t side = 0;
  in.Values(market, side);
  RETURN_IF_ERROR(in.Finish("a request for orders"));
  if (side != 1 && side != 2) {
    return absl::DataLossError(
        absl::StrCat("event stream: orders of side ", side, "; expected 1 (bid) or 2 (ask)"));
  }
  return OrdersRequest{.market = market, .side = static_cast<engine::Side>(side)};
}

std::vector<std::byte> Encode(std::span<const engine::RestingOrder> orders) {
  Out out;
  for (const engine::RestingOrder& order : orders) OrderFields(out, order);
  return out.Take();
}

absl::StatusOr<std::vector<engine::RestingOrder>> DecodeOrders(engine::Bytes payload) {
  if (payload.size() % kOrderBytes != 0) {
    return absl::DataLossError(absl::StrCat("event stream: orders of ", payload.size(),
                                            " bytes; expected a multiple of ", kOrderBytes));
  }
  In in(payload);
  std::vector<engine::RestingOrder> orders;
  while (in.left() > 0) {
    OrderFields(in, orders.emplace_back());
    if (orders.back().group > engine::kGroupIdMax) {
      return absl::DataLossError(absl::StrCat("event stream: an order of group ",
                                              orders.back().group.value(), "; expected at most ",
                                              engine::kGroupIdMax.value()));
    }
  }
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
  out.Values(state.sequence, state.digest, uint64_t{state.parts.size()});
  for (const std::vector<std::byte>& part : state.parts) {
    out.Values(uint64_t{part.size()});
    out.Raw(part);
    out.PadTo8();
  }
  return out.Take();
}

absl::StatusOr<SavedState> DecodeState(engine::Bytes payload) {
  In in(payload);
  SavedState state;
  uint64_t part_count = 0;
  in.Values(state.sequence, state.digest, part_count);
  for (uint64_t i = 0; i < part_count && in.left() > 0; ++i) {
    uint64_t size = 0;
    in.Values(size);
    const engine::Bytes part = in.Raw(size);
    state.parts.emplace_back(part.begin(), part.end());
    in.PadTo8();
  }
  RETURN_IF_ERROR(in.Finish("a state"));
  if (state.parts.size() == part_count) return state;
  return absl::DataLossError(absl::StrCat("event stream: a state of ", part_count,
                                          " parts, of which ", state.parts.size(), " came"));
}

bool FitsAFrame(const SavedState& state) {
  return 32 + state.size() + 16 * state.parts.size() <= kFrameBytesMax;
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

absl::Status EventStreamServer::AnswerTo(const Frame& frame) {
  if (!greeted_ && frame.kind != FrameKind::kHello) {
    return absl::DataLossError("event stream: the first frame is not a hello");
  }
  const auto cannot = [this](absl::string_view why) {
    return WriteFrame(channel_, FrameKind::kCannot, engine::AsBytes(why));
  };
  switch (frame.kind) {
    case FrameKind::kHello: {
      // Answers before it checks the hello, so that the other end knows both versions too.
      RETURN_IF_ERROR(WriteFrame(channel_, FrameKind::kHello, Encode(ours_)));
      ASSIGN_OR_RETURN(const StreamHello theirs, DecodeHello(frame.payload));
      greeted_ = true;
      return CheckCompatible(theirs, ours_);
    }
    case FrameKind::kRecords: {
      ASSIGN_OR_RETURN(const RecordsFrame records, DecodeRecords(frame.payload));
      ASSIGN_OR_RETURN(
          const Answer answer,
          Put(subject_, {.rows = records.rows, .attachments = records.attachments}, records.ask));
      return WriteFrame(channel_, FrameKind::kAnswer, Encode(answer));
    }
    case FrameKind::kEvents: {
      ASSIGN_OR_RETURN(const std::span<const Output> outputs, subject_.Outputs());
      return WriteFrame(channel_, FrameKind::kEvents, std::as_bytes(outputs));
    }
    case FrameKind::kOrders: {
      ASSIGN_OR_RETURN(const OrdersRequest request, DecodeOrdersRequest(frame.payload));
      ASSIGN_OR_RETURN(const auto orders, subject_.Orders(request.market, request.side));
      return WriteFrame(channel_, FrameKind::kOrders, Encode(orders));
    }
    case FrameKind::kReset:
      RETURN_IF_ERROR(subject_.Reset());
      return WriteFrame(channel_, FrameKind::kAnswer, Encode(Answer()));
    case FrameKind::kSave: {
      const absl::StatusOr<SavedState> state = subject_.Save();
      if (!state.ok()) return cannot(state.status().message());
      if (!FitsAFrame(*state)) return cannot("the state is larger than a frame");
      return WriteFrame(channel_, FrameKind::kState, Encode(*state));
    }
    case FrameKind::kState: {
      ASSIGN_OR_RETURN(const SavedState state, DecodeState(frame.payload));
      const absl::Status loaded = subject_.Load(state);
      if (!loaded.ok()) return cannot(loaded.message());
      Answer answer;
      answer.last = state.sequence;
      answer.state = state.digest;
      return WriteFrame(channel_, FrameKind::kAnswer, Encode(answer));
    }
    case FrameKind::kAnswer:
    case FrameKind::kFailed:
    case FrameKind::kCannot:
      break;
  }
  return absl::DataLossError(absl::StrCat("event stream: a frame of kind ",
                                          static_cast<unsigned>(frame.kind),
                                          ", which this version does not know"));
}

absl::StatusOr<bool> EventStreamServer::AnswerNext() {
  const absl::StatusOr<std::optional<Frame>> frame = ReadFrame(channel_);
  if (frame.ok() && !frame->has_value()) return false;
  const absl::Status answered = frame.ok() ? AnswerTo(**frame) : frame.status();
  if (answered.ok()) return true;
  // The other end may be gone; the first error is the one to return.
  (void)WriteFrame(channel_, FrameKind::kFailed, engine::AsBytes(answered.message()));
  return answered;
}

absl::Status EventStreamServer::Run() {
  while (true) {
    ASSIGN_OR_RETURN(const bool more, AnswerNext());
    if (!more) return absl::OkStatus();
  }
}

}  // namespace replay
