#include "engine/gateway/text_session.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/text/words.h"

namespace engine {
namespace {

constexpr absl::string_view kDuplicateId = "duplicate_id";
constexpr absl::string_view kDiskFull = "disk_full";
constexpr absl::string_view kTooManyIds = "too_many_ids";
constexpr absl::string_view kTooManyMarkets = "too_many_markets";

// Sets the price and the quantity of `command`.
absl::Status ReadTerms(const DecimalWord& price, const DecimalWord& quantity,
                       const MarketDefinition& market, Command& command) {
  ASSIGN_OR_RETURN(command.price, ToPrice(price, market.price_decimals));
  ASSIGN_OR_RETURN(command.quantity, ToQuantity(quantity, market.quantity_decimals));
  return absl::OkStatus();
}

}  // namespace

TextSession::TextSession(CommandSink& sink, TextSessionHost& host, MarketDirectory& markets,
                         TextAccount& account, Options options)
    : sink_(sink), host_(host), options_(options), markets_(markets), account_(account) {}

void TextSession::OnHistory(const Command& command, std::span<const Event> events) {
  account_.OnApplied(command, events, {});
  account_.ForgetEnded(command.sequence);
  last_applied_ = std::max(last_applied_, command.sequence);
  replies_.Release(last_applied_);
}

absl::Status TextSession::OnBytes(Bytes chunk) {
  RETURN_IF_ERROR(status_);
  lines_.Feed(chunk);
  return Continue();
}

absl::Status TextSession::Continue() {
  RETURN_IF_ERROR(status_);
  rests_ = false;
  TextLine line;
  while (!is_full() && lines_.Next(line)) {
    status_ = OnLine(line);
    if (!status_.ok()) return status_;
  }
  return absl::OkStatus();
}

absl::Status TextSession::Finish() {
  RETURN_IF_ERROR(status_);
  TextLine line;
  if (lines_.Finish(line)) status_ = OnLine(line);
  return status_;
}

absl::Status TextSession::OnLine(const TextLine& line) {
  line_number_ = line.number;
  if (line.is_too_long) {
    return Error(absl::StrCat("expected at most ", kTextLineBytesMax, " bytes, found more"));
  }
  const absl::StatusOr<TextRequest> request = ParseTextRequest(line.text);
  if (!request.ok()) return Error(request.status().message());
  return std::visit([this](const auto& typed) { return On(typed); }, *request);
}

absl::Status TextSession::On(const SubmitRequest& request) {
  Command command;
  command.side = request.side;
  command.type = OrderType::kLimit;
  command.tif = request.tif;
  if (request.tif == TimeInForce::kGoodTillTime) command.set_expires_at(request.expires_at);
  command.flags = request.options.flags;
  command.set_group(request.options.group);
  return SubmitOrder(request.id, request.symbol, request.price, request.quantity, command);
}

absl::Status TextSession::On(const MarketRequest& request) {
  Command command;
  command.side = request.side;
  command.type = OrderType::kMarket;
  command.tif = TimeInForce::kImmediateOrCancel;
  command.flags = request.options.flags;
  command.set_group(request.options.group);
  constexpr DecimalWord kNoPrice = {.text = "0", .is_read = true};
  return SubmitOrder(request.id, request.symbol, kNoPrice, request.quantity, command);
}

absl::Status TextSession::On(const CancelRequest& request) {
  const KnownOrder* const known = account_.Find(request.id);
  if (known == nullptr) return Refuse(request.id, RejectReason::kOrderNotLive);
  Command command;
  command.kind = CommandKind::kCancel;
  command.market = known->market->id;
  command.order_id = known->order;
  command.client_order_id = ClientOrderId(request.id);
  return SubmitOrRefuse(command);
}

absl::Status TextSession::On(const ModifyRequest& request) {
  const KnownOrder* const known = account_.Find(request.id);
  if (known == nullptr) return Refuse(request.id, RejectReason::kOrderNotLive);
  Command command;
  const absl::Status terms = ReadTerms(request.price, request.quantity, *known->market, command);
  if (!terms.ok()) return Error(terms.message());
  command.kind = CommandKind::kAmend;
  command.market = known->market->id;
  command.order_id = known->order;
  command.client_order_id = ClientOrderId(request.id);
  return SubmitOrRefuse(command);
}

absl::Status TextSession::On(const PrintRequest& request) {
  const MarketDefinition* const market =
      request.symbol.empty() ? nullptr : markets_.FindSymbol(request.symbol);
  if (!request.symbol.empty() && market == nullptr) {
    return Error(absl::StrCat("expected a market, found ", QuotedWord(request.symbol)));
  }
  host_.PrintBook(market, replies_.text());
  AppendEnd(replies_.text());
  rests_ = options_.rests_after_print;
  return Answered();
}

absl::Status TextSession::On(const PolicyRequest& request) {
  const absl::StatusOr<bool> is_set = host_.SetAckPolicy(request.policy);
  if (absl::IsResourceExhausted(is_set.status())) {
    RETURN_IF_ERROR(host_.JournalStatus());
    return Error("the disk is full");
  }
  RETURN_IF_ERROR(is_set.status());
  if (!*is_set) return Error("this session has one acknowledgement policy");
  AppendPolicy(request.policy, replies_.text());
  return Answered();
}

absl::Status TextSession::SubmitOrder(uint64_t id, absl::string_view symbol,
                                      const DecimalWord& price, const DecimalWord& quantity,
                                      Command& command) {
  const MarketDefinition* market = markets_.FindSymbol(symbol);
  MarketDefinition fresh;
  const bool is_new_market = market == nullptr;
  if (is_new_market) {
    if (!options_.auto_define_markets) return RefuseUnknown(id, symbol);
    const auto last = markets_.all().rbegin();
    fresh.id = MarketId(last == markets_.all().rend() ? 1 : last->first.value() + 1);
    fresh.symbol = std::string(symbol);
    fresh.price_decimals = 4;
    market = &fresh;
  }

  const absl::Status terms = ReadTerms(price, quantity, *market, command);
  if (!terms.ok()) return Error(terms.message());
  switch (account_.ProblemOf(id)) {
    case TextAccount::IdProblem::kNone:
      break;
    case TextAccount::IdProblem::kDuplicate:
      return Refuse(id, kDuplicateId);
    case TextAccount::IdProblem::kTooMany:
      return Refuse(id, kTooManyIds);
  }
  if (is_new_market) {
    const absl::Status sound = Validate(fresh);
    if (!sound.ok()) return Error(sound.message());
    if (auto_market_count_ >= options_.auto_markets_max) return Refuse(id, kTooManyMarkets);
    const absl::Status defined = DefineMarket(fresh);
    if (!defined.ok()) return RefuseFull(id, defined);
  }

  command.kind = CommandKind::kNewOrder;
  command.market = market->id;
  command.client_order_id = ClientOrderId(id);
  return SubmitOrRefuse(command);
}

absl::Status TextSession::RefuseUnknown(uint64_t id, absl::string_view symbol) {
  MarketDefinition definition;
  definition.id = MarketId(1);
  definition.symbol = std::string(symbol);
  const absl::Status sound = Validate(definition);
  return sound.ok() ? Refuse(id, RejectReason::kUnknownMarket) : Error(sound.message());
}

absl::Status TextSession::DefineMarket(const MarketDefinition& definition) {
  Command command;
  command.kind = CommandKind::kDefineMarket;
  command.market = definition.id;
  being_defined_ = &definition;
  const absl::Status submitted = Submit(command, EncodeMarketDefinition(definition)).status();
  being_defined_ = nullptr;
  return submitted;
}

absl::StatusOr<SequenceNumber> TextSession::Submit(Command& command, Bytes attachment) {
  command.account = account_.id();
  ASSIGN_OR_RETURN(const SequenceNumber sequence, sink_.Submit(command, attachment));
  account_.ForgetEnded(sequence);
  return sequence;
}

absl::Status TextSession::SubmitOrRefuse(Command& command) {
  const absl::StatusOr<SequenceNumber> submitted = Submit(command);
  if (submitted.ok()) return absl::OkStatus();
  return RefuseFull(command.client_order_id.value(), submitted.status());
}

absl::Status TextSession::RefuseFull(uint64_t id, const absl::Status& refused) {
  if (!absl::IsResourceExhausted(refused)) return refused;
  // If this error ended the journal, JournalStatus() returns it.
  RETURN_IF_ERROR(host_.JournalStatus());
  return Refuse(id, kDiskFull);
}

template <typename Reason>
absl::Status TextSession::Refuse(uint64_t id, Reason reason) {
  AppendReject(id, reason, replies_.text());
  return Answered();
}

absl::Status TextSession::Error(absl::string_view what) {
  AppendError(line_number_, what, replies_.text());
  return Answered();
}

absl::Status TextSession::Answered() {
  replies_.HoldUntil(last_applied_);
  return absl::OkStatus();
}

void TextSession::OnApplied(const Command& command, std::span<const Event> events) {
  if (being_defined_ != nullptr) {
    markets_.Add(*being_defined_);
    ++auto_market_count_;
  }
  const bool is_ours = command.account == account_.id();
  std::string* const words = &replies_.text();
  account_.OnApplied(command, events,
                     {.asker = is_ours ? words : nullptr, .others = is_ours ? nullptr : words});
  last_applied_ = command.sequence;
  replies_.HoldUntil(command.sequence);
}

void TextSession::OnEvents(const Command& command, std::span<const Event>) {
  replies_.Release(command.sequence);
}

}  // namespace engine
