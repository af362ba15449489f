// ticktape feed-load: sends the feed of a journal, over a network as bad as asked for.

#include <array>
#include <map>
#include <span>

#include "engine/base/steady_time.h"
#include "engine/wire/itch/feed.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/mold/retransmission.h"
#include "engine/wire/mold/sender.h"
#include "engine/wire/pcap/udp.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/feed/feed_report.h"
#include "tools/cli/feed/line_addresses.h"
#include "tools/cli/feed/loaded_feed.h"
#include "tools/cli/feed/sent_line.h"
#include "tools/cli/feed/snapshot_server.h"
#include "tools/feed/books_summary.h"
#include "tools/feed/line_faults.h"
#include "tools/feed/live_feed.h"
#include "tools/os/clocks.h"
#include "tools/os/network/await_readable.h"
#include "tools/os/network/datagrams.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/signals.h"

namespace tools {
namespace {

constexpr char kExamples[] =
    R"(  ticktape feed-load run.tape --to A=127.0.0.1:26400 --rate 100k
  ticktape feed-load run.tape --to A=233.252.0.1:26400@eth0 --to B=233.252.0.2:26400@eth0 \
      --loss 0.01 --reorder 0.01 --seed 7 --retransmission 127.0.0.1:26500
  ticktape feed-load run.tape --to A=127.0.0.1:26400 --format add-cancel --book AAPL

Start 'ticktape feed' first. Loss, duplication and reordering are shares of the packets of each
line, and the same for the same seed. The end of the session is repeated, and requests are answered,
for the time of --linger. Ctrl-C ends it early.)";

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1'000 * kMillisecond;
constexpr int64_t kEndRepeatedEach = 100 * kMillisecond;
constexpr int64_t kHeartbeatAfter = kSecond;  // As MoldUDP64 asks for.
constexpr int64_t kWait = kMillisecond / 10;
// Sent before requests are answered.
constexpr uint64_t kBurstMessages = 2'000;
constexpr uint64_t kRateMax = 100'000'000;

constexpr size_t kAnswerBytesMax = engine::kEthernetPayloadBytes;

uint32_t PerMillion(double share) { return static_cast<uint32_t>(share * 1e6 + 0.5); }

class FeedLoadVerb final : public Verb {
 public:
  FeedLoadVerb() : Verb("feed-load", "Send the feed of a journal, with faults", kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", path_, "Whose feed").Type("JOURNAL").Required();
    options.Add("--to", to_, "A line of the feed: A or B. May be repeated")
        .Type("A=HOST:PORT[@INTERFACE]")
        .TakesOneEachTime()
        .Required();
    const std::map<std::string, FeedFormat> formats = {{"itch", FeedFormat::kItch},
                                                       {"add-cancel", FeedFormat::kAddCancel}};
    options
        .AddChoice(
            "--format", format_, formats,
            "itch (the default): ITCH in MoldUDP64; add-cancel: one message a datagram, for\n"
            "one book and one line")
        .Type("FORMAT");
    options.Add("--book", symbol_, "add-cancel: whose book, if there are several").Type("SYMBOL");
    options.Add("--rate", rate_, "Messages in a second; 0: as many as possible")
        .Type("COUNT")
        .ShowDefault()
        .InRange(uint64_t{0}, kRateMax);
    const auto add_share = [&](const char* name, double& share, const char* help) {
      options.Add(name, share, help).Type("SHARE").ShowDefault().InRange(0.0, 1.0);
    };
    add_share("--loss", loss_, "Lose this share of each line's packets, at random");
    add_share("--duplicate", duplicate_, "Send this share of them twice");
    add_share("--reorder", reorder_, "Let up to three others overtake this share of them");
    options.Add("--seed", seed_, "The same seed has the same faults").ShowDefault().NotNegative();
    options.Add("--packet", packet_bytes_, "itch: what a packet carries at most, in bytes")
        .Type("BYTES")
        .ShowDefault()
        .InRange(uint64_t{engine::kItchPacketBytesMin}, uint64_t{engine::kUdpPayloadBytesMax});
    options
        .Add("--retransmission", retransmission_,
             "itch: answer requests for messages here, without faults")
        .Type("HOST:PORT");
    options
        .Add("--snapshot", snapshot_,
             "itch: give late joiners the books here, by SoupBinTCP, without passwords")
        .Type("HOST:PORT");
    options.Add("--linger", linger_seconds_, "itch: how long the end of the session is repeated")
        .Type("TIME")
        .TimeSpan(/*unit_is_required=*/true, "2s or 1m")
        .ShowDefault()
        .InRange(int64_t{0}, int64_t{86'400});
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    const bool is_itch = format_ == FeedFormat::kItch;
    if (is_itch && !symbol_.empty()) {
      return absl::InvalidArgumentError("--book is an option of --format add-cancel only");
    }
    if (!is_itch && (to_.size() > 1 || !retransmission_.empty() || !snapshot_.empty())) {
      return absl::InvalidArgumentError(
          "add-cancel has no numbers: it has one line, and nothing can be asked for");
    }
    RETURN_IF_ERROR(Open());
    ASSIGN_OR_RETURN(LoadedFeed feed, is_itch ? LoadedFeed::OfItch(path_, console)
                                              : LoadedFeed::OfAddCancel(path_, symbol_, console));
    if (!snapshot_.empty()) {
      ASSIGN_OR_RETURN(snapshots_, SnapshotServer::Listen(snapshot_, feed));
    }
    Interrupt interrupt;
    Sending sending(*this, feed, interrupt, console);
    if (is_itch) {
      sending.RunItch();
    } else {
      sending.RunAddCancel();
    }
    PrintReport(feed, sending, console);
    return ExitCode::kOk;
  }

 private:
  // One run. The verb's sockets outlive it.
  class Sending {
   public:
    Sending(FeedLoadVerb& verb, LoadedFeed& feed, const Interrupt& interrupt, Console& console)
        : verb_(verb),
          feed_(feed),
          interrupt_(interrupt),
          progress_(console, "send", "messages", feed.size()),
          answers_(feed.session(), kAnswerBytesMax, feed) {}

    void RunItch() {
      const auto add = [this](engine::Bytes packet) { Add(packet); };
      engine::MoldSender packets(feed_.session(), verb_.packet_bytes_);
      engine::SteadyTime spoken = clock_.Now();
      Pace([&](uint64_t first, uint64_t last) {
        for (uint64_t number = first; number <= last; ++number) {
          packets.Add(feed_.framed(number), add);
        }
        feed_.set_sent(last);
        packets.Flush(add);
        const engine::SteadyTime now = clock_.Now();
        const bool is_silent = first > last && now - spoken >= kHeartbeatAfter;
        if (is_silent) packets.Heartbeat(add);
        if (is_silent || first <= last) spoken = now;
      });
      seconds_ = progress_.Seconds();
      for (SentLine& line : verb_.lines_) line.Flush();
      const engine::SteadyTime end = clock_.Now() + verb_.linger_seconds_ * kSecond;
      engine::SteadyTime next_end = clock_.Now();
      do {
        if (clock_.Now() >= next_end) {
          packets.EndSession(add);
          next_end = clock_.Now() + kEndRepeatedEach;
        }
        Send();
        Answer();
        Wait();
      } while (clock_.Now() < end && !interrupt_.raised());
    }

    void RunAddCancel() {
      Pace([&](uint64_t first, uint64_t last) {
        for (uint64_t number = first; number <= last; ++number) {
          Add(feed_.framed(number).subspan(engine::kMoldLengthBytes));
        }
      });
      for (SentLine& line : verb_.lines_) line.Flush();
      Send();
      seconds_ = progress_.Seconds();
    }

    uint64_t sent() const { return sent_; }
    double seconds() const { return seconds_; }
    const engine::MoldRetransmission::Counters& answered() const { return answers_.counters(); }

   private:
    // Calls `send` with the numbers of the messages that are due, again and again; of none, if none
    // is.
    template <typename Messages>
    void Pace(Messages send) {
      const engine::SteadyTime begin = clock_.Now();
      while (sent_ < feed_.size() && !interrupt_.raised()) {
        const uint64_t first = sent_ + 1;
        const uint64_t last = std::min({Due(clock_.Now() - begin), sent_ + kBurstMessages});
        send(first, last);
        sent_ = std::max(sent_, last);
        Send();
        Answer();
        progress_.Show(sent_);
        if (last < first) Wait();
      }
    }
    uint64_t Due(int64_t nanos) const {
      if (verb_.rate_ == 0) return feed_.size();
      const double due = static_cast<double>(nanos) / 1e9 * static_cast<double>(verb_.rate_);
      return std::min(feed_.size(), 1 + static_cast<uint64_t>(due));
    }

    void Add(engine::Bytes packet) {
      for (SentLine& line : verb_.lines_) line.Add(packet);
    }
    void Send() {
      for (SentLine& line : verb_.lines_) line.Send();
    }
    void Answer() {
      if (verb_.snapshots_ != nullptr) verb_.snapshots_->Serve();
      if (verb_.requests_ == nullptr) return;
      for (const DatagramReceiver::Datagram& request : verb_.requests_->Receive()) {
        const engine::Bytes answer = answers_.Answer(request.payload);
        if (!answer.empty()) verb_.requests_->SendTo(*request.source, answer);
      }
    }
    void Wait() {
      if (verb_.requests_ == nullptr) return AwaitReadable({}, kWait);
      AwaitReadable(std::array<int, 1>{verb_.requests_->descriptor()}, kWait);
    }

    FeedLoadVerb& verb_;
    LoadedFeed& feed_;
    const Interrupt& interrupt_;
    Progress progress_;
    engine::MoldRetransmission answers_;
    MonotonicClock clock_;
    uint64_t sent_ = 0;
    double seconds_ = 0;
  };

  absl::Status Open() {
    ASSIGN_OR_RETURN(const std::vector<FeedAddress> lines, ParseLines(to_));
    for (size_t i = 0; i < lines.size(); ++i) {
      ASSIGN_OR_RETURN(auto sender,
                       DatagramSender::Open(lines[i].endpoint, {.interface = lines[i].interface}));
      // Lines fail independently.
      lines_.emplace_back(std::move(sender), LineFaults::Options{.lost = PerMillion(loss_),
                                                                 .repeated = PerMillion(duplicate_),
                                                                 .overtaken = PerMillion(reorder_),
                                                                 .seed = 2 * seed_ + i});
    }
    if (retransmission_.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const Endpoint address, Endpoint::Parse(retransmission_));
    ASSIGN_OR_RETURN(requests_, DatagramReceiver::Open(address));
    return absl::OkStatus();
  }

  void PrintReport(const LoadedFeed& feed, const Sending& sending, Console& console) const {
    Report report("ticktape.feed-load/1");
    const double rate = static_cast<double>(sending.sent()) / std::max(sending.seconds(), 1e-9);
    report.Line(Styled(Style::kBold, path_), ", sent as session ", feed.session());
    report.Field("path", path_);
    report.Field("session", feed.session());
    report.Row("messages", WithCommas(sending.sent()), " in ", HumanSeconds(sending.seconds()),
               ", ", HumanCount(rate), "/s");
    report.Field("messages", sending.sent());
    report.Field("seconds", sending.seconds());
    report.Field("messages_per_second", rate);
    for (const SentLine& line : lines_) {
      const LineFaults::Counters& faults = line.faults().counters();
      report.Row("line", line.sender().destination(), ": ", Counted(faults.packets, "packet"), ", ",
                 WithCommas(faults.lost), " lost, ", WithCommas(faults.repeated), " repeated, ",
                 WithCommas(faults.overtaken), " overtaken, ",
                 WithCommas(line.sender().counters().dropped), " not taken by the system");
    }
    report.Objects("lines", lines_, [&](const SentLine& line) {
      const LineFaults::Counters& faults = line.faults().counters();
      report.Field("to", line.sender().destination());
      report.Field("packets", faults.packets);
      report.Field("lost", faults.lost);
      report.Field("repeated", faults.repeated);
      report.Field("overtaken", faults.overtaken);
      report.Field("sent", line.sender().counters().sent);
      report.Field("dropped", line.sender().counters().dropped);
    });
    if (requests_ != nullptr) {
      const engine::MoldRetransmission::Counters& answered = sending.answered();
      report.Row("retransmission", Counted(answered.answered, "request"), " answered with ",
                 Counted(answered.messages, "message"));
      report.Field("requests_answered", answered.answered);
      report.Field("requests_unanswered",
                   answered.malformed + answered.of_other_sessions + answered.without_messages);
      report.Field("messages_again", answered.messages);
    }
    if (snapshots_ != nullptr) {
      report.Fact("snapshots", "snapshots", snapshots_->snapshot_count());
    }
    AddBooks(report, feed.books());
    report.PrintTo(console);
  }

  std::string path_;
  std::vector<std::string> to_;
  FeedFormat format_ = FeedFormat::kItch;
  std::string symbol_;
  uint64_t rate_ = 100'000;
  double loss_ = 0;
  double duplicate_ = 0;
  double reorder_ = 0;
  uint64_t seed_ = 1;
  uint64_t packet_bytes_ = engine::kEthernetPayloadBytes;
  std::string retransmission_;
  std::string snapshot_;
  int64_t linger_seconds_ = 2;

  std::vector<SentLine> lines_;
  std::unique_ptr<DatagramReceiver> requests_;  // Null without --retransmission.
  std::unique_ptr<SnapshotServer> snapshots_;   // Null without --snapshot.
};

}  // namespace

std::unique_ptr<Verb> MakeFeedLoadVerb() { return std::make_unique<FeedLoadVerb>(); }

}  // namespace tools
