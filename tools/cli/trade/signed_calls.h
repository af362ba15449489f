// One request after another to a venue, each signed and waited for: for verbs without a feed.

#ifndef TOOLS_CLI_TRADE_SIGNED_CALLS_H_
#define TOOLS_CLI_TRADE_SIGNED_CALLS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/clock.h"
#include "tools/client/clock_offset.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/web/web_client.h"

namespace tools {

// Not thread-safe.
class SignedCalls final : private WebHandler {
 public:
  struct Reply {
    int status = 0;
    std::string body;
  };

  // `key` and `clock` outlive it. Errors: those of WebClient::Make.
  static absl::StatusOr<std::unique_ptr<SignedCalls>> Make(const WebTerms& terms,
                                                           std::string key_id,
                                                           const PrivateKey& key,
                                                           engine::Clock& clock);

  // `query`: without '?'. Errors: why there is no reply.
  absl::StatusOr<Reply> Call(absl::string_view method, absl::string_view path,
                             absl::string_view query = {});

 private:
  SignedCalls(std::string key_id, const PrivateKey& key, engine::Clock& clock)
      : key_id_(std::move(key_id)), key_(key), clock_(clock) {}

  void OnReply(uint64_t id, const WebReply& reply) override;
  void OnRequestFailed(uint64_t id, const absl::Status& why, bool may_have_arrived) override;
  void OnFeedOpen() override {}
  void OnFrame(absl::string_view) override {}
  void OnFeedClosed(const absl::Status&) override {}

  const std::string key_id_;
  const PrivateKey& key_;
  engine::Clock& clock_;
  client::ClockOffset offset_;
  std::unique_ptr<WebClient> web_;
  uint64_t last_id_ = 0;
  bool is_answered_ = false;
  engine::Timestamp sent_;
  absl::StatusOr<Reply> reply_ = absl::UnknownError("");
};

}  // namespace tools

#endif  // TOOLS_CLI_TRADE_SIGNED_CALLS_H_
