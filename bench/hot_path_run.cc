#include "bench/hot_path_run.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/order_replies.h"
#include "engine/wire/kalshi/testing/delta_texts.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "replay/output.h"
#include "simdjson.h"
#include "tools/client/call.h"
#include "tools/client/order_calls.h"
#include "tools/client/order_link.h"
#include "tools/client/ticker_table.h"
#include "tools/os/allocation_count.h"
#include "tools/os/web/web_request.h"
#include "tools/strategy/action.h"
#include "tools/strategy/book.h"
#include "tools/strategy/input.h"
#include "tools/strategy/strategy.h"
#include "tools/strategy/strategy_machine.h"

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
using tools::TickClock;

constexpr absl::string_view kHost = "api.elections.kalshi.com";
constexpr absl::string_view kKeyId = "f9b8a2ae-6d41-4b7c-8f0d-52c1c6a7e913";
constexpr Quantity kSize = Quantity::FromUnits(1'000);
// Time stands still, so that the signatures stay usable.
constexpr engine::Timestamp kNow = engine::Timestamp::FromNanos(1'781'159'489'957'000'000);
constexpr size_t kTurn = 1024;
constexpr size_t kLineBytes = 64;
constexpr size_t kUuidBytes = 36;

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

// A client of one thread, and the venue that answers it.
class HotPath final : private client::LinkHost {
 public:
  HotPath(const HotPathScene& scene, client::SignatureTable& signatures)
      : scene_(scene),
        signatures_(signatures),
        tickers_(scene.tickers),
        machine_("join_the_bid", std::make_unique<JoinTheBid>()) {
    Define();
    Apply({.kind = InputKind::kConnection, .detail = static_cast<uint8_t>(ConnectionState::kLive)});
    for (size_t i = 1; i <= tickers_.size(); ++i) {
      SetBook(MarketId(static_cast<uint32_t>(i)));
    }
    Answer();
  }

  // Calls `seam` with each stage that ends. The request's bytes are then request().
  template <typename Seam>
  void OnFrame(absl::string_view bytes, Seam seam) {
    CHECK(decoder_.Decode(bytes, frame_).ok());
    seam(HotPathStage::kDecode);
    const FeedLevel& level = frame_.levels.front();
    const std::span<const replay::Output> outputs =
        ApplyRow({.venue_time = frame_.time.nanos(),
                  .price = level.price,
                  .amount = level.count.hundredths(),
                  .market = tickers_.Find(frame_.ticker),
                  .kind = InputKind::kBookChange,
                  .side = level.side,
                  .flags = Input::kLast});
    seam(HotPathStage::kDecide);
    if (outputs.empty()) return;
    for (const replay::Output& output : outputs) link_.Act(strategy::ToAction(output), kNow);
    seam(HotPathStage::kRequest);
  }

  HotPathRequest LastRequest() const {
    return questions_.empty() ? HotPathRequest::kNone : RequestOf(questions_.front().kind);
  }

  // The venue does what it was asked for, until nothing more is.
  void Answer() {
    while (!questions_.empty()) {
      std::swap(questions_, answered_);
      for (const Question& question : answered_) {
        const std::string body = Reply(question);
        CHECK(link_.OnReply({.id = question.id, .status = 200, .body = body}, kNow));
      }
      answered_.clear();
      for (size_t i = 0; i < heard_.size(); ++i) Apply(Input(heard_[i]));
      heard_.clear();
    }
  }

  // That all went well, and what the strategy has decided.
  engine::Digest Finish() {
    machine_.CheckInvariants();
    CHECK(!link_.is_unclear());
    for (const std::string& ticker : scene_.tickers) {
      CHECK(machine_.desk().Get(tickers_.Find(ticker)).book.is_good()) << ticker;
    }
    return driver_.Checkpoint().trace.value();
  }

 private:
  // What the venue is asked for.
  struct Question {
    uint64_t id = 0;
    CallKind kind = {};
    std::array<char, kUuidBytes> order_id = {};
  };

  void Start(const Call& call) override {
    WriteRequest(call);
    Question question{.id = call.id, .kind = call.kind};
    if (call.kind != CallKind::kCreate) {
      const absl::string_view path = call.path;
      path.substr(client::kOrdersPath.size() + 1).copy(question.order_id.data(), kUuidBytes);
    }
    questions_.push_back(question);
  }
  void Hear(const Input& input) override { heard_.push_back(input); }

  void Define() {
    for (const std::string& ticker : scene_.tickers) {
      const MarketId id = tickers_.Find(ticker);
      const std::vector<std::byte> definition =
          engine::EncodeMarketDefinition({.id = id,
                                          .symbol = ticker,
                                          .price_decimals = 4,
                                          .quantity_decimals = 2,
                                          .price_max = engine::Price::FromUnits(9'999),
                                          .kind = engine::MarketKind::kBinary});
      ApplyRow({.market = id, .kind = InputKind::kMarket}, definition);
    }
  }

  void SetBook(MarketId market) {
    Apply({.market = market, .kind = InputKind::kBookClear});
    for (const FeedLevel& level : scene_.book) {
      const bool is_last = &level == &scene_.book.back();
      Apply({.price = level.price,
             .quantity = level.count.ToQuantity(),
             .market = market,
             .kind = InputKind::kBookLevel,
             .side = level.side,
             .flags = is_last ? Input::kLast : uint8_t{0}});
    }
  }

  std::span<const replay::Output> ApplyRow(Input input, engine::Bytes attachment = {}) {
    input.sequence = driver_.last_applied().Next();
    input.time = kNow;
    const journal::Row row = strategy::ToRow(input);
    return driver_.Apply({.row = &row, .attachment = attachment});
  }

  // While no clock runs.
  void Apply(const Input& input) {
    for (const replay::Output& output : ApplyRow(input)) {
      link_.Act(strategy::ToAction(output), kNow);
    }
  }

  void WriteRequest(const Call& call) {
    signed_time_ = signatures_.Sign(call.method, call.path, kNow, std::move(signed_time_));
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

  std::string Reply(const Question& question) {
    if (question.kind == CallKind::kCreate) {
      CHECK_LT(orders_, scene_.order_ids.size());
      return JsonOf(engine::kalshi::CreateReply{.order_id = scene_.order_ids[orders_++],
                                                .remaining_count = Count::Of(kSize),
                                                .time = kNow});
    }
    const absl::string_view order_id(question.order_id.data(), kUuidBytes);
    if (question.kind == CallKind::kAmend) {
      return JsonOf(engine::kalshi::CreateReply{
          .order_id = order_id, .remaining_count = Count::Of(kSize), .time = kNow});
    }
    return JsonOf(engine::kalshi::CancelReply{
        .order_id = order_id, .reduced_by = Count::Of(kSize), .time = kNow});
  }

  const HotPathScene& scene_;
  client::SignatureTable& signatures_;
  const client::TickerTable tickers_;
  engine::kalshi::FeedDecoder decoder_{/*use_yes_price=*/true};
  engine::kalshi::FeedFrame frame_;
  strategy::StrategyMachine machine_;
  replay::Driver driver_{machine_};
  client::OrderLink link_{"b1", tickers_, *this};
  std::vector<Question> questions_;  // Since the last answer.
  std::vector<Question> answered_;   // Empty but within Answer(): memory that is used again.
  std::vector<Input> heard_;
  client::SignedTime signed_time_;
  std::string request_;
  size_t orders_ = 0;  // That the venue has accepted.
};

// A frame has just been read from its socket: its bytes are in the nearest cache.
void Touch(absl::string_view frame) {
  for (size_t i = 0; i < frame.size(); i += kLineBytes) {
    static_cast<void>(*static_cast<const volatile char*>(frame.data() + i));
  }
}

// Times of a pass, with the cost of reading the clock taken off.
class Interval {
 public:
  explicit Interval(const TickClock& clock) : clock_(clock) {
    LatencyHistogram empty;
    for (int i = 0; i < 10'000; ++i) {
      const uint64_t begin = TickClock::Ticks();
      empty.Record(TickClock::Ticks() - begin);
    }
    own_ = empty.Percentile(500'000);
  }

  uint64_t Ticks(uint64_t begin, uint64_t end) const {
    return end - begin < own_ ? 0 : end - begin - own_;
  }
  uint64_t Nanos(uint64_t begin, uint64_t end) const { return clock_.NanosOf(Ticks(begin, end)); }

 private:
  const TickClock& clock_;
  uint64_t own_ = 0;
};

void MeasureYardstick(std::span<const std::string> frames, const Interval& interval,
                      simdjson::ondemand::parser& parser, LatencyHistogram& nanos) {
  simdjson::ondemand::document document;
  engine::kalshi::DeltaTexts texts;
  for (const std::string& frame : frames) {
    Touch(frame);
    const simdjson::padded_string_view bytes(frame.data(), frame.size(), frame.capacity());
    const uint64_t begin = TickClock::Ticks();
    const bool is_found = engine::kalshi::FindDeltaTexts(parser, bytes, document, texts);
    const uint64_t end = TickClock::Ticks();
    CHECK(is_found);
    nanos.Record(interval.Nanos(begin, end));
  }
}

void MeasureWhole(std::span<const std::string> frames, const Interval& interval, HotPath& path,
                  HotPathTimes& times) {
  for (const std::string& frame : frames) {
    Touch(frame);
    const uint64_t allocations = tools::AllocationCount();
    const uint64_t begin = TickClock::Ticks();
    path.OnFrame(frame, [](HotPathStage) {});
    const uint64_t end = TickClock::Ticks();
    HotPathTimes::Frames& of = times.frames[static_cast<size_t>(path.LastRequest())];
    of.allocations += tools::AllocationCount() - allocations;
    of.nanos.Record(interval.Nanos(begin, end));
    path.Answer();
  }
}

void MeasureStages(std::span<const std::string> frames, const Interval& interval, HotPath& path,
                   HotPathTimes& times) {
  for (const std::string& frame : frames) {
    Touch(frame);
    uint64_t allocations = tools::AllocationCount();
    uint64_t begin = TickClock::Ticks();
    path.OnFrame(frame, [&](HotPathStage stage) {
      const uint64_t end = TickClock::Ticks();
      HotPathTimes::Stage& of = times.stages[static_cast<size_t>(stage)];
      of.ticks += interval.Ticks(begin, end);
      of.nanos.Record(interval.Nanos(begin, end));
      of.allocations += tools::AllocationCount() - allocations;
      allocations = tools::AllocationCount();
      begin = TickClock::Ticks();
    });
    path.Answer();
  }
}

}  // namespace

absl::string_view NameOf(HotPathStage stage) {
  switch (stage) {
    case HotPathStage::kDecode:
      return "decode";
    case HotPathStage::kDecide:
      return "row, book, signal";
    case HotPathStage::kRequest:
      return "link, request bytes";
  }
  return "";
}

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

void KeepSignatures(const HotPathScene& scene, client::SignatureTable& signatures) {
  signatures.Keep("POST", client::kOrdersPath);
  for (const std::string& order_id : scene.order_ids) {
    signatures.Keep("POST", client::AmendPath(order_id));
    signatures.Keep("DELETE", client::CancelPath(order_id));
  }
  while (signatures.RenewOne(kNow)) {
  }
}

HotPathTimes MeasureHotPath(const HotPathScene& scene, client::SignatureTable& signatures,
                            const TickClock& clock) {
  const std::span<const std::string> all(scene.frames);
  const std::span<const std::string> measured = all.subspan(all.size() / 10);
  const std::span<const std::string> warm_up = all.first(all.size() / 10);
  const Interval interval(clock);
  HotPathTimes times;
  {
    HotPath path(scene, signatures);
    simdjson::ondemand::parser parser;
    HotPathTimes unused;
    MeasureWhole(warm_up, interval, path, unused);
    MeasureYardstick(warm_up, interval, parser, unused.yardstick);
    for (size_t i = 0; i < measured.size(); i += kTurn) {
      const auto turn = measured.subspan(i, std::min(kTurn, measured.size() - i));
      MeasureWhole(turn, interval, path, times);
      MeasureYardstick(turn, interval, parser, times.yardstick);
    }
    times.trace = path.Finish();
  }
  HotPath path(scene, signatures);
  HotPathTimes unused;
  MeasureStages(warm_up, interval, path, unused);
  MeasureStages(measured, interval, path, times);
  CHECK_EQ(path.Finish(), times.trace);
  CHECK_EQ(signatures.counts().misses, 0) << "signatures were to be ready";
  return times;
}

}  // namespace bench
