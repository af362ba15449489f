// A strategy that trades at a venue: the client between its machine, whose journal is the run, and
// the web.
//
//   web ─► Client ─► Input ─► MachineJournal ─► Action ─► Client ─► web
//
// One thread. What the strategy hears is recorded before it hears it.

#ifndef TOOLS_CLI_TRADE_LIVE_RUN_H_
#define TOOLS_CLI_TRADE_LIVE_RUN_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "replay/retime/latency_histogram.h"
#include "tools/cli/base/machine_journal.h"
#include "tools/client/call.h"
#include "tools/client/client.h"
#include "tools/client/clock_offset.h"
#include "tools/client/dry_run.h"
#include "tools/client/signatures/signatures.h"
#include "tools/os/web/web_client.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"
#include "tools/strategy/parameters.h"
#include "tools/strategy/strategy_machine.h"

namespace tools {

struct LiveTerms {
  client::ClientTerms client;
  WebTerms web;
  std::string key_id;
  bool is_dry = false;
  std::vector<strategy::Parameters::Assignment> parameters;
};

// Not thread-safe.
class LiveRun final : private WebHandler, private client::ClientHost {
 public:
  using Show = std::function<void(absl::string_view)>;

  // `machine`, `journal`, which drives it, `signatures` and `clock` outlive it. `note` shows a line
  // to people.
  LiveRun(LiveTerms terms, const strategy::StrategyMachine& machine, MachineJournal& journal,
          client::Signatures& signatures, engine::Clock& clock, Show note);
  ~LiveRun() override = default;

  // Connects, and gives the strategy its parameters. Errors: those of WebClient::Make.
  absl::Status Begin();
  // Waits for what comes, at most `nanos_max`, and handles it. Errors: the journal's; why the
  // client gave up.
  absl::Status Turn(int64_t nanos_max);
  // Records the time, so that the run grows where nothing is heard: it shows that the program
  // lives.
  void RecordTime();
  void Stop();
  bool is_over() const { return client_.is_over() && answers_.empty(); }
  // Rings from a signal handler too.
  void Wake() { web_->Wake(); }

  const client::Client& client() const { return client_; }
  int64_t clock_offset_nanos() const { return offset_.nanos(); }
  // Of the feed's socket; -1 if it is not open.
  int feed_descriptor() const { return web_->feed_descriptor(); }
  // From a request to its reply, in ns; of orders and amends. One way is taken to be half of it.
  const replay::LatencyHistogram& round_trips() const { return round_trips_; }
  const replay::LatencyHistogram& order_latencies() const { return order_latencies_; }
  // From the venue's time of a change of a book to its receipt, in ns.
  const replay::LatencyHistogram& data_latencies() const { return data_latencies_; }

 private:
  struct Sent {
    client::CallKind kind;
    engine::Timestamp at;
  };

  // WebHandler.
  void OnReply(uint64_t id, const WebReply& reply) override;
  void OnRequestFailed(uint64_t id, const absl::Status& why, bool may_have_arrived) override;
  void OnFeedOpen() override;
  void OnFrame(absl::string_view text) override;
  void OnFeedClosed(const absl::Status& why) override;

  // ClientHost.
  void Start(const client::Call& call) override;
  void OpenFeed() override;
  void CloseFeed() override { web_->CloseFeed(); }
  void SendFrame(absl::string_view json) override { web_->SendFrame(json); }
  void Hear(const strategy::Input& input, engine::Bytes attachment) override;
  void OnOrderLive(absl::string_view order_id) override;
  void OnOrderEnded(absl::string_view order_id) override;
  bool IsBookGood(engine::MarketId market) const override;
  void Note(absl::string_view text) override { note_(text); }

  engine::Timestamp Now();
  // Calls `send` with the headers that a signed request bears.
  void WithHeaders(absl::string_view method, absl::string_view path, bool has_body,
                   absl::FunctionRef<void(std::span<const WebHeader>)> send);
  // Gives the client the decisions that its last call caused, until there are none.
  void DrainActions();
  void FireTimers();

  const LiveTerms terms_;
  const strategy::StrategyMachine& machine_;
  MachineJournal& journal_;
  client::Signatures& signatures_;
  engine::Clock& clock_;
  const Show note_;
  client::Client client_;
  client::DryRun dry_run_;
  client::ClockOffset offset_;
  std::unique_ptr<WebClient> web_;
  engine::Timestamp now_;  // Of the last row: time never goes back.
  absl::flat_hash_map<uint64_t, Sent> sent_;
  std::deque<strategy::Action> actions_;
  std::deque<std::pair<uint64_t, client::DryRun::Answer>> answers_;  // Of a dry run.
  replay::LatencyHistogram round_trips_;
  replay::LatencyHistogram order_latencies_;
  replay::LatencyHistogram data_latencies_;
  absl::Status status_;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRADE_LIVE_RUN_H_
