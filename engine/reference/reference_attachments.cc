#include "engine/reference/reference_attachments.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/messages/canonical_message.h"
#include "engine/messages/messages.capnp.h"

namespace engine {
namespace {

constexpr int64_t kMostPriceUnits = 1'000'000'000'000;
constexpr uint64_t kMostQuantityUnits = 10'000'000'000;
constexpr size_t kMostBands = 16;
constexpr size_t kMostNoteBytes = 65'536;
constexpr size_t kMostNoteAttachmentBytes = kMostNoteBytes + 128;

bool IsBetween(int64_t low, int64_t value, int64_t high) { return low <= value && value <= high; }

int64_t PowerOfTen(int exponent) { return exponent == 0 ? 1 : 10 * PowerOfTen(exponent - 1); }

// The smallest multiple of `step` that is at least `from`.
__int128 FirstMultiple(__int128 from, __int128 step) {
  __int128 multiple = from / step * step;
  while (multiple < from) multiple += step;
  return multiple;
}

bool IsSoundSymbol(const std::string& symbol) {
  return IsBetween(1, static_cast<int64_t>(symbol.size()), 32) && symbol[0] != '#' &&
         std::all_of(symbol.begin(), symbol.end(), [](char c) { return c >= '!' && c <= '~'; });
}

bool AreSoundBands(const MarketDefinition& market) {
  const std::vector<TickBand>& bands = market.bands;
  if (bands.empty()) return true;
  const bool ascend = std::adjacent_find(bands.begin(), bands.end(), [](auto a, auto b) {
                        return a.from >= b.from;
                      }) == bands.end();
  return bands.size() <= kMostBands && bands[0].from <= market.price_min && ascend &&
         std::all_of(bands.begin(), bands.end(), [](const TickBand& band) {
           return IsBetween(1, band.tick.units(), kMostPriceUnits);
         });
}

// Whether the market has a price that is a multiple of the tick at that price. REQUIRES: prices and
// bands are sound.
bool HasPrice(const MarketDefinition& market) {
  if (market.bands.empty()) {
    return FirstMultiple(market.price_min.units(), market.tick.units()) <= market.price_max.units();
  }
  for (size_t i = 0; i < market.bands.size(); ++i) {
    const TickBand& band = market.bands[i];
    const __int128 first =
        FirstMultiple(std::max(band.from, market.price_min).units(), band.tick.units());
    const bool is_last = i + 1 == market.bands.size();
    if (first <= market.price_max.units() &&
        (is_last || first < market.bands[i + 1].from.units())) {
      return true;
    }
  }
  return false;
}

bool HasQuantity(const MarketDefinition& market) {
  const uint64_t most =
      market.quantity_max.is_zero() ? kMostQuantityUnits : market.quantity_max.units();
  const __int128 first =
      FirstMultiple(std::max<uint64_t>(market.quantity_min.units(), 1), market.lot.units());
  return first <= static_cast<__int128>(most);
}

// A pointer to a list of `count` bytes, which begin `words` words after it.
void AppendPointerToBytes(uint64_t words, uint64_t count, std::vector<uint64_t>& out) {
  out.push_back((words << 2 | 1) | (count << 3 | 2) << 32);
}

void AppendPadded(Bytes bytes, std::vector<uint64_t>& out) {
  const size_t begin = out.size();
  out.resize(begin + (bytes.size() + 7) / 8);
  std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(out)).begin() + 8 * begin);
}

// The only bytes that are this note: Cap'n Proto's canonical form, written out.
std::vector<uint64_t> WordsOf(const Note& note) {
  const Bytes name = AsBytes(note.name_space);
  const uint64_t name_words = name.size() / 8 + 1;  // A zero follows it.
  const uint64_t pointers = note.bytes.empty() ? 1 : 2;
  std::vector<uint64_t> words = {uint64_t{1} << 32 | pointers << 48, note.version};
  AppendPointerToBytes(pointers - 1, name.size() + 1, words);
  if (pointers == 2) AppendPointerToBytes(name_words, note.bytes.size(), words);
  AppendPadded(name, words);
  words.resize(2 + pointers + name_words);
  AppendPadded(note.bytes, words);
  return words;
}

}  // namespace

bool IsSoundForReference(const MarketDefinition& market) {
  if (market.kind != MarketKind::kEquity && market.kind != MarketKind::kBinary) return false;
  const bool is_binary = market.kind == MarketKind::kBinary;
  const int64_t low = market.price_min.units();
  const int64_t high = market.price_max.units();
  const uint64_t lot = market.lot.units();
  const uint64_t least = market.quantity_min.units();
  const uint64_t most = market.quantity_max.units();
  return market.id.value() != 0 && IsSoundSymbol(market.symbol) &&
         IsBetween(0, market.price_decimals, 9) && IsBetween(0, market.quantity_decimals, 9) &&
         IsBetween(1, market.tick.units(), kMostPriceUnits) && low <= high &&
         low >= -kMostPriceUnits && high <= kMostPriceUnits && lot >= 1 &&
         lot <= kMostQuantityUnits && least <= kMostQuantityUnits && most <= kMostQuantityUnits &&
         (most == 0 || least <= most) && AreSoundBands(market) && HasPrice(market) &&
         HasQuantity(market) &&
         (!is_binary || (market.price_decimals + market.quantity_decimals <= 6 && low > 0 &&
                         high < PowerOfTen(market.price_decimals)));
}

bool IsSoundForReference(const RiskLimits& limits) { return limits.order_notional_max >= Money(); }

bool IsSoundForReference(const FeeSchedule& fees) {
  const auto is_below_one = [&](uint64_t coefficient) {
    return coefficient * fees.multiplier < 10'000 * 100;
  };
  return is_below_one(fees.taker_coefficient) && is_below_one(fees.maker_coefficient);
}

bool IsSoundForReference(const Note& note) {
  const auto is_allowed = [](char c) {
    return std::string("abcdefghijklmnopqrstuvwxyz0123456789_-.").find(c) != std::string::npos;
  };
  return IsBetween(1, static_cast<int64_t>(note.name_space.size()), 32) &&
         std::all_of(note.name_space.begin(), note.name_space.end(), is_allowed) &&
         note.version >= 1 && note.bytes.size() <= kMostNoteBytes;
}

std::optional<MarketDefinition> ReadReferenceDefinition(Bytes bytes) {
  MarketDefinition market;
  bool has_too_many_bands = false;
  const auto read = [&](schema::MarketDefinition::Reader in) {
    market = {.id = MarketId(in.getId()),
              .symbol = std::string(in.getSymbol().begin(), in.getSymbol().end()),
              .price_decimals = in.getPriceDecimals(),
              .quantity_decimals = in.getQuantityDecimals(),
              .tick = Price::FromUnits(in.getTick()),
              .price_min = Price::FromUnits(in.getPriceMin()),
              .price_max = Price::FromUnits(in.getPriceMax()),
              .lot = Quantity::FromUnits(in.getLot()),
              .quantity_min = Quantity::FromUnits(in.getQuantityMin()),
              .quantity_max = Quantity::FromUnits(in.getQuantityMax()),
              .kind = MarketKind{in.getKind()},
              .starts_unopened = in.getStartsUnopened(),
              .fok_becomes_ioc = in.getFokBecomesIoc(),
              .post_only_change_cancels = in.getPostOnlyChangeCancels(),
              .mirrored = in.getMirrored()};
    has_too_many_bands = in.getBands().size() > kMostBands;
    if (has_too_many_bands) return;
    for (const auto band : in.getBands()) {
      market.bands.push_back(
          {.from = Price::FromUnits(band.getFrom()), .tick = Price::FromUnits(band.getTick())});
    }
  };
  if (!DecodeCanonical<schema::MarketDefinition>(bytes, read).ok()) return std::nullopt;
  if (has_too_many_bands || !IsSoundForReference(market)) return std::nullopt;
  return market;
}

std::optional<RiskLimits> ReadReferenceLimits(Bytes bytes) {
  RiskLimits limits;
  const auto read = [&](schema::RiskLimits::Reader in) {
    limits = {.open_orders_max = in.getOpenOrdersMax(),
              .order_quantity_max = Quantity::FromUnits(in.getOrderQuantityMax()),
              .order_notional_max = Money::FromMicros(in.getOrderNotionalMax()),
              .orders_per_second_max = in.getOrdersPerSecondMax()};
  };
  if (!DecodeCanonical<schema::RiskLimits>(bytes, read).ok()) return std::nullopt;
  if (!IsSoundForReference(limits)) return std::nullopt;
  return limits;
}

std::optional<FeeSchedule> ReadReferenceFees(Bytes bytes) {
  FeeSchedule fees;
  const auto read = [&](schema::FeeSchedule::Reader in) {
    fees = {.taker_coefficient = in.getTakerCoefficient(),
            .maker_coefficient = in.getMakerCoefficient(),
            .multiplier = in.getMultiplier()};
  };
  if (!DecodeCanonical<schema::FeeSchedule>(bytes, read).ok()) return std::nullopt;
  if (!IsSoundForReference(fees)) return std::nullopt;
  return fees;
}

std::optional<Note> ReadReferenceNote(Bytes bytes) {
  Note note;
  const auto read = [&](schema::Note::Reader in) {
    const Bytes own = std::as_bytes(std::span(in.getBytes().begin(), in.getBytes().end()));
    note = {.name_space = std::string(in.getNamespace().begin(), in.getNamespace().end()),
            .version = in.getVersion(),
            .bytes = std::vector<std::byte>(own.begin(), own.end())};
  };
  if (!DecodeCanonical<schema::Note>(bytes, read, kMostNoteAttachmentBytes).ok()) {
    return std::nullopt;
  }
  if (!IsSoundForReference(note)) return std::nullopt;
  const std::vector<uint64_t> words = WordsOf(note);
  const Bytes expected = std::as_bytes(std::span(words));
  if (!std::equal(expected.begin(), expected.end(), bytes.begin(), bytes.end())) {
    return std::nullopt;
  }
  return note;
}

}  // namespace engine
