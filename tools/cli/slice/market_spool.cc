#include "tools/cli/slice/market_spool.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "replay/command_row.h"

namespace tools {

using engine::Event;
using engine::MarketId;
using engine::SequenceNumber;

namespace {

constexpr char kFileName[] = "records.spool";
constexpr int kZstdLevel = 1;

struct EntryHeader {
  uint32_t attachment_bytes = 0;
  uint32_t event_count = 0;
};

constexpr size_t Padded(size_t bytes) { return (bytes + 7) / 8 * 8; }

struct Entry {
  journal::Record record;
  std::span<const Event> events;
  size_t bytes = 0;
};

// Views the entry that `bytes` begin with, in place. All its parts are aligned.
Entry EntryAt(engine::Bytes bytes) {
  const auto& header = *reinterpret_cast<const EntryHeader*>(bytes.data());
  const size_t row = sizeof(header);
  const size_t attachment = row + sizeof(journal::Row);
  const size_t events = attachment + Padded(header.attachment_bytes);
  return {.record = {.row = reinterpret_cast<const journal::Row*>(&bytes[row]),
                     .attachment = bytes.subspan(attachment, header.attachment_bytes)},
          .events = {reinterpret_cast<const Event*>(bytes.data() + events), header.event_count},
          .bytes = events + header.event_count * sizeof(Event)};
}

}  // namespace

// Reads a stream of entries.
class MarketSpool::Cursor {
 public:
  Cursor(MarketSpool& spool, const Stream& stream) : spool_(spool), stream_(stream) {}

  static constexpr SequenceNumber kEnd{std::numeric_limits<uint64_t>::max()};

  SequenceNumber sequence() const { return entry_ ? entry_->record.sequence() : kEnd; }

  // REQUIRES: sequence() is not kEnd. Valid until Advance().
  const journal::Record& record() const { return entry_->record; }
  std::span<const Event> EventsOf(SequenceNumber sequence) const {
    return sequence == this->sequence() ? entry_->events : std::span<const Event>();
  }

  // Goes to the next entry, at first to the first one. Errors: the storage's.
  absl::Status Advance() {
    entry_.reset();
    if (rest_.empty()) RETURN_IF_ERROR(Load());
    if (rest_.empty()) return absl::OkStatus();
    entry_ = EntryAt(rest_);
    rest_ = rest_.subspan(entry_->bytes);
    return absl::OkStatus();
  }

 private:
  absl::Status Load() {
    if (next_chunk_ > stream_.chunks.size()) return absl::OkStatus();
    if (next_chunk_++ == stream_.chunks.size()) {
      rest_ = stream_.buffer;
      return absl::OkStatus();
    }
    const Chunk& chunk = stream_.chunks[next_chunk_ - 1];
    std::vector<std::byte> stored(chunk.stored_bytes);
    ASSIGN_OR_RETURN(const size_t count, spool_.file_->Read(chunk.offset, stored));
    if (count != stored.size()) return absl::DataLossError("a temporary file was shortened");
    if (chunk.stored_bytes == chunk.bytes) {
      chunk_ = std::move(stored);
    } else {
      chunk_.resize(chunk.bytes);
      RETURN_IF_ERROR(spool_.decompressor_.Decompress(stored, chunk_));
    }
    rest_ = chunk_;
    return absl::OkStatus();
  }

  MarketSpool& spool_;
  const Stream& stream_;
  size_t next_chunk_ = 0;  // Beyond the chunks: the buffer, then the end.
  std::vector<std::byte> chunk_;
  engine::Bytes rest_;  // What follows the entry, of the chunk or the buffer.
  std::optional<Entry> entry_;
};

MarketSpool::MarketSpool(journal::Directory& directory, const engine::MarketDirectory& markets,
                         size_t buffer_bytes)
    : directory_(directory), buffer_bytes_(buffer_bytes), compressor_(kZstdLevel) {
  streams_[MarketId()] = Stream();
  for (const auto& [id, definition] : markets.all()) streams_[id] = Stream();
}

absl::Status MarketSpool::Add(const journal::Record& record, std::span<const Event> events) {
  const MarketId market = replay::ToCommand(*record.row).market;
  Stream* const own = FindStream(market);
  if (own != nullptr) BeginEntry(*own, record);
  for (const Event& event : events) {
    const bool is_own = event.market == MarketId() || event.market == market;
    Stream* const stream = is_own ? own : FindStream(event.market);
    if (stream == nullptr) continue;
    if (stream->last_sequence != record.sequence()) BeginEntry(*stream, {.row = record.row});
    AddEvent(*stream, event);
  }
  return buffered_bytes_ > buffer_bytes_ ? Spill() : absl::OkStatus();
}

MarketSpool::Stream* MarketSpool::FindStream(MarketId market) {
  const auto found = streams_.find(market);
  return found == streams_.end() ? nullptr : &found->second;
}

void MarketSpool::Append(Stream& stream, engine::Bytes bytes) {
  const size_t padding = Padded(bytes.size()) - bytes.size();
  stream.buffer.insert(stream.buffer.end(), bytes.begin(), bytes.end());
  stream.buffer.resize(stream.buffer.size() + padding);
  buffered_bytes_ += bytes.size() + padding;
}

void MarketSpool::BeginEntry(Stream& stream, const journal::Record& record) {
  stream.last_entry = stream.buffer.size();
  stream.last_sequence = record.sequence();
  const EntryHeader header{.attachment_bytes = static_cast<uint32_t>(record.attachment.size())};
  Append(stream, engine::AsBytes(header));
  Append(stream, engine::AsBytes(*record.row));
  Append(stream, record.attachment);
}

void MarketSpool::AddEvent(Stream& stream, const Event& event) {
  Append(stream, engine::AsBytes(event));
  ++reinterpret_cast<EntryHeader*>(&stream.buffer[stream.last_entry])->event_count;
}

absl::Status MarketSpool::Spill() {
  if (file_ == nullptr) {
    ASSIGN_OR_RETURN(file_, directory_.Create(kFileName));
    RETURN_IF_ERROR(directory_.Remove(kFileName));  // It lasts as long as it is open.
  }
  std::vector<std::byte> frame;
  for (auto& [market, stream] : streams_) {
    if (stream.buffer.empty()) continue;
    frame.resize(stream.buffer.size() - 1);
    const std::optional<size_t> length = compressor_.Compress(stream.buffer, frame);
    const engine::Bytes stored =
        length.has_value() ? engine::Bytes(frame).first(*length) : engine::Bytes(stream.buffer);
    RETURN_IF_ERROR(file_->Write(file_bytes_, stored));
    stream.chunks.push_back(
        {.offset = file_bytes_, .stored_bytes = stored.size(), .bytes = stream.buffer.size()});
    file_bytes_ += stored.size();
    stream.buffer = {};
  }
  buffered_bytes_ = 0;
  return absl::OkStatus();
}

absl::Status MarketSpool::Visit(MarketId market, Visitor visit) {
  Stream* const stream = FindStream(market);
  CHECK(stream != nullptr && market != MarketId()) << "no market " << market;
  Cursor own(*this, *stream);
  Cursor common(*this, streams_[MarketId()]);
  RETURN_IF_ERROR(own.Advance());
  RETURN_IF_ERROR(common.Advance());
  std::vector<Event> events;
  while (true) {
    const SequenceNumber at = std::min(common.sequence(), own.sequence());
    if (at == Cursor::kEnd) return absl::OkStatus();
    events.clear();
    std::ranges::merge(common.EventsOf(at), own.EventsOf(at), std::back_inserter(events), {},
                       &Event::index, &Event::index);
    // Only that of the record's own stream has the attachment.
    RETURN_IF_ERROR(visit(common.sequence() == at ? common.record() : own.record(), events));
    for (Cursor* const cursor : {&common, &own}) {
      if (cursor->sequence() == at) RETURN_IF_ERROR(cursor->Advance());
    }
  }
}

}  // namespace tools
