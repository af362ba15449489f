// What a feed handler has done, for people and as JSON.

#ifndef TOOLS_CLI_FEED_FEED_REPORT_H_
#define TOOLS_CLI_FEED_FEED_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/gateway/feed/feed_handler.h"
#include "engine/types/side.h"
#include "engine/views/feed_books.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/report.h"
#include "tools/feed/books_summary.h"
#include "tools/feed/live_feed.h"
#include "tools/os/clocks.h"

namespace tools {

// The state of a feed at a moment.
struct FeedMoment {
  double seconds = 0;  // Since the start.
  LiveFeed::Received received = {};
  LiveFeed::Booked booked = {};
};

absl::string_view NameOf(engine::FeedHandler::State state);

// All counters and latencies, as rows and fields. `before` is the moment from which rates count.
void AddFeed(Report& report, const FeedMoment& now, const FeedMoment& before);

void AddBooks(Report& report, const BooksSummary& books);

// The best levels of a book. Prices have `decimals`.
void AddBook(Report& report, const std::string& symbol, const engine::FeedBooks& books,
             std::optional<uint16_t> locate, int decimals);

// A table on the terminal that is rewritten each second.
//
//   live   ABCDEF0123   1,204,331 messages   512 k/s   3 gaps   0 lost   0 dropped   31,729 orders
//                   p50       p99     p99.9       max
//   decode       0.4 us    2.1 us    4.0 us   31.0 us
//
// Not thread-safe: owned by the verb. Shows nothing if standard error is no terminal.
class FeedTable {
 public:
  explicit FeedTable(Console& console) : console_(console) {}
  ~FeedTable() { Clear(); }
  FeedTable(const FeedTable&) = delete;
  FeedTable& operator=(const FeedTable&) = delete;

  void Show(const FeedMoment& now, const FeedMoment& before);
  // Removes the table, so that something else can be printed.
  void Clear();

 private:
  Console& console_;
  bool is_shown_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_FEED_FEED_REPORT_H_
