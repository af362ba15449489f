#include "engine/gateway/ouch/testing/ouch_stage.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"
#include "engine/base/sequence_number.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"

namespace engine {

OuchOptions OuchStage::Options() {
  return {.logins = {{.user = "ONE", .password = "one", .firm = "FIRM", .account = AccountId(6)},
                     {.user = "MATE", .password = "mate", .firm = "FIRM", .account = AccountId(6)},
                     {.user = "COD",
                      .password = "cod",
                      .firm = "CODS",
                      .account = AccountId(7),
                      .cancels_at_end = true}},
          .markets = {MarketId(3)}};
}

MarketDirectory OuchStage::Markets() {
  MarketDirectory markets;
  CHECK(markets.Add({.id = MarketId(3),
                     .symbol = "ACME",
                     .price_decimals = 2,
                     .quantity_decimals = 0,
                     .price_max = Price::FromUnits(19'999'999)}));
  CHECK(markets.Add({.id = MarketId(4), .symbol = "OTHER", .price_decimals = 2}));
  return markets;
}

OuchStage::OuchStage(size_t waiting_max, bool its_may_lose_tail)
    : time(Timestamp::Parse("2026-11-28T14:30:00Z").value()),
      exchange(waiting_max),
      may_lose_tail(its_may_lose_tail) {
  Start();
}

void OuchStage::Start() {
  exchange.SetTime(time);
  gateway.reset();
  venue = std::make_unique<Venue>();
  gateway = std::make_unique<OuchGateway>(*venue, *this, Options(), markets);
  for (const ToyExchange::Outcome& outcome : exchange.outcomes()) {
    venue->OnHistory(outcome.command, outcome.attachment, outcome.events);
    gateway->OnHistory(outcome.command, outcome.attachment, outcome.events);
  }
  exchange.ListenWith(venue.get());
  venue->Connect(exchange, SequenceNumber(exchange.outcomes().size()));
  CHECK_OK(gateway->Start(may_lose_tail));
  exchange.Release();
  Wait(0);
}

void OuchStage::Restart() {
  exchange.Release();
  clients_.clear();
  heard_.clear();
  Start();
}

void OuchStage::Connect(char name) {
  clients_[name] = gateway->Open();
  receivers_.erase(name);
  receivers_.try_emplace(name);
}

void OuchStage::Send(char name, absl::string_view bytes) {
  CHECK_OK(gateway->OnBytes(clients_.at(name), AsBytes(bytes)));
}

void OuchStage::Disconnect(char name) {
  gateway->Close(clients_.at(name));
  clients_.erase(name);
  CHECK_OK(gateway->Work([] { return true; }));
}

void OuchStage::Deliver(absl::string_view silent) {
  for (const auto& [name, session] : clients_) gateway->Resume(session);
  gateway->TakeReady([&](SessionId id, absl::string_view replies) {
    for (const auto& [name, session] : clients_) {
      if (session != id) continue;
      if (silent.find(name) != absl::string_view::npos) return false;
      for (const std::string& line : receivers_[name].Take(replies)) {
        absl::StrAppend(&heard_[name], std::string(1, name), "< ", line, "\n");
      }
    }
    return true;
  });
  for (const auto& [name, session] : std::map(clients_)) {
    if (!gateway->is_over(session)) continue;
    absl::StrAppend(&heard_[name], std::string(1, name), "< over\n");
    Disconnect(name);
  }
}

void OuchStage::Wait(int64_t nanos) {
  time = Timestamp::FromNanos(time.nanos() + nanos);
  steady = steady + nanos;
  exchange.SetTime(time);
  gateway->OnTime(steady);
  CHECK_OK(gateway->Work([] { return true; }));
}

std::string OuchStage::Play(absl::string_view script) {
  std::string played;
  for (const absl::string_view line : absl::StrSplit(script, '\n')) {
    if (line.size() >= 2 && line[1] == '<') continue;
    absl::StrAppend(&played, line, "\n");
    if (!line.empty()) Do(line);
    Deliver();
    for (const auto& [name, lines] : std::exchange(heard_, {})) absl::StrAppend(&played, lines);
  }
  return std::string(absl::StripSuffix(played, "\n"));
}

void OuchStage::Do(absl::string_view line) {
  if (absl::ConsumePrefix(&line, "open ")) {
    Connect(line[0]);
  } else if (absl::ConsumePrefix(&line, "close ")) {
    Disconnect(line[0]);
  } else if (line == "release") {
    exchange.Release();
  } else if (absl::ConsumePrefix(&line, "release ")) {
    size_t count = 0;
    CHECK(ParseInteger(line, count)) << std::string(line);
    exchange.Release(count);
  } else if (absl::ConsumePrefix(&line, "wait ")) {
    double seconds = 0;
    CHECK(absl::SimpleAtod(line, &seconds)) << std::string(line);
    Wait(static_cast<int64_t>(seconds * 1e9));
  } else if (line == "restart") {
    Restart();
  } else {
    CHECK(line.substr(1, 2) == "> ") << std::string(line);
    Send(line[0], OuchBytes(line.substr(3)));
  }
}

}  // namespace engine
