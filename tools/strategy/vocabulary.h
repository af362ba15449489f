// The words of a strategy's inputs and actions.

#ifndef TOOLS_STRATEGY_VOCABULARY_H_
#define TOOLS_STRATEGY_VOCABULARY_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/messages/market_directory.h"
#include "journal/record.h"
#include "replay/output.h"
#include "replay/vocabulary.h"

namespace strategy {

// As the journal's metadata names the application, before the name of the strategy.
inline constexpr absl::string_view kApplicationPrefix = "ticktape strategy ";
// The number of the layout of Input (input.h).
inline constexpr uint64_t kInputSchema = 0x7469'636b'0001'0001;

class StrategyVocabulary final : public replay::Vocabulary {
 public:
  void Follow(const journal::Record& record) override;
  uint16_t KindOf(const journal::Row& row) const override;
  std::string RowKindName(uint16_t kind) const override;
  std::string OutputKindName(uint16_t kind) const override;
  std::vector<replay::NamedValue> Fields(const journal::Record& record) const override;
  std::vector<replay::NamedValue> Fields(const replay::Output& output) const override;
  // With symbols and decimals: "7.0 new_order market=ACME order=1 side=bid price=20.01 ...".
  std::string Text(const replay::Output& output) const override;
  using replay::Vocabulary::Text;
  // "new_order(bid)", "metric(loss)".
  std::string ClassOf(const replay::Output& output) const override;
  // The first decision: "new_order", or "nothing".
  uint16_t OutcomeOf(const journal::Row& row,
                     std::span<const replay::Output> outputs) const override;
  std::string OutcomeName(uint16_t outcome) const override;

 private:
  engine::MarketDirectory markets_;
};

}  // namespace strategy

#endif  // TOOLS_STRATEGY_VOCABULARY_H_
