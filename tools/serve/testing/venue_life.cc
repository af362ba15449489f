#include "tools/serve/testing/venue_life.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/uuid.h"
#include "rapidcheck.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"

namespace tools {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

}  // namespace

VenueLife::VenueLife(VenueWorld& world, journal::Directory& directory, uint64_t seed)
    : world_(world),
      halves_(seed),
      model_(world.config, world.lived),
      batch_clock_(world.clock),
      steady_(world.steady, [this](auto... note) { Take(note...); }),
      memory_(world.steady, seed),
      sockets_(memory_, [this](auto... note) { Take(note...); }),
      network_(sockets_, VenueServer::OptionsFor(world.config)),
      talk_(world.clock),
      server_(world.config, network_, *this,
              {.talk = &talk_, .options = {.keeps_sent_bytes = true}}) {
  const auto uuid = journal::Uuid::FromWords(1, 2);
  const journal::JournalMetadata metadata;
  auto opened = journal::Writer::Open(directory, metadata, uuid, {}, WriterOptions(),
                                      [&] { return Resume(directory); });
  if (absl::IsNotFound(opened.status())) {
    opened = journal::Writer::Create(directory, metadata, uuid, {}, WriterOptions());
  }
  RC_ASSERT(opened.ok());
  writer_ = std::move(opened).value();
  halves_.Attach(*writer_);
  world_.lived.resize(driver_.last_applied().value());
  sidecar_ =
      journal::SidecarWriter::Open(directory, writer_->journal_uuid(), driver_.last_applied())
          .value();
  engine::EventListener& listener = *this;
  recorder_.emplace(*writer_, batch_clock_, *sidecar_, driver_, listener,
                    replay::Recorder::Options{.ack = replay::AckPolicy::kDisk});
  RC_ASSERT(server_.Start(*recorder_, batch_clock_, steady_).ok());
  TellModelHistory(directory);
  is_noting_ = true;
}

journal::WriterOptions VenueLife::WriterOptions() const {
  journal::WriterOptions options;
  options.threads = halves_.threads();
  return options;
}

// A replay has the events of the live run.
absl::Status VenueLife::Resume(const journal::Directory& directory) {
  ASSIGN_OR_RETURN(const auto reader, journal::Reader::Open(directory));
  return driver_.Run(*reader, reader->info().last_sequence,
                     [&](const journal::Record& record, auto outputs) {
                       const engine::Command command = replay::ToCommand(*record.row);
                       const auto events = replay::AsEvents(outputs);
                       const AppliedCommand& lived = world_.lived.at(command.sequence.value() - 1);
                       RC_ASSERT(lived.command == command);
                       RC_ASSERT(std::ranges::equal(lived.events, events));
                       server_.OnHistory(command, record.attachment, events);
                       return true;
                     });
}

void VenueLife::TellModelHistory(const journal::Directory& directory) {
  const auto reader = journal::Reader::Open(directory).value();
  while (true) {
    const auto record = reader->Next().value();
    if (!record.has_value()) break;
    model_.OnHistory(replay::ToCommand(*record->row), record->attachment);
  }
  model_.Finish();
}

void VenueLife::OnApplied(const engine::Command& command, std::span<const engine::Event> events) {
  world_.lived.push_back({.command = command, .events = {events.begin(), events.end()}});
  ++activity_;
  server_.listener().OnApplied(command, events);
}

void VenueLife::OnEvents(const engine::Command& command, std::span<const engine::Event> events) {
  ++activity_;
  server_.listener().OnEvents(command, events);
}

VenueLife::Client* VenueLife::At(size_t place) {
  if (place >= at_place_.size() || !at_place_[place].has_value()) return nullptr;
  return &clients_[*at_place_[place]];
}

void VenueLife::Say(size_t place, absl::string_view bytes, absl::string_view login) {
  if (At(place) == nullptr) {
    if (place >= at_place_.size()) at_place_.resize(place + 1);
    at_place_[place] = clients_.size();
    clients_.push_back({.peer = memory_.Connect(server_.text_address()).value(),
                        .unsent = std::string(login),
                        .received = {}});
  }
  Client& client = *At(place);
  absl::StrAppend(&client.unsent, bytes);
  SendAndReceive();
}

void VenueLife::Leave(size_t place, Leaving how) {
  Client* const client = At(place);
  if (client == nullptr) return;
  at_place_[place].reset();
  if (how == Leaving::kEndsOutput) return client->peer->EndOutput();
  client->is_lost = true;
  how == Leaving::kCloses ? client->peer->Close() : client->peer->Reset();
}

void VenueLife::SetPace(size_t place, size_t window, size_t taken) {
  Client* const client = At(place);
  if (client == nullptr) return;
  client->peer->SetWindow(window);
  client->taken = taken;
}

void VenueLife::SendAndReceive() {
  for (Client& client : clients_) {
    const size_t sent = client.peer->Send(engine::AsBytes(client.unsent));
    client.unsent.erase(0, sent);
    activity_ += sent;
  }
  Receive();
}

void VenueLife::Receive() {
  for (Client& client : clients_) {
    if (client.is_lost) continue;
    const std::string received = client.peer->Receive(client.taken);
    client.received += received;
    activity_ += received.size();
  }
}

void VenueLife::Take(Note::What what, size_t connection, absl::string_view bytes) {
  if (!is_noting_) return;
  if (what == Note::What::kWaiting) Receive();  // Also while the venue drains.
  notes_.push_back({.what = what,
                    .connection = connection,
                    .bytes = std::string(bytes),
                    .time = world_.steady.Now(),
                    .applied = driver_.last_applied(),
                    .durable = writer_->durable_sequence()});
}

void VenueLife::TellModel() {
  for (; !notes_.empty(); notes_.pop_front()) {
    const Note& note = notes_.front();
    if (note.what == Note::What::kClosed && !clients_[note.connection].is_lost) {
      RC_ASSERT(!model_.is_open(note.connection));
    }
    model_.Take(note);
  }
}

void VenueLife::Turn() {
  SendAndReceive();
  const absl::Status turned = server_.Turn(world_.steady.Now() + kMillisecond);
  RC_ASSERT(turned.ok());
  SendAndReceive();
  TellModel();
}

void VenueLife::Settle() {
  for (Client& client : clients_) {
    client.peer->SetWindow(kWindow);
    client.taken = SIZE_MAX;
  }
  for (int quiet_turns = 0; quiet_turns < 20; ++quiet_turns) {
    const uint64_t before = activity_;
    StepJournal(20);
    Turn();
    if (activity_ != before) quiet_turns = 0;
  }
}

void VenueLife::Drain() {
  Take(Note::What::kDrain, 0, {});
  const absl::Status drained = server_.Drain();
  RC_ASSERT(drained.ok());
  Receive();
  TellModel();
  model_.Finish();
  RC_ASSERT(server_.counts().sessions == 0u);
  RC_ASSERT(server_.counts().waiting == 0u);
}

void VenueLife::Judge(Moment moment) const {
  for (size_t connection = 0; connection < clients_.size(); ++connection) {
    const Client& client = clients_[connection];
    const std::string expected(model_.replies(connection));
    RC_ASSERT(client.received == expected.substr(0, client.received.size()));
    const bool has_all = moment == Moment::kQuiet && !client.is_lost && client.taken == SIZE_MAX &&
                         !client.peer->is_reset();
    if (has_all) RC_ASSERT(client.received.size() >= model_.owed(connection));
  }
}

}  // namespace tools
