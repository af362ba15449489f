// ticktape split: splits a journal into several.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/unfinished_folder.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/slice/piece.h"
#include "tools/cli/slice/slicing.h"
#include "tools/cli/slice/verbs.h"

namespace tools {
namespace {

using engine::SequenceNumber;

enum class By { kMarket, kDay };

// Limits the journals written simultaneously: each has a few open files.
constexpr size_t kMarketsPerPass = 100;

constexpr int64_t kDayNanos = int64_t{24} * 3600 * 1'000'000'000;

// A piece and its name.
struct Part {
  std::string name;
  SequenceRange range;
};

class SplitVerb final : public Verb {
 public:
  const char* name() const override { return "split"; }
  const char* summary() const override { return "Make several journals of one"; }
  const char* examples() const override {
    return "  ticktape split a.tape --every 1000000 -o parts\n"
           "  ticktape split a.tape --at @40000,@90000 -o parts\n"
           "  ticktape split a.tape --by day -o days\n"
           "  ticktape split a.tape --size 64M -o parts && ticktape merge parts/* -o b.tape\n"
           "  ticktape split a.tape --by market -o markets\n"
           "\n"
           "By number, place, day (UTC) or size, DIR gets pieces: the records as they are, which\n"
           "'merge' makes one again, with the same log digest. No engine can be driven from a\n"
           "piece that begins after @1, and no session goes on with one; 'cut' makes journals\n"
           "that stand by themselves. --size is of the journal as it is stored, about. By market,\n"
           "DIR gets a journal for each market, which stands by itself as those of 'cut --market'\n"
           "do: new numbers, all accounts with all their money. Exit code 1: in some market,\n"
           "commands are answered otherwise than in the whole journal, as money or groups connect\n"
           "the markets.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::Status CheckOptions() const;
  absl::StatusOr<std::vector<Part>> Parts(journal::Reader& reader) const;
  absl::StatusOr<std::vector<SequenceNumber>> Begins(journal::Reader& reader) const;
  absl::StatusOr<std::vector<Part>> Days(journal::Reader& reader) const;
  absl::Status WritePieces(const OpenedJournal& opened, const std::vector<Part>& parts,
                           Console& console) const;
  absl::StatusOr<ExitCode> WriteMarkets(const OpenedJournal& opened, Console& console) const;
  void AddTitle(Report& report) const {
    report.Line(Styled(Style::kBold, output_), ", split from ", path_);
  }

  std::string path_;
  std::string output_;
  std::optional<uint64_t> every_;
  std::vector<std::string> at_;
  std::optional<By> by_;
  std::optional<uint64_t> size_;
};

void SplitVerb::Declare(Options& options) {
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

absl::Status SplitVerb::CheckOptions() const {
  const int ways = (every_.has_value() ? 1 : 0) + (at_.empty() ? 0 : 1) +
                   (by_.has_value() ? 1 : 0) + (size_.has_value() ? 1 : 0);
  if (ways == 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(ways == 0 ? "where to split?" : "there are several ways to split;",
                   " expected one of --every, --at, --by, --size"));
}

// Returns the first record of every piece except the first.
absl::StatusOr<std::vector<SequenceNumber>> SplitVerb::Begins(journal::Reader& reader) const {
  const journal::JournalInfo& info = reader.info();
  std::vector<SequenceNumber> begins;
  for (const std::string& text : at_) {
    ASSIGN_OR_RETURN(const Position position, ParsePosition(text));
    ASSIGN_OR_RETURN(const SequenceNumber begin, Resolve(position, reader));
    begins.push_back(begin);
  }
  if (!at_.empty()) {
    std::ranges::sort(begins);
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    return begins;
  }
  uint64_t step = every_.value_or(0);
  if (size_.has_value()) {
    const uint64_t bytes = std::max<uint64_t>(info.file_bytes(), 1);
    const auto wide = static_cast<__int128>(*size_) * info.readable_count() / bytes;
    step = std::max<uint64_t>(static_cast<uint64_t>(wide), 1);
  }
  for (uint64_t done = step; done < info.readable_count(); done += step) {
    begins.push_back(info.first_sequence + done);
  }
  return begins;
}

absl::StatusOr<std::vector<Part>> SplitVerb::Days(journal::Reader& reader) const {
  const journal::JournalInfo& info = reader.info();
  std::vector<Part> parts;
  SequenceNumber first = info.first_sequence;
  engine::Timestamp time = info.first_time;
  while (first <= info.last_sequence) {
    const int64_t day = time.nanos() / kDayNanos;
    const auto next_day = engine::Timestamp::FromNanos((day + 1) * kDayNanos);
    RETURN_IF_ERROR(reader.SeekToTime(next_day));
    ASSIGN_OR_RETURN(const std::optional<journal::Record> next, reader.Next());
    const SequenceNumber end = next.has_value() ? next->sequence() : info.last_sequence.Next();
    parts.push_back(
        {.name = time.ToString().substr(0, 10), .range = {.first = first, .last = end - 1}});
    if (!next.has_value()) break;
    first = end;
    time = next->timestamp();
  }
  return parts;
}

absl::StatusOr<std::vector<Part>> SplitVerb::Parts(journal::Reader& reader) const {
  if (by_ == By::kDay) return Days(reader);
  const journal::JournalInfo& info = reader.info();
  ASSIGN_OR_RETURN(std::vector<SequenceNumber> begins, Begins(reader));
  if (begins.empty() || begins.front() != info.first_sequence) {
    begins.insert(begins.begin(), info.first_sequence);
  }
  begins.push_back(info.last_sequence.Next());
  std::vector<Part> parts;
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    parts.push_back({.name = absl::StrFormat("part-%06d", i + 1),
                     .range = {.first = begins[i], .last = begins[i + 1] - 1}});
  }
  return parts;
}

// Pieces are reported only once all of them are complete.
absl::Status SplitVerb::WritePieces(const OpenedJournal& opened, const std::vector<Part>& parts,
                                    Console& console) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> folder,
                   UnfinishedFolder::Create(output_));
  std::vector<Piece> pieces;
  for (const Part& part : parts) {
    const std::string name = absl::StrCat("/", part.name, ".tape");
    ASSIGN_OR_RETURN(
        pieces.emplace_back(),
        WritePiece({&opened, 1}, part.range, absl::StrCat(folder->partial_path(), name), console));
    pieces.back().path = absl::StrCat(output_, name);
  }
  RETURN_IF_ERROR(folder->Finish());
  for (const Piece& piece : pieces) {
    Report report("ticktape.split/1");
    report.Field("path", path_);
    if (&piece == &pieces.front()) AddTitle(report);
    piece.AddFields(report);
    report.Line(absl::StrFormat("  %-24s ", piece.path), WithCommas(piece.range.record_count()),
                " records, @", piece.range.first, "..@", piece.range.last, ", ",
                HumanBytes(piece.bytes));
    report.PrintTo(console);
  }
  return absl::OkStatus();
}

// Returns a file name for a symbol, which may contain any printable character.
std::string FileNameOf(const engine::MarketDefinition& market) {
  std::string name = market.symbol;
  bool is_changed = name.front() == '.' || name.front() == '-';
  for (char& c : name) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_') {
      continue;
    }
    c = '_';
    is_changed = true;
  }
  return is_changed ? absl::StrCat("market-", market.id.value(), "-", name) : name;
}

absl::StatusOr<ExitCode> SplitVerb::WriteMarkets(const OpenedJournal& opened,
                                                 Console& console) const {
  const journal::JournalInfo& info = opened.reader->info();
  const SequenceRange range = {.first = info.first_sequence, .last = info.last_sequence};
  MarketFollower markets;
  RETURN_IF_ERROR(FollowMarketsTo(opened, range.last, console, markets));
  ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> folder,
                   UnfinishedFolder::Create(output_));
  std::vector<SliceRequest> requests;
  for (const auto& [id, market] : markets.markets().all()) {
    requests.push_back(
        {.output = absl::StrCat(folder->partial_path(), "/", FileNameOf(market), ".tape"),
         .range = range,
         .interest = {.market = id}});
  }
  const std::string words = absl::StrCat("ticktape split ", path_, " --by market");
  std::vector<SliceResult> results;
  for (size_t begin = 0; begin < requests.size(); begin += kMarketsPerPass) {
    const size_t end = std::min(requests.size(), begin + kMarketsPerPass);
    const std::vector<SliceRequest> some(requests.begin() + static_cast<std::ptrdiff_t>(begin),
                                         requests.begin() + static_cast<std::ptrdiff_t>(end));
    ASSIGN_OR_RETURN(std::vector<SliceResult> more, MakeSlices(opened, some, words, console));
    std::ranges::move(more, std::back_inserter(results));
  }
  RETURN_IF_ERROR(folder->Finish());
  ExitCode code = ExitCode::kOk;
  for (size_t i = 0; i < requests.size(); ++i) {
    SliceRequest& request = requests[i];
    const SliceResult& result = results[i];
    request.output.replace(0, folder->partial_path().size(), output_);
    Report report("ticktape.split/1");
    report.Field("path", path_);
    report.Field("market_id", *request.interest.market);
    if (i == 0) AddTitle(report);
    result.AddFields(report, request);
    const uint64_t different = result.slice.different_count;
    report.Line(absl::StrFormat("  %-24s ", request.output),
                WithCommas(result.last.sequence.value()), " commands, ",
                different == 0
                    ? "all answered as in the whole"
                    : absl::StrCat(WithCommas(different), " answered otherwise, first @",
                                   result.slice.first_differences.front().in_whole.value()));
    report.PrintTo(console);
    if (different > 0) code = ExitCode::kDifferent;
  }
  return code;
}

absl::StatusOr<ExitCode> SplitVerb::Run(Console& console) {
  RETURN_IF_ERROR(CheckOptions());
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
  if (opened.reader->info().record_count() == 0) {
    return absl::InvalidArgumentError(absl::StrCat(path_, " is empty; there is nothing to split"));
  }
  if (by_ == By::kMarket) return WriteMarkets(opened, console);
  ASSIGN_OR_RETURN(const std::vector<Part> parts, Parts(*opened.reader));
  RETURN_IF_ERROR(WritePieces(opened, parts, console));
  return ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeSplitVerb() { return std::make_unique<SplitVerb>(); }

}  // namespace tools
