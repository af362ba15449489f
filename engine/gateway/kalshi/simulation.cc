// The part of the gateway that does what faults.h describes: requests below /sim, and scripts.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
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
constexpr int64_t kSeedMax = int64_t{1} << 53;
constexpr size_t kParametersBytesMax = 1'000;

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

absl::Status KalshiGateway::Inject(absl::string_view name, absl::string_view parameters) {
  ASSIGN_OR_RETURN(const KalshiFaultInfo info, FindKalshiFault(name));
  if (parameters.size() > kParametersBytesMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected at most ", kParametersBytesMax, " bytes of parameters"));
  }
  const kalshi::QueryString query = kalshi::QueryString::Parse(parameters);
  RETURN_IF_ERROR(faults_.Begin(info.fault, query, now_));
  RETURN_IF_ERROR(Do(info.fault, query));
  const std::string text = absl::StrCat(info.name, parameters.empty() ? "" : "?", parameters);
  const Bytes bytes = AsBytes(text);
  Command note;
  note.kind = CommandKind::kNote;
  return SubmitOwn(note, EncodeNote({.name_space = std::string(kNoteName),
                                     .version = 1,
                                     .bytes = {bytes.begin(), bytes.end()}}));
}

absl::Status KalshiGateway::Do(KalshiFault fault, const kalshi::QueryString& parameters) {
  Command command;
  switch (fault) {
    case KalshiFault::kDropConnection:
      return DoToSessions(parameters, [this](Session& session) { End(session); });
    case KalshiFault::kHalfOpen:
      return DoToSessions(parameters, [](Session& session) { session.is_silent = true; });
    case KalshiFault::kPartialFillRate: {
      ASSIGN_OR_RETURN(const int64_t percent, KalshiFaultNumber(parameters, "percent", 1, 100));
      if (host_.ShowPercent(static_cast<int>(percent))) return absl::OkStatus();
      return absl::FailedPreconditionError("the venue has no agents");
    }
    case KalshiFault::kPauseExchange:
      command.kind = CommandKind::kPauseExchange;
      return SubmitOwn(command, {});
    case KalshiFault::kResumeExchange:
      command.kind = CommandKind::kResumeExchange;
      return SubmitOwn(command, {});
    case KalshiFault::kCloseMarket:
      return CloseMarket(parameters);
    default:
      return absl::OkStatus();  // Of requests, replies or frames.
  }
}

absl::Status KalshiGateway::DoToSessions(const kalshi::QueryString& parameters,
                                         absl::FunctionRef<void(Session&)> act) {
  const absl::string_view kind = parameters.First("kind").value_or("websocket");
  if (kind != "websocket" && kind != "http" && kind != "all") {
    return absl::InvalidArgumentError("kind: expected websocket, http or all");
  }
  ASSIGN_OR_RETURN(int64_t left,
                   KalshiFaultNumber(parameters, "count", 0, KalshiFaults::kCountMax));
  std::vector<Session*> meant;
  sessions_.VisitAll([&](Session& session) {
    const bool is_socket = session.socket != nullptr;
    const bool is_meant = kind == "all" || is_socket == (kind == "websocket");
    if (is_meant && &session != asking_ && !session.is_over) meant.push_back(&session);
  });
  if (parameters.First("seed").has_value()) {
    ASSIGN_OR_RETURN(const int64_t seed, KalshiFaultNumber(parameters, "seed", 0, kSeedMax));
    Prng prng(static_cast<uint64_t>(seed));
    for (size_t i = meant.size(); i > 1; --i) std::swap(meant[i - 1], meant[prng.Below(i)]);
  }
  for (Session* const session : meant) {
    if (left-- == 0) break;
    act(*session);
  }
  return absl::OkStatus();
}

absl::Status KalshiGateway::CloseMarket(const kalshi::QueryString& parameters) {
  const std::optional<KalshiListing> listing =
      world_.FindTicker(parameters.First("ticker").value_or(""));
  if (!listing.has_value()) {
    return absl::InvalidArgumentError("ticker: expected the ticker of a market");
  }
  Command command;
  command.kind = CommandKind::kCloseMarket;
  command.market = listing->definition->id;
  return SubmitOwn(command, {});
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
