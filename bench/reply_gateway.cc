#include "bench/reply_gateway.h"

#include "engine/base/check.h"

namespace bench {
void ReplyGateway::Close(engine::SessionId id) {
  if (sessions_.Find(id) != nullptr) sessions_.Remove(id);
}

absl::Status ReplyGateway::OnBytes(engine::SessionId id, engine::Bytes bytes) {
  Session* const session = sessions_.Find(id);
  CHECK(session != nullptr);
  while (!bytes.empty() && !session->is_over) {
    bytes = bytes.subspan(session->reader.Take(bytes));
    if (session->reader.has_error()) session->is_over = true;
    if (!session->reader.has_request()) continue;
    engine::AppendHttpResponse(answer_(session->reader.request()), session->replies);
    session->reader.Next();
  }
  ready_.push_back(id);
  return absl::OkStatus();
}

absl::Status ReplyGateway::OnEnd(engine::SessionId id) {
  if (Session* const session = sessions_.Find(id); session != nullptr) session->is_over = true;
  ready_.push_back(id);
  return absl::OkStatus();
}

bool ReplyGateway::is_over(engine::SessionId id) const {
  const Session* const session = sessions_.Find(id);
  return session != nullptr && session->is_over;
}

void ReplyGateway::TakeReady(
    absl::FunctionRef<bool(engine::SessionId id, absl::string_view replies)> take) {
  for (const engine::SessionId id : std::exchange(ready_, {})) {
    Session* const session = sessions_.Find(id);
    if (session != nullptr && take(id, session->replies)) session->replies.clear();
  }
}

}  // namespace bench
