#include "tools/cli/travel/travel_session.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/market_definition.h"
#include "tools/cli/base/time_zone.h"
#include "tools/cli/read/find_market.h"
#include "tools/cli/read/selector.h"

namespace tools {
namespace {

using engine::Command;
using engine::Event;
using engine::SequenceNumber;

using Events = std::span<const Event>;

// Takes a few milliseconds.
constexpr uint64_t kRecordsPerCall = 8192;

}  // namespace

bool TravelSession::Continues(SequenceNumber at, SequenceNumber until, bool is_search) {
  if (++record_count_ % kRecordsPerCall != 0 || should_continue_ == nullptr) return true;
  is_stopped_ = !should_continue_(at, until, is_search);
  return !is_stopped_;
}

absl::Status TravelSession::Stopped() {
  is_stopped_ = false;
  return absl::CancelledError(absl::StrCat("stopped at @", position().value()));
}

void TravelSession::ChooseMarketIfNone() {
  if (market_ == engine::MarketId()) market_ = MarketWithMostOrders(travel_.machine());
}

void TravelSession::ChooseMarketOfPlace(bool is_of_command) {
  const engine::MarketDirectory& markets = MarketsOf(travel_.machine());
  engine::MarketId market;
  if (watched_.has_value() && !watched_->entries().empty()) {
    market = watched_->entries().front().event.market;
  } else if (is_of_command) {
    market = travel_.command().market;
  }
  market_ = markets.Find(market) != nullptr ? market : MarketWithMostOrders(travel_.machine());
}

absl::Status TravelSession::GoTo(SequenceNumber target) {
  const SequenceNumber replay_from = watched_.has_value() ? watched_->MissingFrom(target) : target;
  RETURN_IF_ERROR(
      travel_.GoTo(target, replay_from, [&](const Command& command, bool, Events events) {
        if (watched_.has_value()) watched_->OnCommand(command, events);
        return Continues(command.sequence, target, /*is_search=*/false);
      }));
  ChooseMarketIfNone();
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
  ASSIGN_OR_RETURN(const std::string words, WithTimesInUtc(text, zone_));
  ASSIGN_OR_RETURN(const Position parsed, ParsePosition(MarkedPosition(words)));
  if (parsed.kind == Position::Kind::kSequence) return GoTo(SequenceNumber(parsed.number));
  ASSIGN_OR_RETURN(const SequenceNumber target, Resolve(parsed, travel_.BorrowReader()));
  return GoTo(target);
}

absl::Status TravelSession::SeekFirst() { return GoTo(travel_.oldest()); }
absl::Status TravelSession::SeekLast() { return GoTo(travel_.last()); }

absl::Status TravelSession::Find(Direction direction, Matches matches, absl::string_view what) {
  if (direction == Direction::kBack) return FindBack(matches, what);
  const SequenceNumber from = position();
  bool is_found = false;
  RETURN_IF_ERROR(
      travel_.Run(travel_.last(), [&](const Command& command, bool has_attachment, Events events) {
        if (watched_.has_value()) watched_->OnCommand(command, events);
        is_found = matches(command, has_attachment, events);
        return !is_found && Continues(command.sequence, travel_.last(), /*is_search=*/true);
      }));
  ChooseMarketIfNone();
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
    RETURN_IF_ERROR(
        travel_.Run(last, [&](const Command& command, bool has_attachment, Events events) {
          if (matches(command, has_attachment, events)) found = command.sequence;
          return Continues(command.sequence, last, /*is_search=*/true);
        }));
    if (is_stopped_) return Stopped();
    if (found != SequenceNumber()) return GoTo(found);
    upper = first.Next();
  }
  RETURN_IF_ERROR(GoTo(from));
  return absl::NotFoundError(absl::StrCat("no earlier ", what));
}

absl::Status TravelSession::FindTrade(Direction direction) {
  if (market_ == engine::MarketId()) return absl::NotFoundError("no market is defined yet");
  const auto trades = [&](const Command&, bool, Events events) {
    return std::any_of(events.begin(), events.end(), [&](const Event& event) {
      return event.kind == engine::EventKind::kTrade && event.market == market_;
    });
  };
  return Find(direction, trades, "trade in this market");
}

absl::Status TravelSession::FindMarketCommand(Direction direction) {
  if (market_ == engine::MarketId()) return absl::NotFoundError("no market is defined yet");
  const auto is_to_it = [&](const Command& command, bool, Events) {
    return command.market == market_;
  };
  return Find(direction, is_to_it, "command to this market");
}

absl::Status TravelSession::FindOrderEvent(Direction direction) {
  if (!watched_.has_value()) return absl::NotFoundError("no order is watched; o watches one");
  const std::string what = absl::StrCat("event of order ", watched_->order().value());
  const std::span<const engine::OrderHistory::Entry> known = watched_->entries();
  // The first event after this position; on the way back, the first that is not before it.
  const SequenceNumber from = direction == Direction::kBack ? position() : position().Next();
  const auto next = std::find_if(known.begin(), known.end(), [from](const auto& entry) {
    return entry.event.sequence >= from;
  });
  if (direction == Direction::kBack) {
    return next == known.begin() ? absl::NotFoundError(absl::StrCat("no earlier ", what))
                                 : GoTo(std::prev(next)->event.sequence);
  }
  if (next != known.end()) return GoTo(next->event.sequence);
  if (watched_->has_ended()) return absl::NotFoundError(absl::StrCat("no later ", what));
  const auto is_of_it = [&, count = known.size()](const Command&, bool, Events) {
    return watched_->entries().size() > count;
  };
  return Find(direction, is_of_it, what);
}

absl::Status TravelSession::SetWhere(absl::string_view expression) {
  ASSIGN_OR_RETURN(const std::string words, WithTimesInUtc(expression, zone_));
  ASSIGN_OR_RETURN(where_, engine::Filter::Parse(words));
  where_text_ = std::string(expression);
  return absl::OkStatus();
}

absl::Status TravelSession::FindWhere(Direction direction) {
  if (where_text_.empty()) return absl::NotFoundError("nothing to search for yet; / asks for it");
  const auto matches = [&](const Command& command, bool has_attachment, Events) {
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
  watched_.emplace(engine::OrderId(id));
  level_.follows_order = true;
  // Replays from the order's command, so that its events up to here are heard.
  return GoTo(position());
}

absl::Status TravelSession::ChooseMarket(absl::string_view text) {
  const engine::MarketDirectory& markets = MarketsOf(travel_.machine());
  text = absl::StripAsciiWhitespace(text);
  ASSIGN_OR_RETURN(const engine::MarketDefinition* const market,
                   FindMarket("market", text, markets));
  ChooseMarket(market->id);
  return absl::OkStatus();
}

void TravelSession::ChooseMarket(engine::MarketId market) {
  market_ = market;
  level_ = LevelChoice();
}

absl::Status TravelSession::NextMarket(Direction direction) {
  const auto& all = MarketsOf(travel_.machine()).all();
  if (all.empty()) return absl::NotFoundError("no market is defined yet");
  if (direction == Direction::kForward) {
    const auto next = all.upper_bound(market_);
    ChooseMarket(next == all.end() ? all.begin()->first : next->first);
  } else {
    const auto here = all.lower_bound(market_);
    ChooseMarket(std::prev(here == all.begin() ? all.end() : here)->first);
  }
  return absl::OkStatus();
}

}  // namespace tools
