#include "engine/gateway/native/testing/native_stage.h"

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

namespace engine {

NativeOptions NativeStage::Options() {
  return {.logins = {{.user = "ONE", .password = "one", .account = AccountId(6)},
                     {.user = "MATE", .password = "mate", .account = AccountId(6)},
                     {.user = "COD",
                      .password = "cod",
                      .account = AccountId(7),
                      .markets = {MarketId(3)},
                      .cancels_at_end = true}}};
}

NativeStage::NativeStage(size_t waiting_max, NativeOptions its_options)
    : options(std::move(its_options)), exchange(waiting_max) {
  Start();
}

void NativeStage::Start() {
  gateway.reset();
  venue = std::make_unique<Venue>();
  gateway = std::make_unique<NativeGateway>(*venue, *this, options);
  for (const ToyExchange::Outcome& outcome : exchange.outcomes()) {
    venue->OnHistory(outcome.command, outcome.attachment, outcome.events);
    gateway->OnHistory(outcome.command, outcome.events);
  }
  exchange.ListenWith(venue.get());
  venue->Connect(exchange, SequenceNumber(exchange.outcomes().size()));
  gateway->Start(session);
  Wait(0);
}

void NativeStage::Restart() {
  exchange.Release();
  clients_.clear();
  heard_.clear();
  Start();
}

void NativeStage::Connect(char name) {
  clients_[name] = gateway->Open();
  receivers_.erase(name);
  receivers_.try_emplace(name);
}

void NativeStage::Send(char name, absl::string_view bytes) {
  CHECK_OK(gateway->OnBytes(clients_.at(name), AsBytes(bytes)));
}

void NativeStage::Disconnect(char name) {
  gateway->Close(clients_.at(name));
  clients_.erase(name);
  CHECK_OK(gateway->Work([] { return true; }));
}

void NativeStage::Deliver(absl::string_view silent) {
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

void NativeStage::Wait(int64_t nanos) {
  steady = steady + nanos;
  gateway->OnTime(steady);
  CHECK_OK(gateway->Work([] { return true; }));
}

std::string NativeStage::Play(absl::string_view script) {
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

void NativeStage::Do(absl::string_view line) {
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
    Send(line[0], NativeBytes(line.substr(3)));
  }
}

}  // namespace engine
