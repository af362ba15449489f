#include "tools/cli/show/ouch_export.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/ouch/ledger.h"
#include "engine/gateway/ouch/record.h"
#include "engine/gateway/ouch/stream.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_directory.h"
#include "engine/wire/ouch/codec.h"
#include "engine/wire/ouch/message_json.h"
#include "engine/wire/ouch/messages.h"
#include "engine/wire/pcap/ipv4.h"
#include "engine/wire/pcap/pcap_writer.h"
#include "engine/wire/pcap/tcp.h"
#include "engine/wire/pcap/udp.h"
#include "engine/wire/soup/login.h"
#include "engine/wire/soup/packets.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/engines.h"
#include "replay/event_outputs.h"
#include "replay/machine.h"
#include "replay/market_follower.h"
#include "replay/output.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

using engine::TcpConnection;

constexpr size_t kPieceBytes = 64 << 10;

// Of a network that is reserved for documents: 192.0.2.0/24.
constexpr engine::IpEndpoint kVenue = {.address = 0xc0000201, .port = 26'401};
constexpr uint32_t kClientAddress = 0xc0000202;
constexpr uint16_t kFirstClientPort = 10'000;

class OuchWriter {
  auto ToCapture() {
    return [this](engine::Bytes packet) {
      ++exported_.packets;
      engine::AppendPcapRecord(time_, packet, out_);
    };
  }

 public:
  OuchWriter(OuchForm form, const std::vector<engine::OuchLogin>& logins,
             const engine::MarketDirectory& markets,
             const std::function<void(absl::string_view)>& sink)
      : form_(form), sink_(sink), logins_(logins), ledger_(logins, markets), shown_(logins.size()) {
    if (form_ == OuchForm::kCapture) engine::AppendPcapHeader(engine::LinkType::kRawIp, out_);
  }

  absl::Status Take(const engine::Command& command, engine::Bytes attachment,
                    std::span<const engine::Event> events, bool is_in_range) {
    sequence_ = command.sequence;
    time_ = command.timestamp;
    is_in_range_ = is_in_range;
    if (form_ == OuchForm::kCapture && is_in_range && !engine::IsPcapTime(time_)) {
      return absl::InvalidArgumentError(absl::StrCat("@", sequence_.value(), ": pcap has no time ",
                                                     time_.ToString(),
                                                     "; expected one from 1970 to 2106"));
    }
    TakeRequest(command, attachment);
    ledger_.OnApplied(command, attachment, events);
    ledger_.Release(command.sequence, [&](size_t login) { TakeStream(login); });
    PassOn(kPieceBytes);
    return absl::OkStatus();
  }

  void Finish() {
    for (Shown& shown : shown_) {
      if (shown.connection.has_value()) shown.connection->Close(ToCapture());
    }
    PassOn(1);
  }

  const OuchExported& exported() const { return exported_; }

 private:
  // Of a login: how far its stream was shown, and its connection.
  struct Shown {
    std::shared_ptr<engine::OuchStream> stream;
    engine::OuchStream::Place place;
    std::optional<TcpConnection> connection;  // In a capture.
    std::string last_request;
  };

  // The client's message, if the record has one that was not shown: a replace that the exchange
  // refuses is carried by the cancel after it, too.
  void TakeRequest(const engine::Command& command, engine::Bytes attachment) {
    const auto record = engine::DecodeOuchRecord(attachment);
    if (!record.has_value() || record->what != engine::OuchRecord::What::kRequest) return;
    const std::optional<size_t> login = FindLogin(record->user);
    if (!login.has_value() || !ledger_.day().has_value()) return;
    const auto request = engine::ouch::ParseInbound(engine::AsBytes(record->more));
    if (!request.ok()) return;
    Shown& shown = shown_[*login];
    const bool is_again = command.kind == engine::CommandKind::kCancel &&
                          std::holds_alternative<engine::ouch::ReplaceOrder>(*request) &&
                          record->more == shown.last_request;
    shown.last_request = record->more;
    if (is_again || !is_in_range_) return;
    Show(*login, *request, "client", 0);
    if (form_ != OuchForm::kCapture) return;
    std::string packet;
    engine::AppendSoupPacket(engine::SoupType::kUnsequencedData, engine::AsBytes(record->more),
                             packet);
    OpenConnection(*login);
    shown.connection->Write(TcpConnection::End::kClient, engine::AsBytes(packet), ToCapture());
  }

  // What was added to the login's stream.
  void TakeStream(size_t login) {
    Shown& shown = shown_[login];
    const auto& stream = ledger_.StreamOf(login);
    if (shown.stream != stream) {
      EndDay(shown);
      shown = {.stream = stream, .place = {}, .connection = std::nullopt, .last_request = ""};
    }
    if (is_in_range_ && form_ == OuchForm::kCapture) OpenConnection(login);
    while (true) {
      const uint64_t number = shown.place.number;
      const absl::string_view packets = stream->Read(shown.place);
      if (packets.empty()) return;
      if (!is_in_range_) continue;
      ShowAll(login, engine::AsBytes(packets), number);
      if (form_ != OuchForm::kCapture) continue;
      shown.connection->Write(TcpConnection::End::kServer, engine::AsBytes(packets), ToCapture());
    }
  }

  void EndDay(Shown& shown) {
    if (!shown.connection.has_value()) return;
    std::string packet;
    engine::AppendSoupPacket(engine::SoupType::kEndOfSession, {}, packet);
    shown.connection->Write(TcpConnection::End::kServer, engine::AsBytes(packet), ToCapture());
    shown.connection->Close(ToCapture());
  }

  void ShowAll(size_t login, engine::Bytes packets, uint64_t number) {
    engine::SoupReader reader;
    reader.Feed(packets);
    engine::SoupPacket packet;
    while (reader.Next(packet).value()) {
      Show(login, engine::ouch::ParseOutbound(packet.payload).value(), "venue", number++);
    }
  }

  // `number`: of a message of the venue's.
  template <typename Message>
  void Show(size_t login, const Message& message, absl::string_view from, uint64_t number) {
    ++exported_.messages;
    if (form_ != OuchForm::kJsonLines) return;
    absl::StrAppend(&out_, "{\"sequence\":", sequence_.value(), ",\"user\":\"", logins_[login].user,
                    "\",\"from\":\"", from, "\",");
    if (number != 0) absl::StrAppend(&out_, "\"number\":", number, ",");
    engine::ouch::AppendJsonMembers(message, out_);
    out_ += "}\n";
  }

  // Unless it is open, opens it with a login, whose password is not shown. REQUIRES: there is a
  // day.
  void OpenConnection(size_t login) {
    Shown& shown = shown_[login];
    if (shown.connection.has_value()) return;
    const auto port = static_cast<uint16_t>(kFirstClientPort + connection_count_++ % 50'000);
    shown.connection.emplace(engine::IpEndpoint{.address = kClientAddress, .port = port}, kVenue);
    shown.connection->Open(ToCapture());
    const std::string& session = ledger_.day()->session;
    const uint64_t number = shown.place.number;
    std::string packet;
    engine::AppendSoupLoginRequest(
        {.user = logins_[login].user, .session = session, .sequence = number}, packet);
    shown.connection->Write(TcpConnection::End::kClient, engine::AsBytes(packet), ToCapture());
    packet.clear();
    engine::AppendSoupLoginAccepted({.session = session, .sequence = number}, packet);
    shown.connection->Write(TcpConnection::End::kServer, engine::AsBytes(packet), ToCapture());
  }

  std::optional<size_t> FindLogin(absl::string_view user) const {
    for (size_t i = 0; i < logins_.size(); ++i) {
      if (absl::EqualsIgnoreCase(logins_[i].user, user)) return i;
    }
    return std::nullopt;
  }

  void PassOn(size_t at_least) {
    if (out_.size() < at_least) return;
    sink_(out_);
    out_.clear();
  }

  const OuchForm form_;
  const std::function<void(absl::string_view)>& sink_;
  const std::vector<engine::OuchLogin>& logins_;
  engine::OuchLedger ledger_;
  std::vector<Shown> shown_;
  size_t connection_count_ = 0;

  // Of the record.
  engine::SequenceNumber sequence_;
  engine::Timestamp time_;
  bool is_in_range_ = false;

  std::string out_;
  OuchExported exported_;
};

absl::StatusOr<std::vector<engine::OuchLogin>> ReadLogins(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path journal = fs::absolute(absl::StrCat(path, "/")).parent_path();
  const std::string file = VenueFileOf(journal.parent_path().string());
  std::error_code error;
  if (!fs::exists(file, error)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": the logins of OUCH are in a venue's file, and there is no ", file,
                     "; expected VENUE/journal"));
  }
  ASSIGN_OR_RETURN(const VenueConfig config, ReadVenueFile(file));
  if (config.ouch.logins.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(file, " has no logins of OUCH"));
  }
  return config.ouch.logins;
}

}  // namespace

absl::StatusOr<OuchExported> WriteOuch(OuchForm form, const std::string& path,
                                       const OpenedJournal& opened, const SequenceRange& range,
                                       Console& console,
                                       const std::function<void(absl::string_view)>& sink) {
  journal::Reader& reader = *opened.reader;
  const journal::JournalInfo& info = reader.info();
  RETURN_IF_ERROR(CheckBeginsWithFirst(info));
  ASSIGN_OR_RETURN(const std::vector<engine::OuchLogin> logins, ReadLogins(path));
  replay::MarketFollower markets;
  OuchWriter writer(form, logins, markets.markets(), sink);
  if (!range.empty()) {
    Progress progress(console, "export", "records", range.last.value());
    ASSIGN_OR_RETURN(const std::unique_ptr<replay::Machine> machine,
                     MakeMachineFor(info, replay::EngineKind::kFast));
    replay::Driver driver(*machine, engine::SequenceNumber());
    RETURN_IF_ERROR(reader.SeekToSequence(info.first_sequence));
    absl::Status written;
    RETURN_IF_ERROR(driver.Run(
        reader, range.last,
        [&](const journal::Record& record, std::span<const replay::Output> outputs) {
          progress.Update(record.sequence().value());
          markets.Follow(record);
          written = writer.Take(replay::ToCommand(*record.row), record.attachment,
                                replay::AsEvents(outputs), record.sequence() >= range.first);
          return written.ok();
        }));
    RETURN_IF_ERROR(written);
  }
  writer.Finish();
  return writer.exported();
}

}  // namespace tools
