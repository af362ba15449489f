#include "bench/hot_path_client.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "engine/types/quantity.h"
#include "engine/wire/kalshi/book_messages.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/order_replies.h"
#include "journal/record.h"
#include "tools/client/order_calls.h"
#include "tools/os/web/web_request.h"
#include "tools/strategy/action.h"
#include "tools/strategy/book.h"
#include "tools/strategy/strategy.h"

namespace bench {
namespace {

using client::Call;
using client::CallKind;
using engine::MarketId;
using engine::Quantity;
using engine::Side;
using engine::kalshi::Count;
using engine::kalshi::FeedLevel;
using strategy::ConnectionState;
using strategy::Input;
using strategy::InputKind;

constexpr absl::string_view kHost = "api.elections.kalshi.com";
constexpr absl::string_view kKeyId = "f9b8a2ae-6d41-4b7c-8f0d-52c1c6a7e913";
constexpr Quantity kSize = Quantity::FromUnits(1'000);

// Rests an order at the best bid, unless that is thin.
class JoinTheBid final : public strategy::Strategy {
  void OnBook(MarketId market) override {
    const strategy::Book::Level* const best = book(market).best(Side::kBid);
    if (best == nullptr) return;
    const bool joins = best->quantity >= HotPathScene::kThick;
    Quote(market, Side::kBid, best->price, joins ? kSize : Quantity());
  }
};

HotPathRequest RequestOf(CallKind kind) {
  switch (kind) {
    case CallKind::kCreate:
      return HotPathRequest::kCreate;
    case CallKind::kAmend:
      return HotPathRequest::kAmend;
    case CallKind::kCancel:
      return HotPathRequest::kCancel;
    default:
      CHECK(false) << "no request of an order: " << static_cast<int>(kind);
  }
}

template <typename Reply>
std::string JsonOf(const Reply& reply) {
  std::string text;
  engine::kalshi::JsonWriter json(text);
  Write(reply, json);
  return text;
}

}  // namespace

absl::string_view NameOf(HotPathRequest request) {
  switch (request) {
    case HotPathRequest::kNone:
      return "no request";
    case HotPathRequest::kCreate:
      return "new order";
    case HotPathRequest::kAmend:
      return "amend";
    case HotPathRequest::kCancel:
      return "cancel";
  }
  return "";
}

Delta FeedReader::Read(absl::string_view frame) {
  CHECK(decoder_.Decode(frame, frame_).ok());
  const FeedLevel& level = frame_.levels.front();
  return {.venue_time = frame_.time.nanos(),
          .price = level.price,
          .change = level.count.hundredths(),
          .market = tickers_.Find(frame_.ticker),
          .side = level.side};
}

HotPathClient::HotPathClient(const HotPathScene& scene, const client::TickerTable& tickers,
                             client::SignatureTable& signatures)
    : scene_(scene),
      tickers_(tickers),
      signatures_(signatures),
      machine_("join_the_bid", std::make_unique<JoinTheBid>()),
      link_("b1", tickers, *this) {
  MakeReplies();
  Define();
  Act(Apply(
      {.kind = InputKind::kConnection, .detail = static_cast<uint8_t>(ConnectionState::kLive)}));
  for (size_t i = 0; i < tickers_.size(); ++i) SetBook(client::TickerTable::IdOf(i));
  Answer();
}

HotPathRequest HotPathClient::last_request() const {
  return questions_.empty() ? HotPathRequest::kNone : RequestOf(questions_.front().kind);
}

void HotPathClient::Answer() {
  while (!questions_.empty()) {
    std::swap(questions_, answered_);
    for (const Question& question : answered_) {
      const absl::string_view body = ReplyTo(question);
      CHECK(link_.OnReply({.id = question.id, .status = 200, .body = body}, kHotPathNow));
    }
    answered_.clear();
    for (size_t i = 0; i < heard_.size(); ++i) Act(Apply(Input(heard_[i])));
    heard_.clear();
  }
}

engine::Digest HotPathClient::Finish() {
  machine_.CheckInvariants();
  CHECK(!link_.is_unclear());
  for (const std::string& ticker : scene_.tickers) {
    CHECK(machine_.desk().Get(tickers_.Find(ticker)).book.is_good()) << ticker;
  }
  return driver_.Checkpoint().trace.value();
}

void HotPathClient::Start(const Call& call) {
  WriteRequest(call);
  Question question{.id = call.id, .kind = call.kind};
  if (call.kind != CallKind::kCreate) {
    const absl::string_view path = call.path;
    path.substr(client::kOrdersPath.size() + 1).copy(question.order_id.data(), kUuidBytes);
  }
  questions_.push_back(question);
}

void HotPathClient::Define() {
  for (const std::string& ticker : scene_.tickers) {
    const MarketId id = tickers_.Find(ticker);
    const std::vector<std::byte> definition =
        engine::EncodeMarketDefinition({.id = id,
                                        .symbol = ticker,
                                        .price_decimals = 4,
                                        .quantity_decimals = 2,
                                        .price_max = engine::Price::FromUnits(9'999),
                                        .kind = engine::MarketKind::kBinary});
    Apply({.market = id, .kind = InputKind::kMarket}, definition);
  }
}

void HotPathClient::SetBook(MarketId market) {
  Act(Apply({.market = market, .kind = InputKind::kBookClear}));
  for (const FeedLevel& level : scene_.book) {
    const bool is_last = &level == &scene_.book.back();
    Act(Apply({.price = level.price,
               .quantity = level.count.ToQuantity(),
               .market = market,
               .kind = InputKind::kBookLevel,
               .side = level.side,
               .flags = is_last ? Input::kLast : uint8_t{0}}));
  }
}

void HotPathClient::MakeReplies() {
  for (const std::string& order_id : scene_.order_ids) {
    const engine::kalshi::CreateReply resting = {
        .order_id = order_id, .remaining_count = Count::Of(kSize), .time = kHotPathNow};
    created_.push_back(JsonOf(resting));
    replies_[order_id] = {
        .amended = JsonOf(resting),
        .cancelled = JsonOf(engine::kalshi::CancelReply{
            .order_id = order_id, .reduced_by = Count::Of(kSize), .time = kHotPathNow})};
  }
}

absl::string_view HotPathClient::ReplyTo(const Question& question) {
  if (question.kind == CallKind::kCreate) {
    CHECK_LT(orders_, created_.size());
    return created_[orders_++];
  }
  const Replies& replies =
      replies_.at(absl::string_view(question.order_id.data(), question.order_id.size()));
  return question.kind == CallKind::kAmend ? replies.amended : replies.cancelled;
}

std::span<const replay::Output> HotPathClient::Apply(Input input, engine::Bytes attachment) {
  input.sequence = driver_.last_applied().Next();
  input.time = kHotPathNow;
  const journal::Row row = strategy::ToRow(input);
  return driver_.Apply({.row = &row, .attachment = attachment});
}

void HotPathClient::Act(std::span<const replay::Output> outputs) {
  for (const replay::Output& output : outputs) link_.Act(strategy::ToAction(output), kHotPathNow);
}

void HotPathClient::WriteRequest(const Call& call) {
  signed_time_ = signatures_.Sign(call.method, call.path, kHotPathNow, std::move(signed_time_));
  const absl::AlphaNum millis(signed_time_.millis);
  const tools::WebHeader headers[] = {{"KALSHI-ACCESS-KEY", kKeyId},
                                      {"KALSHI-ACCESS-TIMESTAMP", millis.Piece()},
                                      {"KALSHI-ACCESS-SIGNATURE", signed_time_.signature},
                                      {"Content-Type", "application/json"}};
  absl::StatusOr<std::string> request = tools::RequestBytes(
      kHost, {.method = call.method, .target = call.path, .headers = headers, .body = call.body},
      std::move(request_));
  CHECK(request.ok()) << request.status();
  request_ = *std::move(request);
}

void KeepSignatures(const HotPathScene& scene, client::SignatureTable& signatures) {
  signatures.Keep("POST", client::kOrdersPath);
  for (const std::string& order_id : scene.order_ids) {
    signatures.Keep("POST", client::AmendPath(order_id));
    signatures.Keep("DELETE", client::CancelPath(order_id));
  }
  while (signatures.RenewOne(kHotPathNow)) {
  }
}

}  // namespace bench
