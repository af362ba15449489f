// ticktape inspect: the exchange as it stood at a position, by replaying up to there.

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"
#include "replay/engines.h"
#include "replay/state_source.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/replay/inspect_report.h"
#include "tools/cli/replay/inspection.h"
#include "tools/cli/replay/verbs.h"
#include "tools/cli/snapshot/snapshot_folder.h"

namespace tools {
namespace {

using engine::MarketDefinition;

class InspectVerb final : public Verb {
 public:
  const char* name() const override { return "inspect"; }
  const char* summary() const override {
    return "Show book, order or queue as they stood at a position";
  }
  const char* examples() const override {
    return "  ticktape inspect a.tape\n"
           "  ticktape inspect a.tape @50000 --market AAPL --depth 5\n"
           "  ticktape inspect a.tape @2020-01-30T09:30:00Z --order 4711\n"
           "  ticktape inspect a.tape @order:4711 --market AAPL --queue bid@320.14\n"
           "\n"
           "Replays from the start up to and including the position, by default the last record.\n"
           "Shows what that command did, then a book: of the market that is named, else of the\n"
           "order's, else of that command's, else, and without a position, of the busiest.";
  }
  void Declare(CLI::App& app) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<engine::SequenceNumber> ResolvePosition(journal::Reader& reader) const;
  absl::StatusOr<std::optional<engine::OrderId>> ParseOrder() const;
  absl::StatusOr<const MarketDefinition*> ChooseMarket(const Inspection& inspection) const;
  absl::StatusOr<InspectTopic> ChooseTopic(const Inspection& inspection) const;

  std::string path_;
  std::optional<std::string> position_;  // Without: the last record.
  std::string market_;
  std::string queue_;
  std::optional<std::string> order_;
  size_t depth_ = 10;
};

void InspectVerb::Declare(CLI::App& app) {
  app.add_option("journal", path_, "The journal's folder")->required()->type_name("JOURNAL");
  app.add_option("position", position_, "Up to and including this record")->type_name("POSITION");
  app.add_option("--market", market_, "Which book: a symbol, or a market's number such as #7")
      ->type_name("SYMBOL");
  app.add_option("--depth", depth_, "Price levels of each side")
      ->type_name("COUNT")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000).description(""));
  app.add_option("--order", order_, "Also the whole life of this order, and its place in the queue")
      ->type_name("ID");
  app.add_option("--queue", queue_, "Instead of the book, who waits at that price")
      ->type_name("bid|ask@PRICE");
}

absl::StatusOr<engine::SequenceNumber> InspectVerb::ResolvePosition(journal::Reader& reader) const {
  ASSIGN_OR_RETURN(const Position position, ParsePosition(position_.value_or("@-1")));
  return Resolve(position, reader);
}

// As a position, because an order's number is the sequence of its command.
absl::StatusOr<std::optional<engine::OrderId>> InspectVerb::ParseOrder() const {
  if (!order_.has_value()) return std::nullopt;
  const auto position = ParsePosition(*order_);
  if (!position.ok() || position->kind != Position::Kind::kSequence) {
    return absl::InvalidArgumentError(
        absl::StrCat("--order '", *order_, "' is not an order's number; expected e.g. 4711"));
  }
  return engine::OrderId(position->number);
}

// What there is instead of a market that there is not.
absl::Status NoSuchMarket(absl::string_view name, const engine::MarketDirectory& markets) {
  constexpr size_t kShown = 8;
  std::vector<std::string> symbols;
  for (const auto& [id, market] : markets.all()) {
    if (symbols.size() == kShown) break;
    symbols.push_back(market.symbol);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "no market '", name, "' is defined up to there; ",
      symbols.empty() ? "none is"
                      : absl::StrCat("there ", markets.all().size() == 1 ? "is " : "are ",
                                     absl::StrJoin(symbols, ", "),
                                     markets.all().size() > kShown ? ", ..." : "")));
}

absl::StatusOr<const MarketDefinition*> InspectVerb::ChooseMarket(
    const Inspection& inspection) const {
  const engine::MarketDirectory& markets = inspection.markets.markets();
  if (!market_.empty()) {
    uint32_t id = 0;
    const MarketDefinition* market =
        absl::StartsWith(market_, "#") && absl::SimpleAtoi(market_.substr(1), &id)
            ? markets.Find(engine::MarketId(id))
            : markets.FindSymbol(market_);
    if (market == nullptr) return NoSuchMarket(market_, markets);
    return market;
  }
  if (inspection.history.has_value() && !inspection.history->entries().empty()) {
    const auto* market = markets.Find(inspection.history->entries().front().event.market);
    if (market != nullptr) return market;
  }
  if (position_.has_value()) {
    const auto* market = markets.Find(inspection.command.market);
    if (market != nullptr) return market;
  }
  return inspection.BusiestMarket();
}

absl::StatusOr<InspectTopic> InspectVerb::ChooseTopic(const Inspection& inspection) const {
  InspectTopic topic{.path = path_, .depth = depth_};
  ASSIGN_OR_RETURN(topic.market, ChooseMarket(inspection));
  if (queue_.empty()) return topic;

  const std::pair<absl::string_view, absl::string_view> words =
      absl::StrSplit(queue_, absl::MaxSplits('@', 1));
  if (words.first != "bid" && words.first != "ask") {
    return absl::InvalidArgumentError(
        absl::StrCat("--queue '", queue_, "': expected a side and a price, e.g. bid@320.14"));
  }
  if (topic.market == nullptr) {
    return absl::InvalidArgumentError("--queue: no market is defined up to there");
  }
  const auto price = engine::ParsePrice(words.second, topic.market->price_decimals);
  if (!price.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--queue '", queue_, "': ", price.status().message(), "; expected e.g. bid@320.14"));
  }
  topic.queue = {words.first == "bid" ? engine::Side::kBid : engine::Side::kAsk, *price};
  return topic;
}

absl::StatusOr<ExitCode> InspectVerb::Run(Console& console) {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  ASSIGN_OR_RETURN(const engine::SequenceNumber position, ResolvePosition(*opened.reader));
  ASSIGN_OR_RETURN(const std::optional<engine::OrderId> order, ParseOrder());

  std::unique_ptr<Inspection> inspection;
  {
    Progress progress(console, "inspect", "records", position.value());
    // Of an order, everything is told, so everything is replayed if it is there.
    const bool is_whole = order.has_value() &&
                          opened.reader->info().first_sequence == engine::SequenceNumber::First();
    const engine::SequenceNumber before =
        is_whole || position == engine::SequenceNumber() ? engine::SequenceNumber() : position - 1;
    ASSIGN_OR_RETURN(replay::StartingPoint start,
                     StartFromSnapshot(
                         *opened.directory, opened.reader->info(), before,
                         [] { return replay::MakeEngine(replay::EngineKind::kFast); }, console));
    ASSIGN_OR_RETURN(inspection, Inspect(start, *opened.reader, position, order, progress));
  }
  ASSIGN_OR_RETURN(const InspectTopic topic, ChooseTopic(*inspection));
  if (console.json()) {
    PrintInspectionJson(console, *inspection, topic);
  } else {
    PrintInspection(console, *inspection, topic);
  }
  return ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeInspectVerb() { return std::make_unique<InspectVerb>(); }

}  // namespace tools
