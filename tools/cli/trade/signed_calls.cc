#include "tools/cli/trade/signed_calls.h"

#include <array>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/wire/http/http_date.h"

namespace tools {

absl::StatusOr<std::unique_ptr<SignedCalls>> SignedCalls::Make(const WebTerms& terms,
                                                               std::string key_id,
                                                               const PrivateKey& key,
                                                               engine::Clock& clock) {
  std::unique_ptr<SignedCalls> calls(new SignedCalls(std::move(key_id), key, clock));
  ASSIGN_OR_RETURN(calls->web_, WebClient::Make(terms, *calls));
  return calls;
}

absl::StatusOr<SignedCalls::Reply> SignedCalls::Call(absl::string_view method,
                                                     absl::string_view path,
                                                     absl::string_view query) {
  constexpr int64_t kMilli = 1'000'000;
  sent_ = clock_.Now();
  const std::string millis = absl::StrCat((sent_.nanos() + offset_.nanos()) / kMilli);
  ASSIGN_OR_RETURN(const std::string signature,
                   key_.SignBase64(absl::StrCat(millis, method, path)));
  const std::array headers = {WebHeader{"KALSHI-ACCESS-KEY", key_id_},
                              WebHeader{"KALSHI-ACCESS-TIMESTAMP", millis},
                              WebHeader{"KALSHI-ACCESS-SIGNATURE", signature}};
  is_answered_ = false;
  const std::string target = query.empty() ? std::string(path) : absl::StrCat(path, "?", query);
  web_->Send(++last_id_, {.method = method, .target = target, .headers = headers, .body = {}});
  while (!is_answered_) web_->RunFor(100 * kMilli);
  return std::move(reply_);
}

void SignedCalls::OnReply(uint64_t id, const WebReply& reply) {
  if (id != last_id_) return;
  is_answered_ = true;
  reply_ = Reply{.status = reply.status, .body = std::string(reply.body)};
  if (const std::optional<engine::Timestamp> date = engine::ParseHttpDate(reply.date);
      date.has_value()) {
    offset_.Observe(sent_, *date, clock_.Now());
  }
}

void SignedCalls::OnRequestFailed(uint64_t id, const absl::Status& why, bool) {
  if (id != last_id_) return;
  is_answered_ = true;
  reply_ = why;
}

}  // namespace tools
