#include "tools/cli/trade/live_run.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/wire/http/http_date.h"
#include "replay/output.h"
#include "tools/client/order_calls.h"
#include "tools/strategy/desk.h"

namespace tools {
namespace {

using client::CallKind;
using engine::Timestamp;
using strategy::Action;
using strategy::InputKind;

// A clock that was set back gives no negative time.
void Record(replay::LatencyHistogram& times, int64_t nanos) {
  times.Record(static_cast<uint64_t>(std::max<int64_t>(nanos, 0)));
}

}  // namespace

LiveRun::LiveRun(LiveTerms terms, const strategy::StrategyMachine& machine, MachineJournal& journal,
                 client::Signatures& signatures, engine::Clock& clock, Show note)
    : terms_(std::move(terms)),
      machine_(machine),
      journal_(journal),
      signatures_(signatures),
      clock_(clock),
      note_(std::move(note)),
      client_(terms_.client, *this) {}

absl::Status LiveRun::Begin() {
  ASSIGN_OR_RETURN(web_, WebClient::Make(terms_.web, *this));
  signatures_.Keep("POST", client::kOrdersPath);
  Now();
  for (const strategy::Parameters::Assignment& set : terms_.parameters) {
    Hear({.amount = set.value, .kind = InputKind::kParameter}, engine::AsBytes(set.name));
  }
  client_.Begin(now_);
  DrainActions();
  return status_;
}

absl::Status LiveRun::Turn(int64_t nanos_max) {
  const Timestamp next = std::min(
      {client_.next_time(), machine_.NextTimer(), Timestamp::FromNanos(now_.nanos() + nanos_max)});
  const int64_t wait = answers_.empty() ? std::max<int64_t>(next.nanos() - Now().nanos(), 0) : 0;
  web_->RunFor(wait);
  while (!answers_.empty()) {
    const auto [id, answer] = std::move(answers_.front());
    answers_.pop_front();
    client_.OnReply({.id = id, .status = answer.status, .body = answer.body}, Now());
    DrainActions();
  }
  FireTimers();
  if (Now() >= client_.next_time()) {
    client_.OnTime(now_);
    DrainActions();
  }
  RETURN_IF_ERROR(status_);
  return client_.status();
}

void LiveRun::Stop() {
  client_.Stop(Now());
  DrainActions();
}

Timestamp LiveRun::Now() {
  now_ = std::max(now_, clock_.Now());
  return now_;
}

void LiveRun::RecordTime() {
  Now();
  Hear({.kind = InputKind::kTime}, {});
  DrainActions();
}

void LiveRun::FireTimers() {
  if (Now() >= machine_.NextTimer()) RecordTime();
}

void LiveRun::DrainActions() {
  while (!actions_.empty()) {
    const Action action = actions_.front();
    actions_.pop_front();
    client_.Act(action, now_);
  }
}

// ---- From the web ----

void LiveRun::OnReply(uint64_t id, const WebReply& reply) {
  Now();
  const auto found = sent_.find(id);
  if (found == sent_.end()) return;
  const Sent sent = found->second;
  sent_.erase(found);
  if (sent.kind == CallKind::kCreate || sent.kind == CallKind::kAmend) {
    Record(round_trips_, now_.nanos() - sent.at.nanos());
    Record(order_latencies_, (now_.nanos() - sent.at.nanos()) / 2);
  }
  if (const std::optional<Timestamp> date = engine::ParseHttpDate(reply.date); date.has_value()) {
    offset_.Observe(sent.at, *date, now_);
    signatures_.SetOffset(offset_.nanos());
  }
  client_.OnReply({.id = id, .status = reply.status, .body = reply.body}, now_);
  DrainActions();
}

void LiveRun::OnRequestFailed(uint64_t id, const absl::Status& why, bool may_have_arrived) {
  sent_.erase(id);
  client_.OnCallFailed(id, why.message(), may_have_arrived, Now());
  DrainActions();
}

void LiveRun::OnFeedOpen() {
  client_.OnFeedOpen(Now());
  DrainActions();
}

void LiveRun::OnFrame(absl::string_view text) {
  client_.OnFrame(text, Now());
  DrainActions();
}

void LiveRun::OnFeedClosed(const absl::Status& why) {
  client_.OnFeedClosed(why.message(), Now());
  DrainActions();
}

// ---- From the client ----

void LiveRun::WithHeaders(absl::string_view method, absl::string_view path, bool has_body,
                          absl::FunctionRef<void(std::span<const WebHeader>)> send) {
  const client::SignedTime time = signatures_.Sign(method, path);
  const std::string millis = absl::StrCat(time.millis);
  const std::array headers = {WebHeader{"KALSHI-ACCESS-KEY", terms_.key_id},
                              WebHeader{"KALSHI-ACCESS-TIMESTAMP", millis},
                              WebHeader{"KALSHI-ACCESS-SIGNATURE", time.signature},
                              WebHeader{"Content-Type", "application/json"}};
  send(std::span(headers).first(has_body ? 4 : 3));
}

void LiveRun::Start(const client::Call& call) {
  if (terms_.is_dry) {
    if (std::optional<client::DryRun::Answer> answer = dry_run_.AnswerTo(call)) {
      answers_.emplace_back(call.id, *std::move(answer));
      return;
    }
  }
  sent_[call.id] = {.kind = call.kind, .at = Now()};
  WithHeaders(call.method, call.path, !call.body.empty(), [&](std::span<const WebHeader> headers) {
    const std::string target =
        call.query.empty() ? call.path : absl::StrCat(call.path, "?", call.query);
    web_->Send(call.id,
               {.method = call.method, .target = target, .headers = headers, .body = call.body});
  });
}

void LiveRun::OpenFeed() {
  WithHeaders("GET", terms_.web.feed.path, /*has_body=*/false,
              [&](std::span<const WebHeader> headers) { web_->OpenFeed(headers); });
}

void LiveRun::OnOrderLive(absl::string_view order_id) {
  signatures_.Keep("DELETE", client::CancelPath(order_id));
  signatures_.Keep("POST", client::AmendPath(order_id));
}

void LiveRun::OnOrderEnded(absl::string_view order_id) {
  signatures_.Drop("DELETE", client::CancelPath(order_id));
  signatures_.Drop("POST", client::AmendPath(order_id));
}

void LiveRun::Hear(const strategy::Input& input, engine::Bytes attachment) {
  if (!status_.ok()) return;
  strategy::Input stamped = input;
  stamped.time = now_;
  if (input.kind == InputKind::kBookChange && input.venue_time != 0) {
    Record(data_latencies_, now_.nanos() + offset_.nanos() - input.venue_time);
  }
  const absl::StatusOr<std::span<const replay::Output>> outputs =
      journal_.Append(strategy::ToRow(stamped), attachment);
  if (!outputs.ok()) {
    status_ = outputs.status();
    return;
  }
  for (const replay::Output& output : *outputs) actions_.push_back(strategy::ToAction(output));
}

bool LiveRun::IsBookGood(engine::MarketId market) const {
  const strategy::Desk::Market* const known = machine_.desk().Find(market);
  return known == nullptr || known->book.is_good();
}

}  // namespace tools
