#include "engine/gateway/kalshi/groups.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/gateway/kalshi/refusals.h"
#include "engine/messages/reject_reason.h"
#include "engine/views/page.h"
#include "engine/views/portfolio.h"
#include "engine/views/venue_memory.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/exchange_objects.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/order_replies.h"
#include "engine/wire/kalshi/public_id.h"

namespace engine {
namespace {

using kalshi::Count;
using kalshi::Result;

kalshi::OrderGroup ImageOf(const PortfolioGroup& group, const kalshi::PublicId& id) {
  return {
      .id = id.text(), .contracts_limit = Count::Of(group.limit), .is_auto_cancel_enabled = true};
}

KalshiReply NotFound() { return ReplyOf(kalshi::Error{kalshi::errors::kNotFound, {}}); }

}  // namespace

KalshiReply KalshiGroups::List(AccountId account) const {
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "order_groups");
  for (const auto& [number, group] : world_.views.portfolio().GroupsOf(account)) {
    const kalshi::PublicId id = world_.ids.Of(account, number);
    list.Add(ImageOf(group, id));
  }
  list.Finish();
  return reply;
}

KalshiReply KalshiGroups::Get(AccountId account, absl::string_view group_id) const {
  constexpr size_t kOrdersOfAnswer = 10'000;
  const std::optional<GroupId> number = world_.ids.GroupOf(account, group_id);
  const PortfolioGroup* const group =
      number.has_value() ? world_.views.portfolio().FindGroup(account, *number) : nullptr;
  if (group == nullptr) return NotFound();
  const Page<PortfolioOrder> page =
      world_.views.portfolio().OrdersOfGroup(account, *number, {.limit = kOrdersOfAnswer});
  std::vector<kalshi::PublicId> ids;
  for (const PortfolioOrder* const order : page.rows) ids.push_back(world_.ids.Of(order->id));
  std::vector<absl::string_view> texts;
  for (const kalshi::PublicId& id : ids) texts.push_back(id.text());
  const kalshi::PublicId id = world_.ids.Of(account, *number);
  return ReplyOf(200, kalshi::OrderGroupDetails{.group = ImageOf(*group, id), .order_ids = texts});
}

// As applied commands say: two requests that wait for the journal have different numbers.
Result<GroupId> KalshiGroups::NextOf(AccountId account) const {
  const VenueMemory::Account known = world_.memory.AccountOf(account);
  if (known.group_count >= kGroupsMax) {
    return kalshi::Error{kalshi::errors::kInvalidParameters,
                         absl::StrCat("an account has at most ", kGroupsMax, " order groups")};
  }
  if (known.group_last >= kGroupIdMax) {
    return kalshi::Error{kalshi::errors::kInvalidParameters,
                         "the account has had all ids of order groups"};
  }
  return GroupId(known.group_last.value() + 1);
}

KalshiReply KalshiGroups::Submit(const Command& command, KalshiReply reply) {
  const Result<KalshiApplied> applied = submitter_.Submit(command, {});
  if (!applied.ok()) return ReplyOf(applied.error());
  const RejectReason reason = applied->reason();
  return reason == RejectReason::kNone ? std::move(reply) : ReplyOf(RefusalOf(reason));
}

KalshiReply KalshiGroups::Create(AccountId account, absl::string_view body) {
  const Result<kalshi::CreateGroup> request = decoder_.DecodeCreateGroup(body);
  if (!request.ok()) return ReplyOf(request.error());
  const Result<GroupId> number = NextOf(account);
  if (!number.ok()) return ReplyOf(number.error());
  Command command;
  command.kind = CommandKind::kDefineGroup;
  command.account = account;
  command.set_group(*number);
  command.quantity = request->contracts_limit.ToQuantity();
  command.set_window_nanos(kWindowNanos);
  const kalshi::PublicId id = world_.ids.Of(account, *number);
  return Submit(command, ReplyOf(201, kalshi::GroupCreated{.order_group_id = id.text()}));
}

KalshiReply KalshiGroups::SetLimit(AccountId account, absl::string_view group_id,
                                   absl::string_view body) {
  const Result<kalshi::GroupLimit> request = decoder_.DecodeGroupLimit(body);
  if (!request.ok()) return ReplyOf(request.error());
  const std::optional<GroupId> number = world_.ids.GroupOf(account, group_id);
  if (!number.has_value() || world_.views.portfolio().FindGroup(account, *number) == nullptr) {
    return NotFound();
  }
  Command command;
  command.kind = CommandKind::kDefineGroup;
  command.account = account;
  command.set_group(*number);
  command.quantity = request->contracts_limit.ToQuantity();
  command.set_window_nanos(kWindowNanos);
  return Submit(command, {.body = "{}"});
}

KalshiReply KalshiGroups::Act(AccountId account, absl::string_view group_id, CommandKind kind) {
  const std::optional<GroupId> number = world_.ids.GroupOf(account, group_id);
  if (!number.has_value()) return NotFound();
  Command command;
  command.kind = kind;
  command.account = account;
  command.set_group(*number);
  return Submit(command, {.body = "{}"});
}

}  // namespace engine
