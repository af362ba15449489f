// A gateway that answers each request of HTTP by a function: what a venue is compared with.

#ifndef BENCH_REPLY_GATEWAY_H_
#define BENCH_REPLY_GATEWAY_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/session_table.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/wire/http/http_reader.h"
#include "engine/wire/http/http_request.h"
#include "engine/wire/http/http_response.h"

namespace bench {

// Not thread-safe: owned by the thread that serves.
class ReplyGateway final : public engine::SessionGateway {
 public:
  using Answer = std::function<engine::HttpResponse(const engine::HttpRequest& request)>;

  // The body of what `answer` returns is valid until its next call.
  explicit ReplyGateway(Answer answer) : answer_(std::move(answer)) {}

  engine::SessionId Open() override { return sessions_.Add().id; }
  void Close(engine::SessionId id) override;
  absl::Status OnBytes(engine::SessionId id, engine::Bytes bytes) override;
  bool is_full(engine::SessionId) const override { return false; }
  absl::Status Continue(engine::SessionId) override { return absl::OkStatus(); }
  absl::Status OnEnd(engine::SessionId id) override;
  bool is_over(engine::SessionId id) const override;
  bool has_logged_in(engine::SessionId) const override { return true; }
  bool has_held(engine::SessionId) const override { return false; }
  bool has_ready() const override { return !ready_.empty(); }
  void TakeReady(
      absl::FunctionRef<bool(engine::SessionId id, absl::string_view replies)> take) override;
  void Resume(engine::SessionId id) override { ready_.push_back(id); }
  absl::Status Work(absl::FunctionRef<bool()>) override { return absl::OkStatus(); }
  bool has_work() const override { return false; }
  size_t session_count() const override { return sessions_.size(); }
  void OnApplied(const engine::Command&, std::span<const engine::Event>,
                 const engine::Origin&) override {}
  void OnReleased(const engine::Command&, std::span<const engine::Event>,
                  const engine::Origin&) override {}

 private:
  struct Session {
    explicit Session(engine::SessionId its_id) : id(its_id) {}

    const engine::SessionId id;
    engine::HttpReader reader;
    std::string replies;
    bool is_over = false;
  };

  const Answer answer_;
  engine::SessionTable<Session> sessions_;
  std::vector<engine::SessionId> ready_;
};

}  // namespace bench

#endif  // BENCH_REPLY_GATEWAY_H_
