#include "engine/gateway/native/testing/native_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

// Of FIELD=N; or 1 of a word without a number.
std::pair<std::string, int64_t> FieldOf(absl::string_view word) {
  const std::vector<std::string> parts = absl::StrSplit(word, '=');
  int64_t number = 1;
  if (parts.size() == 2) CHECK(ParseInteger(parts[1], number)) << std::string(word);
  return {parts[0], number};
}

std::string LoginBytes(const std::vector<std::string>& words) {
  native::Login login = {
      .user = native::FieldOf<decltype(native::Login::user)>(words.at(1)),
      .password = native::FieldOf<decltype(native::Login::password)>(words.at(2))};
  for (size_t i = 3; i < words.size(); ++i) {
    const auto& [name, number] = FieldOf(words[i]);
    if (name == "number") login.number = static_cast<uint64_t>(number);
    if (name == "session") login.session = static_cast<uint64_t>(number);
    if (name == "version") login.version = static_cast<uint8_t>(number);
  }
  return std::string(AsText(AsBytes(login)));
}

std::string CommandBytes(CommandKind kind, const std::vector<std::string>& words) {
  Command command;
  command.kind = kind;
  command.market = MarketId(3);
  if (kind == CommandKind::kNewOrder) {
    command.type = OrderType::kLimit;
    command.tif = TimeInForce::kGoodTillCancelled;
  }
  for (size_t i = 1; i < words.size(); ++i) {
    const auto& [name, number] = FieldOf(words[i]);
    const auto bits = static_cast<uint64_t>(number);
    if (name == "id") command.client_order_id = ClientOrderId(bits);
    if (name == "order") command.order_id = OrderId(bits);
    if (name == "buy") command.side = Side::kBid;
    if (name == "sell") command.side = Side::kAsk;
    if (name == "quantity") command.quantity = Quantity::FromUnits(bits);
    if (name == "price") command.price = Price::FromUnits(number);
    if (name == "market") command.market = MarketId(static_cast<uint32_t>(bits));
    if (name == "group") command.set_group(GroupId(static_cast<uint32_t>(bits)));
    if (name == "ioc") command.tif = TimeInForce::kImmediateOrCancel;
  }
  return std::string(AsText(AsBytes(native::FrameOf(command))));
}

void AppendField(std::string& text, absl::string_view name, auto value) {
  if (value != 0) absl::StrAppend(&text, " ", name, "=", value);
}

std::string EventText(const native::EventFrame& event) {
  const auto kind = static_cast<EventKind>(event.kind);
  std::string text(InfoOf(kind).name);
  AppendField(text, "id", event.client_order_id);
  AppendField(text, "order", event.order_id);
  const auto side = static_cast<Side>(event.side);
  if (IsValid(side)) absl::StrAppend(&text, side == Side::kBid ? " bid" : " ask");
  AppendField(text, "price", event.price);
  AppendField(text, "quantity", event.quantity);
  if (kind == EventKind::kTrade) {
    const bool is_taker = event.detail == static_cast<uint8_t>(native::TradeRole::kTaker);
    return absl::StrCat(text, is_taker ? " taker" : " maker");
  }
  AppendField(text, "detail", int{event.detail});
  return text;
}

}  // namespace

std::string NativeBytes(absl::string_view line) {
  const std::vector<std::string> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  const std::string& verb = words.at(0);
  if (verb == "login") return LoginBytes(words);
  if (verb == "heartbeat") return std::string(AsText(AsBytes(native::ClientHeartbeat())));
  if (verb == "logout") return std::string(AsText(AsBytes(native::Logout())));
  if (verb == "frame") {
    return std::string(native::kFrameBytes, static_cast<char>(FieldOf("=" + words.at(1)).second));
  }
  const auto* const kind =
      std::ranges::find(kCommandKinds, absl::string_view(verb), &CommandKindInfo::name);
  CHECK(kind != kCommandKinds.end()) << std::string(line);
  return CommandBytes(kind->kind, words);
}

std::string NativeReceiver::TextOf(Bytes bytes) {
  std::string text;
  switch (native::TypeOf(bytes)) {
    case native::FrameType::kLoginAccepted: {
      const auto frame = native::FrameFrom<native::LoginAccepted>(bytes);
      first_number_ = frame.number;
      events_.clear();
      return absl::StrCat("login accepted account=", frame.account, " session=", frame.session,
                          " number=", frame.number, " oldest=", frame.oldest, " next=", frame.next);
    }
    case native::FrameType::kLoginRefused: {
      const auto frame = native::FrameFrom<native::LoginRefused>(bytes);
      text = absl::StrCat("login refused reason=", static_cast<int>(frame.reason));
      AppendField(text, "session", frame.session);
      AppendField(text, "oldest", frame.oldest);
      AppendField(text, "next", frame.next);
      return text;
    }
    case native::FrameType::kEvent: {
      const auto frame = native::FrameFrom<native::EventFrame>(bytes);
      text = absl::StrCat("#", next_number(), " ", EventText(frame));
      events_.push_back(absl::StrCat(EventText(frame), " record=", frame.sequence));
      AppendField(text, "waited", frame.waited_nanos);
      AppendField(text, "engine", frame.engine_nanos);
      return text;
    }
    case native::FrameType::kRefused: {
      const auto frame = native::FrameFrom<native::Refused>(bytes);
      text = absl::StrCat("refused reason=", static_cast<int>(frame.reason), " ",
                          InfoOf(static_cast<CommandKind>(frame.kind)).name);
      AppendField(text, "id", frame.client_order_id);
      AppendField(text, "order", frame.order_id);
      AppendField(text, "market", frame.market);
      return text;
    }
    case native::FrameType::kHeartbeat:
      return absl::StrCat("heartbeat next=", native::FrameFrom<native::Heartbeat>(bytes).next);
    case native::FrameType::kEnded: {
      const auto frame = native::FrameFrom<native::Ended>(bytes);
      return absl::StrCat("ended reason=", static_cast<int>(frame.reason), " next=", frame.next);
    }
    default:
      break;
  }
  CHECK(false) << "a frame of a client";
  return text;
}

std::vector<std::string> NativeReceiver::Take(absl::string_view bytes) {
  std::vector<std::string> lines;
  reader_.Feed(AsBytes(bytes));
  for (Bytes frame = reader_.Next(); !frame.empty(); frame = reader_.Next()) {
    lines.push_back(TextOf(frame));
  }
  CHECK(!reader_.is_inside_frame());
  return lines;
}

}  // namespace engine
