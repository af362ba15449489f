// ticktape cat: prints the commands of a journal.

#include "engine/messages/filter.h"
#include "engine/messages/text.h"
#include "replay/command_row.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/chosen_fields.h"
#include "tools/cli/read/find_market.h"
#include "tools/cli/read/follow.h"
#include "tools/cli/read/message_forms.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/read/walk.h"

namespace tools {
namespace {

constexpr char kExamples[] = R"(  ticktape cat a.tape @1..+20
  ticktape cat a.tape @-100..
  ticktape cat a.tape --where 'kind==new_order && price>=320 && market==AAPL'
  ticktape cat a.tape --where 'order==4711 || sequence==4711' --json
  ticktape cat a.tape --fields sequence,time,price --limit 10
  ticktape cat live.tape @-10.. --follow

--where compares fields with == != < <= > >= and combines with && || ! ( ), or and,
or, not. Prices and quantities are decimal numbers, or counts of units such as #5600;
a field that a command does not have is 0. KIND alone, or KIND.FIELD, wants commands
of that kind; 'attachment' alone asks whether there is one. Fields:
  sequence time kind market order side type tif price quantity account
  client_order_id flags group attachment; of some kinds expires amount window_ns)";

class CatVerb final : public Verb {
 public:
  CatVerb() : Verb("cat", "Print the commands of a journal", kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    options.Add("range", range_, "Which records, e.g. @100..+20").Type("RANGE");
    options.Add("--where", where_, "Only commands for which this holds").Type("EXPRESSION");
    options.Add("--limit", limit_, "Stop after so many lines").Type("COUNT").Positive();
    options
        .Add("--fields", fields_text_,
             "Only these fields, separated by tabs, - is none; with --json, these members")
        .Type("A,B,C");
    options.AddFlag("--raw", raw_, "The 64-byte row as 8 hexadecimal words, then +ATTACHMENT");
    follow_.Declare(options);
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (raw_ && (console.json() || fields_text_.has_value())) {
      return absl::InvalidArgumentError("--raw excludes --json and --fields");
    }
    if (where_.has_value()) {
      ASSIGN_OR_RETURN(filter_, engine::Filter::Parse(*where_));
    }
    if (fields_text_.has_value()) {
      if (console.json()) {
        ASSIGN_OR_RETURN(members_,
                         ChosenFields::OfObjects(*fields_text_, engine::Messages::kCommands));
      } else {
        ASSIGN_OR_RETURN(fields_, ParseFieldNames(*fields_text_));
      }
    }
    if (follow_.is_set()) return Follow(console);
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange(range_, *opened.reader));
    RETURN_IF_ERROR(Prepare(*opened.directory, opened.reader->info(), console));
    RETURN_IF_ERROR(WalkCommands(*opened.reader, range, markets_,
                                 [&](const engine::Command& command, engine::Bytes attachment) {
                                   return Show(console, command, attachment);
                                 }));
    const std::vector<std::string> unknown = filter_.UnknownSymbols(markets_.markets());
    if (printed_ == 0 && !unknown.empty()) {
      return FindMarket("--where: market", unknown.front(), markets_.markets()).status();
    }
    return ExitCode::kOk;
  }

 private:
  absl::StatusOr<ExitCode> Follow(Console& console) {
    ASSIGN_OR_RETURN(const SequenceRange range, RangeToFollow());
    ASSIGN_OR_RETURN(const FollowedJournal followed, follow_.Open(path_));
    const auto opened = journal::Reader::Open(*followed.directory);
    if (opened.ok()) {
      RETURN_IF_ERROR(Prepare(*followed.directory, (*opened)->info(), console));
    }
    RETURN_IF_ERROR(WalkFollowing(
        *followed.follower, *followed.watch,
        [&](const journal::Record& record) {
          markets_.Follow(record);
          if (record.sequence() < range.first) return true;
          return Show(console, replay::ToCommand(*record.row), record.attachment) &&
                 record.sequence() != range.last;
        },
        [&] {
          console.Flush();
          return follow_.ShouldContinue(followed, console);
        }));
    console.Flush();
    console.Note("ticktape cat: followed to @", followed.follower->next_sequence().value() - 1,
                 ", ", printed_, printed_ == 1 ? " command" : " commands", " printed");
    const bool begins_late = opened.ok() && (*opened)->info().beginning_is_missing;
    return begins_late ? ExitCode::kDamaged : ExitCode::kOk;
  }

  // A range without an explicit end has no end.
  absl::StatusOr<SequenceRange> RangeToFollow() const {
    SequenceRange range{.first = {}, .last = engine::SequenceNumber(UINT64_MAX)};
    if (range_.empty()) return range;
    ASSIGN_OR_RETURN(const Range parsed, ParseRange(range_));
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    ASSIGN_OR_RETURN(const SequenceRange resolved, Resolve(parsed, *opened.reader));
    range.first = resolved.first;
    if (parsed.last.has_value() || parsed.count.has_value() || parsed.nanos.has_value()) {
      range.last = resolved.last;
    }
    return range;
  }

  // Learns the words of the journal. Of one of another application, all but --where and --fields is
  // printed.
  absl::Status Prepare(const journal::Directory& directory, const journal::JournalInfo& info,
                       Console& console) {
    const bool is_of_exchange = IsOfExchange(info);
    if (!is_of_exchange && (where_.has_value() || fields_text_.has_value())) {
      return absl::UnimplementedError(
          absl::StrCat("--where and --fields read the exchange's commands; ", info.path,
                       " was written by '", info.metadata.application, "'"));
    }
    WarnOfMissingBeginning(info, console);
    if (is_of_exchange) return AddDeletedMarkets(directory, info, console, markets_);
    vocabulary_ = VocabularyOf(info);
    return absl::OkStatus();
  }

  // Prints the command if it is wanted. Returns false at the limit.
  bool Show(Console& console, const engine::Command& command, engine::Bytes attachment) {
    if (!filter_.Matches(command, !attachment.empty(), markets_.markets())) return true;
    Print(console, command, attachment);
    return ++printed_ != limit_;
  }

  void Print(Console& console, const engine::Command& command, engine::Bytes attachment) {
    if (vocabulary_ != nullptr && !raw_) {
      const journal::Row row = replay::ToRow(command);
      const journal::Record record = {.row = &row, .attachment = attachment};
      vocabulary_->Follow(record);
      line_ = console.json() ? RowJson(record, *vocabulary_) : vocabulary_->Text(record);
      return console.PrintLine(ConsoleText::Lines(line_));
    }
    if (console.json()) {
      line_ = CommandJson(command, attachment, markets_.markets());
      return console.PrintLine(members_.has_value() ? members_->Object(line_) : line_);
    }
    line_.clear();
    if (raw_) {
      const engine::Bytes row = engine::AsBytes(command);
      for (size_t word = 0; word < row.size(); word += 8) {
        absl::StrAppend(&line_, word > 0 ? " " : "", engine::ToHex(row.subspan(word, 8)));
      }
      if (!attachment.empty()) absl::StrAppend(&line_, " +", engine::ToHex(attachment));
    } else if (!fields_.empty()) {
      for (size_t i = 0; i < fields_.size(); ++i) {
        if (i > 0) line_ += '\t';
        AppendField(fields_[i], command, attachment, markets_.markets(), line_);
      }
    } else {
      line_ = text_.Format(command, attachment);
    }
    console.PrintLine(ConsoleText::Lines(line_));  // Keeps the tabs between fields.
  }

  std::string path_;
  std::string range_;
  std::optional<std::string> where_;
  std::optional<std::string> fields_text_;
  bool raw_ = false;
  uint64_t limit_ = 0;
  FollowOption follow_;

  engine::Filter filter_;
  std::vector<std::string> fields_;
  std::optional<ChosenFields> members_;  // With --json; all of them.
  replay::MarketFollower markets_;
  const engine::MessageText text_{markets_.markets()};
  std::unique_ptr<replay::Vocabulary> vocabulary_;  // Null: the exchange's.
  uint64_t printed_ = 0;
  std::string line_;  // A member so that its memory is reused.
};

}  // namespace

std::unique_ptr<Verb> MakeCatVerb() { return std::make_unique<CatVerb>(); }

}  // namespace tools
