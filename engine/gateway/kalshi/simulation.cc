// The part of the gateway that does what faults.h describes: requests below /sim, and scripts.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/base/prng.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/kalshi/faults.h"
#include "engine/gateway/kalshi/kalshi_gateway.h"
#include "engine/messages/kinds.h"
#include "engine/messages/names.h"
#include "engine/messages/note_codec.h"
#include "engine/types/note.h"
#include "engine/wire/kalshi/json_writer.h"

namespace engine {
namespace {

constexpr absl::string_view kSimPath = "/sim";
constexpr absl::string_view kNoteName = "sim";
constexpr absl::string_view kMomentMark = " at ";

KalshiReply ReplyWith(int status, absl::string_view key, absl::string_view text) {
  KalshiReply reply = {.status = status};
  kalshi::JsonWriter json(reply.body);
  json.BeginObject().Text(key, text).EndObject();
  return reply;
}

KalshiReply ListOfFaults() {
  KalshiReply reply;
  kalshi::JsonWriter json(reply.body);
  json.BeginObject().BeginArray("faults");
  for (const KalshiFaultInfo& info : KalshiFaultList()) {
    json.BeginObject()
        .Text("name", info.name)
        .Text("example", absl::StrCat("POST ", kSimPath, "/", info.name,
                                      info.parameters.empty() ? "" : "?", info.parameters))
        .Text("summary", info.summary)
        .EndObject();
  }
  json.EndArray().EndObject();
  return reply;
}

int HttpStatusOf(const absl::Status& status) {
  if (absl::IsNotFound(status)) return 404;
  if (absl::IsInvalidArgument(status)) return 400;
  return absl::IsFailedPrecondition(status) ? 409 : 503;
}

}  // namespace

bool KalshiGateway::IsSim(const HttpRequest& request) const {
  absl::string_view rest = request.path;
  return options_.takes_faults && absl::ConsumePrefix(&rest, kSimPath) &&
         (rest.empty() || rest.front() == '/');
}

KalshiReply KalshiGateway::AnswerSim(const HttpRequest& request) {
  if (!host_.IsOperator(request.Find("Authorization").value_or(""))) {
    return ReplyWith(401, "error", "expected Authorization: Bearer TOKEN, from DIR/admin.token");
  }
  const absl::string_view name = absl::StripPrefix(absl::StripPrefix(request.path, kSimPath), "/");
  if (name.empty() && request.method == "GET") return ListOfFaults();
  if (request.method != "POST") return ReplyWith(405, "error", "expected POST");
  const absl::Status injected = Inject(name, request.query);
  if (!injected.ok()) return ReplyWith(HttpStatusOf(injected), "error", injected.message());
  return ReplyWith(200, "injected",
                   absl::StrCat(name, request.query.empty() ? "" : "?", request.query));
}

absl::Status KalshiGateway::Inject(absl::string_view name, absl::string_view parameters,
                                   absl::string_view moment) {
  ASSIGN_OR_RETURN(KalshiInjection injection, ParseKalshiInjection(name, parameters));
  ASSIGN_OR_RETURN(const std::function<void()> begin, Prepare(std::move(injection)));
  const std::string text = absl::StrCat(name, parameters.empty() ? "" : "?", parameters,
                                        moment.empty() ? "" : kMomentMark, moment);
  const Bytes bytes = AsBytes(text);
  Command note;
  note.kind = CommandKind::kNote;
  RETURN_IF_ERROR(SubmitOwn(note, EncodeNote({.name_space = std::string(kNoteName),
                                              .version = 1,
                                              .bytes = {bytes.begin(), bytes.end()}})));
  begin();
  return absl::OkStatus();
}

absl::StatusOr<std::function<void()>> KalshiGateway::Prepare(KalshiInjection injection) {
  switch (injection.fault) {
    case KalshiFault::kDropConnection:
      return PrepareForSessions(injection, [this](Session& session) { End(session); });
    case KalshiFault::kHalfOpen:
      return PrepareForSessions(injection, [](Session& session) { session.is_silent = true; });
    case KalshiFault::kPartialFillRate:
      if (!host_.has_agents()) return absl::FailedPreconditionError("the venue has no agents");
      return [this, percent = static_cast<int>(injection.Number("percent"))] {
        host_.ShowPercent(percent);
      };
    case KalshiFault::kPauseExchange:
      return Carry(CommandKind::kPauseExchange, MarketId());
    case KalshiFault::kHaltExchange:
      return Carry(CommandKind::kHaltExchange, MarketId());
    case KalshiFault::kResumeExchange:
      return Carry(CommandKind::kResumeExchange, MarketId());
    case KalshiFault::kCloseMarket: {
      const std::optional<KalshiListing> listing =
          world_.FindTicker(injection.parameters.First("ticker").value_or(""));
      if (listing.has_value()) return Carry(CommandKind::kCloseMarket, listing->definition->id);
      return absl::InvalidArgumentError("ticker: expected the ticker of a market");
    }
    default:
      break;  // Of requests, replies or frames.
  }
  return [this, injection = std::move(injection)] { faults_.Begin(injection, now_); };
}

std::function<void()> KalshiGateway::PrepareForSessions(const KalshiInjection& injection,
                                                        const std::function<void(Session&)>& act) {
  const kalshi::QueryString& parameters = injection.parameters;
  const absl::string_view kind = parameters.First("kind").value_or("websocket");
  std::vector<SessionId> meant;
  sessions_.VisitAll([&](Session& session) {
    const bool is_socket = session.socket != nullptr;
    const bool is_meant = kind == "all" || is_socket == (kind == "websocket");
    if (is_meant && &session != asking_ && !session.is_over) meant.push_back(session.id);
  });
  if (parameters.First("seed").has_value()) {
    Prng prng(static_cast<uint64_t>(injection.Number("seed")));
    for (size_t i = meant.size(); i > 1; --i) std::swap(meant[i - 1], meant[prng.Below(i)]);
  }
  meant.resize(std::min(meant.size(), static_cast<size_t>(injection.Number("count"))));
  return [this, meant, act] {
    for (const SessionId id : meant) {
      if (Session* const session = Find(id); session != nullptr) act(*session);
    }
  };
}

// A command is a record of its own, and the exchange may refuse it: it goes before the note.
absl::StatusOr<std::function<void()>> KalshiGateway::Carry(CommandKind kind, MarketId market) {
  Command command;
  command.kind = kind;
  command.market = market;
  RETURN_IF_ERROR(SubmitOwn(command, {}));
  return [] {};
}

absl::Status KalshiGateway::SubmitOwn(const Command& command, Bytes attachment) {
  RETURN_IF_ERROR(venue_.Submit(command, attachment, {.gateway = number_}).status());
  for (const Event& event : applied_events_) {
    if (event.kind != EventKind::kRejected) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("the exchange refuses it: ", NameOf(event.reject_reason())));
  }
  return absl::OkStatus();
}

}  // namespace engine
