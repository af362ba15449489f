// ticktape feed: receives a market-data feed, keeps its books, and says how well that goes.

#include <limits>
#include <map>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/civil_time.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "engine/base/clock.h"
#include "engine/base/integer_text.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/feed/feed_handler.h"
#include "engine/wire/soup/login.h"
#include "journal/digest_sidecar.h"
#include "tools/cli/base/time_zone.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/feed/feed_recorder.h"
#include "tools/cli/feed/feed_report.h"
#include "tools/cli/feed/line_addresses.h"
#include "tools/cli/read/rejections.h"
#include "tools/cli/record/recording.h"
#include "tools/feed/books_summary.h"
#include "tools/feed/feed_decoder.h"
#include "tools/feed/feed_tape.h"
#include "tools/feed/live_feed.h"
#include "tools/os/clocks.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/signals.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

constexpr char kExamples[] =
    R"(  ticktape feed --line A=127.0.0.1:26400 --seconds 10
  ticktape feed --line A=233.252.0.1:26400@eth0 --line B=233.252.0.2:26400@eth0 \
      --retransmission 10.0.0.9:26500 --snapshot 10.0.0.9:26600 --user ME --password-file secret
  ticktape feed --line A=127.0.0.1:26400 --record day.tape --until-end
  ticktape feed --line A=127.0.0.1:26400 --cores 2,3 --busy --json

Without --snapshot it begins with the first packet, and goes on without what it does not get. A
recorded journal mirrors the venue's books, as those of record --mode mirror do. Exit code 1: messages
were lost.)";

constexpr absl::Duration kTurn = absl::Milliseconds(5);
constexpr double kStateAskedEach = 0.1;  // Seconds.
constexpr double kShownEach = 1;

constexpr size_t kTapeBytesMax = size_t{1} << 30;
constexpr size_t kSymbolBytesMax = 8;
constexpr char kDefaultSymbol[] = "BOOK";
constexpr int kItchDecimals = 4;
constexpr size_t kPasswordFileBytesMax = 1'000;

// A recording of the feed, while it runs.
class FeedRecording {
 public:
  static absl::StatusOr<std::unique_ptr<FeedRecording>> Create(const std::string& path,
                                                               const std::string& time_zone,
                                                               FeedFormat format,
                                                               engine::Timestamp midnight,
                                                               const std::string& symbol) {
    std::unique_ptr<FeedRecording> self(new FeedRecording());
    RecordingOptions options;
    options.recording.path = path;
    Recording::Options how = options.Get("ticktape feed --record");
    how.time_zone = time_zone;
    ASSIGN_OR_RETURN(self->recording_, Recording::Create(how, self->clock_, self->rejections_));
    self->recorder_ = std::make_unique<FeedRecorder>(format, self->recording_->recorder(),
                                                     self->clock_, midnight, symbol);
    return self;
  }

  // Records what has arrived since the last call.
  absl::Status Take(FeedTape& tape) {
    if (tape.is_full()) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the journal is written too slowly: more than ", kTapeBytesMax,
                       " bytes of the feed wait"));
    }
    const engine::Timestamp now = system_clock_.Now();
    for (const FeedTape::Part& part : tape.Take()) RETURN_IF_ERROR(recorder_->Take(part, now));
    return recording_->recorder().Poll();
  }

  // Seals the journal.
  absl::Status Finish() {
    ASSIGN_OR_RETURN(last_, recording_->Finish());
    return absl::OkStatus();
  }

  // REQUIRES: it has finished.
  void AddTo(Report& report, double seconds) const {
    AddRecording(report, *recording_, last_, seconds, Booking::kMirrored);
    rejections_.rejections().AddTo(report);
    report.Field("malformed_not_recorded", recorder_->malformed());
  }

 private:
  FeedRecording() = default;

  SystemClock system_clock_;
  engine::ManualClock clock_;
  RejectionListener rejections_;
  std::unique_ptr<Recording> recording_;
  std::unique_ptr<FeedRecorder> recorder_;
  journal::Checkpoint last_;
};

class FeedVerb final : public Verb {
 public:
  FeedVerb() : Verb("feed", "Receive a market-data feed and keep its books", kExamples) {}

  void Declare(Options& options) override {
    options.Add("--line", lines_, "A line of the feed: A or B. May be repeated")
        .Type("A=HOST:PORT[@INTERFACE]")
        .TakesOneEachTime()
        .Required();
    options.Add("--retransmission", retransmission_, "itch: where missing messages are asked for")
        .Type("HOST:PORT");
    options.Add("--snapshot", snapshot_, "itch: where a late joiner gets the books, SoupBinTCP")
        .Type("HOST:PORT");
    options.Add("--user", options_.user, "Of the snapshot server").Type("USER");
    options.Add("--password-file", password_file_, "Its first line is the password").Type("FILE");
    const std::map<std::string, FeedFormat> formats = {{"itch", FeedFormat::kItch},
                                                       {"add-cancel", FeedFormat::kAddCancel}};
    options
        .AddChoice("--format", options_.format, formats,
                   "itch (the default): ITCH in MoldUDP64; add-cancel: one message a datagram, of\n"
                   "one book and one line")
        .Type("FORMAT");
    const Option seconds =
        options.Add("--seconds", seconds_, "End after so many").Type("SECONDS").InRange(0.0, 1e9);
    options.AddFlag("--until-end", until_end_, "itch: end when the session has ended")
        .Excludes(seconds);
    options.Add("--record", record_, "Write what is received as a journal that mirrors the books")
        .Type("JOURNAL");
    options.Add("--date", date_, "Recording itch: the day of the feed; left out: today")
        .Type("YYYY-MM-DD");
    options
        .Add("--zone", zone_,
             "Recording itch: where its times count from midnight, as UTC here,\n"
             "America/New_York at Nasdaq")
        .Type("ZONE")
        .ShowDefault();
    options
        .Add("--book", symbol_,
             "Show the best levels of this market; add-cancel: the name of the "
             "book")
        .Type("SYMBOL");
    options.Add("--cores", cores_, "Pin the receiving thread and the books' thread to these cores")
        .Type("CORE,CORE");
    options.AddFlag("--busy", options_.is_busy, "The threads spin and never sleep");
    options
        .Add("--buffer", buffer_bytes_,
             "Of the system, for each line; net.core.rmem_max is a limit")
        .Type("SIZE")
        .Size()
        .ShowDefault()
        .InRange(uint64_t{4} << 10, uint64_t{1} << 30);
    options.Add("--orders-max", options_.orders_max, "Orders that rest at the same time")
        .Type("COUNT")
        .ShowDefault()
        .InRange(uint64_t{1}, uint64_t{std::numeric_limits<uint32_t>::max()} - 1);
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    RETURN_IF_ERROR(Prepare());
    Interrupt interrupt;
    ASSIGN_OR_RETURN(const std::unique_ptr<LiveFeed> feed, LiveFeed::Start(options_));
    std::unique_ptr<FeedRecording> recording;
    if (!record_.empty()) {
      ASSIGN_OR_RETURN(const engine::Timestamp midnight, Midnight());
      ASSIGN_OR_RETURN(recording,
                       FeedRecording::Create(record_, zone_, options_.format, midnight,
                                             symbol_.empty() ? kDefaultSymbol : symbol_));
    }
    Announce(*feed, console);
    Stopwatch stopwatch;
    RETURN_IF_ERROR(Watch(*feed, recording.get(), interrupt, stopwatch, console));
    feed->Stop();
    const FeedMoment end = {
        .seconds = stopwatch.Seconds(), .received = feed->received(), .booked = feed->booked()};
    if (recording != nullptr) {
      RETURN_IF_ERROR(recording->Take(*feed->tape()));
      RETURN_IF_ERROR(recording->Finish());
    }
    PrintEnd(*feed, end, recording.get(), console);
    return end.received.feed.lost > 0 ? ExitCode::kDifferent : ExitCode::kOk;
  }

 private:
  absl::Status Prepare() {
    ASSIGN_OR_RETURN(options_.lines, ParseLines(lines_));
    const bool is_itch = options_.format == FeedFormat::kItch;
    if (!is_itch && (!retransmission_.empty() || !snapshot_.empty() || until_end_)) {
      return absl::InvalidArgumentError(
          "add-cancel has no numbers and no end: nothing can be asked for, and --seconds ends it");
    }
    if (snapshot_.empty() && !(options_.user.empty() && password_file_.empty())) {
      return absl::InvalidArgumentError("--user and --password-file are of --snapshot");
    }
    if (!retransmission_.empty()) {
      ASSIGN_OR_RETURN(options_.retransmission, Endpoint::Parse(retransmission_));
    }
    if (!snapshot_.empty()) {
      ASSIGN_OR_RETURN(options_.snapshots, Endpoint::Parse(snapshot_));
    }
    RETURN_IF_ERROR(ReadPassword());
    RETURN_IF_ERROR(ReadCores());
    if (!record_.empty()) {
      options_.tape_bytes_max = kTapeBytesMax;
      if (!is_itch && symbol_.size() > kSymbolBytesMax) {
        return absl::InvalidArgumentError(absl::StrCat(
            "'", symbol_, "': expected a symbol of at most ", kSymbolBytesMax, " characters"));
      }
    }
    options_.buffer_bytes = static_cast<int>(buffer_bytes_);
    return absl::OkStatus();
  }

  absl::Status ReadPassword() {
    if (!password_file_.empty()) {
      ASSIGN_OR_RETURN(const std::string text, ReadFile(password_file_, kPasswordFileBytesMax));
      options_.password = text.substr(0, text.find_first_of("\r\n"));
    }
    // The error shows no password.
    if (options_.user.size() <= engine::kSoupUserBytes &&
        options_.password.size() <= engine::kSoupPasswordBytes) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        absl::StrCat("SoupBinTCP has users of at most ", engine::kSoupUserBytes,
                     " characters, and passwords of ", engine::kSoupPasswordBytes));
  }

  absl::Status ReadCores() {
    if (cores_.empty()) return absl::OkStatus();
    const std::pair<std::string, std::string> words =
        absl::StrSplit(cores_, absl::MaxSplits(',', 1));
    const std::vector<int> usable = UsableCores();
    for (const auto& [word, core] : {std::pair(words.first, &options_.receiver_core),
                                     std::pair(words.second, &options_.books_core)}) {
      int number = 0;
      if (!engine::ParseInteger(word, number) || std::ranges::count(usable, number) == 0) {
        return absl::InvalidArgumentError(absl::StrCat("--cores ", cores_, ": expected two of ",
                                                       absl::StrJoin(usable, ", "), " as A,B"));
      }
      *core = number;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<engine::Timestamp> Midnight() const {
    // The times that add-cancel gets are those of this machine.
    ASSIGN_OR_RETURN(const absl::TimeZone zone, FindTimeZone(zone_));
    if (!date_.empty()) {
      ASSIGN_OR_RETURN(const absl::CivilDay day, ParseDay(date_));
      return BeginOf(day, zone);
    }
    SystemClock clock;
    const absl::Time now = absl::FromUnixNanos(clock.Now().nanos());
    return BeginOf(absl::ToCivilDay(now, zone), zone);
  }

  // For programs, which have to know when they may send, and where to.
  static void Announce(const LiveFeed& feed, Console& console) {
    const std::vector<std::string> addresses = feed.addresses();
    if (console.json()) {
      JsonObject json("ticktape.feed.lines/1");
      json.Texts("lines", addresses);
      console.PrintLine(ConsoleText(json.Take()));
      console.Flush();
    } else {
      console.Note("listening at ", absl::StrJoin(addresses, " and "));
    }
  }

  // Shows what happens, and records it, until the end.
  absl::Status Watch(LiveFeed& feed, FeedRecording* recording, const Interrupt& interrupt,
                     const Stopwatch& stopwatch, Console& console) const {
    FeedTable table(console);
    FeedMoment now;
    FeedMoment shown;
    double next_asked = kStateAskedEach;
    double next_shown = kShownEach;
    bool has_ended = false;
    while (!has_ended && !interrupt.raised() &&
           (!seconds_.has_value() || stopwatch.Seconds() < *seconds_)) {
      absl::SleepFor(kTurn);
      if (recording != nullptr) RETURN_IF_ERROR(recording->Take(*feed.tape()));
      now.seconds = stopwatch.Seconds();
      if (now.seconds >= next_asked) {
        feed.AskReceived();
        next_asked = now.seconds + kStateAskedEach;
      }
      if (now.seconds >= next_shown) {
        feed.AskBooked();
        next_shown = now.seconds + kShownEach;
      }
      if (auto received = feed.TakeReceived(); received.has_value()) {
        now.received = *std::move(received);
        has_ended = until_end_ && now.received.state == engine::FeedHandler::State::kEnded;
      }
      auto booked = feed.TakeBooked();
      if (!booked.has_value()) continue;
      now.booked = *std::move(booked);
      Show(now, shown, table, console);
      shown = now;
    }
    return absl::OkStatus();
  }

  static void Show(const FeedMoment& now, const FeedMoment& before, FeedTable& table,
                   Console& console) {
    if (!console.json()) return table.Show(now, before);
    Report report("ticktape.feed/1");
    report.Field("final", false);
    AddFeed(report, now, before);
    report.PrintTo(console);
    console.Flush();
  }

  void PrintEnd(const LiveFeed& feed, const FeedMoment& end, const FeedRecording* recording,
                Console& console) const {
    Report report("ticktape.feed/1");
    report.Line(Styled(Style::kBold, "feed"), " of ", absl::StrJoin(feed.addresses(), " and "));
    report.Field("final", true);
    AddFeed(report, end, {});
    AddBooks(report, SummaryOf(feed.books()));
    if (!symbol_.empty()) {
      const bool is_itch = options_.format == FeedFormat::kItch;
      const auto locate = is_itch ? feed.symbols().Find(symbol_)
                                  : std::optional<uint16_t>(FeedDecoder::kAddCancelLocate);
      AddBook(report, symbol_, feed.books(), locate, is_itch ? kItchDecimals : 0);
    }
    if (recording != nullptr) {
      report.BeginObject("recording");
      report.Field("path", record_);
      recording->AddTo(report, end.seconds);
      report.EndObject();
    }
    report.PrintTo(console);
  }

  std::vector<std::string> lines_;
  std::string retransmission_;
  std::string snapshot_;
  std::string password_file_;
  std::optional<double> seconds_;
  bool until_end_ = false;
  std::string record_;
  std::string date_;
  std::string zone_ = "UTC";
  std::string symbol_;
  std::string cores_;
  uint64_t buffer_bytes_ = 8 << 20;
  LiveFeedOptions options_;
};

}  // namespace

std::unique_ptr<Verb> MakeFeedVerb() { return std::make_unique<FeedVerb>(); }

}  // namespace tools
