#include "tools/cli/read/book_printer.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "tools/cli/base/format.h"
#include "tools/cli/read/message_forms.h"

namespace tools {
namespace {

using engine::DepthView;
using engine::MarketDefinition;
using engine::Price;
using engine::Quantity;
using engine::QueuePlace;
using engine::Side;

constexpr size_t kBarWidth = 32;

struct Line {
  Price price;
  std::string price_text;
  std::string quantity_text;
  uint64_t quantity = 0;
  uint64_t order_count = 0;
};

struct SideLines {
  std::vector<Line> lines;  // Best first.
  uint64_t level_count = 0;
};

struct Widths {
  size_t price = 0;
  size_t quantity = 0;
  size_t orders = 0;
  uint64_t largest = 0;

  void Fit(const SideLines& side) {
    for (const Line& line : side.lines) {
      price = std::max(price, line.price_text.size());
      quantity = std::max(quantity, line.quantity_text.size());
      orders = std::max(orders, absl::StrCat(line.order_count).size());
      largest = std::max(largest, line.quantity);
    }
  }
};

SideLines LinesOf(const DepthView& view, const MarketDefinition& market, Side side, size_t depth) {
  SideLines result;
  view.VisitLevels(market.id, side, [&](Price price, const DepthView::Level& level) {
    if (++result.level_count > depth) return true;
    result.lines.push_back(
        {.price = price,
         .price_text = engine::FormatPrice(price, market.price_decimals),
         .quantity_text = engine::FormatQuantity(level.quantity, market.quantity_decimals),
         .quantity = level.quantity.units(),
         .order_count = level.order_count()});
    return true;
  });
  return result;
}

// Returns the number of levels of this side beyond the printed depth.
ConsoleText Hidden(const SideLines& side, absl::string_view name) {
  const uint64_t hidden = side.level_count - side.lines.size();
  if (hidden == 0) return {};
  return ConsoleText::Of("        ", Counted(hidden, absl::StrCat("more ", name, " level")), "\n");
}

ConsoleText Printed(Side side, const Line& line, const Widths& widths, bool is_marked) {
  const bool is_bid = side == Side::kBid;
  const Style style = is_bid ? Style::kGreen : Style::kRed;
  // "order" is padded to the length of "orders", to align the bars.
  const absl::string_view orders = line.order_count == 1 ? "order " : "orders";
  const std::string bar = Bar(line.quantity, widths.largest, kBarWidth);
  return ConsoleText::Of(
      "   ", Styled(style, is_bid ? "bid" : "ask"), " ",
      Styled(Style::kBold, absl::StrFormat("%*s", widths.price, line.price_text)),
      absl::StrFormat("  %*s  %*d %s  ", widths.quantity, line.quantity_text, widths.orders,
                      line.order_count, orders),
      Styled(style, bar), is_marked ? "  <" : "", "\n");
}

ConsoleText Middle(const SideLines& bids, const SideLines& asks, const MarketDefinition& market,
                   const Widths& widths) {
  if (bids.lines.empty() || asks.lines.empty()) {
    return ConsoleText::Of(absl::StrFormat("       %*s", widths.price, "--"), "\n");
  }
  // Only the book of a mirrored market may be crossed.
  const int64_t apart = asks.lines.front().price.units() - bids.lines.front().price.units();
  return ConsoleText::Of(
      absl::StrFormat("       %*s %s", widths.price,
                      engine::FormatPrice(Price::FromUnits(std::abs(apart)), market.price_decimals),
                      apart < 0 ? "crossed" : "apart"),
      "\n");
}

}  // namespace

ConsoleText FormatBook(const DepthView& view, const MarketDefinition& market,
                       const BookPrinterOptions& options) {
  const SideLines bids = LinesOf(view, market, Side::kBid, options.depth);
  const SideLines asks = LinesOf(view, market, Side::kAsk, options.depth);
  ConsoleText text = ConsoleText::Of(Styled(Style::kBold, market.symbol), "  ",
                                     Counted(bids.level_count, "bid level"), ", ",
                                     Counted(asks.level_count, "ask level"), "\n");
  if (bids.level_count + asks.level_count == 0) return text;

  Widths widths;
  widths.Fit(bids);
  widths.Fit(asks);
  const DepthView::Place* const marked = view.FindOrder(options.order);
  const auto is_marked = [&](Side side, Price price) {
    return marked != nullptr && marked->level == view.FindLevel(market.id, side, price);
  };
  text.Append(Hidden(asks, "ask"));
  for (auto line = asks.lines.rbegin(); line != asks.lines.rend(); ++line) {
    text.Append(Printed(Side::kAsk, *line, widths, is_marked(Side::kAsk, line->price)));
  }
  text.Append(Middle(bids, asks, market, widths));
  for (const Line& line : bids.lines) {
    text.Append(Printed(Side::kBid, line, widths, is_marked(Side::kBid, line.price)));
  }
  text.Append(Hidden(bids, "bid"));
  return text;
}

ConsoleText FormatQueue(const DepthView& view, const MarketDefinition& market, Side side,
                        Price price, size_t limit) {
  const std::string title = absl::StrCat(market.symbol, " ", side == Side::kBid ? "bid" : "ask",
                                         " ", engine::FormatPrice(price, market.price_decimals));
  const DepthView::Level* level = view.FindLevel(market.id, side, price);
  if (level == nullptr) {
    return ConsoleText::Of(Styled(Style::kBold, title), "  no order rests there\n");
  }
  const auto quantity_text = [&](Quantity quantity) {
    return engine::FormatQuantity(quantity, market.quantity_decimals);
  };
  ConsoleText text =
      ConsoleText::Of(Styled(Style::kBold, title), "  ", quantity_text(level->quantity), " in ",
                      Counted(level->order_count(), "order"), "\n");
  const size_t width = quantity_text(level->quantity).size();
  size_t place = 0;
  Quantity sum;
  for (const DepthView::Place& in_queue : level->queue) {
    if (++place > limit) {
      return ConsoleText::Of(text, "   ", Counted(level->order_count() - limit, "more order"),
                             "\n");
    }
    sum += in_queue.quantity_remaining;
    text.Append(ConsoleText::Of(
        absl::StrFormat("   %4d  order %-12d %*s  up to here %*s", place, in_queue.order.value(),
                        width, quantity_text(in_queue.quantity_remaining), width,
                        quantity_text(sum)),
        "\n"));
  }
  return text;
}

std::string PlaceText(const QueuePlace::Standing& standing, const MarketDefinition* market) {
  if (standing.orders_ahead == 0) return "first in its queue";
  return absl::StrCat(standing.orders_ahead, standing.orders_ahead == 1 ? " order" : " orders",
                      " with ", QuantityText(standing.quantity_ahead, market), " ahead");
}

std::string LifeText(const engine::OrderHistory& history,
                     const std::optional<QueuePlace::Standing>& standing,
                     const MarketDefinition* market, absl::string_view until) {
  using Status = engine::OrderHistory::Status;
  if (history.status() == Status::kNone) {
    return absl::StrCat("no order has that number up to ", until);
  }
  std::string text(engine::NameOf(history.status()));
  if (history.status() == Status::kReplaced) {
    absl::StrAppend(&text, " by order ", history.replaced_by().value());
  }
  absl::StrAppend(&text, ", ", QuantityText(history.quantity_filled(), market), " filled, ",
                  QuantityText(history.quantity_remaining(), market), " remaining");
  if (!standing.has_value()) return text;
  return absl::StrCat(text, "; ", MarketText(standing->market, market), " ",
                      engine::NameOf(standing->side), " ", PriceText(standing->price, market), ", ",
                      PlaceText(*standing, market));
}

}  // namespace tools
