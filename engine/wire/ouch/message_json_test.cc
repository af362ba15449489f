#include "engine/wire/ouch/message_json.h"

#include <string>

#include "engine/wire/ouch/codec.h"
#include "engine/wire/ouch/messages.h"
#include "gtest/gtest.h"

namespace engine::ouch {
namespace {

TEST(OuchJson, HasEveryField) {
  std::string out;
  AppendJsonMembers(Inbound(ReplaceOrder{.existing_token = FieldOf<Token>("T 1"),
                                         .replacement_token = FieldOf<Token>("T2"),
                                         .shares = 300,
                                         .price = kMarketPrice,
                                         .time_in_force = kSystemHours,
                                         .display = 'Y',
                                         .intermarket_sweep = ' ',
                                         .minimum_quantity = 0}),
                    out);
  EXPECT_EQ(out, R"("message":"replace_order","existing_token":"T 1","replacement_token":"T2",)"
                 R"("shares":300,"price":2147483647,"time_in_force":99999,"display":"Y",)"
                 R"("intermarket_sweep":"","minimum_quantity":0)");
  out.clear();
  AppendJsonMembers(Outbound(Executed{.timestamp_ns = 86'399'999'999'999,
                                      .token = FieldOf<Token>("T2"),
                                      .shares = 7,
                                      .price = 101'500,
                                      .liquidity = 'A',
                                      .match_number = 18'446'744'073'709'551'615u}),
                    out);
  EXPECT_EQ(out, R"("message":"executed","timestamp_ns":86399999999999,"token":"T2","shares":7,)"
                 R"("price":101500,"liquidity":"A","match_number":18446744073709551615)");
}

}  // namespace
}  // namespace engine::ouch
