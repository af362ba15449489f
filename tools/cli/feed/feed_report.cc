#include "tools/cli/feed/feed_report.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/types/decimal.h"
#include "replay/retime/latency_histogram.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

using replay::LatencyHistogram;

constexpr size_t kLevelsShown = 5;

struct Stage {
  const char* name;
  const LatencyHistogram* nanos;
};

std::array<Stage, 3> StagesOf(const FeedLatencies& latencies) {
  return {{{"decode", &latencies.decode}, {"book", &latencies.book}, {"total", &latencies.total}}};
}

struct Mark {
  const char* title;
  const char* name;
  uint64_t per_million;
};
constexpr std::array<Mark, 3> kMarks = {
    {{"p50", "p50", 500'000}, {"p99", "p99", 990'000}, {"p99.9", "p999", 999'000}}};

std::string TitleOfMarks() {
  std::string title;
  for (const Mark& mark : kMarks) absl::StrAppend(&title, absl::StrFormat("%10s", mark.title));
  return absl::StrCat(title, absl::StrFormat("%10s", "max"));
}

std::string TextOf(const LatencyHistogram& nanos) {
  std::string text;
  for (const Mark& mark : kMarks) {
    absl::StrAppend(&text, absl::StrFormat("%10s", HumanNanos(nanos.Percentile(mark.per_million))));
  }
  return absl::StrCat(text, absl::StrFormat("%10s", HumanNanos(nanos.max())));
}

// Of the updates, which both formats have.
double RateOf(const FeedMoment& now, const FeedMoment& before) {
  const double seconds = std::max(now.seconds - before.seconds, 1e-9);
  const uint64_t updates = now.received.decoder.updates - before.received.decoder.updates;
  return static_cast<double>(updates) / seconds;
}

void AddFields(Report& report, const FeedMoment& now, const FeedMoment& before) {
  const LiveFeed::Received& received = now.received;
  const engine::FeedHandler::Counters& feed = received.feed;
  const engine::FeedBooks::Counters& books = now.booked.counters;
  report.Field("seconds", now.seconds);
  report.Field("state", NameOf(received.state));
  report.Field("session", received.session);
  report.Field("datagrams", received.datagrams);
  report.Field("packets_a", feed.packets[0]);
  report.Field("packets_b", feed.packets[1]);
  report.Field("messages", feed.messages);
  report.Field("updates", received.decoder.updates);
  report.Field("updates_per_second", RateOf(now, before));
  report.Field("gaps", feed.gaps);
  report.Field("requests", feed.requests);
  report.Field("answers", feed.answers);
  report.Field("lost", feed.lost);
  report.Field("snapshot_requests", feed.snapshot_requests);
  report.Field("snapshots", feed.snapshots);
  report.Field("snapshots_ignored", feed.snapshots_ignored);
  report.Field("snapshot_failures", received.snapshot_failures);
  report.Field("sessions", feed.sessions);
  report.Field("malformed_packets", feed.malformed);
  report.Field("malformed_messages", received.decoder.malformed);
  report.Field("of_other_sessions", feed.of_other_sessions);
  report.Field("oversized", received.oversized);
  report.Field("dropped_by_system", received.dropped_by_system);
  report.Field("ring_full", received.decoder.ring_full);
  report.Field("orders", now.booked.orders);
  report.BeginObject("books");
  report.Field("applied", books.applied);
  report.Field("unknown_references", books.unknown_references);
  report.Field("duplicates", books.duplicates);
  report.Field("quantities_exceeded", books.quantities_exceeded);
  report.Field("invalid", books.invalid);
  report.Field("beyond_limit", books.beyond_limit);
  report.EndObject();
  report.BeginObject("latency_nanos");
  for (const Stage& stage : StagesOf(now.booked.latencies)) {
    report.BeginObject(stage.name);
    report.Field("count", stage.nanos->count());
    for (const Mark& mark : kMarks) {
      report.Field(mark.name, stage.nanos->Percentile(mark.per_million));
    }
    report.Field("max", stage.nanos->max());
    report.EndObject();
  }
  report.EndObject();
}

// What is unusual; JSON has all.
void AddOddities(Report& report, const FeedMoment& now) {
  const LiveFeed::Received& received = now.received;
  const engine::FeedBooks::Counters& books = now.booked.counters;
  for (const auto& [count, what] :
       {std::pair(received.feed.malformed, "packets that are not MoldUDP64"),
        std::pair(received.decoder.malformed, "messages that are none of the format"),
        std::pair(received.feed.of_other_sessions, "packets of other sessions"),
        std::pair(received.oversized, "datagrams that are too long"),
        std::pair(received.dropped_by_system, "datagrams dropped by the system"),
        std::pair(received.snapshot_failures, "snapshots that failed"),
        std::pair(books.unknown_references, "updates of orders that do not rest"),
        std::pair(books.duplicates, "orders whose reference rests already"),
        std::pair(books.quantities_exceeded, "updates of more than an order has"),
        std::pair(books.invalid, "updates without meaning"),
        std::pair(books.beyond_limit, "orders that have no room")}) {
    if (count > 0) report.Row("oddity", WithCommas(count), " ", what);
  }
  if (!received.note.empty()) report.Row("note", received.note);
}

void AddLevels(Report& report, absl::string_view name,
               std::span<const engine::FeedBooks::Level> worst_first, int decimals) {
  report.BeginArray(name);
  const size_t count = std::min(worst_first.size(), kLevelsShown);
  for (size_t i = 1; i <= count; ++i) {
    const engine::FeedBooks::Level& level = worst_first[worst_first.size() - i];
    report.BeginElement();
    report.Field("price", engine::FormatPrice(level.price, decimals));
    report.Field("quantity", level.quantity.units());
    report.Field("orders", level.order_count);
    report.EndElement();
    report.Row(name, engine::FormatPrice(level.price, decimals), "  ",
               WithCommas(level.quantity.units()), "  in ", Counted(level.order_count, "order"));
  }
  report.EndArray();
}

}  // namespace

absl::string_view NameOf(engine::FeedHandler::State state) {
  switch (state) {
    case engine::FeedHandler::State::kWaiting:
      return "waiting";
    case engine::FeedHandler::State::kJoining:
      return "joining";
    case engine::FeedHandler::State::kLive:
      return "live";
    case engine::FeedHandler::State::kEnded:
      return "ended";
  }
  return "";
}

void AddFeed(Report& report, const FeedMoment& now, const FeedMoment& before) {
  const engine::FeedHandler::Counters& feed = now.received.feed;
  report.Row("updates", WithCommas(now.received.decoder.updates), " in ",
             HumanSeconds(now.seconds - before.seconds), ", ", HumanCount(RateOf(now, before)),
             "/s");
  if (!now.received.session.empty()) {
    report.Row("session", now.received.session, ", ", NameOf(now.received.state), ", ",
               Counted(feed.messages, "message"), "; packets of line A ",
               WithCommas(feed.packets[0]), ", of line B ", WithCommas(feed.packets[1]));
    report.Row("gaps", WithCommas(feed.gaps), ", ", Counted(feed.requests, "request"), ", ",
               Counted(feed.lost, "message"), " lost, ", Counted(feed.snapshots, "snapshot"));
  }
  AddOddities(report, now);
  report.Row("latency", TitleOfMarks());
  for (const Stage& stage : StagesOf(now.booked.latencies)) {
    report.Row(stage.name, TextOf(*stage.nanos));
  }
  AddFields(report, now, before);
}

void AddBooks(Report& report, const BooksSummary& books) {
  report.Row("books", Counted(books.books, "book"), ", ", Counted(books.levels, "level"), ", ",
             Counted(books.orders, "order"));
  report.Field("book_count", books.books);
  report.Field("level_count", books.levels);
  report.Field("order_count", books.orders);
  report.Fact("books digest", "books_digest", books.digest);
}

void AddBook(Report& report, const std::string& symbol, const engine::FeedBooks& books,
             std::optional<uint16_t> locate, int decimals) {
  report.BeginObject("book");
  report.Field("symbol", symbol);
  report.Field("is_known", locate.has_value());
  if (locate.has_value()) {
    AddLevels(report, "bids", books.levels(*locate, engine::Side::kBid), decimals);
    AddLevels(report, "asks", books.levels(*locate, engine::Side::kAsk), decimals);
  } else {
    report.Row("book", symbol, " is not in the feed's directory");
  }
  report.EndObject();
}

void FeedTable::Show(const FeedMoment& now, const FeedMoment& before) {
  const Console::Options& options = console_.options();
  if (!options.error_is_terminal || options.quiet || options.json) return;
  Clear();
  const engine::FeedHandler::Counters& feed = now.received.feed;
  console_.Error(NameOf(now.received.state), "   ", now.received.session, "   ",
                 Counted(now.received.decoder.updates, "update"), "   ",
                 HumanCount(RateOf(now, before)), "/s   ", Counted(feed.gaps, "gap"), "   ",
                 WithCommas(feed.lost), " lost   ", WithCommas(now.received.dropped_by_system),
                 " dropped   ", Counted(now.booked.orders, "order"), "\n");
  console_.Error(absl::StrFormat("%-8s", ""), TitleOfMarks(), "\n");
  for (const Stage& stage : StagesOf(now.booked.latencies)) {
    console_.Error(absl::StrFormat("%-8s", stage.name), TextOf(*stage.nanos), "\n");
  }
  is_shown_ = true;
}

// Five lines up, and all below.
void FeedTable::Clear() {
  if (is_shown_) console_.Error("\x1b[5A\x1b[J");
  is_shown_ = false;
}

}  // namespace tools
