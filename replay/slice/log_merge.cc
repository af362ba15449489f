#include "replay/slice/log_merge.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "journal/record.h"
#include "replay/command_row.h"

namespace replay {
namespace {

using engine::Command;
using engine::OrderId;

class Merger {
 public:
  Merger(MergeOrder order, absl::FunctionRef<absl::Status(const MergedCommand&)> put)
      : order_(order), put_(put) {}

  absl::StatusOr<uint64_t> Merge(const std::vector<MergeSource>& sources) {
    for (const MergeSource& source : sources) {
      Input& input = inputs_.emplace_back(Input{.source = &source, .index = inputs_.size()});
      RETURN_IF_ERROR(source.reader->SeekToSequence(source.reader->info().first_sequence));
      ASSIGN_OR_RETURN(input.next, source.reader->Next());
    }
    while (Input* const input = Choose()) {
      RETURN_IF_ERROR(Take(*input));
      ASSIGN_OR_RETURN(input->next, input->source->reader->Next());
    }
    return markets_left_out_;
  }

 private:
  struct Input {
    const MergeSource* source = nullptr;
    size_t index = 0;
    std::optional<journal::Record> next = {};
    // New numbers by position in the source log; 0 for a command that was left out.
    std::vector<uint64_t> numbers = {};
  };

  static std::string PlaceOf(const Input& input) {
    return absl::StrCat(input.source->name, " @", input.next->sequence().value());
  }

  // Returns the log that supplies the next command; null at the end.
  Input* Choose() {
    Input* chosen = nullptr;
    for (Input& input : inputs_) {
      if (!input.next.has_value()) continue;
      if (order_ == MergeOrder::kConcatenated) return &input;
      if (chosen == nullptr || input.next->timestamp() < chosen->next->timestamp()) {
        chosen = &input;
      }
    }
    return chosen;
  }

  absl::Status Take(Input& input) {
    MergedCommand merged = {.command = ToCommand(*input.next->row),
                            .attachment = input.next->attachment,
                            .source = input.index,
                            .sequence_in_source = input.next->sequence()};
    Command& command = merged.command;
    ASSIGN_OR_RETURN(const bool is_double, IsDefinedAlready(command, input));
    if (is_double) {
      ++markets_left_out_;
      input.numbers.push_back(0);
      return absl::OkStatus();
    }
    RETURN_IF_ERROR(CheckTime(input));
    last_ = last_.Next();
    command.sequence = last_;
    if (NamesAnOrder(command.kind) && command.order_id != OrderId()) {
      const OrderId translated = Translate(input, command.order_id);
      command.order_id =
          translated != OrderId() ? translated : engine::UnknownOrderFor(command.kind);
    }
    if (command.account != engine::AccountId()) {
      command.account = engine::AccountId(command.account.value() + input.source->account_offset);
    }
    input.numbers.push_back(last_.value());
    return put_(merged);
  }

  absl::Status CheckTime(const Input& input) {
    const engine::Timestamp time = input.next->timestamp();
    std::string place = PlaceOf(input);
    if (time < last_time_) {
      return absl::InvalidArgumentError(absl::StrCat(place, " is at ", time.ToString(), ", before ",
                                                     last_place_, " at ", last_time_.ToString(),
                                                     "; --by time puts them in order"));
    }
    last_time_ = time;
    last_place_ = std::move(place);
    return absl::OkStatus();
  }

  // A definition that the engine would refuse causes no conflict.
  absl::StatusOr<bool> IsDefinedAlready(const Command& command, const Input& input) {
    if (command.kind != engine::CommandKind::kDefineMarket) return false;
    absl::StatusOr<engine::MarketDefinition> definition =
        engine::DecodeMarketDefinition(input.next->attachment);
    if (!definition.ok() || definition->id != command.market) return false;
    const engine::MarketDefinition* same_id = markets_.Find(definition->id);
    const engine::MarketDefinition* same_symbol = markets_.FindSymbol(definition->symbol);
    const std::string place = PlaceOf(input);
    if (same_id == nullptr && same_symbol == nullptr) {
      defined_at_[definition->id.value()] = place;
      markets_.Add(*std::move(definition));
      return false;
    }
    const engine::MarketDefinition& other = same_id != nullptr ? *same_id : *same_symbol;
    if (other == *definition) return true;
    return absl::InvalidArgumentError(absl::StrCat(
        place, " defines market ", definition->id.value(), " as ", definition->symbol, ", but ",
        defined_at_[other.id.value()], " defines market ", other.id.value(), " as ", other.symbol,
        other.symbol == definition->symbol && other.id == definition->id
            ? " with other units or limits"
            : "",
        "; expected the same definition, or another number and another symbol"));
  }

  // A number that is not assigned yet must not name a merged order by accident, nor may one that
  // was left out.
  static OrderId Translate(const Input& input, OrderId order) {
    const uint64_t first = input.source->reader->info().first_sequence.value();
    const uint64_t place = order.value() - first;
    if (order.value() < first || place >= input.numbers.size()) return OrderId();
    return OrderId(input.numbers[place]);
  }

  const MergeOrder order_;
  const absl::FunctionRef<absl::Status(const MergedCommand&)> put_;
  std::vector<Input> inputs_;
  engine::SequenceNumber last_;
  engine::Timestamp last_time_;
  std::string last_place_;
  engine::MarketDirectory markets_;
  absl::flat_hash_map<uint32_t, std::string> defined_at_;  // By market. For look-ups only.
  uint64_t markets_left_out_ = 0;
};

}  // namespace

absl::StatusOr<uint64_t> MergeLogs(const std::vector<MergeSource>& sources, MergeOrder order,
                                   absl::FunctionRef<absl::Status(const MergedCommand&)> put) {
  return Merger(order, put).Merge(sources);
}

absl::StatusOr<uint32_t> HighestAccount(journal::Reader& reader) {
  RETURN_IF_ERROR(reader.SeekToSequence(reader.info().first_sequence));
  uint32_t highest = 0;
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch batch, reader.NextBatch());
    if (batch.empty()) return highest;
    for (const journal::Row& row : batch.rows) {
      highest = std::max(highest, ToCommand(row).account.value());
    }
  }
}

}  // namespace replay
