#include "tools/feed/feed_decoder.h"

#include "engine/messages/book_update.h"
#include "engine/wire/add_cancel/messages.h"
#include "engine/wire/itch/book_updates.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/mold/packet.h"
#include "tools/os/measuring.h"

namespace tools {

void FeedDecoder::Clear() {
  symbols_.Clear();
  if (tape_ != nullptr) tape_->Clear();
  FeedSlot& slot = Claim();
  slot.update = {.kind = engine::BookUpdateKind::kClear};
  Publish(slot, false);
}

void FeedDecoder::TakeItch(engine::Bytes framed) {
  if (tape_ != nullptr) tape_->Append(framed);
  bool has_others = false;
  engine::Bytes rest = framed;
  while (!rest.empty()) {
    engine::ItchBookUpdates decoder(rest);
    uint64_t updates = 0;
    for (FeedSlot* slot = &Claim(); decoder.Next(slot->update); slot = &Claim()) {
      Publish(*slot, updates % kMeasuredEvery == 0);
      ++updates;
    }
    has_others = has_others || decoder.message_count() != updates;
    if (decoder.status().ok()) break;
    NoteMalformed(decoder.status());
    rest = engine::WithoutFirst(rest, decoder.message_count() + 1);
  }
  if (has_others) ReadSymbols(framed);
}

void FeedDecoder::TakeAddCancel(engine::Bytes datagram) {
  FeedSlot& slot = Claim();
  if (!engine::DecodeAddCancel(datagram, kAddCancelLocate, slot.update)) {
    NoteMalformed(engine::AddCancelError(datagram));
    return;
  }
  Publish(slot, true);
  if (tape_ != nullptr) {
    const engine::ItchUint16 length = static_cast<uint16_t>(datagram.size());
    tape_->Append(engine::AsBytes(length));
    tape_->Append(datagram);
  }
}

FeedSlot& FeedDecoder::Claim() {
  while (true) {
    FeedSlot* const slot = ring_.Claim();
    if (slot != nullptr) [[likely]]
      return *slot;
    ++counters_.ring_full;
    wait_();
  }
}

void FeedDecoder::Publish(FeedSlot& slot, bool is_measured) {
  slot.received_ticks = received_ticks_;
  slot.published_ticks = is_measured ? TickClock::Ticks() : 0;
  ring_.Publish();
  ++counters_.updates;
}

void FeedDecoder::NoteMalformed(const absl::Status& error) {
  ++counters_.malformed;
  if (first_error_.ok()) first_error_ = error;
}

void FeedDecoder::ReadSymbols(engine::Bytes framed) {
  while (!framed.empty()) {
    const engine::Bytes rest = engine::WithoutFirst(framed, 1);
    const engine::Bytes message = framed.first(framed.size() - rest.size());
    const auto symbol = ReadDirectory(message.subspan(engine::kMoldLengthBytes));
    if (symbol.has_value()) symbols_.Set(*symbol);
    framed = rest;
  }
}

}  // namespace tools
