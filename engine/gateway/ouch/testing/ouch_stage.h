// A venue with OUCH for tests: a toy exchange, its gateway, and conversations as its clients see
// them.
//
//   open A          connects; `close A` disconnects
//   A> request      as OuchBytes() reads it
//   A< reply        what A receives then; "over": the venue ends the connection
//   release [N]     the events of the first N waiting commands, or of all, are released
//   wait SECONDS    that much time passes; a number with decimals
//   restart         the venue was killed and is back, with the journal of before
//
// Logins: ONE and MATE (firm FIRM, account 6), COD (firm CODS, account 7; cancels on disconnect).
// Each has its name in lower case as password. ACME has prices of 0.01 and shares. The first day is
// 2026-11-28.

#ifndef ENGINE_GATEWAY_OUCH_TESTING_OUCH_STAGE_H_
#define ENGINE_GATEWAY_OUCH_TESTING_OUCH_STAGE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/ouch/ouch_gateway.h"
#include "engine/gateway/ouch/testing/ouch_text.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/gateway/venue.h"
#include "engine/messages/market_directory.h"

namespace engine {

// Owned by the test, which may use all of it.
class OuchStage final : public OuchHost {
 public:
  static OuchOptions Options();
  static MarketDirectory Markets();

  // At most `waiting_max` commands wait for their release, see ToyExchange.
  explicit OuchStage(size_t waiting_max = 1'000, bool may_lose_tail = false);

  // Returns `script` with the replies that really came.
  std::string Play(absl::string_view script);

  // Of a client, by a name of one letter.
  void Connect(char name);
  // Sends bytes, cut as the caller likes.
  void Send(char name, absl::string_view bytes);
  void Disconnect(char name);
  SessionId SessionOf(char name) const { return clients_.at(name); }
  bool IsConnected(char name) const { return clients_.contains(name); }
  // Delivers what may be sent, save to those who are `silent`: they read nothing. Connections that
  // are over are closed.
  void Deliver(absl::string_view silent = {});
  const OuchReceiver& ReceiverOf(char name) const { return receivers_.at(name); }

  // Time passes; the gateway does its work.
  void Wait(int64_t nanos);
  void Restart();

  Timestamp Now() override { return time; }
  absl::Status JournalStatus() const override { return absl::OkStatus(); }

  MarketDirectory markets = Markets();
  Timestamp time;
  SteadyTime steady;
  ToyExchange exchange;
  const bool may_lose_tail;
  std::unique_ptr<Venue> venue;
  std::unique_ptr<OuchGateway> gateway;

 private:
  void Start();
  void Do(absl::string_view line);

  std::map<char, SessionId> clients_;
  std::map<char, OuchReceiver> receivers_;
  std::map<char, std::string> heard_;  // Lines, since they were printed.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_OUCH_TESTING_OUCH_STAGE_H_
