#include "engine/wire/kalshi/errors.h"

namespace engine::kalshi {
namespace {

void WriteNested(const Error& error, JsonWriter& json) {
  json.BeginObject()
      .BeginObject("error")
      .Text("code", error.kind.code)
      .Text("message", error.kind.message)
      .TextIfAny("details", error.details)
      .TextIfAny("service", error.kind.service)
      .EndObject()
      .EndObject();
}

void WriteFlat(const Error& error, JsonWriter& json) {
  json.BeginObject()
      .Text("code", error.kind.code)
      .Text("message", error.kind.message)
      .TextIfAny("details", error.details)
      .EndObject();
}

}  // namespace

void AppendErrorBody(const Error& error, std::string& out) {
  JsonWriter json(out);
  switch (error.kind.shape) {
    case ErrorShape::kNested:
      return WriteNested(error, json);
    case ErrorShape::kFlat:
      return WriteFlat(error, json);
    case ErrorShape::kMsg:
      json.BeginObject().Text("msg", error.details).EndObject();
      return;
    case ErrorShape::kString:
      json.BeginObject().Text("error", error.kind.message).EndObject();
      return;
    case ErrorShape::kText:
      out.append(error.kind.message.data(), error.kind.message.size());
      return;
  }
}

absl::string_view ErrorContentType(const Error& error) {
  return error.kind.shape == ErrorShape::kText ? "text/plain; charset=utf-8" : "application/json";
}

void WriteBatchError(absl::string_view key, const Error& error, JsonWriter& json) {
  json.BeginObject(key)
      .Text("code", error.kind.code)
      .Text("message", error.kind.message)
      .Text("details", error.details)
      .EndObject();
}

absl::string_view SocketErrorText(SocketErrorCode code) {
  switch (code) {
    case SocketErrorCode::kUnableToProcess:
      return "Unable to process message";
    case SocketErrorCode::kParamsRequired:
      return "Params required";
    case SocketErrorCode::kChannelsRequired:
      return "Channels required";
    case SocketErrorCode::kSidsRequired:
      return "Subscription IDs required";
    case SocketErrorCode::kUnknownCommand:
      return "Unknown command";
    case SocketErrorCode::kUnknownSid:
      return "Unknown subscription ID";
    case SocketErrorCode::kUnknownChannel:
      return "Unknown channel name";
    case SocketErrorCode::kAuthenticationRequired:
      return "Authentication required";
    case SocketErrorCode::kChannelError:
      return "Channel error";
    case SocketErrorCode::kInvalidParameter:
      return "Invalid parameter";
    case SocketErrorCode::kExactlyOneSid:
      return "Exactly one subscription ID is required";
    case SocketErrorCode::kUnsupportedAction:
      return "Unsupported action";
    case SocketErrorCode::kMarketTickerRequired:
      return "Market Ticker required";
    case SocketErrorCode::kActionRequired:
      return "Action required";
    case SocketErrorCode::kCommandTimeout:
      return "Command timeout";
    case SocketErrorCode::kBufferOverflow:
      return "Subscription buffer overflow";
    case SocketErrorCode::kMarketLimit:
      return "Subscription market limit exceeded";
    case SocketErrorCode::kTooManyRequests:
      return "Too many requests";
  }
  return "";
}

}  // namespace engine::kalshi
