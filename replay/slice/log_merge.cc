#include "replay/slice/log_merge.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "replay/command_row.h"
#include "replay/compare/log_items.h"

namespace replay {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::OrderId;
using engine::SequenceNumber;

std::string Place(const MergeSource& source, SequenceNumber sequence) {
  return absl::StrCat(source.name, " @", sequence.value());
}

}  // namespace

LogMerge::LogMerge(std::vector<MergeSource> sources, MergeOrder order) : order_(order) {
  for (MergeSource& source : sources) inputs_.emplace_back().source = std::move(source);
}

// Returns the index of the log that supplies the next command.
absl::StatusOr<std::optional<size_t>> LogMerge::Choose() {
  for (Input& input : inputs_) {
    if (!input.is_taken) continue;
    input.is_taken = false;
    journal::Reader& reader = *input.source.reader;
    if (!input.has_begun) {
      input.has_begun = true;
      RETURN_IF_ERROR(reader.SeekToSequence(reader.info().first_sequence));
    }
    ASSIGN_OR_RETURN(input.next, reader.Next());
  }
  if (order_ == MergeOrder::kConcatenated) {
    while (current_ < inputs_.size() && !inputs_[current_].next.has_value()) ++current_;
    if (current_ == inputs_.size()) return std::nullopt;
    return current_;
  }
  std::optional<size_t> first;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].next.has_value()) continue;
    if (!first.has_value() || inputs_[i].next->timestamp() < inputs_[*first].next->timestamp()) {
      first = i;
    }
  }
  return first;
}

absl::Status LogMerge::CheckTime(const Input& input) {
  const engine::Timestamp time = input.next->timestamp();
  std::string place = Place(input.source, input.next->sequence());
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
absl::StatusOr<bool> LogMerge::IsDefinedAlready(const Command& command, engine::Bytes attachment,
                                                const Input& input) {
  if (command.kind != CommandKind::kDefineMarket) return false;
  absl::StatusOr<engine::MarketDefinition> definition = engine::DecodeMarketDefinition(attachment);
  if (!definition.ok() || definition->id != command.market) return false;
  const engine::MarketDefinition* same_id = markets_.Find(definition->id);
  const engine::MarketDefinition* same_symbol = markets_.FindSymbol(definition->symbol);
  const std::string place = Place(input.source, input.next->sequence());
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

// A number that is not assigned yet must not name a merged order by accident, nor may one that was
// left out.
OrderId LogMerge::Translate(const Input& input, OrderId order) const {
  const uint64_t first = input.source.reader->info().first_sequence.value();
  const uint64_t place = order.value() - first;
  if (order.value() < first || place >= input.numbers.size()) return OrderId();
  return OrderId(input.numbers[place]);
}

absl::StatusOr<std::optional<LogMerge::Merged>> LogMerge::Next() {
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<size_t> chosen, Choose());
    if (!chosen.has_value()) return std::nullopt;
    Input& input = inputs_[*chosen];
    Merged merged = {.command = ToCommand(*input.next->row),
                     .attachment = input.next->attachment,
                     .source = *chosen,
                     .sequence_in_source = input.next->sequence()};
    Command& command = merged.command;
    ASSIGN_OR_RETURN(const bool is_double, IsDefinedAlready(command, merged.attachment, input));
    if (is_double) {
      ++markets_left_out_;
      input.numbers.push_back(0);
      input.is_taken = true;
      continue;
    }
    RETURN_IF_ERROR(CheckTime(input));
    last_ = last_.Next();
    command.sequence = last_;
    if (NamesAnOrder(command.kind)) command.order_id = Translate(input, command.order_id);
    if (command.account != engine::AccountId()) {
      command.account = engine::AccountId(command.account.value() + input.source.account_offset);
    }
    input.numbers.push_back(last_.value());
    input.is_taken = true;
    return merged;
  }
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
