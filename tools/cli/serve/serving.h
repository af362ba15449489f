// A venue with its journal, from start to end: what 'ticktape serve' runs.
//
//   Open ─► Listen ─► Serve ... interrupt ─► Finish

#ifndef TOOLS_CLI_SERVE_SERVING_H_
#define TOOLS_CLI_SERVE_SERVING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/gateway/text_session.h"
#include "engine/messages/event.h"
#include "engine/types/market_definition.h"
#include "journal/digest_sidecar.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "tools/cli/base/console.h"
#include "tools/cli/record/book_text.h"
#include "tools/cli/record/recording.h"
#include "tools/cli/serve/conversation_journal.h"
#include "tools/cli/serve/open_flows.h"
#include "tools/cli/serve/scenario.h"
#include "tools/os/clocks.h"
#include "tools/os/network/network.h"
#include "tools/os/network/stream_sockets.h"
#include "tools/os/signals.h"
#include "tools/serve/venue_config.h"
#include "tools/serve/venue_server.h"

namespace tools {

// Not thread-safe: owned by the verb. All references outlive it.
class Serving final : public engine::TextSessionHost, private Recording::HistoryListener {
 public:
  Serving(const VenueConfig& config, StreamSockets& sockets, BatchClock& clock,
          const VenueConversation& conversation, Console& console)
      : clock_(clock),
        network_(sockets, VenueServer::OptionsFor(config)),
        server_(config, network_, *this, conversation),
        needs_whole_history_(!config.kalshi.listen.empty() || !config.ouch.listen.empty() ||
                             !config.itch.lines.empty() || !config.native.listen.empty() ||
                             config.agents.has_value()),
        console_(console) {}

  // Serve() spins for input instead of sleeping until it comes.
  void set_busy(bool is_busy) { is_busy_ = is_busy; }

  // Before Open().
  void AddFlows(std::vector<OpenedFlow> flows);

  // Opens the journal, which no other program has, and brings the exchange back.
  absl::Status Open(Recording::Options options);

  // From here on, an interrupt ends Serve().
  absl::Status Listen() {
    interrupt_.emplace(&network_.bell());
    return server_.Start(recording_->recorder(), clock_, steady_);
  }

  // Serves until the interrupt. Call it after Listen(). Once a second, what `conversation` holds is
  // written; it may be null.
  absl::Status Serve(ConversationJournal* conversation, Scenario scenario);

  absl::StatusOr<journal::Checkpoint> Finish() { return recording_->Finish(); }

  VenueServer& server() { return server_; }

  absl::Status JournalStatus() const override { return recording_->recorder().status(); }
  void PrintBook(const engine::MarketDefinition* market, std::string& out) override {
    AppendBooks(recording_->machine(), server_.markets(), market, out);
  }

 private:
  void Inject(Scenario& scenario, int64_t nanos);
  // Prints what flows have done that have ended since the last call, or at the end of the venue.
  void PrintFlows(bool is_end);

  absl::Status OnRestored(const Restored& restored) override;
  void OnHistory(const journal::Record& record, std::span<const engine::Event> events) override {
    server_.OnHistory(replay::ToCommand(*record.row), record.attachment, events);
  }

  MonotonicClock steady_;
  BatchClock& clock_;
  Network network_;
  VenueServer server_;
  const bool needs_whole_history_;
  bool is_busy_ = false;
  Console& console_;
  std::vector<OpenedFlow> flows_;
  std::vector<bool> is_flow_printed_;
  std::unique_ptr<Recording> recording_;
  std::optional<Interrupt> interrupt_;  // Rings the network's bell.
};

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_SERVING_H_
