#include "engine/messages/market_definition_codec.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstring>

#include "absl/strings/str_cat.h"
#include "engine/base/catch_kj.h"
#include "engine/base/status_macros.h"
#include "engine/messages/messages.capnp.h"

namespace engine {
namespace {

// A definition is a few words; anything longer is not one.
constexpr size_t kDefinitionBytesMax = 4096;

}  // namespace

std::vector<std::byte> EncodeMarketDefinition(const MarketDefinition& definition) {
  capnp::MallocMessageBuilder message;
  auto out = message.initRoot<schema::MarketDefinition>();
  out.setId(definition.id.value());
  out.setSymbol(definition.symbol.c_str());
  out.setPriceDecimals(static_cast<uint8_t>(definition.price_decimals));
  out.setQuantityDecimals(static_cast<uint8_t>(definition.quantity_decimals));
  out.setTick(definition.tick.units());
  out.setPriceMin(definition.price_min.units());
  out.setPriceMax(definition.price_max.units());
  out.setLot(definition.lot.units());
  const kj::Array<capnp::word> words = capnp::canonicalize(out.asReader());
  const auto bytes = words.asBytes();
  std::vector<std::byte> result(bytes.size());
  std::memcpy(result.data(), bytes.begin(), bytes.size());
  return result;
}

absl::StatusOr<MarketDefinition> DecodeMarketDefinition(Bytes bytes) {
  if (bytes.empty() || bytes.size() % sizeof(capnp::word) != 0 ||
      bytes.size() > kDefinitionBytesMax) {
    return absl::DataLossError(absl::StrCat("a market definition of ", bytes.size(),
                                            " bytes; expected whole words, at most ",
                                            kDefinitionBytesMax, " bytes"));
  }
  // A copy, because the attachment may lie at any alignment.
  auto words = kj::heapArray<capnp::word>(bytes.size() / sizeof(capnp::word));
  std::memcpy(words.asBytes().begin(), bytes.data(), bytes.size());
  MarketDefinition definition;
  RETURN_IF_ERROR(CatchKj([&] {
    const kj::ArrayPtr<const capnp::word> segments[] = {words.asPtr()};
    capnp::SegmentArrayMessageReader message(segments);
    const auto in = message.getRoot<schema::MarketDefinition>();
    definition.id = MarketId(in.getId());
    definition.symbol.assign(in.getSymbol().begin(), in.getSymbol().size());
    definition.price_decimals = in.getPriceDecimals();
    definition.quantity_decimals = in.getQuantityDecimals();
    definition.tick = Price::FromUnits(in.getTick());
    definition.price_min = Price::FromUnits(in.getPriceMin());
    definition.price_max = Price::FromUnits(in.getPriceMax());
    definition.lot = Quantity::FromUnits(in.getLot());
  }));
  RETURN_IF_ERROR(Validate(definition));
  return definition;
}

}  // namespace engine
