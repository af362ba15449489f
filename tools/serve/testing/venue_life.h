// One life of a venue under test, and its clients: on one thread, over memory, so that what happens
// is a function of the calls and the seed. The model follows everything.
//
//   clients ─► MemorySockets ─► NotedSockets ─► VenueServer ─► Recorder ─► journal, stepped by hand
//                                    └─► VenueModel                 └─► lived: commands and events

#ifndef TOOLS_SERVE_TESTING_VENUE_LIFE_H_
#define TOOLS_SERVE_TESTING_VENUE_LIFE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/gateway/text_session.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/market_definition.h"
#include "journal/digest_sidecar.h"
#include "journal/storage/storage.h"
#include "journal/testing/stepped_halves.h"
#include "journal/writer.h"
#include "journal/writer_options.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/recorder.h"
#include "tools/os/clocks.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/os/network/network.h"
#include "tools/serve/testing/kept_talk.h"
#include "tools/serve/testing/noted_sockets.h"
#include "tools/serve/testing/venue_model.h"
#include "tools/serve/venue_config.h"
#include "tools/serve/venue_server.h"

namespace tools {

// What the lives of a venue share. `lived` grows; after a crash it lacks what the journal lost.
struct VenueWorld {
  VenueConfig config;
  engine::ManualClock clock;
  engine::ManualSteadyClock steady;
  std::deque<AppliedCommand> lived;
};

// Fails the property of rapidcheck that it runs in. Not thread-safe. All references outlive it.
class VenueLife final : private engine::TextSessionHost, private engine::EventListener {
 public:
  static constexpr size_t kWindow = size_t{64} << 10;

  VenueLife(VenueWorld& world, journal::Directory& directory, uint64_t seed);
  ~VenueLife() override { is_noting_ = false; }

  // The client at a place; one that is gone, or was never there, is connected first. `login` is the
  // first thing that it then sends.
  void Say(size_t place, absl::string_view bytes, absl::string_view login);
  // The client leaves its place: it has sent all that it will send.
  enum class Leaving { kEndsOutput, kCloses, kResets };
  void Leave(size_t place, Leaving how);
  // How many bytes may be under way, and how many the client takes in a turn.
  void SetPace(size_t place, size_t window, size_t taken);

  void Turn();
  void StepJournal(uint64_t count) { halves_.Steps(count); }

  // All clients read, until nothing happens any more.
  void Settle();
  // Ends in order. The clients that read get all replies.
  void Drain();
  // What every client has received is what the model says: when all is quiet, after Settle() or
  // Drain(), all of it, and at any time the beginning.
  enum class Moment { kAny, kQuiet };
  void Judge(Moment moment) const;

  // The conversation so far.
  const KeptRows& talk() const { return talk_.rows(); }

  engine::SequenceNumber last_shown() const { return model_.last_shown(); }

 private:
  struct Client {
    std::unique_ptr<MemoryPeer> peer;
    std::string unsent;
    std::string received;
    size_t taken = SIZE_MAX;  // In a turn.
    bool is_lost = false;     // It has closed or reset: it misses something.
  };

  absl::Status JournalStatus() const override { return recorder_->status(); }
  void PrintBook(const engine::MarketDefinition* market, std::string& out) override {
    AppendModelBook(machine_, market, out);
  }
  void OnApplied(const engine::Command& command, std::span<const engine::Event> events) override;
  void OnEvents(const engine::Command& command, std::span<const engine::Event> events) override;

  journal::WriterOptions WriterOptions() const;
  absl::Status Resume(const journal::Directory& directory);
  void TellModelHistory(const journal::Directory& directory);
  Client* At(size_t place);
  void SendAndReceive();
  void Receive();
  void Take(Note::What what, size_t connection, absl::string_view bytes);
  void TellModel();

  VenueWorld& world_;
  journal::SteppedHalves halves_;
  VenueModel model_;
  std::deque<Note> notes_;  // Not yet given to the model.
  bool is_noting_ = false;
  uint64_t activity_ = 0;  // Rises when bytes move or commands are applied.

  BatchClock batch_clock_;
  NotedClock steady_;
  MemorySockets memory_;
  NotedSockets sockets_;
  Network network_;
  KeptTalk talk_;
  VenueServer server_;
  replay::ExchangeMachine machine_;
  replay::Driver driver_{machine_};
  std::unique_ptr<journal::Writer> writer_;
  std::unique_ptr<journal::SidecarWriter> sidecar_;
  std::optional<replay::Recorder> recorder_;
  std::vector<Client> clients_;                  // By connection.
  std::vector<std::optional<size_t>> at_place_;  // The connection there.
};

}  // namespace tools

#endif  // TOOLS_SERVE_TESTING_VENUE_LIFE_H_
