#include "tools/feed/books_summary.h"

#include <limits>

#include "engine/base/bytes.h"
#include "engine/types/side.h"

namespace tools {

BooksSummary SummaryOf(const engine::FeedBooks& books) {
  struct Row {
    uint64_t locate = 0;
    uint64_t side = 0;
    int64_t price = 0;
    uint64_t quantity = 0;
    uint64_t order_count = 0;
  };
  BooksSummary summary = {.orders = books.order_count()};
  engine::Digester digester;
  for (uint32_t locate = 0; locate <= std::numeric_limits<uint16_t>::max(); ++locate) {
    const uint64_t levels_before = summary.levels;
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      const auto levels = books.levels(static_cast<uint16_t>(locate), side);
      for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
        ++summary.levels;
        digester.Add(engine::AsBytes(Row{.locate = locate,
                                         .side = static_cast<uint64_t>(side),
                                         .price = level->price.units(),
                                         .quantity = level->quantity.units(),
                                         .order_count = level->order_count}));
      }
    }
    if (summary.levels > levels_before) ++summary.books;
  }
  summary.digest = digester.Finish();
  return summary;
}

}  // namespace tools
