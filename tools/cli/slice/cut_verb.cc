// ticktape cut: makes a journal from a part of another.

#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/find_market.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/slice/new_journals.h"

namespace tools {
namespace {

constexpr char kExamples[] = R"(  ticktape cut a.tape ..@50000 -o beginning.tape
  ticktape cut a.tape @40000..@50000 -o middle.tape
  ticktape cut a.tape --market SPY -o spy.tape --map spy.csv
  ticktape cut a.tape --where 'price>=320' --account 7 -o some.tape
  ticktape cut a.tape @40000.. --keep-sequence -o piece.tape

What is cut stands by itself. A beginning keeps its numbers. Before a later part come
commands that lead an engine to where it begins (markets, accounts with their money
and positions, groups, orders in their places, by their clients' ids), so numbers are
new, and commands that name orders are rewritten; --map FILE has a line
"whole,slice" for each. Times stay. Of an order whose command was pruned the id is
known as long as the journal has its kept.rows.
--market and --account leave out what concerns others, --where more of what is about
orders. Both journals are matched: 'answers' says whether every command that was kept
is answered as in the whole, or which is not (exit code 1), e.g. as the order that it
traded with was left out. --keep-sequence copies the records as they are: a piece for
'merge', which no engine can be driven from, and no session goes on with, unless it
begins with @1.)";

class CutVerb final : public Verb {
 public:
  CutVerb() : Verb("cut", "Make a journal of a part of a journal", kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    options.Add("range", range_, "Which records, e.g. @100..@200; all if left out").Type("RANGE");
    options.Add("-o,--output", slice_.output, "The new journal: a folder that does not exist")
        .Type("OUTPUT")
        .Required();
    const Option where = options
                             .Add("--where", slice_.where,
                                  "Of what is about orders, only commands for which this holds")
                             .Type("EXPRESSION");
    const Option market =
        options.Add("--market", market_, "Only what concerns it: a symbol, or #ID").Type("MARKET");
    const Option account =
        options.Add("--account", account_, "Only what concerns it, by its number")
            .Type("ACCOUNT")
            .NotNegative();
    const Option map =
        options.Add("--map", slice_.map_path, "Write old and new sequence numbers as CSV")
            .Type("FILE");
    options.AddFlag("--keep-sequence", keep_sequence_, "Copy the records as they are")
        .Excludes(where)
        .Excludes(market)
        .Excludes(account)
        .Excludes(map);
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    if (!keep_sequence_) RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
    ASSIGN_OR_RETURN(slice_.range, ResolveRange(range_, *opened.reader));
    Report report("ticktape.cut/1");
    report.Field("path", path_);
    report.Line(Styled(Style::kBold, slice_.output), ", cut from ", path_);
    if (keep_sequence_) {
      Piece piece = {.path = slice_.output, .range = slice_.range};
      RETURN_IF_ERROR(WritePiece({&opened, 1}, piece, console));
      piece.AddTo(report);
    } else {
      RETURN_IF_ERROR(MakeSlice(opened, console));
      slice_.AddTo(report);
    }
    report.PrintTo(console);
    return slice_.report.different_count == 0 ? ExitCode::kOk : ExitCode::kDifferent;
  }

 private:
  absl::Status MakeSlice(const OpenedJournal& opened, Console& console) {
    if (!market_.empty()) {
      ASSIGN_OR_RETURN(slice_.interest.market, FindMarket(opened, console));
    }
    if (account_.has_value()) slice_.interest.account = engine::AccountId(*account_);
    const std::string words =
        absl::StrCat("ticktape cut ", path_, range_.empty() ? "" : " ", range_);
    return tools::MakeSlice(opened, slice_, words, console);
  }

  absl::StatusOr<engine::MarketId> FindMarket(const OpenedJournal& opened, Console& console) const {
    ASSIGN_OR_RETURN(const engine::MarketDirectory markets,
                     MarketsUpTo(slice_.range.last, opened, console));
    ASSIGN_OR_RETURN(const engine::MarketDefinition* const found,
                     tools::FindMarket("--market", market_, markets));
    return found->id;
  }

  std::string path_;
  std::string range_;
  std::string market_;
  std::optional<uint32_t> account_;
  bool keep_sequence_ = false;
  Slice slice_;
};

}  // namespace

std::unique_ptr<Verb> MakeCutVerb() { return std::make_unique<CutVerb>(); }

}  // namespace tools
