#include "engine/gateway/flow/flow.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/kinds.h"
#include "engine/messages/names.h"
#include "engine/messages/note_codec.h"
#include "engine/types/market_definition.h"
#include "engine/types/note.h"
#include "engine/types/order_flags.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

constexpr int64_t kRestOnFullDisk = 1'000'000'000;
constexpr char kNoteNamespace[] = "venue.flow";
constexpr uint16_t kNoteVersion = 1;

// From `from` to `to` at the pace, in nanoseconds; no more than fits a time of today.
int64_t Scaled(Timestamp from, Timestamp to, std::optional<double> pace) {
  constexpr double kMost = 4.6e18;
  const auto nanos = static_cast<double>(static_cast<__int128>(to.nanos()) - from.nanos());
  return static_cast<int64_t>(std::clamp(nanos / pace.value_or(1), -kMost, kMost));
}

}  // namespace

uint64_t FlowCounts::refused_in_all() const {
  uint64_t sum = 0;
  for (const auto& [reason, count] : refused) sum += count;
  return sum;
}

Flow::Flow(FlowOptions options, FlowSource& source, Venue& venue)
    : options_(std::move(options)),
      market_(options_.terms.venue().id),
      source_(source),
      venue_(venue),
      number_(venue.Add(*this)) {}

absl::Status Flow::Start() {
  CancelLater(/*mass_cancel=*/nullptr);
  const std::string pace =
      options_.pace.has_value() ? absl::StrCat("pace ", *options_.pace) : "the highest pace";
  return SubmitNote(absl::StrCat("begins: ", options_.name, ", ", pace));
}

absl::Status Flow::Act(SteadyTime now, Timestamp time, absl::FunctionRef<bool()> has_room) {
  for (size_t i = 0; i < kCommandsOfTurn && next_time() <= now && has_room(); ++i) {
    const absl::StatusOr<bool> done = Step(now, time);
    if (absl::IsResourceExhausted(done.status())) {
      rests_until_ = now + kRestOnFullDisk;
      return absl::OkStatus();
    }
    RETURN_IF_ERROR(done.status());
    if (!*done) break;
  }
  // The rest of the source's commands may come while the loop waits.
  if (waits_for_source_ && !has_ended_) return HasCommand().status();
  return absl::OkStatus();
}

SteadyTime Flow::next_time() const {
  if (has_ended_) return SteadyTime::Max();
  SteadyTime next;
  if (to_cancel_.empty() && next_ == commands_.size() && waits_for_source_) {
    return SteadyTime::Max();
  }
  if (to_cancel_.empty() && next_ != commands_.size()) next = DueTime(commands_[next_]);
  return std::max(next, rests_until_);
}

// A binary market never opens again.
bool Flow::IsOver() const {
  return options_.terms.venue().kind == MarketKind::kBinary &&
         venue_.memory().IsDone(market_, CommandKind::kCloseMarket);
}

absl::StatusOr<bool> Flow::Step(SteadyTime now, Timestamp time) {
  if (IsOver()) {
    RETURN_IF_ERROR(End(absl::FailedPreconditionError("its market is closed")));
    return false;
  }
  if (!to_cancel_.empty()) {
    RETURN_IF_ERROR(CancelNext());
    return true;
  }
  ASSIGN_OR_RETURN(const bool has_command, HasCommand());
  if (!has_command) return !has_ended_ && !waits_for_source_;
  const Command& command = commands_[next_];
  if (!first_time_.has_value()) {
    first_time_ = command.timestamp;
    began_ = now;
  }
  const SteadyTime due = DueTime(command);
  if (due > now) return false;
  RETURN_IF_ERROR(Enter(command, time));
  if (options_.pace.has_value()) {
    counts_.late_nanos_max = std::max(counts_.late_nanos_max, now - due);
  }
  ++next_;
  ++counts_.commands;
  return true;
}

absl::StatusOr<bool> Flow::HasCommand() {
  if (next_ != commands_.size()) return true;
  commands_.clear();
  next_ = 0;
  const absl::StatusOr<FlowSource::State> state = source_.Take(commands_);
  if (!state.ok()) {
    RETURN_IF_ERROR(End(state.status()));
    return false;
  }
  waits_for_source_ = *state == FlowSource::State::kLater;
  if (*state != FlowSource::State::kEnd) return !commands_.empty();
  // An endless flow of nothing would keep the venue busy.
  if (counts_.rounds == options_.rounds || !first_time_.has_value()) {
    RETURN_IF_ERROR(End(absl::OkStatus()));
    return false;
  }
  ++counts_.rounds;
  first_time_.reset();
  here_.clear();
  CancelLater(/*mass_cancel=*/nullptr);
  source_.BeginAgain();
  return false;
}

SteadyTime Flow::DueTime(const Command& command) const {
  if (!options_.pace.has_value() || !first_time_.has_value()) return SteadyTime();
  return began_ + Scaled(*first_time_, command.timestamp, options_.pace);
}

absl::Status Flow::Enter(const Command& command, Timestamp time) {
  if (CancelsOneByOne(command)) {
    CancelLater(&command);
    ++counts_.entered;
    return absl::OkStatus();
  }
  const std::optional<Command> entered = Translate(command, time);
  if (!entered.has_value()) return absl::OkStatus();
  submitting_ = &command;
  const absl::Status submitted = Submit(*entered);
  submitting_ = nullptr;
  RETURN_IF_ERROR(submitted);
  ++counts_.entered;
  // The order is still there: later commands name it by its new number.
  if (refusal_.has_value() && command.kind == CommandKind::kReplace) {
    if (const auto found = live_.find(entered->order_id); found != live_.end()) {
      here_.erase(found->second.source);
      found->second.source = OrderIdOf(command.sequence);
      here_[found->second.source] = found->first;
    }
  }
  return absl::OkStatus();
}

// Nullopt: it is counted, and not entered.
std::optional<Command> Flow::Translate(const Command& command, Timestamp time) {
  std::optional<Command> entered = options_.terms.Map(command);
  const AccountId account(options_.first_account.value() + command.account.value());
  if (!entered.has_value() || !options_.accounts.contains(account)) {
    ++counts_.unfit;
    return std::nullopt;
  }
  entered->sequence = {};
  entered->timestamp = {};
  entered->account = account;
  // A venue remembers the ids of its clients for good; groups are not entered.
  entered->client_order_id = {};
  entered->set_group({});
  if (command.kind == CommandKind::kNewOrder) {
    entered->order_id = {};
    if (command.tif == TimeInForce::kGoodTillTime) {
      entered->set_expires_at(ExpiryHere(command, command.expires_at(), time));
    }
    // Orders of account zero trade with each other.
    if (command.account == AccountId()) {
      entered->flags = entered->flags.WithSelfTradePrevention(SelfTradePrevention::kNone);
    }
  } else if (NamesAnOrder(command.kind) && command.order_id != OrderId()) {
    const auto found = here_.find(command.order_id);
    if (found == here_.end()) {
      ++counts_.gone;
      return std::nullopt;
    }
    entered->order_id = found->second;
  }
  if (command.kind == CommandKind::kSetExpiry && command.new_expiry() != Timestamp()) {
    entered->set_new_expiry(ExpiryHere(command, command.new_expiry(), time));
  }
  return entered;
}

// It stays as far away as it was, at the pace.
Timestamp Flow::ExpiryHere(const Command& command, Timestamp expiry, Timestamp time) const {
  const int64_t ahead = Scaled(command.timestamp, expiry, options_.pace);
  return Timestamp::FromNanos(time.nanos() + std::max<int64_t>(ahead, 1));
}

// Account zero cancels the orders of all, also of the venue's clients; and groups are not entered.
bool Flow::CancelsOneByOne(const Command& command) const {
  if (command.kind != CommandKind::kMassCancel) return false;
  return command.account == AccountId() || command.group() != GroupId();
}

void Flow::CancelLater(const Command* mass_cancel) {
  std::vector<OrderId> matching;
  for (const auto& [id, order] : live_) {
    if (mass_cancel != nullptr) {
      const AccountId account(options_.first_account.value() + mass_cancel->account.value());
      if (mass_cancel->account != AccountId() && order.account != account) continue;
      if (mass_cancel->side != Side() && order.side != mass_cancel->side) continue;
      if (mass_cancel->group() != GroupId() && order.group != mass_cancel->group()) continue;
    }
    matching.push_back(id);
  }
  std::ranges::sort(matching);  // The order in the table is that of addresses.
  to_cancel_.insert(to_cancel_.end(), matching.begin(), matching.end());
}

absl::Status Flow::CancelNext() {
  if (const auto found = live_.find(to_cancel_.front()); found != live_.end()) {
    Command cancel;
    cancel.kind = CommandKind::kCancel;
    cancel.market = market_;
    cancel.account = found->second.account;
    cancel.order_id = found->first;
    RETURN_IF_ERROR(Submit(cancel));
  }
  to_cancel_.pop_front();
  return absl::OkStatus();
}

absl::Status Flow::Submit(const Command& command) {
  refusal_.reset();
  RETURN_IF_ERROR(venue_.Submit(command, {}, {.gateway = number_}).status());
  if (refusal_.has_value()) ++counts_.refused[*refusal_];
  return absl::OkStatus();
}

absl::Status Flow::SubmitNote(absl::string_view text) {
  const Bytes bytes = AsBytes(text).first(std::min(text.size(), kNoteBytesMax));
  Command note;
  note.kind = CommandKind::kNote;
  note.market = market_;
  const absl::Status noted = venue_
                                 .Submit(note,
                                         EncodeNote({.name_space = kNoteNamespace,
                                                     .version = kNoteVersion,
                                                     .bytes = {bytes.begin(), bytes.end()}}),
                                         {.gateway = number_})
                                 .status();
  return absl::IsResourceExhausted(noted) ? absl::OkStatus() : noted;
}

absl::Status Flow::End(const absl::Status& why) {
  has_ended_ = true;
  status_ = why;
  return SubmitNote(absl::StrCat(
      "ends: ", options_.name, ", commands=", counts_.commands, " entered=", counts_.entered,
      " refused=", counts_.refused_in_all(), " gone=", counts_.gone, " unfit=", counts_.unfit,
      why.ok() ? "" : absl::StrCat(", ", why.message())));
}

void Flow::Fold(const Command& command, std::span<const Event> events, bool is_own) {
  if (is_own && events.back().kind == EventKind::kRejected) {
    refusal_ = events.back().reject_reason();
  }
  std::optional<Arriving> arriving;
  for (const Event& event : events) {
    if (event.market == market_) FoldEvent(event, arriving);
  }
  if (!arriving.has_value()) return;
  if (arriving->remaining.is_zero()) return Remove(arriving->id);
  LiveOrder& order = arriving->order;
  if (is_own && submitting_ != nullptr && command.kind != CommandKind::kAmend) {
    if (command.kind == CommandKind::kNewOrder) order.group = submitting_->group();
    order.source = OrderIdOf(submitting_->sequence);
  }
  Add(arriving->id, order);
}

void Flow::FoldEvent(const Event& event, std::optional<Arriving>& arriving) {
  switch (event.kind) {
    case EventKind::kAccepted:
      if (!options_.accounts.contains(event.account)) return;
      arriving = {
          .id = event.order_id,
          .remaining = event.quantity_remaining,
          .order = {.source = {}, .account = event.account, .side = event.side, .group = {}}};
      return;
    case EventKind::kReplaced:
    case EventKind::kAmended: {
      const bool is_replaced = event.kind == EventKind::kReplaced;
      const OrderId before = is_replaced ? event.counter_order_id : event.order_id;
      const auto found = live_.find(before);
      if (found == live_.end()) return;
      arriving = {
          .id = event.order_id, .remaining = event.quantity_remaining, .order = found->second};
      if (is_replaced) Remove(before);
      return;
    }
    case EventKind::kTrade:
      if (event.quantity_remaining.is_zero()) Remove(event.order_id);
      if (arriving.has_value() && arriving->id == event.counter_order_id) {
        arriving->remaining -= std::min(arriving->remaining, event.quantity);
      }
      return;
    case EventKind::kCancelled:
      Remove(event.order_id);
      if (arriving.has_value() && arriving->id == event.order_id) arriving->remaining = {};
      return;
    default:
      return;
  }
}

void Flow::Add(OrderId id, const LiveOrder& order) {
  live_[id] = order;
  if (order.source != OrderId()) here_[order.source] = id;
}

void Flow::Remove(OrderId id) {
  const auto found = live_.find(id);
  if (found == live_.end()) return;
  // After a round's end, a number of the source may be that of another order.
  const auto here = here_.find(found->second.source);
  if (here != here_.end() && here->second == id) here_.erase(here);
  live_.erase(found);
}

}  // namespace engine
