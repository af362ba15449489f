#include "tools/cli/serve/flow_reading.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/exchange_vocabulary.h"
#include "replay/market_follower.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/time_zone.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/record/itch_import.h"
#include "tools/os/input.h"

namespace tools {
namespace {

class JournalReading final : public FlowReading {
 public:
  static absl::StatusOr<std::unique_ptr<FlowReading>> Open(const std::string& path,
                                                           const std::string& range_text,
                                                           Markets markets) {
    ASSIGN_OR_RETURN(OpenedJournal opened, OpenJournal(path));
    RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
    ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange(range_text, *opened.reader));
    auto reading = std::make_unique<JournalReading>(std::move(opened), range);
    if (!range.empty()) RETURN_IF_ERROR(reading->Begin(markets));
    return reading;
  }

  JournalReading(OpenedJournal opened, const SequenceRange& range)
      : opened_(std::move(opened)), range_(range) {}

  absl::StatusOr<bool> Next(Visit visit) override {
    if (range_.empty()) return false;
    ASSIGN_OR_RETURN(const journal::Batch batch, opened_.reader->NextBatch());
    replay::FollowMarkets(batch, markets_);
    for (const journal::Row& row : batch.rows) {
      if (row.sequence > range_.last) return false;
      visit(replay::ToCommand(row));
      last_read_ = row.sequence;
    }
    return !batch.empty();
  }

  const engine::MarketDirectory& markets() const override { return markets_; }
  uint64_t done() const override {
    return last_read_ < range_.first ? 0 : last_read_ + 1 - range_.first;
  }
  uint64_t total() const override { return range_.record_count(); }

 private:
  absl::Status Begin(Markets markets) {
    if (markets == Markets::kOfRange) return opened_.reader->SeekToSequence(range_.first);
    replay::MarketFollower follower;
    RETURN_IF_ERROR(follower.FollowUntil(*opened_.reader, range_.first));
    markets_ = follower.Take();
    return absl::OkStatus();
  }

  OpenedJournal opened_;
  const SequenceRange range_;
  engine::MarketDirectory markets_;
  engine::SequenceNumber last_read_;
};

// Which commands of a stream without an index are in a range.
class StreamRange {
 public:
  explicit StreamRange(const Range& range) : range_(range) {}

  // Call it with each command, in order.
  bool Has(const engine::Command& command) {
    if (!first_time_.has_value()) first_time_ = command.timestamp;
    if (!first_.has_value()) {
      const bool begins = !range_.first.has_value() || !IsBefore(command, *range_.first);
      if (!begins) return false;
      first_ = command.sequence;
      const bool has_time =
          range_.first.has_value() && range_.first->kind != Position::Kind::kSequence;
      begin_ = has_time ? TimeOf(*range_.first) : command.timestamp;
    }
    has_ended_ |= range_.last.has_value() && IsAfter(command, *range_.last);
    has_ended_ |= range_.nanos.has_value() && command.timestamp > begin_ &&
                  static_cast<uint64_t>(command.timestamp.nanos() - begin_.nanos()) > *range_.nanos;
    has_ended_ |= range_.count.has_value() && command.sequence - *first_ >= *range_.count;
    // A range that is one position is one command.
    return !has_ended_;
  }
  bool has_ended() const { return has_ended_; }

 private:
  engine::Timestamp TimeOf(const Position& position) const {
    if (position.kind == Position::Kind::kTime) return position.time;
    constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    const auto since = static_cast<int64_t>(std::min(position.number, kMost / 2));
    return engine::Timestamp::FromNanos(first_time_->nanos() + since);
  }
  bool IsBefore(const engine::Command& command, const Position& position) const {
    if (position.kind == Position::Kind::kSequence) {
      return command.sequence.value() < position.number;
    }
    return command.timestamp < TimeOf(position);
  }
  bool IsAfter(const engine::Command& command, const Position& position) const {
    if (position.kind == Position::Kind::kSequence) {
      return command.sequence.value() > position.number;
    }
    return command.timestamp > TimeOf(position);
  }

  const Range range_;
  std::optional<engine::Timestamp> first_time_;
  engine::Timestamp begin_;  // From which `nanos` of the range count.
  std::optional<engine::SequenceNumber> first_;
  bool has_ended_ = false;
};

class ItchReading final : public FlowReading, private engine::CommandSink {
 public:
  static absl::StatusOr<std::unique_ptr<FlowReading>> Open(const std::string& path,
                                                           const std::string& range_text) {
    Range range;
    if (!range_text.empty()) {
      ASSIGN_OR_RETURN(range, ParseRange(range_text));
    }
    for (const std::optional<Position>& position : {range.first, range.last}) {
      if (position.has_value() && position->kind == Position::Kind::kFromEnd) {
        return absl::InvalidArgumentError(absl::StrCat(
            path, ": '", range_text, "' counts from the end, which an ITCH file has no index for; ",
            "'ticktape record --from itch' makes a journal of it"));
      }
    }
    const absl::StatusOr<engine::Timestamp> midnight =
        MidnightOf(path, /*date=*/std::nullopt, kNasdaqTimeZone);
    const auto is_time = [](const std::optional<Position>& position) {
      return position.has_value() && position->kind == Position::Kind::kTime;
    };
    // Without a range by time, the day plays no part.
    if (is_time(range.first) || is_time(range.last)) RETURN_IF_ERROR(midnight.status());
    ASSIGN_OR_RETURN(std::unique_ptr<Input> input, Input::Open(path));
    return std::make_unique<ItchReading>(std::move(input), midnight.value_or(engine::Timestamp()),
                                         range);
  }

  ItchReading(std::unique_ptr<Input> input, engine::Timestamp midnight, const Range& range)
      : input_(std::move(input)),
        range_(range),
        import_(*this, clock_, midnight, engine::ItchMode::kMatch,
                /*executions=*/nullptr) {}

  absl::StatusOr<bool> Next(Visit visit) override {
    if (range_.has_ended()) return false;
    ASSIGN_OR_RETURN(const engine::Bytes chunk, input_->Read());
    done_ += chunk.size();
    visit_ = &visit;
    const absl::StatusOr<bool> goes_on = import_.Take(chunk);
    visit_ = nullptr;
    RETURN_IF_ERROR(goes_on.status());
    if (!import_.input_status().ok()) {
      return absl::DataLossError(
          absl::StrCat(input_->name(), ", read as ITCH: ", import_.input_status().message()));
    }
    return *goes_on && !range_.has_ended();
  }

  const engine::MarketDirectory& markets() const override { return markets_; }
  uint64_t done() const override { return done_; }
  uint64_t total() const override { return input_->size_bytes(); }

 private:
  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override {
    engine::Command numbered = command;
    numbered.sequence = last_ = last_.Next();
    numbered.timestamp = clock_.Now();
    if (command.kind == engine::CommandKind::kDefineMarket) {
      auto definition = engine::DecodeMarketDefinition(attachment);
      if (definition.ok()) markets_.Add(*std::move(definition));
    }
    if (range_.Has(numbered)) (*visit_)(numbered);
    return last_;
  }

  const std::unique_ptr<Input> input_;
  StreamRange range_;
  engine::ManualClock clock_;
  engine::SequenceNumber last_;
  engine::MarketDirectory markets_;
  uint64_t done_ = 0;
  const Visit* visit_ = nullptr;  // During Next().
  ItchImport import_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<FlowReading>> FlowReading::Open(const std::string& path,
                                                               const std::string& range,
                                                               Markets markets) {
  std::error_code error;
  const std::filesystem::file_status file = std::filesystem::status(path, error);
  if (!std::filesystem::exists(file)) {
    return absl::NotFoundError(absl::StrCat("no journal and no ITCH file at ", path));
  }
  if (std::filesystem::is_directory(file)) return JournalReading::Open(path, range, markets);
  // It is read once before the venue starts, and again.
  if (!std::filesystem::is_regular_file(file)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " is neither the folder of a journal nor a file"));
  }
  return ItchReading::Open(path, range);
}

bool IsAboutOrdersOf(engine::MarketId market, const engine::Command& command) {
  if (engine::InfoOf(command.kind).scope != engine::Scope::kOrders) return false;
  if (command.market == market) return true;
  return command.kind == engine::CommandKind::kMassCancel && command.market == engine::MarketId();
}

}  // namespace tools
