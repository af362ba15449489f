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
constexpr absl::string_view kTooManyMarkets = "too_many_markets";

// Sets the price and the quantity of `command`.
absl::Status ReadTerms(const DecimalWord& price, const DecimalWord& quantity,
                       const MarketDefinition& market, Command& command) {
  ASSIGN_OR_RETURN(command.price, ToPrice(price, market.price_decimals));
  ASSIGN_OR_RETURN(command.quantity, ToQuantity(quantity, market.quantity_decimals));
  return absl::OkStatus();
}

}  // namespace

TextSession::TextSession(CommandSink& sink, TextSessionHost& host, const MarketDirectory& markets,
                         Options options)
    : sink_(sink), host_(host), options_(std::move(options)) {
  for (const auto& [id, definition] : markets.all()) OnMarket(definition);
}

void TextSession::OnHistory(const Command& command, std::span<const Event> events) {
  for (const Event& event : events) OnEvent(command, event);
  replies_.DropAppended();
  last_applied_ = std::max(last_applied_, command.sequence);
  replies_.Release(last_applied_);
  last_submitted_ = std::max(last_submitted_, command.sequence);
  ForgetEnded();
}

void TextSession::OnMarket(const MarketDefinition& market) {
  if (markets_.Add(market)) market_highest_ = std::max(market_highest_, market.id);
}

absl::Status TextSession::OnBytes(Bytes chunk) {
  RETURN_IF_ERROR(status_);
  lines_.Feed(chunk);
  return Continue();
}

absl::Status TextSession::Continue() {
  RETURN_IF_ERROR(status_);
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
  command.group = request.options.group;
  return SubmitOrder(request.id, request.symbol, request.price, request.quantity, command);
}

absl::Status TextSession::On(const MarketRequest& request) {
  Command command;
  command.side = request.side;
  command.type = OrderType::kMarket;
  command.tif = TimeInForce::kImmediateOrCancel;
  command.flags = request.options.flags;
  command.group = request.options.group;
  constexpr DecimalWord kNoPrice = {.text = "0", .is_read = true};
  return SubmitOrder(request.id, request.symbol, kNoPrice, request.quantity, command);
}

absl::Status TextSession::On(const CancelRequest& request) {
  const KnownOrder* const known = orders_.FindClient(request.id);
  if (known == nullptr) return Refuse(request.id, RejectReason::kOrderNotLive);
  Command command;
  command.kind = CommandKind::kCancel;
  command.market = known->market->id;
  command.order_id = known->order;
  command.client_order_id = ClientOrderId(request.id);
  return SubmitOrRefuse(command);
}

absl::Status TextSession::On(const ModifyRequest& request) {
  const KnownOrder* const known = orders_.FindClient(request.id);
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
    if (!options_.auto_define_markets) return Refuse(id, RejectReason::kUnknownMarket);
    fresh.id = MarketId(market_highest_.value() + 1);
    fresh.symbol = std::string(symbol);
    fresh.price_decimals = 4;
    market = &fresh;
  }

  const absl::Status terms = ReadTerms(price, quantity, *market, command);
  if (!terms.ok()) return Error(terms.message());
  if (FindLive(id) != nullptr) return Refuse(id, kDuplicateId);
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

absl::Status TextSession::DefineMarket(const MarketDefinition& definition) {
  Command command;
  command.kind = CommandKind::kDefineMarket;
  command.market = definition.id;
  being_defined_ = &definition;
  const absl::Status submitted = Submit(command, EncodeMarketDefinition(definition)).status();
  being_defined_ = nullptr;
  return submitted;
}

const KnownOrder* TextSession::FindLive(uint64_t id) const {
  const KnownOrder* const known = orders_.FindClient(id);
  return known == nullptr || known->has_ended ? nullptr : known;
}

KnownOrder* TextSession::FindLive(OrderId order) {
  KnownOrder* const known = orders_.Find(order);
  return known == nullptr || known->has_ended ? nullptr : known;
}

absl::StatusOr<SequenceNumber> TextSession::Submit(Command& command, Bytes attachment) {
  command.account = options_.account;
  ASSIGN_OR_RETURN(const SequenceNumber sequence, sink_.Submit(command, attachment));
  last_submitted_ = sequence;
  ForgetEnded();
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
    OnMarket(*being_defined_);
    ++auto_market_count_;
  }
  for (const Event& event : events) OnEvent(command, event);
  last_applied_ = command.sequence;
  replies_.HoldUntil(command.sequence);
}

void TextSession::OnEvents(const Command& command, std::span<const Event>) {
  replies_.Release(command.sequence);
}

void TextSession::OnEvent(const Command& command, const Event& event) {
  switch (event.kind) {
    case EventKind::kMarketDefined: {
      const MarketDefinition* const market = markets_.Find(event.market);
      if (IsOurs(command) && market != nullptr) AppendDefined(*market, replies_.text());
      return;
    }
    case EventKind::kAccepted: {
      if (IsOurs(command)) OnAccepted(command, event);
      return;
    }
    case EventKind::kTrade:
      Fill(event.order_id, event, FillParty::kMaker);
      return Fill(event.counter_order_id, event, FillParty::kTaker);
    case EventKind::kCancelled:
    case EventKind::kReduced:
    case EventKind::kAmended:
      return OnChanged(event);
    case EventKind::kReplaced:
      return OnReplaced(command, event);
    case EventKind::kRejected:
      return OnRejected(command, event);
    case EventKind::kBalance:
      if (IsOurs(event)) AppendBalance(event, replies_.text());
      return;
    case EventKind::kPosition: {
      const MarketDefinition* const market = markets_.Find(event.market);
      if (IsOurs(event) && market != nullptr) AppendPosition(event, *market, replies_.text());
      return;
    }
    default:
      return;
  }
}

void TextSession::OnAccepted(const Command& command, const Event& event) {
  const uint64_t id = command.client_order_id.value();
  const MarketDefinition* const market = markets_.Find(event.market);
  if (market == nullptr) return;
  orders_.Remember(event.order_id, id, market, event.quantity);
  AppendAck(id, event.order_id, replies_.text());
}

void TextSession::OnChanged(const Event& event) {
  KnownOrder* const order = FindLive(event.order_id);
  if (order == nullptr) return;
  const uint64_t id = order->client_id;
  const MarketDefinition& market = *order->market;
  if (event.kind == EventKind::kCancelled) {
    AppendCancelled(id, event, market, replies_.text());
    orders_.End(*order, event.sequence);
  } else if (event.kind == EventKind::kReduced) {
    order->total = order->filled + event.quantity_remaining;
    AppendReduced(id, event, market, replies_.text());
  } else {
    order->total = event.quantity;
    AppendModified(id, event, order->remaining(), market, replies_.text());
  }
}

// This session's requests never replace orders; another client of the same account may.
void TextSession::OnReplaced(const Command& command, const Event& event) {
  KnownOrder* const ended = FindLive(event.counter_order_id);
  if (ended == nullptr) return;
  const MarketDefinition* const market = ended->market;
  const uint64_t id = command.client_order_id.value();
  AppendReplaced(ended->client_id, id, event, *market, replies_.text());
  orders_.End(*ended, event.sequence);
  orders_.Remember(event.order_id, id, market, event.quantity);
}

void TextSession::OnRejected(const Command& command, const Event& event) {
  if (!IsOurs(command)) return;
  if (command.kind == CommandKind::kDefineMarket) {
    const MarketDefinition* const market = markets_.Find(command.market);
    if (market == nullptr) return;
    return AppendMarketError(market->symbol, NameOf(event.reject_reason()), replies_.text());
  }
  if (command.kind == CommandKind::kNewOrder) {
    // The client id is then known as that of an ended order.
    const MarketDefinition* const market = markets_.Find(command.market);
    if (market != nullptr) {
      orders_.End(orders_.Remember(OrderIdOf(command.sequence), command.client_order_id.value(),
                                   market, command.quantity),
                  command.sequence);
    }
  }
  AppendReject(command.client_order_id.value(), event.reject_reason(), replies_.text());
}

void TextSession::Fill(OrderId order_id, const Event& trade, FillParty party) {
  KnownOrder* const order = FindLive(order_id);
  if (order == nullptr) return;
  order->filled += trade.quantity;
  AppendFill(order->client_id, trade, party, order->remaining(), *order->market, replies_.text());
  if (order->remaining().is_zero()) orders_.End(*order, trade.sequence);
}

}  // namespace engine
