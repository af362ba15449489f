#include "tools/cli/travel/travel_session.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/market_directory.h"
#include "engine/state/resting_order.h"
#include "engine/types/side.h"
#include "replay/exchange_state.h"
#include "tools/cli/read/selector.h"

namespace tools {
namespace {

using engine::Command;
using engine::Event;
using engine::MarketDefinition;
using engine::SequenceNumber;

// Takes a few milliseconds.
constexpr uint64_t kRecordsPerCall = 8192;

uint64_t OrderCount(const replay::Machine& machine, engine::MarketId market) {
  const replay::ExchangeState* const exchange = replay::FindExchange(machine);
  if (exchange == nullptr) return 0;
  uint64_t count = 0;
  for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
    exchange->VisitOrders(market, side, [&](const engine::RestingOrder&) { ++count; });
  }
  return count;
}

}  // namespace

TravelSession::TravelSession(std::string path, journal::Reader& travel_reader,
                             journal::Reader& position_reader, replay::TravelOptions options)
    : path_(std::move(path)),
      position_reader_(position_reader),
      travel_(travel_reader, std::move(options)) {}

bool TravelSession::Continues(SequenceNumber at, SequenceNumber until, bool is_search) {
  if (++record_count_ % kRecordsPerCall != 0 || should_continue_ == nullptr) return true;
  is_stopped_ = !should_continue_(at, until, is_search);
  return !is_stopped_;
}

void TravelSession::OnCommand(const Command& command, std::span<const Event> events) {
  if (watched_.has_value()) watched_->OnCommand(command, events);
}

absl::Status TravelSession::Stopped() {
  is_stopped_ = false;
  return absl::CancelledError(absl::StrCat("stopped at @", position().value()));
}

void TravelSession::ChooseBusiestMarket() {
  if (market_.has_value()) return;
  uint64_t most = 0;
  for (const auto& [id, definition] : MarketsOf(travel_.machine()).all()) {
    const uint64_t count = OrderCount(travel_.machine(), id);
    if (market_.has_value() && count <= most) continue;
    market_ = id;
    most = count;
  }
}

absl::Status TravelSession::GoTo(SequenceNumber target) {
  const SequenceNumber replay_from = watched_.has_value() ? watched_->MissingFrom(target) : target;
  RETURN_IF_ERROR(travel_.GoTo(target, replay_from,
                               [&](const Command& command, bool, std::span<const Event> events) {
                                 OnCommand(command, events);
                                 return Continues(command.sequence, target, false);
                               }));
  ChooseBusiestMarket();
  return is_stopped_ ? Stopped() : absl::OkStatus();
}

absl::Status TravelSession::Step(int64_t by) {
  const SequenceNumber end = by < 0 ? travel_.oldest() : travel_.last();
  if (position() == end) {
    return absl::OutOfRangeError(by < 0 ? "nothing is known before this" : "this is the end");
  }
  const uint64_t left = by < 0 ? position() - end : end - position();
  const uint64_t count = std::min<uint64_t>(left, static_cast<uint64_t>(by < 0 ? -by : by));
  return GoTo(by < 0 ? position() - count : position() + count);
}

absl::Status TravelSession::Seek(absl::string_view text) {
  ASSIGN_OR_RETURN(const Position parsed, ParsePosition(absl::StripAsciiWhitespace(text)));
  if (parsed.kind == Position::Kind::kSequence) return GoTo(SequenceNumber(parsed.number));
  ASSIGN_OR_RETURN(const SequenceNumber target, Resolve(parsed, position_reader_));
  return GoTo(target);
}

absl::Status TravelSession::SeekFirst() { return GoTo(travel_.oldest()); }
absl::Status TravelSession::SeekLast() { return GoTo(travel_.last()); }

absl::Status TravelSession::Find(Direction direction, Matches matches, absl::string_view what) {
  return direction == Direction::kForward ? FindForward(matches, what) : FindBack(matches, what);
}

absl::Status TravelSession::FindForward(Matches matches, absl::string_view what) {
  const SequenceNumber from = position();
  bool is_found = false;
  RETURN_IF_ERROR(travel_.Run(travel_.last(), [&](const Command& command, bool has_attachment,
                                                  std::span<const Event> events) {
    OnCommand(command, events);
    is_found = matches(command, has_attachment, events);
    return !is_found && Continues(command.sequence, travel_.last(), true);
  }));
  ChooseBusiestMarket();
  if (is_stopped_) return Stopped();
  if (is_found) return absl::OkStatus();
  RETURN_IF_ERROR(GoTo(from));
  return absl::NotFoundError(absl::StrCat("no later ", what));
}

// Searches segments backwards, each from a restored state to the previous one's start; in each, the
// last match counts.
absl::Status TravelSession::FindBack(Matches matches, absl::string_view what) {
  const SequenceNumber from = position();
  SequenceNumber upper = from;
  while (upper > travel_.oldest().Next()) {
    const SequenceNumber last = upper - 1;
    RETURN_IF_ERROR(travel_.Restore(last - 1));
    const SequenceNumber first = position();
    SequenceNumber found;
    RETURN_IF_ERROR(travel_.Run(
        last, [&](const Command& command, bool has_attachment, std::span<const Event> events) {
          if (matches(command, has_attachment, events)) found = command.sequence;
          return Continues(command.sequence, last, true);
        }));
    if (is_stopped_) return Stopped();
    if (found != SequenceNumber()) return GoTo(found);
    upper = first.Next();
  }
  RETURN_IF_ERROR(GoTo(from));
  return absl::NotFoundError(absl::StrCat("no earlier ", what));
}

absl::Status TravelSession::FindTrade(Direction direction) {
  if (!market_.has_value()) return absl::NotFoundError("no market is defined yet");
  const auto trades = [&](const Command&, bool, std::span<const Event> events) {
    return std::any_of(events.begin(), events.end(), [&](const Event& event) {
      return event.kind == engine::EventKind::kTrade && event.market == *market_;
    });
  };
  return Find(direction, trades, "trade in this market");
}

absl::Status TravelSession::FindMarketCommand(Direction direction) {
  if (!market_.has_value()) return absl::NotFoundError("no market is defined yet");
  const auto is_to_it = [&](const Command& command, bool, std::span<const Event>) {
    return command.market == *market_;
  };
  return Find(direction, is_to_it, "command to this market");
}

absl::Status TravelSession::FindOrderEvent(Direction direction) {
  if (!watched_.has_value()) return absl::NotFoundError("no order is watched; o watches one");
  const auto known = direction == Direction::kForward ? watched_->EventAfter(position())
                                                      : watched_->EventBefore(position());
  if (known.has_value()) return GoTo(*known);
  const std::string what = absl::StrCat("event of order ", watched_->order().value());
  if (direction == Direction::kBack) return absl::NotFoundError(absl::StrCat("no earlier ", what));
  if (watched_->has_ended()) return absl::NotFoundError(absl::StrCat("no later ", what));
  return FindForward(
      [&](const Command& command, bool, std::span<const Event>) {
        return watched_->EventAfter(command.sequence - 1).has_value();
      },
      what);
}

absl::Status TravelSession::SetWhere(absl::string_view expression) {
  ASSIGN_OR_RETURN(where_, Where::Parse(expression));
  where_text_ = std::string(expression);
  return absl::OkStatus();
}

absl::Status TravelSession::FindWhere(Direction direction) {
  if (where_text_.empty()) return absl::NotFoundError("nothing to search for yet; / asks for it");
  const auto matches = [&](const Command& command, bool has_attachment, std::span<const Event>) {
    return where_.Matches(command, has_attachment, MarketsOf(travel_.machine()));
  };
  return Find(direction, matches, absl::StrCat("command where ", where_text_));
}

absl::Status TravelSession::WatchOrder(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  if (text.empty()) {
    watched_.reset();
    return absl::OkStatus();
  }
  uint64_t id = 0;
  if (!engine::ParseInteger(absl::StripPrefix(text, "@"), id) || id == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is not an order's number; expected e.g. 4711"));
  }
  if (id > travel_.last().value() || id <= travel_.oldest().value()) {
    return absl::OutOfRangeError(absl::StrCat("order ", id, " would have come with command @", id,
                                              "; known are @", travel_.oldest().value() + 1,
                                              " to @", travel_.last().value()));
  }
  watched_.emplace(engine::OrderId(id), travel_.oldest());
  level_choice_.FollowOrder();
  // Replays from the order's command, so that its events up to here are heard.
  return GoTo(position());
}

absl::Status TravelSession::ChooseMarket(absl::string_view text) {
  const engine::MarketDirectory& markets = MarketsOf(travel_.machine());
  text = absl::StripAsciiWhitespace(text);
  uint32_t id = 0;
  const MarketDefinition* market =
      absl::StartsWith(text, "#") && engine::ParseInteger(text.substr(1), id)
          ? markets.Find(engine::MarketId(id))
          : markets.FindSymbol(text);
  if (market == nullptr) {
    return absl::NotFoundError(absl::StrCat("no market '", text, "' is defined up to here"));
  }
  market_ = market->id;
  level_choice_ = LevelChoice();
  return absl::OkStatus();
}

absl::Status TravelSession::NextMarket(Direction direction) {
  const auto& all = MarketsOf(travel_.machine()).all();
  if (all.empty()) return absl::NotFoundError("no market is defined yet");
  auto next = all.end();
  if (direction == Direction::kForward) {
    next = market_.has_value() ? all.upper_bound(*market_) : all.begin();
    if (next == all.end()) next = all.begin();
  } else {
    next = market_.has_value() ? all.lower_bound(*market_) : all.end();
    next = std::prev(next == all.begin() ? all.end() : next);
  }
  market_ = next->first;
  level_choice_ = LevelChoice();
  return absl::OkStatus();
}

TravelView TravelSession::View(const TravelViewLimits& limits) const {
  TravelView view = DescribePlace(travel_, {.market = market_.value_or(engine::MarketId()),
                                            .level = level_choice_,
                                            .watched = watched_.has_value() ? &*watched_ : nullptr,
                                            .limits = limits});
  view.path = path_;
  view.where = where_text_;
  return view;
}

}  // namespace tools
