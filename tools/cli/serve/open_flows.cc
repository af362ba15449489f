#include "tools/cli/serve/open_flows.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/flow/flow_terms.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/read/find_market.h"
#include "tools/cli/serve/flow_reading.h"

namespace tools {
namespace {

constexpr size_t kAccountsMax = 10'000;  // Of a flow.

// What a source has of a flow.
struct Survey {
  engine::MarketDefinition market = {};
  uint64_t commands = 0;
  uint64_t unfit = 0;
  std::optional<engine::Command> first_unfit = {};
  std::set<engine::AccountId> accounts = {};
  engine::Timestamp first;
  engine::Timestamp last;
};

// Finds the market once it is defined. Null: it is not, yet.
const engine::MarketDefinition* FindMarket(const FlowReading& reading, const std::string& words) {
  const std::optional<engine::MarketId> id = reading.markets().ParseMarket(words);
  return id.has_value() ? reading.markets().Find(*id) : nullptr;
}

class Surveyor {
 public:
  Surveyor(const FlowConfig& config, const engine::MarketDefinition& venue)
      : config_(config), venue_(venue) {}

  absl::StatusOr<Survey> Read(Console& console) {
    ASSIGN_OR_RETURN(const std::unique_ptr<FlowReading> reading,
                     FlowReading::Open(config_.source, config_.range, FlowReading::Markets::kAll));
    Progress progress(console, "read the flow", "done", reading->total());
    bool more = true;
    while (more) {
      ASSIGN_OR_RETURN(more, reading->Next([&](const engine::Command& command) {
        if (engine::InfoOf(command.kind).scope == engine::Scope::kOrders) Take(*reading, command);
      }));
      progress.Show(reading->done());
    }
    RETURN_IF_ERROR(Check(*reading));
    return std::move(survey_);
  }

 private:
  void Take(const FlowReading& reading, const engine::Command& command) {
    if (!terms_.has_value()) {
      const engine::MarketDefinition* const found = FindMarket(reading, config_.from_market);
      if (found == nullptr) return;
      survey_.market = *found;
      terms_.emplace(*found, venue_, config_.line);
      terms_there_.emplace(*found, *found, std::nullopt);
    }
    if (!IsAboutOrdersOf(survey_.market.id, command)) return;
    if (survey_.commands++ == 0) survey_.first = command.timestamp;
    survey_.last = command.timestamp;
    const bool is_operators =
        command.kind == engine::CommandKind::kMassCancel && command.account == engine::AccountId();
    if (!is_operators && survey_.accounts.size() <= kAccountsMax) {
      survey_.accounts.insert(command.account);
    }
    // What fits nowhere was refused there, too.
    if (terms_->Map(command).has_value() || !terms_there_->Map(command).has_value()) return;
    if (survey_.unfit++ == 0) survey_.first_unfit = command;
  }

  absl::Status Check(const FlowReading& reading) const {
    if (FindMarket(reading, config_.from_market) == nullptr) {
      return absl::NotFoundError(
          absl::StrCat(config_.source, " has no market '", config_.from_market,
                       "' (from_market) among its ", WithCommas(reading.markets().all().size()),
                       NearestMarketHint(config_.from_market, reading.markets())));
    }
    if (survey_.commands == 0) {
      return absl::FailedPreconditionError(
          absl::StrCat(config_.source, " has no command about orders of ", config_.from_market,
                       config_.range.empty() ? "" : absl::StrCat(" in the range ", config_.range)));
    }
    if (survey_.accounts.size() > kAccountsMax) {
      return absl::FailedPreconditionError(absl::StrCat(config_.source, " has orders of more than ",
                                                        WithCommas(kAccountsMax), " accounts in ",
                                                        config_.from_market));
    }
    if (survey_.unfit == 0 || config_.leaves_out) return absl::OkStatus();
    return absl::FailedPreconditionError(Unfit());
  }

  std::string Unfit() const {
    const engine::Command& first = *survey_.first_unfit;
    const auto price = [&](engine::Price value) {
      return engine::FormatPrice(value, venue_.price_decimals);
    };
    return absl::StrCat(
        WithCommas(survey_.unfit), " of ", Counted(survey_.commands, "command"), " do not fit, ",
        "the first @", first.sequence.value(), " (", engine::NameOf(first.kind),
        " price=", engine::FormatPrice(first.price, survey_.market.price_decimals),
        " quantity=", engine::FormatQuantity(first.quantity, survey_.market.quantity_decimals),
        "): the market has prices from ", price(venue_.price_min), " to ", price(venue_.price_max),
        ", the tick ", price(venue_.tick), ", and the lot ",
        engine::FormatQuantity(venue_.lot, venue_.quantity_decimals),
        "; give price_factor and price_offset, or leave_out to leave them out");
  }

  const FlowConfig& config_;
  const engine::MarketDefinition& venue_;
  // Once the market is found.
  std::optional<engine::FlowTerms> terms_;
  std::optional<engine::FlowTerms> terms_there_;  // Of the source's market itself.
  Survey survey_;
};

// Adds the accounts of flows to those of a venue. Flows may share them.
class FlowAccounts {
 public:
  explicit FlowAccounts(VenueConfig& venue) : venue_(venue), left_(engine::kMoneyMax) {
    for (const AccountConfig& account : venue.accounts) {
      taken_.insert(account.id);
      left_ -= account.money;
    }
  }

  absl::Status Add(const FlowConfig& flow, engine::Money money,
                   const std::set<engine::AccountId>& of_source, engine::FlowOptions& options) {
    const uint64_t first = flow.first_account.value();
    for (const engine::AccountId account : of_source) {
      const engine::AccountId here(static_cast<uint32_t>(first + account.value()));
      if (first + account.value() > UINT32_MAX || taken_.contains(here)) {
        return absl::FailedPreconditionError(absl::StrCat(
            "account ", account.value(), " of the source would be ", first + account.value(),
            " here, which is ", taken_.contains(here) ? "an account of the venue" : "too high",
            "; give another first_account"));
      }
      options.accounts.insert(here);
      // Account zero is never open.
      if (here != engine::AccountId()) RETURN_IF_ERROR(AddOne(here, money));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status AddOne(engine::AccountId account, engine::Money money) {
    const auto [place, is_new] = places_.try_emplace(account, venue_.accounts.size());
    if (is_new) venue_.accounts.push_back({.id = account});
    engine::Money& has = venue_.accounts[place->second].money;
    if (money <= has) return absl::OkStatus();
    left_ -= money - has;
    if (left_ < engine::Money()) {
      return absl::FailedPreconditionError(
          "money: the accounts of the venue would have more than 100000000000 dollars together");
    }
    has = money;
    return absl::OkStatus();
  }

  VenueConfig& venue_;
  engine::Money left_;
  std::set<engine::AccountId> taken_;
  std::map<engine::AccountId, size_t> places_;  // In the accounts of the venue.
};

std::string PaceOf(const engine::FlowOptions& options) {
  if (!options.pace.has_value()) return "the highest pace";
  return *options.pace == 1 ? "the recorded pace" : absl::StrCat("pace ", *options.pace);
}

absl::StatusOr<OpenedFlow> OpenFlow(const FlowConfig& config,
                                    const engine::MarketDefinition& market, FlowAccounts& accounts,
                                    engine::Doorbell& venue, Console& console) {
  ASSIGN_OR_RETURN(const Survey survey, Surveyor(config, market).Read(console));
  OpenedFlow flow = {.options = {.name = absl::StrCat(market.symbol, " from ", survey.market.symbol,
                                                      " of ", config.source),
                                 .terms = {survey.market, market, config.line},
                                 .first_account = config.first_account,
                                 .pace = config.pace,
                                 .rounds = config.rounds},
                     .source = nullptr};
  const bool has_money = market.kind == engine::MarketKind::kBinary;
  RETURN_IF_ERROR(accounts.Add(config, has_money ? config.money : engine::Money(), survey.accounts,
                               flow.options));
  flow.source = std::make_unique<FlowReadAhead>(
      FlowPart{.path = config.source, .range = config.range, .market = survey.market.id}, venue);
  RETURN_IF_ERROR(flow.source->status());
  const auto seconds = static_cast<double>(survey.last.nanos() - survey.first.nanos()) * 1e-9;
  console.Note("flow: ", flow.options.name, ": ", Counted(survey.commands, "command"), " of ",
               HumanSeconds(seconds), ", ", Counted(survey.accounts.size(), "account"), ", at ",
               PaceOf(flow.options),
               survey.unfit == 0 ? "" : absl::StrCat(", without ", WithCommas(survey.unfit)));
  return flow;
}

std::string RefusalsOf(const engine::FlowCounts& counts) {
  std::string text;
  for (const auto& [reason, count] : counts.refused) {
    absl::StrAppend(&text, text.empty() ? " (" : ", ", engine::NameOf(reason), " ",
                    WithCommas(count));
  }
  return text.empty() ? "" : absl::StrCat(text, ")");
}

}  // namespace

absl::StatusOr<std::vector<OpenedFlow>> OpenFlows(VenueConfig& config, engine::Doorbell& venue,
                                                  Console& console) {
  std::vector<OpenedFlow> flows;
  FlowAccounts accounts(config);
  for (const FlowConfig& flow : config.flows) {
    for (const MarketConfig& market : config.markets) {
      if (market.definition.id != flow.market) continue;
      auto opened = OpenFlow(flow, market.definition, accounts, venue, console);
      if (!opened.ok()) {
        return absl::Status(opened.status().code(),
                            absl::StrCat("the flow of ", market.definition.symbol, ": ",
                                         opened.status().message()));
      }
      flows.push_back(*std::move(opened));
    }
  }
  return flows;
}

void PrintFlow(const engine::Flow& flow, Console& console) {
  const engine::FlowCounts& counts = flow.counts();
  if (console.json()) {
    JsonObject json("ticktape.flow/1");
    json.Field("name", flow.options().name);
    json.Field("ended", flow.has_ended());
    if (!flow.status().ok()) json.Field("error", flow.status().message());
    json.Field("rounds", counts.rounds);
    json.Field("commands", counts.commands);
    json.Field("entered", counts.entered);
    json.Field("refused", counts.refused_in_all());
    json.Field("gone", counts.gone);
    json.Field("unfit", counts.unfit);
    json.Field("late_nanos_max", counts.late_nanos_max);
    console.PrintLine(json.Take());
    return console.Flush();
  }
  console.Note(
      "flow: ", flow.options().name, flow.has_ended() ? " has ended" : " is not at its end",
      flow.status().ok() ? "" : absl::StrCat(" early: ", flow.status().message()), ": ",
      Counted(counts.commands, "command"), ", ", WithCommas(counts.entered), " entered, ",
      WithCommas(counts.refused_in_all()), " refused", RefusalsOf(counts), ", ",
      WithCommas(counts.gone), " of orders that are gone, ", WithCommas(counts.unfit),
      " did not fit; at most ", HumanNanos(static_cast<uint64_t>(counts.late_nanos_max)), " late");
}

}  // namespace tools
