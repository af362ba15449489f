#include "tools/cli/har/har_session.h"

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/wire/http/http_request.h"

namespace tools {
namespace {

constexpr int kSwitchingProtocols = 101;

void SetRequest(const engine::HttpRequest& request, HarRequest& to) {
  to.method = std::string(request.method);
  to.target = std::string(request.target);
  to.query = std::string(request.query);
  to.minor_version = request.minor_version;
  to.fields.clear();
  for (const engine::HttpField& field : request.fields) {
    to.fields.push_back({.name = std::string(field.name), .value = std::string(field.value)});
  }
  to.body = std::string(request.body);
}

// About, in memory.
size_t SizeOf(const HarRequest& request) {
  size_t size = sizeof(HarEntry) + request.target.size() + request.query.size() +
                request.body.size() + request.fields.size() * sizeof(HeaderField);
  for (const HeaderField& field : request.fields) size += field.name.size() + field.value.size();
  return size;
}

void AddComment(absl::string_view comment, HarEntry& entry) {
  absl::StrAppend(&entry.comment, entry.comment.empty() ? "" : "; ", comment);
}

}  // namespace

HarEntry HarSession::NewEntry(const Passed& passed) const {
  HarEntry entry;
  entry.connection = connection_;
  entry.row = passed.row;
  entry.applied = passed.applied;
  entry.began = passed.time;
  entry.requested = passed.time;
  entry.answered = passed.time;
  entry.ended = passed.time;
  return entry;
}

void HarSession::Wait(HarEntry entry) {
  waiting_bytes_ += SizeOf(entry.request);
  waiting_.push_back(std::move(entry));
}

HarEntry HarSession::TakeWaiting() {
  HarEntry entry = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= SizeOf(entry.request);
  return entry;
}

// ---- What the client sends.

void HarSession::OnReceived(const Passed& passed) {
  if (is_lost_) return;
  if (messages_ != nullptr) return ReadMessages(passed, true);
  ReadRequests(passed);
  if (passed.missing > 0 && !is_lost_) Lose(passed, "bytes of the client are missing");
}

void HarSession::ReadRequests(const Passed& passed) {
  engine::Bytes bytes = engine::AsBytes(passed.bytes);
  const auto goes_on = [&] {
    return !waits_for_upgrade_ && !requests_.has_error() && !is_refused_ && !is_lost_;
  };
  while (!bytes.empty() && goes_on()) {
    if (!coming_.has_value()) {
      coming_ = NewEntry(passed);
      coming_bytes_ = 0;
    }
    const size_t taken = requests_.Take(bytes);
    coming_bytes_ += taken;
    bytes = bytes.subspan(taken);
    if (requests_.has_head()) {
      SetRequest(requests_.head(), coming_->request);
      coming_->request.head_bytes = coming_bytes_;
    }
    if (requests_.has_request()) AddRequest(passed);
  }
  if (requests_.has_error() && coming_.has_value()) {
    coming_->requested = passed.time;
    AddComment(absl::StrCat("the request is malformed: ", requests_.error().what), *coming_);
    Wait(*std::exchange(coming_, std::nullopt));
  }
  if (!waits_for_upgrade_ || is_lost_) return;
  absl::StrAppend(&held_, engine::AsText(bytes));
  if (held_.size() > kWaitingBytesMax) Lose(passed, "too many bytes wait for an upgrade");
}

void HarSession::AddRequest(const Passed& passed) {
  const engine::HttpRequest& request = requests_.request();
  SetRequest(request, coming_->request);
  coming_->request.head_bytes = coming_bytes_ - request.body.size();
  coming_->requested = passed.time;
  coming_->is_websocket = waits_for_upgrade_ = request.is_websocket_upgrade;
  Wait(*std::exchange(coming_, std::nullopt));
  requests_.Next();
  if (waiting_bytes_ > kWaitingBytesMax) Lose(passed, "too many requests wait");
}

// ---- What the gateway sends.

void HarSession::OnSent(const Passed& passed) {
  if (is_lost_) return;
  if (messages_ != nullptr) return ReadMessages(passed, false);
  ReadReplies(passed);
}

void HarSession::ReadReplies(const Passed& passed) {
  Passed rest = passed;
  while (!rest.bytes.empty() && !is_lost_) {
    if (replies_.is_idle()) answered_ = passed.time;
    const bool is_to_head = !waiting_.empty() && waiting_.front().request.method == "HEAD";
    rest.bytes.remove_prefix(replies_.Take(rest.bytes, is_to_head));
    if (replies_.has_error()) return Lose(passed, "what was sent is no response");
    if (!replies_.has_reply()) continue;
    EndReply(rest);
    if (messages_ != nullptr) return ReadMessages(rest, false);
  }
  if (passed.missing == 0 || is_lost_) return;
  if (!replies_.Skip(passed.missing)) return Lose(passed, "bytes of responses are missing");
  if (replies_.has_reply()) EndReply(passed);
}

HarEntry HarSession::TakeAnswered(const Passed& passed) {
  HarEntry entry;
  if (!waiting_.empty()) {
    entry = TakeWaiting();
  } else {
    entry = std::exchange(coming_, std::nullopt).value_or(NewEntry(passed));
    entry.requested = answered_;
    AddComment("the response came before the whole request", entry);
    is_refused_ = true;
  }
  entry.answered = answered_;
  entry.ended = passed.time;
  return entry;
}

void HarSession::EndReply(const Passed& passed) {
  HarEntry entry = TakeAnswered(passed);
  entry.reply = replies_.TakeReply();
  const bool was_upgrade = std::exchange(entry.is_websocket, false);
  if (was_upgrade && entry.reply.status == kSwitchingProtocols) {
    messages_ = std::make_unique<Messages>();
    messages_->entry = std::move(entry);
    messages_->entry.is_websocket = true;
  } else {
    entries_.Add(entry, nullptr);
  }
  if (was_upgrade) ReadHeld(passed);
}

void HarSession::ReadHeld(const Passed& passed) {
  waits_for_upgrade_ = false;
  const std::string held = std::exchange(held_, {});
  Passed received = passed;
  received.bytes = held;
  received.missing = 0;
  if (!held.empty()) OnReceived(received);
}

void HarSession::ReadMessages(const Passed& passed, bool is_send) {
  const auto add = [&](const SeenMessage& message) {
    Spool::Text& text = messages_->text;
    if (!text.end.empty() || !text.pieces.empty()) spool_.Append(",", text);
    spool_.Append(MessageJson(message, is_send, passed.time), text);
  };
  WebSocketFrames& frames = is_send ? messages_->received : messages_->sent;
  if (!frames.Take(passed.bytes, add)) {
    return Lose(passed,
                is_send ? "the client sent malformed frames" : "malformed frames were sent");
  }
  if (passed.missing > 0 && !frames.Skip(passed.missing, add)) {
    Lose(passed, "bytes of frames are missing");
  }
}

// ---- The end.

void HarSession::Lose(const Passed& passed, absl::string_view why) {
  OnEnd(passed.time, absl::StrCat("from row @", passed.row.value(), " on not readable: ", why));
  is_lost_ = true;
}

void HarSession::OnEnd(engine::Timestamp time, absl::string_view why) {
  if (is_lost_) return;
  if (messages_ != nullptr) {
    messages_->entry.ended = time;
    if (!why.empty()) AddComment(why, messages_->entry);
    entries_.Add(messages_->entry, &messages_->text);
    messages_ = nullptr;
  }
  while (!replies_.is_idle() || !waiting_.empty()) {
    const bool is_early = !replies_.is_idle();
    if (!is_early) answered_ = time;
    Passed end;
    end.time = time;
    HarEntry entry = TakeAnswered(end);
    entry.reply = replies_.TakeReply();
    entry.is_websocket = false;
    AddComment(is_early ? "the response ended early" : "there is no response", entry);
    if (!why.empty()) AddComment(why, entry);
    entries_.Add(entry, nullptr);
  }
}

}  // namespace tools
