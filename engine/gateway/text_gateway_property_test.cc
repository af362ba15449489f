// What holds for any number of sessions, however their bytes are cut and whenever events are
// released.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/gateway/testing/conversation.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/gateway/text_gateway.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"
// After gtest, which it needs.
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

constexpr size_t kClients = 5;

// Clients of two accounts connect, send lines and disconnect.
struct Step {
  enum class What { kConnect, kLine, kDisconnect };
  size_t client = 0;
  What what = {};
  std::string line;
};

std::vector<Step> RandomSteps(Prng& prng, int count) {
  std::vector<Step> steps;
  std::vector<bool> is_connected(kClients);
  for (int i = 0; i < count; ++i) {
    const size_t client = prng.Below(kClients);
    if (!is_connected[client]) {
      is_connected[client] = true;
      steps.push_back({.client = client, .what = Step::What::kConnect, .line = {}});
      const char* const account = client % 2 == 0 ? "even" : "odd";
      const std::string login =
          absl::StrCat("LOGIN ", prng.Chance(5) ? "none" : account, " secret");
      steps.push_back({.client = client, .what = Step::What::kLine, .line = login});
      continue;
    }
    if (prng.Chance(3)) {
      is_connected[client] = false;
      steps.push_back({.client = client, .what = Step::What::kDisconnect, .line = {}});
      continue;
    }
    const uint64_t id = prng.Below(8);
    const char* const side = prng.Chance(50) ? "BUY" : "SELL";
    const int64_t price = prng.Between(9, 11);
    const uint64_t quantity = prng.Below(5);
    std::string line;
    switch (prng.Below(6)) {
      case 0:
        line = absl::StrCat("CANCEL ", id);
        break;
      case 1:
        line = absl::StrCat("MODIFY ", id, " ", price, " ", quantity);
        break;
      case 2:
        line = prng.Chance(50) ? "PRINT ACME" : "rubbish";
        break;
      default:
        line = absl::StrCat("SUBMIT ", id, " ACME ", side, " ", price, " ", quantity);
    }
    steps.push_back({.client = client, .what = Step::What::kLine, .line = std::move(line)});
  }
  return steps;
}

// Plays steps, and keeps what each connection of each client has received.
class Stage final : public TextSessionHost, public TextLogins {
 public:
  explicit Stage(size_t waiting_max) : exchange_(waiting_max) {
    exchange_.ListenWith(&venue_);
    venue_.Connect(exchange_);
    for (const uint32_t account : {6, 7}) gateway_.AddAccount(AccountId(account));
  }

  // `prng`: cuts bytes and releases events at random; null for neither.
  void Play(const std::vector<Step>& steps, Prng* prng) {
    for (const Step& step : steps) {
      switch (step.what) {
        case Step::What::kConnect:
          sessions_[step.client] = gateway_.Open();
          received_.push_back({sessions_[step.client], ""});
          break;
        case Step::What::kDisconnect:
          // What has been released is sent; what waits is lost, so release it.
          exchange_.Release();
          Take();
          gateway_.Close(sessions_[step.client]);
          break;
        case Step::What::kLine:
          Send(sessions_[step.client], absl::StrCat(step.line, "\n"), prng);
      }
      if (prng == nullptr || prng->Chance(30)) {
        exchange_.Release(prng == nullptr ? SIZE_MAX : prng->Below(4));
      }
      if (prng == nullptr || prng->Chance(30)) Take();
    }
    exchange_.Release();
    Take();
  }

  std::vector<std::string> replies() const {
    std::vector<std::string> all;
    for (const auto& [session, replies] : received_) all.push_back(replies);
    return all;
  }
  const std::vector<Command>& commands() const { return exchange_.commands(); }

  absl::Status JournalStatus() const override { return absl::OkStatus(); }
  void PrintBook(const MarketDefinition* market, std::string& out) override {
    // Shows what is applied now, as a real book does.
    absl::StrAppend(&out, "BOOK ", market->symbol, " after ", venue_.last_applied().value(), "\n");
  }
  absl::StatusOr<TextLogin> Login(absl::string_view name, absl::string_view) override {
    if (name == "even") return TextLogin{.account = AccountId(6)};
    if (name == "odd") return TextLogin{.account = AccountId(7)};
    return absl::PermissionDeniedError("login refused");
  }

 private:
  void Send(SessionId session, const std::string& bytes, Prng* prng) {
    for (size_t at = 0; at < bytes.size();) {
      const size_t count =
          std::min<size_t>(prng == nullptr ? SIZE_MAX : 1 + prng->Below(20), bytes.size() - at);
      RC_ASSERT(gateway_.OnBytes(session, AsBytes(bytes).subspan(at, count)).ok());
      at += count;
    }
  }
  void Take() {
    gateway_.TakeReady([&](SessionId id, absl::string_view replies) {
      for (auto& [session, received] : received_) {
        if (session == id) absl::StrAppend(&received, replies);
      }
      return true;
    });
  }

  MarketDirectory markets_ = Conversation::Markets();
  ToyExchange exchange_;
  Venue venue_;
  TextGateway gateway_{venue_, *this, *this, markets_};
  SessionId sessions_[kClients];
  std::vector<std::pair<SessionId, std::string>> received_;
};

RC_GTEST_PROP(TextGateway, RepliesDependOnTheOrderOfTheLinesAlone, ()) {
  Prng prng(*rc::gen::arbitrary<uint64_t>());
  const std::vector<Step> steps = RandomSteps(prng, 300);
  Stage in_order(0);
  in_order.Play(steps, nullptr);
  Stage at_random(prng.Below(40));
  at_random.Play(steps, &prng);
  RC_ASSERT(in_order.commands() == at_random.commands());
  RC_ASSERT(in_order.replies() == at_random.replies());
}

RC_GTEST_PROP(TextGateway, AnyBytesAreSurvived, (const std::string& bytes, bool logs_in)) {
  Stage stage(3);
  std::vector<Step> steps = {{.client = 0, .what = Step::What::kConnect, .line = {}}};
  if (logs_in) steps.push_back({.client = 0, .what = Step::What::kLine, .line = "LOGIN odd x"});
  steps.push_back({.client = 0, .what = Step::What::kLine, .line = bytes});
  Prng prng(bytes.size());
  stage.Play(steps, &prng);
  for (const std::string& replies : stage.replies()) {
    for (const char c : replies) RC_ASSERT(c == '\n' || (c >= ' ' && c <= '~'));
  }
}

}  // namespace
}  // namespace engine
