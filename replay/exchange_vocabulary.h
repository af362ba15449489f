// The words of the exchange's commands and events: those of engine/messages.

#ifndef REPLAY_EXCHANGE_VOCABULARY_H_
#define REPLAY_EXCHANGE_VOCABULARY_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "journal/record.h"
#include "replay/output.h"
#include "replay/vocabulary.h"

namespace replay {

// As the journal's metadata names it.
inline constexpr char kExchangeApplication[] = "ticktape exchange";

// Adds the markets that the record, or the records of the batch, define to `markets`. Ignores
// definitions that the engine would reject.
void FollowMarkets(const journal::Record& record, engine::MarketDirectory& markets);
void FollowMarkets(const journal::Batch& batch, engine::MarketDirectory& markets);

class ExchangeVocabulary final : public Vocabulary {
 public:
  void Follow(const journal::Record& record) override { FollowMarkets(record, markets_); }
  uint16_t KindOf(const journal::Row& row) const override;
  std::string RowKindName(uint16_t kind) const override;
  std::string OutputKindName(uint16_t kind) const override;
  std::vector<NamedValue> Fields(const journal::Record& record) const override;
  std::vector<NamedValue> Fields(const Output& output) const override;
  std::string Text(const journal::Record& record) const override;
  std::string Text(const Output& output) const override;
  std::string ClassOf(const Output& output) const override;
  uint16_t OutcomeOf(const journal::Row& row, std::span<const Output> outputs) const override;
  std::string OutcomeName(uint16_t outcome) const override;

 private:
  engine::MarketDirectory markets_;
  engine::MessageText text_{markets_};
};

}  // namespace replay

#endif  // REPLAY_EXCHANGE_VOCABULARY_H_
