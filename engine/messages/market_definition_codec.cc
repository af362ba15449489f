#include "engine/messages/market_definition_codec.h"

#include <cstdint>

#include "engine/base/status_macros.h"
#include "engine/messages/canonical_message.h"
#include "engine/messages/messages.capnp.h"

namespace engine {

std::vector<std::byte> EncodeMarketDefinition(const MarketDefinition& definition) {
  return EncodeCanonical<schema::MarketDefinition>([&](schema::MarketDefinition::Builder out) {
    out.setId(definition.id.value());
    out.setSymbol(definition.symbol.c_str());
    out.setPriceDecimals(static_cast<uint8_t>(definition.price_decimals));
    out.setQuantityDecimals(static_cast<uint8_t>(definition.quantity_decimals));
    out.setTick(definition.tick.units());
    out.setPriceMin(definition.price_min.units());
    out.setPriceMax(definition.price_max.units());
    out.setLot(definition.lot.units());
    out.setKind(static_cast<uint8_t>(definition.kind));
    out.setStartsUnopened(definition.starts_unopened);
    out.setQuantityMin(definition.quantity_min.units());
    out.setQuantityMax(definition.quantity_max.units());
    out.setFokBecomesIoc(definition.fok_becomes_ioc);
    out.setPostOnlyChangeCancels(definition.post_only_change_cancels);
    out.setMirrored(definition.mirrored);
    // Null if there are no bands: definitions from before bands existed keep their bytes.
    if (definition.bands.empty()) return;
    auto bands = out.initBands(static_cast<unsigned>(definition.bands.size()));
    for (unsigned i = 0; i < bands.size(); ++i) {
      bands[i].setFrom(definition.bands[i].from.units());
      bands[i].setTick(definition.bands[i].tick.units());
    }
  });
}

absl::StatusOr<MarketDefinition> DecodeMarketDefinition(Bytes bytes) {
  MarketDefinition definition;
  const auto read = [&](schema::MarketDefinition::Reader in) {
    definition.id = MarketId(in.getId());
    definition.symbol.assign(in.getSymbol().begin(), in.getSymbol().size());
    definition.price_decimals = in.getPriceDecimals();
    definition.quantity_decimals = in.getQuantityDecimals();
    definition.tick = Price::FromUnits(in.getTick());
    definition.price_min = Price::FromUnits(in.getPriceMin());
    definition.price_max = Price::FromUnits(in.getPriceMax());
    definition.lot = Quantity::FromUnits(in.getLot());
    definition.kind = static_cast<MarketKind>(in.getKind());
    definition.starts_unopened = in.getStartsUnopened();
    definition.quantity_min = Quantity::FromUnits(in.getQuantityMin());
    definition.quantity_max = Quantity::FromUnits(in.getQuantityMax());
    definition.fok_becomes_ioc = in.getFokBecomesIoc();
    definition.post_only_change_cancels = in.getPostOnlyChangeCancels();
    definition.mirrored = in.getMirrored();
    for (const auto band : in.getBands()) {
      // A hostile message can hold any number of zero-sized elements for free: keep no more than
      // Validate() needs to refuse them.
      if (definition.bands.size() > kTickBandsMax) break;
      definition.bands.push_back(
          {Price::FromUnits(band.getFrom()), Price::FromUnits(band.getTick())});
    }
  };
  RETURN_IF_ERROR(DecodeCanonical<schema::MarketDefinition>(bytes, read));
  RETURN_IF_ERROR(Validate(definition));
  return definition;
}

}  // namespace engine
