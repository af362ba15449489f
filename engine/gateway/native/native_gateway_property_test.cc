// What holds for any number of clients, however their bytes are cut, whenever records are released,
// connections end and the venue is killed.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "engine/gateway/native/testing/native_stage.h"
#include "engine/gateway/native/testing/native_text.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"
// After gtest, which it needs.
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

constexpr absl::string_view kClients = "ABC";
constexpr std::array<absl::string_view, 3> kLogins = {"ONE one", "MATE mate", "COD cod"};
constexpr std::array<AccountId, 3> kAccounts = {AccountId(6), AccountId(6), AccountId(7)};

std::string RandomRequest(Prng& prng, uint64_t last_record) {
  const uint64_t id = prng.Below(1'000);
  const uint64_t order = 1 + prng.Below(last_record + 1);
  const uint64_t quantity = prng.Below(10) * 10;
  const int64_t price = prng.Between(99, 101);
  const char* const side = prng.Chance(50) ? "buy" : "sell";
  const char* const ioc = prng.Chance(30) ? " ioc" : "";
  switch (prng.Below(9)) {
    case 0:
      return absl::StrCat("cancel id=", id, " order=", order);
    case 1:
      return absl::StrCat("replace id=", id, " order=", order, " quantity=", quantity + 10,
                          " price=", price);
    case 2:
      return absl::StrCat("amend id=", id, " order=", order, " quantity=", quantity,
                          " price=", price);
    case 3:
      return absl::StrCat("reduce_to id=", id, " order=", order, " quantity=", quantity);
    case 4:
      return absl::StrCat(prng.Chance(20) ? "mass_cancel" : "note", " id=", id);
    default:
      return absl::StrCat("new_order id=", id, " ", side, " quantity=", quantity, " price=", price,
                          ioc);
  }
}

// Clients that keep what they have received, and ask for the rest when they are connected again.
class Clients {
 public:
  explicit Clients(Prng& prng) : prng_(prng), stage_(prng.Below(30)) {}

  void Act() {
    const size_t client = prng_.Below(kClients.size());
    const char name = kClients[client];
    if (!stage_.IsConnected(name)) {
      Collect(client);
      Connect(client);
    } else if (prng_.Chance(5)) {
      stage_.Disconnect(name);
    } else {
      Send(name, NativeBytes(RandomRequest(prng_, stage_.exchange.commands().size())));
    }
    if (prng_.Chance(30)) stage_.exchange.Release(prng_.Below(4));
    if (prng_.Chance(40)) stage_.Deliver(prng_.Chance(20) ? kClients.substr(0, 1) : "");
    if (prng_.Chance(2)) stage_.Wait(500'000'000);
    if (prng_.Chance(1)) Kill();
  }

  // What a client has received in all is what the stream has, from each number on, also after
  // another life of the venue.
  void Check() {
    for (int life = 0; life < 2; ++life) {
      stage_.exchange.Release();
      stage_.Deliver();
      for (size_t client = 0; client < kClients.size(); ++client) {
        const char name = kClients[client];
        if (!stage_.IsConnected(name)) {
          Collect(client);
          Connect(client);
          stage_.exchange.Release();  // It may have cancelled.
          stage_.Deliver();
        }
        Collect(client);
        RC_ASSERT(received_[client].size() == EventsOf(kAccounts[client]));
        ExpectStream(client);
      }
      Kill();
    }
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  void Connect(size_t client) {
    const char name = kClients[client];
    stage_.Connect(name);
    Send(name, NativeBytes(absl::StrCat("login ", kLogins[client],
                                        " session=1 number=", received_[client].size() + 1)));
    begun_[client] = received_[client].size();
    stage_.Deliver();
    RC_ASSERT(stage_.ReceiverOf(name).first_number() == received_[client].size() + 1);
  }

  // How many there are, as the journal says.
  size_t EventsOf(AccountId account) const {
    size_t count = 0;
    for (const ToyExchange::Outcome& outcome : stage_.exchange.outcomes()) {
      for (const Event& event : outcome.events) {
        if (event.account == account) ++count;
        if (event.kind == EventKind::kTrade && outcome.command.account == account) ++count;
      }
    }
    return count;
  }

  void Kill() {
    stage_.Restart();
    for (size_t client = 0; client < kClients.size(); ++client) Collect(client);
  }

  // Takes over what the connection, which may have ended, has received.
  void Collect(size_t client) {
    if (begun_[client] == kNone) return;
    std::vector<std::string>& all = received_[client];
    all.resize(begun_[client]);
    for (const std::string& event : stage_.ReceiverOf(kClients[client]).events()) {
      all.push_back(event);
    }
    if (!stage_.IsConnected(kClients[client])) begun_[client] = kNone;
  }

  void ExpectStream(size_t client) {
    const std::vector<std::string>& all = received_[client];
    const uint64_t number = 1 + prng_.Below(all.size() + 1);
    stage_.Connect('X');
    Send('X', NativeBytes(absl::StrCat("login ", kLogins[client], " number=", number)));
    stage_.Deliver();
    const std::vector<std::string>& again = stage_.ReceiverOf('X').events();
    const std::vector<std::string> rest(all.begin() + static_cast<ptrdiff_t>(number - 1),
                                        all.end());
    RC_ASSERT(again.size() >= rest.size());  // Its login may have cancelled.
    RC_ASSERT(std::equal(rest.begin(), rest.end(), again.begin()));
    stage_.Disconnect('X');
    stage_.exchange.Release();  // It may have cancelled.
    stage_.Deliver();
  }

  void Send(char name, const std::string& bytes) {
    for (size_t at = 0; at < bytes.size();) {
      const size_t count = std::min<size_t>(1 + prng_.Below(100), bytes.size() - at);
      stage_.Send(name, absl::string_view(bytes).substr(at, count));
      at += count;
    }
  }

  Prng& prng_;
  NativeStage stage_;
  std::array<std::vector<std::string>, 3> received_;
  std::array<size_t, 3> begun_ = {kNone, kNone, kNone};  // Events before the connection.
};

RC_GTEST_PROP(NativeGateway, EachEventIsReceivedOnceAndForEverTheSame, ()) {
  Prng prng(*rc::gen::arbitrary<uint64_t>());
  Clients clients(prng);
  for (int i = 0; i < 300; ++i) clients.Act();
  clients.Check();
}

RC_GTEST_PROP(NativeGateway, AnyBytesAreSurvived, (const std::string& bytes, bool logs_in)) {
  NativeStage stage(3);
  stage.Connect('A');
  if (logs_in) stage.Send('A', NativeBytes("login ONE one"));
  stage.Send('A', bytes);
  stage.Deliver();
  stage.Connect('B');
  stage.Send('B', NativeBytes("login MATE mate"));
  stage.Deliver();
  RC_ASSERT(stage.IsConnected('B'));
}

}  // namespace
}  // namespace engine
