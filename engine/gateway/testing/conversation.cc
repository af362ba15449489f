#include "engine/gateway/testing/conversation.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"

namespace engine {

Conversation::Conversation(size_t waiting_max, TextSession::Options options,
                           MarketDirectory its_markets)
    : exchange(waiting_max),
      markets(std::move(its_markets)),
      session(exchange, *this, markets, account, options) {
  exchange.ListenWith(&session);
}

TextSession::Options Conversation::AutoDefine() { return {.auto_define_markets = true}; }

MarketDirectory Conversation::Markets() {
  MarketDefinition acme;
  acme.id = MarketId(3);
  acme.symbol = "ACME";
  acme.price_decimals = 2;
  acme.quantity_decimals = 1;
  MarketDirectory markets;
  EXPECT_TRUE(markets.Add(acme));
  return markets;
}

void Conversation::PrintBook(const MarketDefinition* market, std::string& out) {
  absl::StrAppend(&out, "BOOK ", market == nullptr ? "all" : market->symbol, "\n");
}

absl::StatusOr<bool> Conversation::SetAckPolicy(TextAckPolicy policy) {
  if (!policy_status.ok()) return policy_status;
  if (has_policies) policies.push_back(policy);
  return has_policies;
}

std::string Conversation::Say(const std::string& lines) {
  absl::Status status = session.OnBytes(AsBytes(lines));
  std::string replies;
  while (status.ok() && session.is_full()) {
    exchange.Release();
    replies += TakeReplies();
    status = session.Continue();
  }
  EXPECT_TRUE(status.ok()) << status;
  return replies + TakeReplies();
}

std::string Conversation::TakeReplies() {
  std::string replies(session.output());
  session.ClearOutput();
  account.CheckInvariants();
  return replies;
}

std::string Conversation::SayAll(const std::string& lines) {
  const std::string replies = Say(lines);
  EXPECT_TRUE(session.Finish().ok());
  exchange.Release();
  return replies + TakeReplies();
}

}  // namespace engine
