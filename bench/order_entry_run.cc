#include "bench/order_entry_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "bench/venue_run.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/native/frame_reader.h"
#include "engine/wire/native/frames.h"
#include "engine/wire/ouch/codec.h"
#include "engine/wire/ouch/messages.h"
#include "engine/wire/soup/login.h"
#include "engine/wire/soup/packets.h"
#include "tools/os/clocks.h"
#include "tools/os/network/testing/blocking_tcp.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

namespace native = engine::native;
namespace ouch = engine::ouch;
using engine::Bytes;
using tools::BlockingClient;

constexpr absl::string_view kUser = "trader";
constexpr absl::string_view kPassword = "12345678";
constexpr size_t kPieceBytes = size_t{64} << 10;
constexpr size_t kIdleBeat = 10'000;  // Round trips between heartbeats of idle connections.

int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string IdleUser(size_t number) { return absl::StrCat("idle-", number); }

// Accounts without money: the market only matches.
std::string VenueFile(size_t idle) {
  const auto login_of = [](absl::string_view user, size_t account) {
    return absl::StrCat("{\"user\":\"", user, "\",\"password\":\"", kPassword,
                        "\",\"account\":", account);
  };
  std::string accounts = "{\"id\":1}";
  std::string logins = absl::StrCat(login_of(kUser, 1), "}");
  for (size_t i = 0; i < idle; ++i) {
    absl::StrAppend(&accounts, ",{\"id\":", i + 2, "}");
    absl::StrAppend(&logins, ",", login_of(IdleUser(i), i + 2), "}");
  }
  return absl::StrCat(
      R"({"schema":"ticktape.venue/1","accounts":[)", accounts,
      R"(],"markets":[{"definition":{"id":1,"symbol":"SYM0","price_decimals":4,)",
      R"("price_max":"1000"}}],"logins":[],"text":{"listen":"","login_seconds_max":60},)",
      R"("native":{"listen":"127.0.0.1:0","connections_max":)", idle + 8, R"(,"logins":[)", logins,
      R"(]},"ouch":{"listen":"127.0.0.1:0","symbols":["SYM0"],"logins":[)", login_of(kUser, 1),
      R"(,"firm":"FIRM"}]}})");
}

// Runs `body` on a thread on that core, if given.
absl::Status RunOn(std::optional<int> core, const std::function<absl::Status()>& body) {
  absl::Status status;
  {
    const tools::Thread thread(
        "bench", [&] { status = body(); }, {}, core);
    RETURN_IF_ERROR(thread.status());
  }
  return status;
}

// All threads of the venue are on the server's core.
absl::StatusOr<std::unique_ptr<VenueUnderTest>> StartVenue(const OrderEntryOptions& options) {
  std::unique_ptr<VenueUnderTest> venue;
  RETURN_IF_ERROR(RunOn(options.server_core, [&] {
    const VenueOptions venue_options = {.ticktape = options.ticktape,
                                        .ack = options.ack,
                                        .is_busy = options.is_busy,
                                        .venue_file = VenueFile(options.idle)};
    auto started = VenueUnderTest::Start(venue_options);
    if (started.ok()) venue = *std::move(started);
    return started.status();
  }));
  return venue;
}

absl::StatusOr<std::unique_ptr<BlockingClient>> LogIn(const VenueUnderTest& venue,
                                                      absl::string_view user) {
  ASSIGN_OR_RETURN(std::unique_ptr<BlockingClient> client,
                   BlockingClient::Connect(venue.native_address()));
  const native::Login login = {
      .user = native::FieldOf<decltype(native::Login::user)>(user),
      .password = native::FieldOf<decltype(native::Login::password)>(kPassword)};
  RETURN_IF_ERROR(client->Send(engine::AsBytes(login)));
  std::array<std::byte, native::kFrameBytes> answer;
  RETURN_IF_ERROR(client->ReceiveAll(answer));
  if (native::TypeOf(answer) == native::FrameType::kLoginAccepted) return client;
  return absl::AbortedError("the login is refused");
}

// The connections that do nothing.
class IdleClients {
 public:
  static absl::StatusOr<IdleClients> LogInAll(const VenueUnderTest& venue, size_t count) {
    IdleClients idle;
    for (size_t i = 0; i < count; ++i) {
      ASSIGN_OR_RETURN(idle.clients_.emplace_back(), LogIn(venue, IdleUser(i)));
    }
    return idle;
  }

  absl::Status Beat() {
    for (const auto& client : clients_) {
      RETURN_IF_ERROR(client->Send(engine::AsBytes(native::ClientHeartbeat())));
    }
    return absl::OkStatus();
  }

 private:
  std::vector<std::unique_ptr<BlockingClient>> clients_;
};

// An order that rests far from any other, or its cancel: each has one event. The id of an order is
// the number of its command, and all commands are this client's.
class Orders {
 public:
  explicit Orders(uint64_t last_sequence) : sequence_(last_sequence) {}

  native::CommandFrame Next() {
    ++sequence_;
    engine::Command command;
    command.market = engine::MarketId(1);
    command.client_order_id = engine::ClientOrderId(sequence_);
    rests_ = !rests_;
    if (rests_) {
      command.kind = engine::CommandKind::kNewOrder;
      command.side = engine::Side::kBid;
      command.type = engine::OrderType::kLimit;
      command.tif = engine::TimeInForce::kGoodTillCancelled;
      command.price = engine::Price::FromUnits(10'000);
      command.quantity = engine::Quantity::FromUnits(1);
    } else {
      command.kind = engine::CommandKind::kCancel;
      command.order_id = engine::OrderId(sequence_ - 1);
    }
    return native::FrameOf(command);
  }

 private:
  uint64_t sequence_;
  bool rests_ = false;  // The last one was an order, which its cancel follows.
};

// Errors: ABORTED, it is no event, or that of a refusal.
absl::StatusOr<native::EventFrame> EventOf(Bytes frame) {
  const auto event = native::FrameFrom<native::EventFrame>(frame);
  if (event.type != native::FrameType::kEvent) {
    return absl::AbortedError(
        absl::StrCat("a frame of type ", static_cast<int>(event.type), ", expected an event"));
  }
  const auto kind = static_cast<engine::EventKind>(event.kind);
  if (kind == engine::EventKind::kAccepted || kind == engine::EventKind::kCancelled) return event;
  return absl::AbortedError(absl::StrCat("an event of kind ", event.kind, ", reason ", event.detail,
                                         ", expected accepted or cancelled"));
}

bool IsHeartbeat(Bytes frame) { return native::TypeOf(frame) == native::FrameType::kHeartbeat; }

// The next event.
absl::StatusOr<native::EventFrame> ReceiveEvent(BlockingClient& client) {
  std::array<std::byte, native::kFrameBytes> frame;
  do {
    RETURN_IF_ERROR(client.ReceiveAll(frame));
  } while (IsHeartbeat(frame));
  return EventOf(frame);
}

// The number of the last command, after one order and its cancel.
absl::StatusOr<uint64_t> FindSequence(BlockingClient& client) {
  Orders first(0);
  RETURN_IF_ERROR(client.Send(engine::AsBytes(first.Next())));
  ASSIGN_OR_RETURN(const native::EventFrame accepted, ReceiveEvent(client));
  engine::Command cancel;
  cancel.kind = engine::CommandKind::kCancel;
  cancel.market = engine::MarketId(1);
  cancel.order_id = engine::OrderId(accepted.sequence);
  RETURN_IF_ERROR(client.Send(engine::AsBytes(native::FrameOf(cancel))));
  ASSIGN_OR_RETURN(const native::EventFrame cancelled, ReceiveEvent(client));
  return cancelled.sequence;
}

absl::Status NativeTrips(BlockingClient& client, IdleClients& idle, size_t count,
                         NativeRoundTrips& result) {
  ASSIGN_OR_RETURN(const uint64_t sequence, FindSequence(client));
  Orders orders(sequence);
  const size_t warm_up = count / 10;
  for (size_t i = 0; i < warm_up + count; ++i) {
    if (i % kIdleBeat == 0) RETURN_IF_ERROR(idle.Beat());
    const native::CommandFrame order = orders.Next();
    const int64_t begin = NowNanos();
    RETURN_IF_ERROR(client.Send(engine::AsBytes(order)));
    ASSIGN_OR_RETURN(const native::EventFrame event, ReceiveEvent(client));
    if (i < warm_up) continue;
    result.round_trips.Record(static_cast<uint64_t>(NowNanos() - begin));
    result.waited.Record(event.waited_nanos);
    result.engine.Record(event.engine_nanos);
  }
  return absl::OkStatus();
}

absl::Status EchoTrips(BlockingClient& client, size_t count, LatencyHistogram& result) {
  Orders orders(0);
  std::array<std::byte, native::kFrameBytes> answer;
  const size_t warm_up = count / 10;
  for (size_t i = 0; i < warm_up + count; ++i) {
    const native::CommandFrame order = orders.Next();
    const int64_t begin = NowNanos();
    RETURN_IF_ERROR(client.Send(engine::AsBytes(order)));
    RETURN_IF_ERROR(client.ReceiveAll(answer));
    if (i >= warm_up) result.Record(static_cast<uint64_t>(NowNanos() - begin));
  }
  return absl::OkStatus();
}

// Sends `bytes` from another thread while `receive` takes the answers.
absl::StatusOr<double> SendAndReceive(BlockingClient& client, absl::string_view bytes,
                                      const std::function<absl::Status()>& receive) {
  absl::Status sent;
  absl::Status received;
  double seconds = 0;
  {
    const tools::Stopwatch stopwatch;
    const tools::Thread sender("sender", [&] {
      for (; sent.ok() && !bytes.empty();
           bytes.remove_prefix(std::min(bytes.size(), kPieceBytes))) {
        sent = client.Send(engine::AsBytes(bytes.substr(0, kPieceBytes)));
      }
    });
    RETURN_IF_ERROR(sender.status());
    received = receive();
    seconds = stopwatch.Seconds();
  }
  RETURN_IF_ERROR(sent);
  RETURN_IF_ERROR(received);
  return seconds;
}

absl::Status ReceiveEvents(BlockingClient& client, size_t count, LatencyHistogram& engine_nanos) {
  std::vector<std::byte> bytes(kPieceBytes);
  native::FrameReader reader;
  while (count > 0) {
    ASSIGN_OR_RETURN(const size_t size, client.Receive(bytes));
    reader.Feed(Bytes(bytes).first(size));
    for (Bytes frame = reader.Next(); !frame.empty(); frame = reader.Next()) {
      if (IsHeartbeat(frame)) continue;
      ASSIGN_OR_RETURN(const native::EventFrame event, EventOf(frame));
      engine_nanos.Record(event.engine_nanos);
      --count;
    }
  }
  return absl::OkStatus();
}

std::string OuchOrders(size_t count) {
  std::string bytes;
  for (size_t i = 0; i < count; ++i) {
    const auto token = ouch::FieldOf<ouch::Token>(absl::StrCat(i / 2));
    if (i % 2 == 0) {
      const ouch::EnterOrder enter = {.token = token,
                                      .side = 'B',
                                      .shares = 1,
                                      .stock = ouch::FieldOf<ouch::Stock>("SYM0"),
                                      .price = 10'000,
                                      .time_in_force = ouch::kSystemHours,
                                      .firm = ouch::FieldOf<ouch::Firm>(""),
                                      .display = 'Y',
                                      .capacity = 'A',
                                      .intermarket_sweep = 'N',
                                      .minimum_quantity = 0,
                                      .cross_type = 'N',
                                      .customer_type = 'N'};
      AppendSoupPacket(engine::SoupType::kUnsequencedData, ouch::BytesOf(enter), bytes);
    } else {
      const ouch::CancelOrder cancel = {.token = token, .shares = 0};
      AppendSoupPacket(engine::SoupType::kUnsequencedData, ouch::BytesOf(cancel), bytes);
    }
  }
  return bytes;
}

absl::Status ReceiveOuch(BlockingClient& client, size_t count) {
  std::vector<std::byte> bytes(kPieceBytes);
  engine::SoupReader reader;
  while (count > 0) {
    ASSIGN_OR_RETURN(const size_t size, client.Receive(bytes));
    reader.Feed(Bytes(bytes).first(size));
    while (true) {
      engine::SoupPacket packet;
      ASSIGN_OR_RETURN(const bool is_whole, reader.Next(packet));
      if (!is_whole) break;
      if (packet.type != engine::SoupType::kSequencedData || packet.payload.empty()) continue;
      const auto type = static_cast<char>(packet.payload[0]);
      if (type != ouch::Accepted::kType && type != ouch::Cancelled::kType) {
        return absl::AbortedError(absl::StrCat("a message '", std::string(1, type), "'"));
      }
      --count;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<BlockingClient>> LogInToOuch(const VenueUnderTest& venue) {
  ASSIGN_OR_RETURN(std::unique_ptr<BlockingClient> client,
                   BlockingClient::Connect(venue.ouch_address()));
  std::string login;
  engine::AppendSoupLoginRequest({.user = std::string(kUser),
                                  .password = std::string(kPassword),
                                  .session = {},
                                  .sequence = 0},
                                 login);
  RETURN_IF_ERROR(client->Send(engine::AsBytes(login)));
  return client;
}

}  // namespace

absl::StatusOr<NativeRoundTrips> MeasureNativeRoundTrips(const OrderEntryOptions& options,
                                                         size_t count) {
  ASSIGN_OR_RETURN(const std::unique_ptr<VenueUnderTest> venue, StartVenue(options));
  ASSIGN_OR_RETURN(IdleClients idle, IdleClients::LogInAll(*venue, options.idle));
  NativeRoundTrips result;
  RETURN_IF_ERROR(RunOn(options.client_core, [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::unique_ptr<BlockingClient> client, LogIn(*venue, kUser));
    return NativeTrips(*client, idle, count, result);
  }));
  return result;
}

absl::StatusOr<LatencyHistogram> MeasureEchoRoundTrips(const OrderEntryOptions& options,
                                                       size_t count) {
  ASSIGN_OR_RETURN(const std::unique_ptr<tools::BlockingEcho> echo,
                   tools::BlockingEcho::Start(options.server_core));
  LatencyHistogram result;
  RETURN_IF_ERROR(RunOn(options.client_core, [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::unique_ptr<BlockingClient> client,
                     BlockingClient::Connect(echo->address()));
    return EchoTrips(*client, count, result);
  }));
  return result;
}

absl::StatusOr<Throughput> MeasureNativeThroughput(const OrderEntryOptions& options, size_t count) {
  ASSIGN_OR_RETURN(const std::unique_ptr<VenueUnderTest> venue, StartVenue(options));
  ASSIGN_OR_RETURN(IdleClients idle, IdleClients::LogInAll(*venue, options.idle));
  Throughput result;
  RETURN_IF_ERROR(RunOn(options.client_core, [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::unique_ptr<BlockingClient> client, LogIn(*venue, kUser));
    ASSIGN_OR_RETURN(const uint64_t sequence, FindSequence(*client));
    Orders orders(sequence);
    std::string bytes;
    bytes.reserve(count * native::kFrameBytes);
    for (size_t i = 0; i < count; ++i) {
      const native::CommandFrame frame = orders.Next();
      absl::StrAppend(&bytes, engine::AsText(engine::AsBytes(frame)));
    }
    RETURN_IF_ERROR(idle.Beat());
    ASSIGN_OR_RETURN(const double seconds, SendAndReceive(*client, bytes, [&] {
                       return ReceiveEvents(*client, count, result.engine);
                     }));
    result.orders_per_second = static_cast<double>(count) / seconds;
    return absl::OkStatus();
  }));
  return result;
}

absl::StatusOr<Throughput> MeasureOuchThroughput(const OrderEntryOptions& options, size_t count) {
  ASSIGN_OR_RETURN(const std::unique_ptr<VenueUnderTest> venue, StartVenue(options));
  ASSIGN_OR_RETURN(IdleClients idle, IdleClients::LogInAll(*venue, options.idle));
  Throughput result;
  RETURN_IF_ERROR(RunOn(options.client_core, [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::unique_ptr<BlockingClient> client, LogInToOuch(*venue));
    const std::string bytes = OuchOrders(count);
    RETURN_IF_ERROR(idle.Beat());
    ASSIGN_OR_RETURN(const double seconds,
                     SendAndReceive(*client, bytes, [&] { return ReceiveOuch(*client, count); }));
    result.orders_per_second = static_cast<double>(count) / seconds;
    return absl::OkStatus();
  }));
  return result;
}

}  // namespace bench
