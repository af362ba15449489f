// A whole venue in a test, small enough to be read.

#ifndef TOOLS_SERVE_TESTING_SMALL_VENUE_H_
#define TOOLS_SERVE_TESTING_SMALL_VENUE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/gateway/text_session.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/exchange_machine.h"
#include "replay/recorder.h"
#include "tools/os/clocks.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/os/network/network.h"
#include "tools/os/network/stream_sockets.h"
#include "tools/serve/venue_config.h"
#include "tools/serve/venue_server.h"

namespace tools {

// One life of a venue, over the journal of the lives before: an in-memory network, a journal
// without a second thread. Failures are reported to GoogleTest. All references outlive it.
// `prepare` is called before the history. `other_sockets` are those of the network instead of the
// in-memory ones.
class SmallVenue final : public engine::TextSessionHost {
 public:
  SmallVenue(
      const VenueConfig& its_config, journal::Directory& directory, engine::ManualClock& its_clock,
      engine::ManualSteadyClock& its_steady, const VenueConversation& conversation = {},
      const std::function<void(VenueServer&)>& prepare = [](VenueServer&) {},
      StreamSockets* other_sockets = nullptr)
      : config(its_config),
        clock(its_clock),
        steady(its_steady),
        network(other_sockets == nullptr ? sockets : *other_sockets,
                VenueServer::OptionsFor(config)),
        server(config, network, *this, conversation) {
    prepare(server);
    const auto uuid = journal::Uuid::FromWords(1, 2);
    auto opened = journal::Writer::Open(directory, journal::JournalMetadata(), uuid, {}, {}, [&] {
      auto reader = journal::Reader::Open(directory);
      if (!reader.ok()) return reader.status();
      return driver.Run(**reader, (*reader)->info().last_sequence,
                        [&](const journal::Record& record, auto outputs) {
                          server.OnHistory(replay::ToCommand(*record.row), record.attachment,
                                           replay::AsEvents(outputs));
                          return true;
                        });
    });
    if (absl::IsNotFound(opened.status())) {
      opened = journal::Writer::Create(directory, journal::JournalMetadata(), uuid, {});
    }
    writer = std::move(opened).value();
    sidecar = journal::SidecarWriter::Open(directory, writer->journal_uuid(), driver.last_applied())
                  .value();
    recorder.emplace(*writer, batch_clock, *sidecar, driver, server.listener(),
                     replay::Recorder::Options{.ack = replay::AckPolicy::kDisk});
    started = server.Start(*recorder, batch_clock, steady);
  }

  absl::Status JournalStatus() const override { return recorder->status(); }
  void PrintBook(const engine::MarketDefinition*, std::string& out) override { out += "BOOK\n"; }

  std::unique_ptr<MemoryPeer> Connect() { return sockets.Connect(server.text_address()).value(); }
  void Turn() {
    const absl::Status turned = server.Turn(steady.Now() + 1'000'000);
    EXPECT_TRUE(turned.ok()) << turned;
  }
  // Sends all lines, and returns what is received by the time of `last`.
  std::string Say(MemoryPeer& peer, const std::string& lines, absl::string_view last) {
    std::string replies;
    size_t sent = 0;
    for (int turn = 0; turn < 10'000; ++turn) {
      sent += peer.Send(engine::AsBytes(lines).subspan(sent));
      Turn();
      replies += peer.Receive();
      if (sent == lines.size() && absl::StrContains(replies, last)) return replies;
    }
    ADD_FAILURE() << "no " << last << " in " << replies;
    return replies;
  }
  std::string LogIn(MemoryPeer& peer, absl::string_view name) {
    return Say(peer, absl::StrCat("LOGIN ", name, " 12345678\n"), "account=");
  }

  const VenueConfig& config;
  engine::ManualClock& clock;
  engine::ManualSteadyClock& steady;
  BatchClock batch_clock{clock};
  MemorySockets sockets{steady, 7};
  Network network;
  VenueServer server;
  replay::ExchangeMachine machine;
  replay::Driver driver{machine};
  std::unique_ptr<journal::Writer> writer;
  std::unique_ptr<journal::SidecarWriter> sidecar;
  std::optional<replay::Recorder> recorder;
  absl::Status started;
};

}  // namespace tools

#endif  // TOOLS_SERVE_TESTING_SMALL_VENUE_H_
