#include "tools/cli/feed/feed_recorder.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/messages/book_update.h"
#include "engine/wire/add_cancel/messages.h"
#include "engine/wire/itch/framing.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/parser.h"
#include "engine/wire/mold/packet.h"
#include "tools/feed/feed_decoder.h"
#include "tools/feed/feed_symbols.h"

namespace tools {

FeedRecorder::FeedRecorder(FeedFormat format, engine::CommandSink& sink, engine::ManualClock& clock,
                           engine::Timestamp midnight, const std::string& symbol)
    : format_(format),
      midnight_(midnight),
      translator_(sink, clock, midnight, engine::ItchMode::kMirror) {
  stock_.fill(' ');
  std::copy_n(symbol.begin(), std::min(symbol.size(), stock_.size()), stock_.begin());
}

absl::Status FeedRecorder::Take(const FeedTape::Part& part, engine::Timestamp now) {
  RETURN_IF_ERROR(status_);
  if (part.begins_again) status_ = translator_.Clear();
  engine::Bytes framed = engine::AsBytes(part.framed);
  while (status_.ok() && !framed.empty()) {
    const engine::Bytes rest = engine::WithoutFirst(framed, 1);
    const engine::Bytes frame = framed.first(framed.size() - rest.size());
    status_ = format_ == FeedFormat::kItch
                  ? TakeItch(frame)
                  : TakeAddCancel(frame.subspan(engine::kMoldLengthBytes), now);
    framed = rest;
  }
  return status_;
}

absl::Status FeedRecorder::TakeItch(engine::Bytes framed) {
  RETURN_IF_ERROR(CheckSymbol(framed.subspan(engine::kMoldLengthBytes)));
  // One for each message, as its errors are sticky.
  engine::ItchFrameReader reader;
  reader.Feed(framed);
  engine::ItchFrame frame;
  const auto found = reader.Next(frame);
  if (found.ok() && *found) {
    const auto message = engine::ParseItchMessage(frame);
    if (message.ok()) return translator_.Translate(*message);
  }
  ++malformed_;
  return absl::OkStatus();
}

absl::Status FeedRecorder::TakeAddCancel(engine::Bytes message, engine::Timestamp now) {
  engine::BookUpdate update;
  if (!engine::DecodeAddCancel(message, FeedDecoder::kAddCancelLocate, update)) {
    ++malformed_;
    return absl::OkStatus();
  }
  const engine::ItchHeader header = {
      .stock_locate = update.locate,
      .timestamp_ns = static_cast<uint64_t>(std::max<int64_t>(now.nanos() - midnight_.nanos(), 0))};
  if (update.kind == engine::BookUpdateKind::kDelete) {
    return translator_.Translate(
        engine::ItchOrderDelete{.header = header, .order_reference = update.reference});
  }
  return translator_.Translate(
      engine::ItchAddOrder{.header = header,
                           .order_reference = update.reference,
                           .side = update.side,
                           .shares = static_cast<uint32_t>(update.quantity.units()),
                           .stock = stock_,
                           .price = static_cast<uint32_t>(update.price.units())});
}

absl::Status FeedRecorder::CheckSymbol(engine::Bytes message) {
  const auto found = ReadDirectory(message);
  if (!found.has_value()) return absl::OkStatus();
  const auto [known, is_new] = symbols_.try_emplace(found->locate, found->symbol);
  if (is_new || known->second == found->symbol) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("book ", found->locate, " was ", known->second, " and is now ", found->symbol,
                   ": another session has begun, which needs a journal of its own"));
}

}  // namespace tools
