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
#include "engine/gateway/ouch/testing/ouch_stage.h"
#include "engine/gateway/ouch/testing/ouch_text.h"
#include "gtest/gtest.h"
// After gtest, which it needs.
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

constexpr absl::string_view kClients = "ABC";
constexpr std::array<absl::string_view, 3> kLogins = {"ONE one", "MATE mate", "COD cod"};

std::string RandomRequest(Prng& prng) {
  const std::string token = absl::StrCat("T", prng.Below(40));
  const std::string other = absl::StrCat("T", prng.Below(40));
  const uint64_t shares = prng.Below(10) * 10;
  const int64_t price = prng.Between(99, 101) * 1'000;
  const char* const side = prng.Chance(50) ? "B" : "S";
  switch (prng.Below(8)) {
    case 0:
      return absl::StrCat("cancel ", token, " ", shares);
    case 1:
      return absl::StrCat("replace ", token, " ", other, " ", shares, " ", price,
                          prng.Chance(30) ? " tif=5" : "");
    case 2:
      return absl::StrCat("modify ", token, " ", prng.Chance(50) ? "T" : side, " ", shares);
    case 3:
      return absl::StrCat("enter ", token, " ", side, " ", shares, " NONE ", price);
    default:
      return absl::StrCat("enter ", token, " ", side, " ", shares, " ACME ", price,
                          prng.Chance(30) ? " tif=0" : "");
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
      Send(name, OuchBytes(RandomRequest(prng_)));
    }
    if (prng_.Chance(30)) stage_.exchange.Release(prng_.Below(4));
    if (prng_.Chance(40)) stage_.Deliver(prng_.Chance(20) ? kClients.substr(0, 1) : "");
    if (prng_.Chance(2)) stage_.Wait(500'000'000);
    if (prng_.Chance(1)) Kill();
  }

  // What a client has received in all is what the stream has, from each number on, also after
  // another life of the venue.
  void Check() {
    stage_.exchange.Release();
    stage_.Deliver();
    for (int life = 0; life < 2; ++life) {
      for (size_t client = 0; client < kClients.size(); ++client) {
        const char name = kClients[client];
        if (!stage_.IsConnected(name)) {
          Collect(client);
          Connect(client);
          stage_.Deliver();
        }
        Collect(client);
        ExpectStream(client);
      }
      Kill();
      stage_.exchange.Release();
    }
  }

 private:
  void Connect(size_t client) {
    const char name = kClients[client];
    stage_.Connect(name);
    Send(name,
         OuchBytes(absl::StrCat("login ", kLogins[client], " - ", received_[client].size() + 1)));
    begun_[client] = received_[client].size();
    stage_.Deliver();
    RC_ASSERT(stage_.ReceiverOf(name).first_number() == received_[client].size() + 1);
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
    for (const std::string& message : stage_.ReceiverOf(kClients[client]).messages()) {
      all.push_back(message);
    }
    if (!stage_.IsConnected(kClients[client])) begun_[client] = kNone;
  }

  void ExpectStream(size_t client) {
    const std::vector<std::string>& all = received_[client];
    const uint64_t number = 1 + prng_.Below(all.size() + 1);
    stage_.Connect('X');
    Send('X', OuchBytes(absl::StrCat("login ", kLogins[client], " - ", number)));
    stage_.Deliver();
    const std::vector<std::string>& again = stage_.ReceiverOf('X').messages();
    RC_ASSERT(std::equal(all.begin() + static_cast<ptrdiff_t>(number - 1), all.end(), again.begin(),
                         again.end()));
    stage_.Disconnect('X');
    stage_.exchange.Release();  // It may have cancelled.
    stage_.Deliver();
  }

  void Send(char name, const std::string& bytes) {
    for (size_t at = 0; at < bytes.size();) {
      const size_t count = std::min<size_t>(1 + prng_.Below(60), bytes.size() - at);
      stage_.Send(name, absl::string_view(bytes).substr(at, count));
      at += count;
    }
  }

  static constexpr size_t kNone = SIZE_MAX;

  Prng& prng_;
  OuchStage stage_;
  std::array<std::vector<std::string>, 3> received_;
  std::array<size_t, 3> begun_ = {kNone, kNone, kNone};  // Messages before the connection.
};

RC_GTEST_PROP(OuchGateway, EachMessageIsReceivedOnceAndForEverTheSame, ()) {
  Prng prng(*rc::gen::arbitrary<uint64_t>());
  Clients clients(prng);
  for (int i = 0; i < 300; ++i) clients.Act();
  clients.Check();
}

RC_GTEST_PROP(OuchGateway, AnyBytesAreSurvived, (const std::string& bytes, bool logs_in)) {
  OuchStage stage(3);
  stage.Connect('A');
  if (logs_in) stage.Send('A', OuchBytes("login ONE one"));
  stage.Send('A', bytes);
  stage.Deliver();
  stage.Connect('B');
  stage.Send('B', OuchBytes("login MATE mate"));
  stage.Deliver();
  RC_ASSERT(stage.IsConnected('B'));
}

}  // namespace
}  // namespace engine
