#include "engine/gateway/ouch/testing/ouch_text.h"

#include <array>
#include <cstddef>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"
#include "engine/wire/ouch/codec.h"
#include "engine/wire/soup/login.h"

namespace engine {
namespace {

using ouch::TextOf;

std::string Letter(char letter) { return std::string(1, letter); }

std::string PriceText(uint32_t price) {
  return absl::StrFormat("%d.%04d", price / 10'000, price % 10'000);
}

std::string TermsText(const auto& m) {
  return absl::StrCat(Letter(m.side), " ", uint32_t{m.shares}, " ", TextOf(m.stock), " @ ",
                      PriceText(m.price), " tif=", uint32_t{m.time_in_force},
                      " firm=", TextOf(m.firm), " display=", Letter(m.display),
                      " order=", uint64_t{m.order_reference}, " state=", Letter(m.order_state));
}

std::string Text(const ouch::SystemEvent& m) { return absl::StrCat("system ", Letter(m.event)); }
std::string Text(const ouch::Accepted& m) {
  return absl::StrCat("accepted ", TextOf(m.token), " ", TermsText(m));
}
std::string Text(const ouch::Replaced& m) {
  return absl::StrCat("replaced ", TextOf(m.previous_token), " by ", TextOf(m.replacement_token),
                      " ", TermsText(m));
}
std::string Text(const ouch::Cancelled& m) {
  return absl::StrCat("cancelled ", TextOf(m.token), " ", uint32_t{m.decrement}, " ",
                      Letter(m.reason));
}
std::string Text(const ouch::SelfTradeCancelled& m) {
  return absl::StrCat("self_trade ", TextOf(m.token), " ", uint32_t{m.decrement}, " ",
                      Letter(m.reason), " ", uint32_t{m.quantity_prevented}, " @ ",
                      PriceText(m.price), " ", Letter(m.liquidity));
}
std::string Text(const ouch::Executed& m) {
  return absl::StrCat("executed ", TextOf(m.token), " ", uint32_t{m.shares}, " @ ",
                      PriceText(m.price), " ", Letter(m.liquidity), " match=", m.match_number >> 24,
                      ".", m.match_number & 0xffffff);
}
std::string Text(const ouch::BrokenTrade& m) {
  return absl::StrCat("broken ", TextOf(m.token), " ", uint64_t{m.match_number});
}
std::string Text(const ouch::Rejected& m) {
  return absl::StrCat("rejected ", TextOf(m.token), " ", Letter(m.reason));
}
std::string Text(const ouch::CancelPending& m) {
  return absl::StrCat("cancel_pending ", TextOf(m.token));
}
std::string Text(const ouch::CancelRejected& m) {
  return absl::StrCat("cancel_rejected ", TextOf(m.token));
}
std::string Text(const ouch::PriorityUpdate& m) {
  return absl::StrCat("priority ", TextOf(m.token), " @ ", PriceText(m.price), " ",
                      Letter(m.display), " order=", uint64_t{m.order_reference});
}
std::string Text(const ouch::Modified& m) {
  return absl::StrCat("modified ", TextOf(m.token), " ", Letter(m.side), " ", uint32_t{m.shares});
}

uint64_t NumberOf(absl::string_view text) {
  if (text == "market") return ouch::kMarketPrice;
  uint64_t number = 0;
  CHECK(ParseInteger(text, number)) << std::string(text);
  return number;
}

// Sets the fields of FIELD=VALUE.
void SetFields(const std::vector<std::string>& words, size_t from, auto& message) {
  for (size_t i = from; i < words.size(); ++i) {
    const std::pair<std::string, std::string> field =
        absl::StrSplit(words[i], absl::MaxSplits('=', 1));
    const auto& [name, value] = field;
    if (name == "tif") message.time_in_force = static_cast<uint32_t>(NumberOf(value));
    if (name == "min") message.minimum_quantity = static_cast<uint32_t>(NumberOf(value));
    if (name == "display") message.display = value[0];
    if (name == "sweep") message.intermarket_sweep = value[0];
    if constexpr (requires { message.firm; }) {
      if (name == "firm") message.firm = ouch::FieldOf<ouch::Firm>(value);
      if (name == "capacity") message.capacity = value[0];
      if (name == "cross") message.cross_type = value[0];
      if (name == "customer") message.customer_type = value[0];
    }
  }
}

std::string Data(const auto& message) {
  std::string bytes;
  AppendSoupPacket(SoupType::kUnsequencedData, ouch::BytesOf(message), bytes);
  return bytes;
}

uint32_t Shares(absl::string_view text) { return static_cast<uint32_t>(NumberOf(text)); }

std::string EnterBytes(const std::vector<std::string>& words) {
  ouch::EnterOrder enter = {.token = ouch::FieldOf<ouch::Token>(words.at(1)),
                            .side = words.at(2)[0],
                            .shares = Shares(words.at(3)),
                            .stock = ouch::FieldOf<ouch::Stock>(words.at(4)),
                            .price = Shares(words.at(5)),
                            .time_in_force = ouch::kSystemHours,
                            .firm = ouch::FieldOf<ouch::Firm>(""),
                            .display = 'Y',
                            .capacity = 'A',
                            .intermarket_sweep = 'N',
                            .minimum_quantity = 0,
                            .cross_type = 'N',
                            .customer_type = ' '};
  SetFields(words, 6, enter);
  return Data(enter);
}

std::string ReplaceBytes(const std::vector<std::string>& words) {
  ouch::ReplaceOrder replace = {.existing_token = ouch::FieldOf<ouch::Token>(words.at(1)),
                                .replacement_token = ouch::FieldOf<ouch::Token>(words.at(2)),
                                .shares = Shares(words.at(3)),
                                .price = Shares(words.at(4)),
                                .time_in_force = ouch::kSystemHours,
                                .display = 'Y',
                                .intermarket_sweep = 'N',
                                .minimum_quantity = 0};
  SetFields(words, 5, replace);
  return Data(replace);
}

std::string LoginBytes(const std::vector<std::string>& words) {
  std::string bytes;
  AppendSoupLoginRequest({.user = words.at(1),
                          .password = words.at(2),
                          .session = words.size() > 3 && words[3] != "-" ? words[3] : std::string(),
                          .sequence = words.size() > 4 ? NumberOf(words[4]) : 0},
                         bytes);
  return bytes;
}

}  // namespace

std::string OuchText(const ouch::Outbound& message) {
  return std::visit([](const auto& typed) { return Text(typed); }, message);
}

std::string OuchBytes(absl::string_view line) {
  const std::vector<std::string> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  const std::string& verb = words.at(0);
  if (verb == "login") return LoginBytes(words);
  if (verb == "enter") return EnterBytes(words);
  if (verb == "replace") return ReplaceBytes(words);
  if (verb == "cancel") {
    return Data(ouch::CancelOrder{.token = ouch::FieldOf<ouch::Token>(words.at(1)),
                                  .shares = Shares(words.at(2))});
  }
  if (verb == "modify") {
    return Data(ouch::ModifyOrder{.token = ouch::FieldOf<ouch::Token>(words.at(1)),
                                  .side = words.at(2)[0],
                                  .shares = Shares(words.at(3))});
  }
  std::string bytes;
  if (verb == "heartbeat") AppendSoupPacket(SoupType::kClientHeartbeat, {}, bytes);
  if (verb == "logout") AppendSoupPacket(SoupType::kLogoutRequest, {}, bytes);
  if (verb == "debug") AppendSoupPacket(SoupType::kDebug, AsBytes(words.at(1)), bytes);
  if (verb == "packet") {
    const std::string payload = words.size() > 2 ? words[2] : std::string();
    AppendSoupPacket(static_cast<SoupType>(words.at(1)[0]), AsBytes(payload), bytes);
  }
  CHECK(!bytes.empty()) << std::string(line);
  return bytes;
}

std::vector<std::string> OuchReceiver::Take(absl::string_view bytes) {
  std::vector<std::string> lines;
  reader_.Feed(AsBytes(bytes));
  SoupPacket packet;
  while (reader_.Next(packet).value()) {
    switch (packet.type) {
      case SoupType::kLoginAccepted: {
        const SoupLoginAccepted accepted = ParseSoupLoginAccepted(packet.payload).value();
        session_ = accepted.session;
        first_number_ = accepted.sequence;
        messages_.clear();
        lines.push_back(absl::StrCat("login accepted ", session_, " ", first_number_));
        break;
      }
      case SoupType::kLoginRejected:
        lines.push_back(absl::StrCat("login rejected ", AsText(packet.payload)));
        break;
      case SoupType::kSequencedData:
        lines.push_back(absl::StrCat("#", first_number_ + messages_.size(), " ",
                                     OuchText(ouch::ParseOutbound(packet.payload).value())));
        messages_.emplace_back(AsText(packet.payload));
        break;
      case SoupType::kServerHeartbeat:
        lines.push_back("heartbeat");
        break;
      case SoupType::kEndOfSession:
        lines.push_back("end of session");
        break;
      default:
        CHECK(false) << "a packet of a client";
    }
  }
  return lines;
}

}  // namespace engine
