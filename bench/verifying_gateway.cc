#include "bench/verifying_gateway.h"

#include <cstdint>

#include "engine/base/check.h"
#include "engine/wire/http/http_request.h"
#include "engine/wire/http/http_response.h"

namespace bench {
namespace {

constexpr int64_t kWindowNanos = int64_t{3'600} * 1'000'000'000;

// As long as that of an order.
constexpr absl::string_view kBody =
    R"({"order_id":"11111111-1111-4111-8111-111111111111","client_order_id":"order-100000",)"
    R"("fill_count":"0.00","remaining_count":"1.00","ts_ms":1795000000000})";

}  // namespace

void VerifyingGateway::Close(engine::SessionId id) {
  if (sessions_.Find(id) != nullptr) sessions_.Remove(id);
}

absl::Status VerifyingGateway::OnBytes(engine::SessionId id, engine::Bytes bytes) {
  Session* const session = sessions_.Find(id);
  CHECK(session != nullptr);
  while (!bytes.empty() && !session->is_over) {
    bytes = bytes.subspan(session->reader.Take(bytes));
    if (session->reader.has_error()) session->is_over = true;
    if (!session->reader.has_request()) continue;
    Answer(*session);
    session->reader.Next();
  }
  ready_.push_back(id);
  return absl::OkStatus();
}

absl::Status VerifyingGateway::OnEnd(engine::SessionId id) {
  if (Session* const session = sessions_.Find(id); session != nullptr) session->is_over = true;
  ready_.push_back(id);
  return absl::OkStatus();
}

bool VerifyingGateway::is_over(engine::SessionId id) const {
  const Session* const session = sessions_.Find(id);
  return session != nullptr && session->is_over;
}

void VerifyingGateway::Answer(Session& session) {
  const engine::HttpRequest& request = session.reader.request();
  const auto field = [&](absl::string_view name) {
    return request.Find(name).value_or(absl::string_view());
  };
  const engine::KalshiAuth auth =
      engine::Authenticate({.key_id = field("KALSHI-ACCESS-KEY"),
                            .timestamp = field("KALSHI-ACCESS-TIMESTAMP"),
                            .signature = field("KALSHI-ACCESS-SIGNATURE"),
                            .method = request.method,
                            .path = request.path},
                           clock_.Now(), kWindowNanos, keys_);
  const bool is_good = auth.result == engine::KalshiAuthResult::kOk;
  engine::AppendHttpResponse({.status = is_good ? 201 : 401, .body = kBody}, session.replies);
}

void VerifyingGateway::TakeReady(
    absl::FunctionRef<bool(engine::SessionId id, absl::string_view replies)> take) {
  for (const engine::SessionId id : std::exchange(ready_, {})) {
    Session* const session = sessions_.Find(id);
    if (session != nullptr && take(id, session->replies)) session->replies.clear();
  }
}

}  // namespace bench
