#include "engine/wire/kalshi/public_id.h"

#include <cctype>
#include <cstdint>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine::kalshi {
namespace {

constexpr Digest kJournal = {.low = 0x0123456789abcdef, .high = 0xfedcba9876543210};

IdPlace AnyPlace() {
  return {.sequence = *rc::gen::inRange<uint64_t>(0, IdPlace::kSequenceEnd),
          .index = *rc::gen::inRange<uint32_t>(0, IdPlace::kIndexEnd)};
}

// Clients keep ids, and a journal may be served by a later build: they stay as they are.
TEST(PublicIdTest, IsPinned) {
  const PublicIds orders(kJournal, IdRole::kOrder);
  const PublicIds trades(kJournal, IdRole::kTrade);
  EXPECT_EQ(std::string(orders.Make({.sequence = 1}).text()),
            "9df498fd-1ffe-833c-b2d6-14a55c96b914");
  EXPECT_EQ(std::string(orders.Make({.sequence = 2}).text()),
            "914b623b-8568-824d-87d1-12eb7a715442");
  EXPECT_EQ(std::string(trades.Make({.sequence = 1, .index = 7}).text()),
            "5c691d67-6f50-8ed1-bbe9-44e905be7960");
}

RC_GTEST_PROP(PublicIdProperty, LeadsBackToItsPlace, ()) {
  const PublicIds ids(kJournal, *rc::gen::element(IdRole::kOrder, IdRole::kTrade, IdRole::kUser));
  const IdPlace place = AnyPlace();
  const auto parsed = ids.Parse(ids.Make(place).text());
  RC_ASSERT(parsed.has_value());
  RC_ASSERT(*parsed == place);
}

TEST(PublicIdTest, TheGreatestPlaceLeadsBack) {
  const PublicIds ids(kJournal, IdRole::kOrder);
  const IdPlace last = {.sequence = IdPlace::kSequenceEnd - 1, .index = IdPlace::kIndexEnd - 1};
  EXPECT_EQ(ids.Parse(ids.Make(last).text()), last);
}

RC_GTEST_PROP(PublicIdProperty, IsAVersion8UuidInLowerCase, ()) {
  const std::string text(PublicIds(kJournal, IdRole::kOrder).Make(AnyPlace()).text());
  RC_ASSERT(IsUuid(text));
  RC_ASSERT(text[14] == '8');
  RC_ASSERT(std::string("89ab").find(text[19]) != std::string::npos);
  for (const char c : text) RC_ASSERT(!(c >= 'A' && c <= 'Z'));
}

RC_GTEST_PROP(PublicIdProperty, UpperCaseIsTheSameId, ()) {
  const PublicIds ids(kJournal, IdRole::kOrder);
  const IdPlace place = AnyPlace();
  std::string text(ids.Make(place).text());
  for (char& c : text) c = static_cast<char>(std::toupper(c));
  RC_ASSERT(ids.Parse(text) == place);
}

// Each of the 128 bits counts.
RC_GTEST_PROP(PublicIdProperty, AChangedDigitIsNoId, ()) {
  const PublicIds ids(kJournal, IdRole::kOrder);
  std::string text(ids.Make(AnyPlace()).text());
  const auto at = *rc::gen::inRange<size_t>(0, text.size());
  const char other = *rc::gen::elementOf(std::string("0123456789abcdef"));
  RC_PRE(text[at] != other);
  text[at] = other;
  RC_ASSERT(!ids.Parse(text).has_value());
}

RC_GTEST_PROP(PublicIdProperty, AnotherRoleOrJournalRefusesIt, ()) {
  const PublicId id = PublicIds(kJournal, IdRole::kOrder).Make(AnyPlace());
  RC_ASSERT(!PublicIds(kJournal, IdRole::kTrade).Parse(id.text()).has_value());
  const Digest other = {.low = kJournal.low, .high = kJournal.high + 1};
  RC_ASSERT(!PublicIds(other, IdRole::kOrder).Parse(id.text()).has_value());
}

TEST(PublicIdTest, NeighboursLookUnrelated) {
  const PublicIds ids(kJournal, IdRole::kOrder);
  std::set<std::string> beginnings;
  for (uint64_t i = 0; i < 1'000; ++i) {
    beginnings.insert(std::string(ids.Make({.sequence = i}).text().substr(0, 8)));
  }
  EXPECT_EQ(beginnings.size(), 1'000U);
}

TEST(PublicIdTest, OnlyTheFormOfAUuidIsAUuid) {
  EXPECT_TRUE(IsUuid("00000000-0000-0000-0000-000000000000"));
  EXPECT_TRUE(IsUuid("ABCDEF01-2345-6789-abcd-ef0123456789"));
  for (const char* text :
       {"", "abc", "00000000-0000-0000-0000-00000000000", "00000000-0000-0000-0000-0000000000000",
        "0000000000000-0000-0000-000000000000", "00000000-0000-0000-0000-00000000000g",
        "00000000 0000-0000-0000-000000000000", "{0000000-0000-0000-0000-000000000000"}) {
    EXPECT_FALSE(IsUuid(text)) << text;
  }
}

}  // namespace
}  // namespace engine::kalshi
