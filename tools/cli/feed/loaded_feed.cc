#include "tools/cli/feed/loaded_feed.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/messages/book_update.h"
#include "engine/types/quantity.h"
#include "engine/views/feed_books.h"
#include "engine/wire/add_cancel/messages.h"
#include "engine/wire/itch/book_updates.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/soup/packets.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/show/itch_export.h"
#include "tools/feed/feed_decoder.h"
#include "tools/feed/feed_ring.h"
#include "tools/feed/feed_symbols.h"

namespace tools {
namespace {

using engine::BookUpdate;
using engine::BookUpdateKind;

constexpr size_t kSymbolsShown = 20;

// Says changes of books in adds and cancels.
class AddCancelTranslation {
 public:
  // By reference, as they were added last.
  const std::map<uint64_t, BookUpdate>& resting() const { return resting_; }

  // `take` receives kAdd and kDelete.
  template <typename Take>
  void Translate(const BookUpdate& update, Take take) {
    switch (update.kind) {
      case BookUpdateKind::kAdd:
        return Add(update, take);
      case BookUpdateKind::kExecute:
      case BookUpdateKind::kCancel:
        return Reduce(update, take);
      case BookUpdateKind::kDelete:
        return Remove(update.reference, take);
      case BookUpdateKind::kReplace:
        return Replace(update, take);
      case BookUpdateKind::kClear:
        CHECK(false) << "a journal's feed begins once";
    }
  }

 private:
  template <typename Take>
  void Add(const BookUpdate& add, Take take) {
    take(add);
    resting_[add.reference] = add;
  }
  template <typename Take>
  void Remove(uint64_t reference, Take take) {
    if (resting_.erase(reference) == 0) return;  // Of a book that is left out.
    take({.reference = reference, .kind = BookUpdateKind::kDelete});
  }
  template <typename Take>
  void Reduce(const BookUpdate& update, Take take) {
    const auto found = resting_.find(update.reference);
    if (found == resting_.end()) return;
    BookUpdate rest = found->second;
    Remove(update.reference, take);
    if (update.quantity >= rest.quantity) return;
    rest.quantity -= update.quantity;
    Add(rest, take);
  }
  template <typename Take>
  void Replace(const BookUpdate& update, Take take) {
    const auto found = resting_.find(update.reference);
    if (found == resting_.end()) return;
    BookUpdate replacement = found->second;
    Remove(update.reference, take);
    replacement.reference = update.new_reference;
    replacement.price = update.price;
    replacement.quantity = update.quantity;
    Add(replacement, take);
  }

  std::map<uint64_t, BookUpdate> resting_;
};

engine::ItchHeader HeaderOf(engine::Bytes message) {
  engine::ItchHeader header;
  std::memcpy(&header, message.data() + 1, sizeof(header));
  return header;
}

engine::ItchStock StockOf(engine::Bytes directory) {
  engine::ItchStockDirectory fields;
  std::memcpy(&fields, directory.data() + 1, sizeof(fields));
  return fields.stock;
}

// Calls `visit` with each symbol and its locate.
template <typename Visit>
void VisitDirectory(const LoadedFeed& feed, Visit visit) {
  for (uint64_t number = 1; number <= feed.size(); ++number) {
    const auto stock = ReadDirectory(feed.framed(number).subspan(engine::kMoldLengthBytes));
    if (stock.has_value()) visit(stock->symbol, stock->locate);
  }
}

absl::StatusOr<uint16_t> FindBook(const LoadedFeed& feed, const std::string& symbol) {
  std::map<std::string, uint16_t> locates;
  VisitDirectory(feed, [&](const std::string& name, uint16_t locate) { locates[name] = locate; });
  if (symbol.empty() && locates.size() == 1) return locates.begin()->second;
  const auto found = locates.find(symbol);
  if (found != locates.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, locate] : locates) {
    if (names.size() < kSymbolsShown) names.push_back(name);
  }
  if (locates.size() > names.size()) names.emplace_back("...");
  return absl::InvalidArgumentError(
      absl::StrCat(symbol.empty() ? "add-cancel has one book" : absl::StrCat("no market ", symbol),
                   "; expected --book with one of: ", absl::StrJoin(names, ", ")));
}

}  // namespace

absl::StatusOr<LoadedFeed> LoadedFeed::OfItch(const std::string& path, Console& console) {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path));
  ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange("", *opened.reader));
  LoadedFeed feed;
  RETURN_IF_ERROR(
      WriteItch({.form = ItchForm::kFrames}, opened, range, console, [&](absl::string_view frames) {
        absl::StrAppend(&feed.bytes_, frames);
      }).status());
  engine::FeedBooks books;
  engine::Bytes rest = engine::AsBytes(feed.bytes_);
  engine::ItchBookUpdates updates(rest);
  BookUpdate update;
  while (updates.Next(update)) books.Apply(update);
  CHECK(updates.status().ok()) << updates.status();
  while (!rest.empty()) {
    rest = engine::WithoutFirst(rest, 1);
    feed.ends_.push_back(feed.bytes_.size() - rest.size());
  }
  feed.session_ = opened.reader->info().uuid.ToString().substr(0, engine::kMoldSessionBytes);
  feed.books_ = SummaryOf(books);
  return feed;
}

absl::StatusOr<LoadedFeed> LoadedFeed::OfAddCancel(const std::string& path,
                                                   const std::string& symbol, Console& console) {
  ASSIGN_OR_RETURN(const LoadedFeed itch, OfItch(path, console));
  ASSIGN_OR_RETURN(const uint16_t locate, FindBook(itch, symbol));
  LoadedFeed feed;
  feed.session_ = itch.session_;
  engine::FeedBooks books;
  AddCancelTranslation translation;
  engine::ItchBookUpdates updates(engine::AsBytes(itch.bytes_));
  BookUpdate update;
  while (updates.Next(update)) {
    if (update.locate != locate) continue;
    translation.Translate(update, [&](const BookUpdate& change) {
      const auto message = engine::AddCancelMessage::From(change);
      CHECK(message.has_value()) << "prices and quantities of ITCH have 32 bits";
      feed.Add(message->bytes());
      BookUpdate heard;
      CHECK(engine::DecodeAddCancel(message->bytes(), FeedDecoder::kAddCancelLocate, heard));
      books.Apply(heard);
    });
  }
  feed.books_ = SummaryOf(books);
  return feed;
}

void LoadedFeed::Add(engine::Bytes message) {
  const engine::ItchUint16 length = static_cast<uint16_t>(message.size());
  absl::StrAppend(&bytes_, engine::AsText(engine::AsBytes(length)), engine::AsText(message));
  ends_.push_back(bytes_.size());
}

void LoadedFeed::AppendSnapshot(std::string& out) const {
  AddCancelTranslation orders;
  std::map<uint16_t, engine::Bytes> directory;  // By locate, as the next one.
  std::map<uint16_t, engine::Bytes> trading_states;
  for (uint64_t number = 1; number <= sent_; ++number) {
    engine::ItchBookUpdates updates(framed(number));
    BookUpdate update;
    if (updates.Next(update)) {
      orders.Translate(update, [](const BookUpdate&) {});
      continue;
    }
    const engine::Bytes message = framed(number).subspan(engine::kMoldLengthBytes);
    const char type = engine::AsText(message).front();
    if (type == engine::ItchStockDirectory::kType)
      directory[HeaderOf(message).stock_locate] = message;
    if (type == engine::ItchStockTradingAction::kType) {
      trading_states[HeaderOf(message).stock_locate] = message;
    }
  }
  const auto append = [&](engine::Bytes message) {
    engine::AppendSoupPacket(engine::SoupType::kSequencedData, message, out);
  };
  for (const auto& [locate, message] : directory) append(message);
  for (const auto& [locate, message] : trading_states) append(message);
  for (const auto& [reference, order] : orders.resting()) {
    // At the time of the feed.
    engine::ItchHeader header = HeaderOf(framed(sent_).subspan(engine::kMoldLengthBytes));
    header.stock_locate = order.locate;
    const engine::ItchFramed<engine::ItchAddOrder> add = {
        .message = {.header = header,
                    .order_reference = reference,
                    .side = order.side,
                    .shares = static_cast<uint32_t>(order.quantity.units()),
                    .stock = StockOf(directory.at(order.locate)),
                    .price = static_cast<uint32_t>(order.price.units())}};
    append(engine::AsBytes(add).subspan(engine::kItchLengthBytes));
  }
  engine::ItchFramed<engine::ItchSnapshotEnd> end;
  end.message.next_message.fill(' ');
  std::ranges::copy(absl::StrCat(sent_ + 1), end.message.next_message.begin());
  append(engine::AsBytes(end).subspan(engine::kItchLengthBytes));
}

void LoadedFeed::Visit(uint64_t first, absl::FunctionRef<bool(engine::Bytes framed)> take) {
  if (first == 0) return;
  for (uint64_t number = first; number <= sent_; ++number) {
    if (!take(framed(number))) return;
  }
}

}  // namespace tools
