// Answers that a venue would give to orders which are not to reach it: each is accepted, and
// nothing of it ever trades.

#ifndef TOOLS_CLIENT_DRY_RUN_H_
#define TOOLS_CLIENT_DRY_RUN_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/requests.h"
#include "tools/client/call.h"

namespace client {

// Not thread-safe.
class DryRun {
 public:
  struct Answer {
    int status = 0;
    std::string body;

    friend bool operator==(const Answer&, const Answer&) = default;
  };

  // nullopt for calls that only read, except for the lists of the account's orders and fills: all
  // others may be sent.
  std::optional<Answer> AnswerTo(const Call& call);
  // How many requests were kept back.
  uint64_t calls() const { return calls_; }

 private:
  struct Order {
    std::string client_order_id;
    std::string ticker;
    engine::Side side = {};
    engine::Price price = {};
    engine::kalshi::Count count = {};
    bool rests = true;
  };

  Answer Create(const Call& call);
  Answer Amend(const Call& call);
  Answer Cancel(const Call& call);
  // What has ended is listed once.
  Answer List();

  engine::kalshi::RequestDecoder decoder_;
  absl::flat_hash_map<std::string, Order> orders_;  // By order id.
  uint64_t calls_ = 0;
};

}  // namespace client

#endif  // TOOLS_CLIENT_DRY_RUN_H_
