// ticktape record: sequences commands into a journal and matches them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/wire/itch/translator.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/record/own_options.h"
#include "tools/cli/record/record_examples.h"
#include "tools/cli/record/record_request.h"
#include "tools/cli/record/source.h"

namespace tools {
namespace {

constexpr int kWorkloadEntitiesMax = 1 << 20;                 // For both markets and accounts.
constexpr uint64_t kWorkloadCommandsMax = 1'000'000'000'000;  // Days of work.

class RecordVerb final : public Verb {
 public:
  RecordVerb()
      : Verb("record", "Sequence commands into a journal and match them", kRecordExamples) {}

  void Declare(Options& options) override {
    options
        .AddChoice("--from", from_, SourceNames(),
                   absl::StrCat("Where commands come from: ", SourceChoices(),
                                "; may be left out if the end of FILE's name says it"))
        .Type("SOURCE");
    input_option_ =
        options
            .Add("input", request_.input, "File to read, also in gzip or zstd; - is standard input")
            .Type("FILE");
    request_.recording.Declare(options, /*path_is_required=*/true);
    options.AddFlag("--strict", request_.strict,
                    "A rejected command or a refused line is an error");
    const auto own = [&](Source source, const char* source_name, const char* name, Option option) {
      own_options_.Add(source, source_name, name, option);
    };
    own(Source::kItch, "itch", "--check-executions",
        options.AddFlag("--check-executions", request_.check_executions,
                        "itch: each execution must fill the order that Nasdaq filled"));
    const std::map<std::string, engine::ItchMode> modes = {{"match", engine::ItchMode::kMatch},
                                                           {"mirror", engine::ItchMode::kMirror}};
    own(Source::kItch, "itch", "--mode",
        options
            .AddChoice(
                "--mode", request_.mode, modes,
                "itch: match (the default): orders trade by price and time; mirror: the book is\n"
                "the one that Nasdaq had, and nothing is matched")
            .Type("MODE"));
    own(Source::kItch, "itch", "--allow-gaps",
        options.AddFlag("--allow-gaps", request_.allow_gaps,
                        "itch: go on where a capture lacks messages, and count them"));
    const Option date = options
                            .Add("--date", request_.date,
                                 "itch, lobster: the day in New York, if not in the file's name")
                            .Type("YYYY-MM-DD");
    own(Source::kItch, "itch or lobster", "--date", date);
    own(Source::kLobster, "itch or lobster", "--date", date);
    own(Source::kLobster, "lobster", "--orderbook",
        options
            .Add("--orderbook", request_.books, "lobster: the order book file, if not beside FILE")
            .Type("FILE"));
    own(Source::kLobster, "lobster", "--symbol",
        options
            .Add("--symbol", request_.symbol, "lobster: the market's, if not FILE's name says it")
            .Type("SYMBOL"));
    own(Source::kKalshiCapture, "kalshi-capture", "--use-yes-price",
        options.AddFlag(
            "--use-yes-price", request_.use_yes_price,
            "kalshi-capture: the NO side has YES prices, as its subscription asked for"));
    own(Source::kText, "text", "--account",
        options.Add("--account", request_.account, "text: whose orders these are")
            .ShowDefault()
            .NotNegative());
    own(Source::kWorkload, "workload", "--commands",
        options.Add("--commands", request_.command_count, "workload: how many")
            .Type("COUNT")
            .ShowDefault()
            .InRange(uint64_t{0}, kWorkloadCommandsMax));
    own(Source::kWorkload, "workload", "--seed",
        options
            .Add("--seed", request_.workload.seed,
                 "workload: the same seed makes the same commands")
            .ShowDefault()
            .NotNegative());
    own(Source::kWorkload, "workload", "--markets",
        options.Add("--markets", request_.workload.market_count, "workload: how many markets")
            .Type("COUNT")
            .ShowDefault()
            .InRange(1, kWorkloadEntitiesMax));
    own(Source::kWorkload, "workload", "--accounts",
        options.Add("--accounts", request_.workload.account_count, "workload: how many accounts")
            .Type("COUNT")
            .ShowDefault()
            .InRange(1, kWorkloadEntitiesMax));
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (from_.has_value()) {
      request_.source = *from_;
    } else {
      ASSIGN_OR_RETURN(request_.source, SourceOfFile(request_.input));
    }
    RETURN_IF_ERROR(CheckOptions());
    switch (request_.source) {
      case Source::kItch:
        return RecordItch(request_, console);
      case Source::kText:
        return RecordText(request_, console);
      case Source::kWorkload:
        return RecordWorkload(request_, console);
      case Source::kKalshiCapture:
        return RecordCapture(request_, console);
      case Source::kDbn:
        return RecordDbn(request_, console);
      case Source::kLobster:
        return RecordLobster(request_, console);
      case Source::kCsv:
      case Source::kJsonLines:
        return RecordTable(request_, console);
    }
    return absl::InternalError("a source without a recording");
  }

 private:
  absl::Status CheckOptions() const {
    RETURN_IF_ERROR(own_options_.Check(request_.source));
    if (request_.source == Source::kWorkload && input_option_->given()) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", request_.input, "': --from workload reads no input"));
    }
    return absl::OkStatus();
  }

  std::optional<Source> from_;
  RecordRequest request_;
  std::optional<Option> input_option_;
  OwnOptions own_options_;
};

}  // namespace

std::unique_ptr<Verb> MakeRecordVerb() { return std::make_unique<RecordVerb>(); }

}  // namespace tools
