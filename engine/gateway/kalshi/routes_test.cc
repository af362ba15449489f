#include "engine/gateway/kalshi/routes.h"

#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

std::optional<KalshiMatch> Find(absl::string_view method, absl::string_view path) {
  return FindKalshiRoute(method, path);
}

TEST(KalshiRoutes, EachIsFoundByItsOwnPath) {
  for (const KalshiRoute& route : KalshiRoutes()) {
    const std::string path = absl::StrCat(kKalshiRoot, route.path);
    const std::optional<KalshiMatch> match = Find(route.method, path);
    ASSERT_TRUE(match.has_value()) << path;
    EXPECT_EQ(match->route, &route) << path;
  }
}

// Clients read the paths in the answer to /account/endpoint_costs.
TEST(KalshiRoutes, PartsThatVaryHaveNames) {
  for (const KalshiRoute& route : KalshiRoutes()) {
    EXPECT_FALSE(absl::StrContains(route.path, "{}")) << route.path;
  }
  EXPECT_EQ(Find("DELETE", "/trade-api/v2/portfolio/events/orders/1-2-3")->route->path,
            "/portfolio/events/orders/{order_id}");
}

TEST(KalshiRoutes, LiteralPartsComeBeforeOthers) {
  EXPECT_EQ(Find("GET", "/trade-api/v2/markets/trades")->route->request, KalshiRequest::kTrades);
  EXPECT_EQ(Find("GET", "/trade-api/v2/markets/orderbooks")->route->request,
            KalshiRequest::kOrderbooks);
  EXPECT_EQ(Find("GET", "/trade-api/v2/portfolio/orders/queue_positions")->route->request,
            KalshiRequest::kQueuePositions);
  EXPECT_EQ(Find("DELETE", "/trade-api/v2/portfolio/events/orders/batched")->route->request,
            KalshiRequest::kBatchCancel);
}

TEST(KalshiRoutes, PartsOfThePathAreReturned) {
  const std::optional<KalshiMatch> match =
      Find("GET", "/trade-api/v2/series/KXA/markets/KXA-1/candlesticks");
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->parts[0], "KXA");
  EXPECT_EQ(match->parts[1], "KXA-1");
}

TEST(KalshiRoutes, NothingElseIsServed) {
  for (const absl::string_view path :
       {"/", "", "/trade-api/v2", "/trade-api/v2/", "/trade-api/v2/markets/", "/markets",
        "/trade-api/v2markets", "/trade-api/v2//markets", "/trade-api/v2/markets/A/",
        "/trade-api/v2/markets/A/orderbook/x", "/trade-api/v2/portfolio/orders//queue_position",
        "/trade-api/v2/portfolio/events/orders", "/trade-api/v2/%6darkets"}) {
    EXPECT_FALSE(Find("GET", path).has_value()) << path;
  }
  EXPECT_FALSE(Find("get", "/trade-api/v2/markets").has_value());
  EXPECT_FALSE(Find("PATCH", "/trade-api/v2/markets").has_value());
}

}  // namespace
}  // namespace engine
