// The UUIDs that clients see. Each is made from a place in the journal, and leads back to it
// without a table:
//
//   (sequence, index)  ─► 64 bits, permuted with a key ─┐
//   journal id, role   ─► the key                       ├─► UUID, version 8 (RFC 9562)
//                         58 bits, a check of the 64   ─┘
//
// PROTOCOL.md specifies the bits. The permutation hides how many orders there are from a glance,
// not from an adversary: a public id is no secret.

#ifndef ENGINE_WIRE_KALSHI_PUBLIC_ID_H_
#define ENGINE_WIRE_KALSHI_PUBLIC_ID_H_

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <ostream>

#include "absl/strings/string_view.h"
#include "engine/base/digest.h"

namespace engine::kalshi {

// What an id names. An id of one role is none of another. Do not renumber: ids are made from it.
enum class IdRole : uint8_t {
  kOrder = 1,
  kTrade = 2,  // Also names the two fills of the trade.
  kMarket = 3,
  kGroup = 4,
  kUser = 5,
  kApiKey = 6,
  kFeeChange = 7,
};

// What an id is made from: a record, and which of its events (or any other two numbers).
struct IdPlace {
  static constexpr uint64_t kSequenceEnd = uint64_t{1} << 40;
  static constexpr uint32_t kIndexEnd = uint32_t{1} << 24;

  uint64_t sequence = 0;  // Below kSequenceEnd.
  uint32_t index = 0;     // Below kIndexEnd.

  friend constexpr auto operator<=>(const IdPlace&, const IdPlace&) = default;
  friend std::ostream& operator<<(std::ostream& out, const IdPlace& place) {
    return out << place.sequence << "." << place.index;
  }
};

// A UUID as text, lower case, 8-4-4-4-12. A regular value type.
class PublicId {
 public:
  static constexpr size_t kSize = 36;

  absl::string_view text() const { return {text_.data(), kSize}; }
  friend bool operator==(const PublicId&, const PublicId&) = default;

 private:
  friend class PublicIds;
  std::array<char, kSize> text_ = {};
};

// Whether the text has the form of a UUID, in either case: what is none deserves another error.
bool IsUuid(absl::string_view text);

// The ids of one role of one journal. A regular value type, immutable after construction.
class PublicIds {
 public:
  // `journal` is the journal's 128-bit id.
  PublicIds(const Digest& journal, IdRole role);

  // REQUIRES: the place is within its bounds.
  PublicId Make(const IdPlace& place) const;
  // Accepts either case. nullopt for every text that Make() does not return.
  std::optional<IdPlace> Parse(absl::string_view text) const;

 private:
  static constexpr int kRounds = 6;

  uint64_t Permute(uint64_t payload) const;
  uint64_t Unpermute(uint64_t payload) const;
  uint64_t CheckOf(uint64_t payload) const;

  std::array<uint64_t, kRounds> keys_ = {};
  uint64_t check_key_ = 0;
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_PUBLIC_ID_H_
