#include "tools/cli/har/har_entry.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/wire/kalshi/query_string.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/json.h"

namespace tools {
namespace {

constexpr unsigned kTextOpcode = 1;
// A name that is of no host: RFC 2606.
constexpr absl::string_view kNoHost = "venue.invalid";

// Of HAR: in milliseconds.
double Millis(engine::Timestamp from, engine::Timestamp to) {
  return static_cast<double>(std::max<int64_t>(to.nanos() - from.nanos(), 0)) / 1e6;
}

bool IsUtf8(absl::string_view text) {
  bool is_utf8 = true;
  VisitPieces(text,
              [&](const TextPiece& piece) { is_utf8 &= piece.kind != TextPiece::Kind::kNotUtf8; });
  return is_utf8;
}

std::string UrlOf(const HarEntry& entry) {
  const HarRequest& request = entry.request;
  if (request.method.empty()) return "";
  const absl::string_view host = FindField(request.fields, "Host");
  return absl::StrCat(entry.is_websocket ? "ws://" : "http://", host.empty() ? kNoHost : host,
                      absl::StartsWith(request.target, "/") ? "" : "/", request.target);
}

void AddHeaders(const std::vector<HeaderField>& fields, JsonObject& json) {
  json.BeginArray("cookies");
  json.EndArray();
  json.Objects("headers", fields, [&](const HeaderField& field) {
    json.Field("name", field.name);
    json.Field("value", field.value);
  });
}

void AddRequest(const HarEntry& entry, JsonObject& json) {
  const HarRequest& request = entry.request;
  json.BeginObject("request");
  json.Field("method", request.method);
  json.Field("url", UrlOf(entry));
  json.Field("httpVersion", absl::StrCat("HTTP/1.", request.minor_version));
  AddHeaders(request.fields, json);
  const auto query = engine::kalshi::QueryString::Parse(request.query);
  json.Objects("queryString", query.parameters(), [&](const auto& parameter) {
    json.Field("name", parameter.first);
    json.Field("value", parameter.second);
  });
  if (!request.body.empty()) {
    json.BeginObject("postData");
    json.Field("mimeType", FindField(request.fields, "Content-Type"));
    json.Field("text", request.body);
    if (!IsUtf8(request.body)) json.Field("comment", "not UTF-8: such bytes are U+FFFD here");
    json.EndObject();
  }
  const bool is_read = !request.method.empty();
  json.Field("headersSize", is_read ? static_cast<int64_t>(request.head_bytes) : -1);
  json.Field("bodySize", is_read ? static_cast<int64_t>(request.body.size()) : -1);
  json.EndObject();
}

void AddContent(const HttpReply& reply, JsonObject& json) {
  json.BeginObject("content");
  json.Field("size", reply.body_bytes);
  json.Field("mimeType", FindField(reply.fields, "Content-Type"));
  if (IsUtf8(reply.body)) {
    json.Field("text", reply.body);
  } else {
    json.Field("text", absl::Base64Escape(reply.body));
    json.Field("encoding", "base64");
  }
  if (reply.body.size() < reply.body_bytes) {
    json.Field("comment",
               absl::StrCat(reply.body_bytes - reply.body.size(),
                            " bytes are missing: of a write, the first 1 MiB is recorded"));
  }
  json.EndObject();
}

// Without a response, its members say so as browsers do: a status of 0 and empty texts.
void AddResponse(const HttpReply& reply, JsonObject& json) {
  const bool is_there = reply.status != 0;
  json.BeginObject("response");
  json.Field("status", reply.status);
  json.Field("statusText", reply.reason);
  json.Field("httpVersion", is_there ? absl::StrCat("HTTP/1.", reply.minor_version) : "");
  AddHeaders(reply.fields, json);
  AddContent(reply, json);
  json.Field("redirectURL", FindField(reply.fields, "Location"));
  json.Field("headersSize", is_there ? static_cast<int64_t>(reply.head_bytes) : -1);
  json.Field("bodySize", is_there ? static_cast<int64_t>(reply.body_bytes) : -1);
  json.EndObject();
}

}  // namespace

std::string EntryJson(const HarEntry& entry) {
  JsonObject json;
  json.Field("startedDateTime", entry.began);
  json.Field("time", Millis(entry.began, entry.ended));
  AddRequest(entry, json);
  AddResponse(entry.reply, json);
  json.BeginObject("cache");
  json.EndObject();
  json.BeginObject("timings");
  json.Field("send", Millis(entry.began, entry.requested));
  json.Field("wait", Millis(entry.requested, entry.answered));
  json.Field("receive", Millis(entry.answered, entry.ended));
  json.EndObject();
  json.Field("connection", entry.connection);
  if (!entry.comment.empty()) json.Field("comment", entry.comment);
  json.Field("_row", entry.row);
  json.Field("_applied", entry.applied);
  if (entry.is_websocket) json.Field("_resourceType", "websocket");
  return json.Take();
}

std::string MessageJson(const SeenMessage& message, bool is_send, engine::Timestamp time) {
  // A text that was cut may end within a character, which is U+FFFD then.
  const bool is_text = message.opcode == kTextOpcode;
  JsonObject json;
  json.Field("type", is_send ? "send" : "receive");
  json.Field("time", static_cast<double>(time.nanos() / 1000) / 1e6);
  json.Field("opcode", message.opcode);
  json.Field("data", is_text ? message.payload : absl::Base64Escape(message.payload));
  if (message.is_cut) json.Field("comment", "bytes are missing: they were not recorded");
  return json.Take();
}

}  // namespace tools
