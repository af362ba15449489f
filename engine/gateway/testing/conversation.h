// A conversation for tests: a session, a toy exchange and the program that connects them.

#ifndef ENGINE_GATEWAY_TESTING_CONVERSATION_H_
#define ENGINE_GATEWAY_TESTING_CONVERSATION_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/gateway/text_account.h"
#include "engine/gateway/text_session.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"

namespace engine {

// Owned by the test, which may read and change all of it.
class Conversation final : public TextSessionHost {
 public:
  static constexpr AccountId kAccount = AccountId(6);

  // At most `waiting_max` commands wait for their release, see ToyExchange.
  explicit Conversation(size_t waiting_max = 0, TextSession::Options options = {},
                        MarketDirectory its_markets = Markets());

  static TextSession::Options AutoDefine();

  // ACME, market 3, with prices of 0.01 and quantities of 0.1.
  static MarketDirectory Markets();

  absl::Status JournalStatus() const override { return journal_status; }
  void PrintBook(const MarketDefinition* market, std::string& out) override;
  absl::StatusOr<bool> SetAckPolicy(TextAckPolicy policy) override;

  // Sends lines, even if the session holds too many replies, and returns the replies.
  std::string Say(const std::string& lines);
  std::string TakeReplies();

  // Sends the last lines, releases everything, and returns the replies.
  std::string SayAll(const std::string& lines);

  ToyExchange exchange;
  MarketDirectory markets;
  TextAccount account{kAccount, markets};
  TextSession session;
  absl::Status journal_status;
  bool has_policies = false;
  absl::Status policy_status;  // Of a change.
  std::vector<TextAckPolicy> policies;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_TESTING_CONVERSATION_H_
