#include "tools/cli/show/itch_export.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/wire/itch/feed.h"
#include "engine/wire/itch/framing.h"
#include "engine/wire/itch/message_json.h"
#include "engine/wire/itch/parser.h"
#include "engine/wire/mold/sender.h"
#include "engine/wire/pcap/ipv4.h"
#include "engine/wire/pcap/pcap_writer.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/engines.h"
#include "replay/event_outputs.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/progress.h"

namespace tools {
namespace {

constexpr size_t kPieceBytes = 64 << 10;

// Messages later than that are in another packet: a publisher does not wait for them.
constexpr int64_t kPacketNanosMax = 1'000'000;

// Of networks that are reserved for documents: 192.0.2.0/24, 233.252.0.0/24.
constexpr uint16_t kPort = 26'400;
constexpr engine::IpEndpoint kPublisher = {.address = 0xc0000201, .port = kPort};
constexpr std::array<engine::IpEndpoint, 2> kLines = {
    engine::IpEndpoint{.address = 0xe9fc0001, .port = kPort},
    engine::IpEndpoint{.address = 0xe9fc0002, .port = kPort}};

class FeedWriter {
  auto ToFrames() {
    return [this](engine::Bytes frame) { Write(frame); };
  }
  auto ToPackets() {
    return [this](engine::Bytes payload) { WritePacket(payload); };
  }

 public:
  FeedWriter(const ItchExport& request, std::string session, const ItchSink& sink)
      : request_(request), session_(std::move(session)), sink_(sink) {
    if (request_.form == ItchForm::kCapture) {
      engine::AppendPcapHeader(engine::LinkType::kRawIp, out_);
    }
  }

  // Takes all events of the next command, or a part of them.
  void Take(const engine::Command& command, engine::Bytes attachment,
            std::span<const engine::Event> events, bool is_in_range) {
    if (command.sequence != command_.sequence) {
      feed_.CompleteCommand(ToFrames());
      command_ = command;
      is_in_range_ = is_in_range && CheckTime();
    }
    feed_.Take(command, attachment, events, ToFrames());
  }

  absl::Status Finish(bool has_ended) {
    if (has_ended) {
      feed_.End(ToFrames());
    } else {
      feed_.CompleteCommand(ToFrames());
    }
    if (sender_.has_value()) {
      sender_->Flush(ToPackets());
      if (has_ended) sender_->EndSession(ToPackets());
    }
    PassOn(1);
    return status_;
  }

  const ItchExported& exported() const { return exported_; }
  const engine::ItchFeed::Counters& feed_counters() const { return feed_.counters(); }

 private:
  bool CheckTime() {
    const bool has_time =
        request_.form != ItchForm::kCapture || engine::IsPcapTime(command_.timestamp);
    if (!has_time && status_.ok()) {
      status_ = absl::InvalidArgumentError(
          absl::StrCat("@", command_.sequence.value(), ": pcap has no time ",
                       command_.timestamp.ToString(), "; expected one from 1970 to 2106"));
    }
    return status_.ok();
  }

  void Write(engine::Bytes frame) {
    if (!is_in_range_) return;
    ++exported_.messages;
    switch (request_.form) {
      case ItchForm::kJsonLines:
        WriteJson(frame);
        break;
      case ItchForm::kFrames:
        absl::StrAppend(&out_, engine::AsText(frame));
        break;
      case ItchForm::kCapture:
        AddToPacket(frame);
        break;
    }
    PassOn(kPieceBytes);
  }

  void WriteJson(engine::Bytes frame) {
    engine::ItchFrameReader reader;
    reader.Feed(frame);
    engine::ItchFrame found;
    CHECK(*reader.Next(found));
    engine::AppendItchJson(*engine::ParseItchMessage(found), out_);
    out_.push_back('\n');
  }

  void AddToPacket(engine::Bytes frame) {
    // The feed has counted the message: its number.
    if (!sender_.has_value()) {
      sender_.emplace(session_, request_.packet_bytes, feed_.counters().messages);
    }
    const int64_t now = command_.timestamp.nanos();
    if (now - packet_began_.nanos() > kPacketNanosMax) sender_->Flush(ToPackets());
    sender_->Add(frame, ToPackets());
    packet_time_ = command_.timestamp;
    if (sender_->waiting() == 1) packet_began_ = command_.timestamp;
  }

  // It leaves when its last message is added.
  void WritePacket(engine::Bytes payload) {
    ++exported_.packets;
    for (const engine::IpEndpoint& line : std::span(kLines).first(request_.line_count)) {
      packet_.clear();
      engine::AppendUdpPacket(kPublisher, line, payload, packet_);
      engine::AppendPcapRecord(packet_time_, engine::AsBytes(packet_), out_);
    }
  }

  void PassOn(size_t at_least) {
    if (out_.size() < at_least) return;
    sink_(out_);
    out_.clear();
  }

  const ItchExport request_;
  const std::string session_;
  const ItchSink& sink_;
  engine::ItchFeed feed_{engine::Timestamp()};
  engine::Command command_;
  bool is_in_range_ = false;

  std::optional<engine::MoldSender> sender_;  // From the first message on.
  engine::Timestamp packet_began_;            // The time of its first message.
  engine::Timestamp packet_time_;             // Of its last.
  std::string packet_;
  std::string out_;
  ItchExported exported_;
  absl::Status status_;
};

// What a receiver of the feed does not see.
void PrintNotes(const engine::ItchFeed::Counters& counters, Console& console) {
  if (counters.orders_not_shown > 0) {
    console.Note("note: ", Counted(counters.orders_not_shown, "order"),
                 " not shown: ITCH has no such price or quantity");
  }
  if (counters.trades_left_out > 0) {
    console.Note("note: ", Counted(counters.trades_left_out, "trade"),
                 " left out: ITCH has no such price or quantity");
  }
  if (counters.markets_left_out > 0) {
    console.Note("note: ", Counted(counters.markets_left_out, "market"),
                 " left out: ITCH has numbers for ", WithCommas(engine::ItchFeed::kMarketsMax));
  }
}

}  // namespace

absl::StatusOr<ItchExported> WriteItch(const ItchExport& request, const OpenedJournal& opened,
                                       const SequenceRange& range, Console& console,
                                       const ItchSink& sink) {
  journal::Reader& reader = *opened.reader;
  const journal::JournalInfo& info = reader.info();
  RETURN_IF_ERROR(CheckBeginsWithFirst(info));
  FeedWriter writer(request, info.uuid.ToString().substr(0, engine::kMoldSessionBytes), sink);
  if (!range.empty()) {
    Progress progress(console, "export", "records", range.last.value());
    ASSIGN_OR_RETURN(const std::unique_ptr<replay::Machine> machine,
                     MakeMachineFor(info, replay::EngineKind::kFast));
    replay::Driver driver(*machine, engine::SequenceNumber());
    RETURN_IF_ERROR(reader.SeekToSequence(info.first_sequence));
    RETURN_IF_ERROR(driver.RunInParts(
        reader, range.last,
        [&](const journal::Record& record, std::span<const replay::Output> outputs) {
          progress.Update(record.sequence().value());
          writer.Take(replay::ToCommand(*record.row), record.attachment, replay::AsEvents(outputs),
                      record.sequence() >= range.first);
        }));
  }
  const bool has_ended = !range.empty() && info.sealed && range.last == info.last_sequence;
  RETURN_IF_ERROR(writer.Finish(has_ended));
  PrintNotes(writer.feed_counters(), console);
  return writer.exported();
}

}  // namespace tools
