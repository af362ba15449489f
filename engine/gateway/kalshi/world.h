// What all parts of the gateway read: the market's texts and figures, and the ids that clients see.

#ifndef ENGINE_GATEWAY_KALSHI_WORLD_H_
#define ENGINE_GATEWAY_KALSHI_WORLD_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/gateway/kalshi/views.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/views/venue_memory.h"
#include "engine/wire/kalshi/public_id.h"

namespace engine {

// The UUIDs of one journal. A regular value type.
class KalshiIds {
 public:
  explicit KalshiIds(const Digest& journal)
      : orders_(journal, kalshi::IdRole::kOrder),
        trades_(journal, kalshi::IdRole::kTrade),
        markets_(journal, kalshi::IdRole::kMarket),
        groups_(journal, kalshi::IdRole::kGroup),
        users_(journal, kalshi::IdRole::kUser) {}

  kalshi::PublicId Of(OrderId order) const { return orders_.Make({order.value(), 0}); }
  kalshi::PublicId OfTrade(SequenceNumber sequence, uint32_t index) const {
    return trades_.Make({sequence.value(), index});
  }
  kalshi::PublicId Of(MarketId market) const { return markets_.Make({market.value(), 0}); }
  kalshi::PublicId Of(AccountId account) const { return users_.Make({account.value(), 0}); }
  kalshi::PublicId Of(AccountId account, GroupId group) const {
    return groups_.Make({account.value(), group.value()});
  }

  // Empty for every text that is no such id.
  std::optional<OrderId> OrderOf(absl::string_view text) const {
    const std::optional<kalshi::IdPlace> place = orders_.Parse(text);
    if (!place.has_value()) return std::nullopt;
    return OrderId(place->sequence);
  }
  std::optional<MarketId> MarketOf(absl::string_view text) const {
    const std::optional<kalshi::IdPlace> place = markets_.Parse(text);
    if (!place.has_value()) return std::nullopt;
    return MarketId(static_cast<uint32_t>(place->sequence));
  }
  // Of the account's groups only.
  std::optional<GroupId> GroupOf(AccountId account, absl::string_view text) const {
    const std::optional<kalshi::IdPlace> place = groups_.Parse(text);
    if (!place.has_value() || place->sequence != account.value()) return std::nullopt;
    return GroupId(place->index);
  }

 private:
  kalshi::PublicIds orders_;
  kalshi::PublicIds trades_;
  kalshi::PublicIds markets_;
  kalshi::PublicIds groups_;
  kalshi::PublicIds users_;
};

// A market that is served: defined, and in the catalogue.
struct KalshiListing {
  const MarketDefinition* definition = nullptr;
  const KalshiMarket* texts = nullptr;
};

// All references outlive it.
struct KalshiWorld {
  const MarketDirectory& markets;
  const KalshiCatalogue& catalogue;
  const VenueMemory& memory;
  const KalshiViews& views;
  KalshiIds ids;

  // Empty if no such market is served.
  std::optional<KalshiListing> Find(MarketId market) const {
    const KalshiListing listing = {markets.Find(market), catalogue.FindMarket(market)};
    if (listing.definition == nullptr || listing.texts == nullptr) return std::nullopt;
    return listing;
  }
  std::optional<KalshiListing> FindTicker(absl::string_view ticker) const {
    const MarketDefinition* const definition = markets.FindSymbol(ticker);
    return definition == nullptr ? std::nullopt : Find(definition->id);
  }
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_WORLD_H_
