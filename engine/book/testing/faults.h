// The deliberate faults of the mutation check: which rule each breaks. One line of code each, at
// the ENGINE_FAULT of its name.

#ifndef ENGINE_BOOK_TESTING_FAULTS_H_
#define ENGINE_BOOK_TESTING_FAULTS_H_

#include "absl/strings/string_view.h"

#define ENGINE_FAULTS(FAULT)                                                            \
  FAULT(kPricePriorityReversed, "the worst price within the limit trades first")        \
  FAULT(kTimePriorityReversed, "at a price, the last to come trades first")             \
  FAULT(kTradePriceWrong, "a trade is not at the resting order's price")                \
  FAULT(kLimitPriceIgnored, "an order trades a tick beyond its limit")                  \
  FAULT(kImmediateRests, "what remains of an immediate-or-cancel order rests")          \
  FAULT(kLadderKeepsBest, "a better level that comes later is not the best")            \
  FAULT(kLadderForgetsFar, "a level far from the best is never the best again")         \
  FAULT(kIndexMisplaces, "an order is not found by its number")                         \
  FAULT(kIndexKeepsEnded, "an order that has ended is found by its number")             \
  FAULT(kSettlementAboveDollar, "a contract may settle to more than a dollar")          \
  FAULT(kSettlementBelowZero, "a contract may settle to less than nothing")             \
  FAULT(kLotIgnored, "a quantity need not be a multiple of the lot")                    \
  FAULT(kMinimumIgnored, "a quantity may be below the market's minimum")                \
  FAULT(kMaximumIgnored, "a quantity may be above the market's maximum")                \
  FAULT(kBandTickIgnored, "the tick is the same in every band")                         \
  FAULT(kWrongAccountAllowed, "anyone may address an order")                            \
  FAULT(kReduceToAllAllowed, "a reduce to what remains is no mistake")                  \
  FAULT(kAmendBelowFilledAllowed, "an amend to what has traded is no mistake")          \
  FAULT(kEqualAmendLosesPriority, "an amend that changes nothing loses its priority")   \
  FAULT(kReplaceForgetsFlags, "a replacement does not inherit the flags")               \
  FAULT(kPostOnlyIgnored, "a post-only order may trade on arrival")                     \
  FAULT(kPostOnlyChangeTrades, "a changed post-only order may trade")                   \
  FAULT(kPostOnlyChangeCancels, "a post-only order ends where it would trade")          \
  FAULT(kPostOnlyChangeNeverCancels, "post_only_change_cancels is not looked at")       \
  FAULT(kReduceOnlyUncapped, "a reduce-only order may trade beyond the position")       \
  FAULT(kReduceOnlyReasonWrong, "the capped rest is told to be immediate-or-cancel's")  \
  FAULT(kFillOrKillIgnoresOwn, "a fill-or-kill counts own orders as fillable")          \
  FAULT(kFillOrKillFillsInPart, "a fill-or-kill that meets an own order fills in part") \
  FAULT(kFillOrKillNeverBecomesIoc, "fok_becomes_ioc is not looked at")                 \
  FAULT(kSelfTradeOfAnonymous, "the anonymous account has self-trade prevention")       \
  FAULT(kCancelBothSparesMaker, "cancel both leaves the resting order")                 \
  FAULT(kCancelMakerStops, "cancel maker ends the taker too")                           \
  FAULT(kMassCancelIgnoresSide, "a mass cancel takes both sides")                       \
  FAULT(kMassCancelIgnoresGroup, "a mass cancel takes all groups")                      \
  FAULT(kExpiryLate, "an order lives on at the moment it expires")                      \
  FAULT(kExpiredAccepted, "an order may expire at the moment it arrives")               \
  FAULT(kGroupEdgeCounts, "a fill counts a window's length later")                      \
  FAULT(kGroupTripsAbove, "a group trips above its limit, not at it")                   \
  FAULT(kGroupCountsTakers, "fills of makers do not count for groups")                  \
  FAULT(kGroupResetKeepsFills, "a reset group remembers its fills")                     \
  FAULT(kGroupRedefineUntrips, "redefining a group resets it")                          \
  FAULT(kPauseCancelsAll, "a pause cancels every order")                                \
  FAULT(kCloseKeepsDay, "a close keeps day orders")                                     \
  FAULT(kClosedStaysClosed, "a closed equity market never opens again")                 \
  FAULT(kHaltLetsTimePass, "advance time passes a halt")                                \
  FAULT(kPauseLetsReduce, "a reduce passes a pause of the exchange")                    \
  FAULT(kSettlementSidesSwapped, "NO is paid what YES is worth")                        \
  FAULT(kFeeRoundedDown, "a fee is rounded down")                                       \
  FAULT(kMakerPaysTakerFee, "a maker pays the taker's fee")                             \
  FAULT(kCreditForgotten, "what rounding took too much is not given back")              \
  FAULT(kPairsNotPaid, "closing a position pays nothing until settlement")              \
  FAULT(kReserveIgnoresPosition, "what a position covers is reserved all the same")     \
  FAULT(kReserveWithoutRounding, "no money is reserved for the rounding of fills")      \
  FAULT(kArrivalAtMakerFee, "an arriving order is judged by the maker's fee")           \
  FAULT(kWithdrawReserved, "reserved money can be withdrawn")                           \
  FAULT(kFeesChangeInUse, "fees may change under resting orders")                       \
  FAULT(kOpenOrdersOneMore, "one order more than the limit may rest")                   \
  FAULT(kRateOneMore, "one order a second more than the limit may come")                \
  FAULT(kRateNeverResets, "the count of a second goes on in the next")                  \
  FAULT(kQuantityLimitIgnored, "the limit of an order's quantity is not looked at")     \
  FAULT(kNotionalLimitIgnored, "the limit of an order's notional is not looked at")     \
  FAULT(kNotionalAtLimit, "a sell counts at its limit, however high the best bid")      \
  FAULT(kNotionalIsSigned, "a negative price makes a negative notional")                \
  FAULT(kRejectedNamesAnyWord, "a refused new order names its expiry as an order")      \
  FAULT(kSuspendedEntersOrders, "a suspended account may enter orders")                 \
  FAULT(kSuspensionKeepsOrders, "the orders of a suspended account go on resting")

namespace engine {

#define ENGINE_FAULT_NAME(name, rule) name,
enum class Fault { kNone, ENGINE_FAULTS(ENGINE_FAULT_NAME) };
#undef ENGINE_FAULT_NAME

struct FaultText {
  Fault fault;
  absl::string_view name;
  absl::string_view rule;
};
#define ENGINE_FAULT_TEXT(name, rule) FaultText{Fault::name, #name, rule},
inline constexpr FaultText kFaults[] = {ENGINE_FAULTS(ENGINE_FAULT_TEXT)};
#undef ENGINE_FAULT_TEXT

// The one that is in force in this process.
inline Fault broken_rule = Fault::kNone;

}  // namespace engine

#endif  // ENGINE_BOOK_TESTING_FAULTS_H_
