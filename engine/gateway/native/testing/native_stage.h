// A venue with the native protocol for tests: a toy exchange, its gateway, and conversations as its
// clients see them.
//
//   open A          connects; `close A` disconnects
//   A> request      as NativeBytes() reads it
//   A< reply        what A receives then; "over": the venue ends the connection
//   release [N]     the events of the first N waiting commands, or of all, are released
//   wait SECONDS    that much time passes; a number with decimals
//   restart         the venue was killed and is back, with the journal of before
//
// Logins: ONE and MATE (account 6), COD (account 7; cancels on disconnect; trades in market 3
// alone). Each has its name in lower case as password. The clock of stamps advances by one
// nanosecond when it is read.

#ifndef ENGINE_GATEWAY_NATIVE_TESTING_NATIVE_STAGE_H_
#define ENGINE_GATEWAY_NATIVE_TESTING_NATIVE_STAGE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/native/native_gateway.h"
#include "engine/gateway/native/testing/native_text.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/gateway/venue.h"

namespace engine {

// Owned by the test, which may use all of it.
class NativeStage final : public NativeHost {
 public:
  static NativeOptions Options();

  // At most `waiting_max` commands wait for their release, see ToyExchange.
  explicit NativeStage(size_t waiting_max = 1'000, NativeOptions its_options = Options());

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
  const NativeReceiver& ReceiverOf(char name) const { return receivers_.at(name); }

  // Time passes; the gateway does its work.
  void Wait(int64_t nanos);
  void Restart();

  Timestamp StampNow() override { return Timestamp::FromNanos(++stamp_); }
  absl::Status JournalStatus() const override { return absl::OkStatus(); }

  NativeOptions options;
  SteadyTime steady;
  uint64_t session = 1;
  ToyExchange exchange;
  std::unique_ptr<Venue> venue;
  std::unique_ptr<NativeGateway> gateway;

 private:
  void Start();
  void Do(absl::string_view line);

  int64_t stamp_ = 0;
  std::map<char, SessionId> clients_;
  std::map<char, NativeReceiver> receivers_;
  std::map<char, std::string> heard_;  // Lines, since they were printed.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_NATIVE_TESTING_NATIVE_STAGE_H_
