// The records of Databento's binary encoding (DBN) that are about books: MBO, trades, MBP-10. Each
// struct has the layout of its record: to copy the bytes is to parse them. No field is interpreted.
//
// Prices are counts of 10^-9; times are nanoseconds since 1970. The same in versions 1, 2 and 3 of
// DBN. The bytes are in PROTOCOL.md.

#ifndef ENGINE_WIRE_DBN_RECORDS_H_
#define ENGINE_WIRE_DBN_RECORDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace engine {

inline constexpr int64_t kDbnNoPrice = std::numeric_limits<int64_t>::max();
inline constexpr uint64_t kDbnNoTime = std::numeric_limits<uint64_t>::max();
inline constexpr int kDbnPriceDecimals = 9;
inline constexpr size_t kDbnLevels = 10;

// Types of records (rtype).
inline constexpr uint8_t kDbnTradeType = 0x00;
inline constexpr uint8_t kDbnMbp10Type = 0x0a;
inline constexpr uint8_t kDbnMboType = 0xa0;

// What happened: values of `action`.
inline constexpr char kDbnAdd = 'A';
inline constexpr char kDbnCancel = 'C';
inline constexpr char kDbnModify = 'M';
inline constexpr char kDbnTrade = 'T';  // The side is the aggressor's. The book stays the same.
inline constexpr char kDbnFill = 'F';   // Of a resting order. The book stays the same.
inline constexpr char kDbnClear = 'R';
inline constexpr char kDbnNoAction = 'N';

// Values of `side`.
inline constexpr char kDbnBid = 'B';
inline constexpr char kDbnAsk = 'A';
inline constexpr char kDbnNoSide = 'N';

// Bits of `flags`.
inline constexpr uint8_t kDbnLast = 1 << 7;  // The event's last record for this instrument.
inline constexpr uint8_t kDbnTopOfBook = 1 << 6;
inline constexpr uint8_t kDbnSnapshot = 1 << 5;  // The state at a time, not a change.

struct DbnHeader {
  uint8_t length = 0;  // Of the record, in words of 4 bytes.
  uint8_t rtype = 0;
  uint16_t publisher_id = 0;
  uint32_t instrument_id = 0;
  uint64_t ts_event = 0;

  friend bool operator==(const DbnHeader&, const DbnHeader&) = default;
};

// A change of one order.
struct DbnMbo {
  static constexpr uint8_t kType = kDbnMboType;

  DbnHeader header = {};
  uint64_t order_id = 0;
  int64_t price = 0;
  uint32_t size = 0;
  uint8_t flags = 0;
  uint8_t channel_id = 0;
  char action = 0;
  char side = 0;
  uint64_t ts_recv = 0;
  int32_t ts_in_delta = 0;
  uint32_t sequence = 0;

  friend bool operator==(const DbnMbo&, const DbnMbo&) = default;
};

struct DbnTrade {
  static constexpr uint8_t kType = kDbnTradeType;

  DbnHeader header = {};
  int64_t price = 0;
  uint32_t size = 0;
  char action = 0;
  char side = 0;
  uint8_t flags = 0;
  uint8_t depth = 0;
  uint64_t ts_recv = 0;
  int32_t ts_in_delta = 0;
  uint32_t sequence = 0;

  friend bool operator==(const DbnTrade&, const DbnTrade&) = default;
};

// The n-th best level of both sides. A level that is not there has no price, and zeros.
struct DbnLevel {
  int64_t bid_px = kDbnNoPrice;
  int64_t ask_px = kDbnNoPrice;
  uint32_t bid_sz = 0;
  uint32_t ask_sz = 0;
  uint32_t bid_ct = 0;
  uint32_t ask_ct = 0;

  friend bool operator==(const DbnLevel&, const DbnLevel&) = default;
};

// What happened, and the levels after it.
struct DbnMbp10 {
  static constexpr uint8_t kType = kDbnMbp10Type;

  DbnHeader header = {};
  int64_t price = 0;
  uint32_t size = 0;
  char action = 0;
  char side = 0;
  uint8_t flags = 0;
  uint8_t depth = 0;  // The level that changed, from 0.
  uint64_t ts_recv = 0;
  int32_t ts_in_delta = 0;
  uint32_t sequence = 0;
  std::array<DbnLevel, kDbnLevels> levels = {};

  friend bool operator==(const DbnMbp10&, const DbnMbp10&) = default;
};

static_assert(sizeof(DbnHeader) == 16);
static_assert(sizeof(DbnMbo) == 56 && std::has_unique_object_representations_v<DbnMbo>);
static_assert(sizeof(DbnTrade) == 48 && std::has_unique_object_representations_v<DbnTrade>);
static_assert(sizeof(DbnMbp10) == 368 && std::has_unique_object_representations_v<DbnMbp10>);

}  // namespace engine

#endif  // ENGINE_WIRE_DBN_RECORDS_H_
