// ticktape split: splits a journal into several.

#include <map>

#include "absl/strings/ascii.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "engine/base/timestamp.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "tools/cli/base/time_zone.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/slice/new_journals.h"

namespace tools {
namespace {

using engine::SequenceNumber;

enum class By { kMarket, kDay };

// Returns a file name for a symbol, which may contain any printable character.
std::string FileNameOf(const engine::MarketDefinition& market) {
  const auto is_odd = [](unsigned char c) {
    return !absl::ascii_isalnum(c) && c != '.' && c != '-' && c != '_';
  };
  std::string name = market.symbol;
  const bool is_plain =
      name.front() != '.' && name.front() != '-' && std::ranges::none_of(name, is_odd);
  std::ranges::replace_if(name, is_odd, '_');
  return is_plain ? name : absl::StrCat("market-", market.id.value(), "-", name);
}

constexpr char kExamples[] = R"(  ticktape split a.tape --every 1000000 -o parts
  ticktape split a.tape --at @40000,@90000 -o parts
  ticktape split a.tape --by day -o days
  ticktape split a.tape --size 64M -o parts && ticktape merge parts/* -o b.tape
  ticktape split a.tape --by market -o markets

By number, place, day or size, DIR gets pieces: the records as they are, which
'merge' makes one again, with the same log digest. Days are those of --tz, or else of
the journal's own time zone, which 'info' shows, or else of UTC. No engine can be driven from a
piece that begins after @1, and no session goes on with one; 'cut' makes journals
that stand by themselves. --size is of the journal as it is stored, about. By market,
DIR gets a journal for each market, which stands by itself as those of 'cut --market'
do: new numbers, all accounts with all their money. Exit code 1: in some market,
commands are answered otherwise than in the whole journal, as money or groups connect
the markets.)";

class SplitVerb final : public Verb {
 public:
  SplitVerb() : Verb("split", "Make several journals of one", kExamples) {}

  void Declare(Options& options) override {
    const std::map<std::string, By> bys = {{"market", By::kMarket}, {"day", By::kDay}};
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    options.Add("-o,--output", output_, "A folder that does not exist, for the journals")
        .Type("DIR")
        .Required();
    options.Add("--every", every_, "Pieces of so many records").Type("COUNT").Positive();
    options.Add("--at", at_, "Pieces that begin there, e.g. @5000,@2026-08-22T09:30:00Z")
        .Type("POSITION,...")
        .SplitAt(',');
    options.AddChoice("--by", by_, bys, "market or day").Type("WHAT");
    options.Add("--size", size_, "Pieces of about so many bytes; e.g. 64M").Type("SIZE").Size();
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    const int ways = (every_.has_value() ? 1 : 0) + (at_.empty() ? 0 : 1) +
                     (by_.has_value() ? 1 : 0) + (size_.has_value() ? 1 : 0);
    if (ways != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat(ways == 0 ? "where to split?" : "there are several ways to split;",
                       " expected one of --every, --at, --by, --size"));
    }
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
    if (opened.reader->info().record_count() == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(path_, " is empty; there is nothing to split"));
    }
    return by_ == By::kMarket ? WriteMarkets(opened, console) : WritePieces(opened, console);
  }

 private:
  // The pieces, with their names in the folder.
  absl::StatusOr<std::vector<Piece>> Pieces(journal::Reader& reader, const Console& console) const {
    ASSIGN_OR_RETURN(const auto begins, by_ == By::kDay ? Days(reader, console) : Begins(reader));
    std::vector<Piece> pieces;
    for (const auto& [begin, day] : begins) {
      if (!pieces.empty()) pieces.back().range.last = begin - 1;
      const std::string name = day.empty() ? absl::StrFormat("part-%06d", pieces.size() + 1) : day;
      pieces.push_back({.path = absl::StrCat("/", name, ".tape"),
                        .range = {.first = begin, .last = reader.info().last_sequence}});
    }
    return pieces;
  }

  // The first records of pieces; if split by day, with the day.
  using FirstRecords = std::map<SequenceNumber, std::string>;

  absl::StatusOr<FirstRecords> Begins(journal::Reader& reader) const {
    const journal::JournalInfo& info = reader.info();
    FirstRecords begins = {{info.first_sequence, ""}};
    for (const std::string& text : at_) {
      ASSIGN_OR_RETURN(const Position position, ParsePosition(text));
      ASSIGN_OR_RETURN(const SequenceNumber begin, Resolve(position, reader));
      begins[begin] = "";
    }
    if (!at_.empty()) return begins;
    uint64_t step = every_.value_or(0);
    if (size_.has_value()) {
      const uint64_t bytes = std::max<uint64_t>(info.file_bytes(), 1);
      const auto wide = static_cast<__int128>(*size_) * info.readable_count() / bytes;
      step = std::max<uint64_t>(static_cast<uint64_t>(wide), 1);
    }
    for (uint64_t done = step; done < info.readable_count(); done += step) {
      begins[info.first_sequence + done] = "";
    }
    return begins;
  }

  // --tz, or else the zone of the journal.
  static absl::StatusOr<absl::TimeZone> ZoneOfDays(const journal::JournalInfo& info,
                                                   const Console& console) {
    if (console.time_zone().has_value()) return *console.time_zone();
    const std::string& name = info.metadata.time_zone;
    return name.empty() ? absl::UTCTimeZone() : FindTimeZone(name);
  }

  static absl::StatusOr<FirstRecords> Days(journal::Reader& reader, const Console& console) {
    ASSIGN_OR_RETURN(const absl::TimeZone zone, ZoneOfDays(reader.info(), console));
    FirstRecords begins;
    SequenceNumber first = reader.info().first_sequence;
    engine::Timestamp time = reader.info().first_time;
    while (true) {
      const absl::CivilDay day = absl::ToCivilDay(absl::FromUnixNanos(time.nanos()), zone);
      begins[first] = absl::FormatCivilTime(day);
      const auto next_day = BeginOf(day + 1, zone);
      if (!next_day.ok()) return begins;  // Time ends before it.
      RETURN_IF_ERROR(reader.SeekToTime(*next_day));
      ASSIGN_OR_RETURN(const std::optional<journal::Record> next, reader.Next());
      if (!next.has_value()) return begins;
      first = next->sequence();
      time = next->timestamp();
    }
  }

  // Pieces are reported only once all of them are complete.
  absl::StatusOr<ExitCode> WritePieces(const OpenedJournal& opened, Console& console) const {
    ASSIGN_OR_RETURN(std::vector<Piece> pieces, Pieces(*opened.reader, console));
    ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> folder,
                     UnfinishedFolder::Create(output_));
    for (Piece& piece : pieces) {
      const std::string name = piece.path;
      piece.path = absl::StrCat(folder->partial_path(), name);
      RETURN_IF_ERROR(WritePiece({&opened, 1}, piece, console));
      piece.path = absl::StrCat(output_, name);
    }
    RETURN_IF_ERROR(folder->Finish());
    for (const Piece& piece : pieces) {
      Report report = BeginReport(&piece == &pieces.front());
      report.Line(absl::StrFormat("  %-24s ", piece.path),
                  Counted(piece.range.record_count(), "record"), ", @", piece.range.first, "..@",
                  piece.range.last, ", ", HumanBytes(piece.bytes));
      report.EndLines();
      piece.AddTo(report);
      report.PrintTo(console);
    }
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> WriteMarkets(const OpenedJournal& opened, Console& console) const {
    ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange("", *opened.reader));
    ASSIGN_OR_RETURN(const engine::MarketDirectory markets,
                     MarketsUpTo(range.last, opened, console));
    ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> folder,
                     UnfinishedFolder::Create(output_));
    std::vector<Slice> slices;
    for (const auto& [id, market] : markets.all()) {
      slices.push_back(
          {.output = absl::StrCat(folder->partial_path(), "/", FileNameOf(market), ".tape"),
           .range = range,
           .interest = {.market = id}});
    }
    const std::string words = absl::StrCat("ticktape split ", path_, " --by market");
    RETURN_IF_ERROR(MakeMarketSlices(opened, markets, slices, folder->directory(), words, console));
    RETURN_IF_ERROR(folder->Finish());
    ExitCode code = ExitCode::kOk;
    for (Slice& slice : slices) {
      slice.output.replace(0, folder->partial_path().size(), output_);
      Report report = BeginReport(&slice == &slices.front());
      report.Field("market_id", *slice.interest.market);
      const uint64_t different = slice.report.different_count;
      report.Line(absl::StrFormat("  %-24s ", slice.output),
                  Counted(slice.last.sequence.value(), "command"), ", ",
                  different == 0
                      ? "all answered as in the whole"
                      : absl::StrCat(WithCommas(different), " answered otherwise, first @",
                                     slice.report.first_differences.front().in_whole.value()));
      report.EndLines();
      slice.AddTo(report);
      report.PrintTo(console);
      if (different > 0) code = ExitCode::kDifferent;
    }
    return code;
  }

  // Of one of the new journals.
  Report BeginReport(bool is_first) const {
    Report report("ticktape.split/1");
    report.Field("path", path_);
    if (is_first) report.Line(Styled(Style::kBold, output_), ", split from ", path_);
    return report;
  }

  std::string path_;
  std::string output_;
  std::optional<uint64_t> every_;
  std::vector<std::string> at_;
  std::optional<By> by_;
  std::optional<uint64_t> size_;
};

}  // namespace

std::unique_ptr<Verb> MakeSplitVerb() { return std::make_unique<SplitVerb>(); }

}  // namespace tools
