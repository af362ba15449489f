#include "bench/venue_run.h"

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/files.h"
#include "tools/os/clocks.h"
#include "tools/os/network/network.h"
#include "tools/os/network/system_sockets.h"
#include "tools/os/private_file.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

constexpr size_t kPieceBytes = 64 << 10;
constexpr double kPatienceSeconds = 60;

int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string NameOf(size_t number) { return absl::StrCat("client-", number); }

// Accounts without money: the market only matches.
std::string VenueFile(size_t sessions) {
  std::string accounts;
  std::string logins;
  for (size_t i = 0; i < sessions; ++i) {
    const absl::string_view comma = i == 0 ? "" : ",";
    absl::StrAppend(&accounts, comma, "{\"id\":", i + 1, "}");
    absl::StrAppend(&logins, comma, "{\"name\":\"", NameOf(i), "\",\"secret\":\"12345678\",",
                    "\"account\":", i + 1, "}");
  }
  return absl::StrCat(
      R"({"schema":"ticktape.venue/1","accounts":[)", accounts,
      R"(],"markets":[{"definition":{"id":1,"symbol":"SYM0","price_decimals":4}}],"logins":[)",
      logins, R"(],"text":{"listen":"127.0.0.1:0","connections_max":)", sessions + 8,
      R"(,"login_seconds_max":60}})");
}

size_t CountLines(absl::string_view text) {
  return static_cast<size_t>(std::ranges::count(text, '\n'));
}

absl::StatusOr<std::string> ReadAll(tools::ChildProcess& process) {
  std::string text;
  std::array<std::byte, 4096> bytes;
  while (true) {
    ASSIGN_OR_RETURN(const size_t size, process.Read(bytes));
    if (size == 0) return text;
    absl::StrAppend(&text, engine::AsText(engine::Bytes(bytes).first(size)));
  }
}

// Each line has at least one line of reply.
absl::StatusOr<double> LinesPerSecond(size_t lines, size_t replies, double seconds) {
  if (replies < lines) {
    return absl::DataLossError(absl::StrCat(replies, " replies to ", lines, " lines"));
  }
  return static_cast<double>(lines) / seconds;
}

absl::Status SendAll(absl::string_view bytes, tools::Peer& peer) {
  const tools::Stopwatch waiting;
  while (!bytes.empty()) {
    bytes.remove_prefix(peer.Send(bytes));
    if (waiting.Seconds() > kPatienceSeconds) return absl::DeadlineExceededError("nothing is read");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReceiveLine(tools::Peer& peer) {
  const tools::Stopwatch waiting;
  std::string line;
  while (!absl::EndsWith(line, "\n")) {
    line += peer.Receive(kPieceBytes);
    if (peer.has_ended() || waiting.Seconds() > kPatienceSeconds) {
      return absl::AbortedError(absl::StrCat("no reply; received '", line, "'"));
    }
  }
  return line;
}

// The digits after `field` in `text`. Errors: ABORTED with the text.
absl::StatusOr<uint64_t> NumberAfter(absl::string_view field, absl::string_view text) {
  const size_t at = text.find(field);
  uint64_t number = 0;
  if (at != absl::string_view::npos) {
    absl::string_view rest = absl::StripLeadingAsciiWhitespace(text.substr(at + field.size()));
    rest = rest.substr(0, rest.find_first_not_of("0123456789"));
    if (engine::ParseInteger(rest, number)) return number;
  }
  return absl::AbortedError(absl::StrCat("no number after ", field, " in: ", text));
}

// The text between quotes after `field`. Errors: ABORTED with the whole.
absl::StatusOr<std::string> TextAfter(absl::string_view field, absl::string_view text) {
  const size_t at = text.find(field);
  if (at == absl::string_view::npos) return absl::AbortedError(text);
  const absl::string_view rest = text.substr(at + field.size());
  return std::string(rest.substr(0, rest.find('"')));
}

// An order that rests far from any other, and its cancel: each has one line of reply.
std::string SparseOrder(size_t number) {
  const size_t id = number / 2 + 1;
  return number % 2 == 0 ? absl::StrCat("SUBMIT ", id, " SYM0 BUY 1.00 1\n")
                         : absl::StrCat("CANCEL ", id, "\n");
}

absl::StatusOr<LatencyHistogram> RoundTrips(tools::Peer& peer, size_t count) {
  LatencyHistogram histogram;
  const size_t warm_up = count / 10;
  for (size_t i = 0; i < warm_up + count; ++i) {
    const std::string order = SparseOrder(i);
    const int64_t begin = NowNanos();
    RETURN_IF_ERROR(SendAll(order, peer));
    RETURN_IF_ERROR(ReceiveLine(peer).status());
    if (i >= warm_up) histogram.Record(static_cast<uint64_t>(NowNanos() - begin));
  }
  return histogram;
}

// A session that sends an order each `interval` nanoseconds, also if the venue does not answer.
class OpenLoopClient {
 public:
  OpenLoopClient(std::unique_ptr<tools::Peer> peer, double interval, size_t count)
      : peer_(std::move(peer)), interval_(interval), count_(count) {}

  void Begin(int64_t first_due) { first_due_ = first_due; }
  bool is_done() const { return sent_ == count_ && unanswered_.empty(); }

  // Sends what is due, and takes the replies that are there.
  absl::Status Visit(LatencyHistogram& latency) {
    std::string lines;
    const int64_t now = NowNanos();
    for (int64_t due = NextDue(); sent_ < count_ && due <= now; due = NextDue()) {
      lines += SparseOrder(sent_++);
      unanswered_.push_back(due);
    }
    RETURN_IF_ERROR(SendAll(lines, *peer_));
    if (unanswered_.empty()) return absl::OkStatus();
    size_t replies = CountLines(peer_->Receive());
    const int64_t read_at = NowNanos();
    for (; replies > 0 && !unanswered_.empty(); --replies) {
      latency.Record(static_cast<uint64_t>(read_at - unanswered_.front()));
      unanswered_.pop_front();
    }
    const bool is_late =
        !unanswered_.empty() &&
        static_cast<double>(read_at - unanswered_.front()) > 1e9 * kPatienceSeconds;
    return is_late ? absl::DeadlineExceededError("an order has no reply") : absl::OkStatus();
  }

 private:
  int64_t NextDue() const {
    return first_due_ + static_cast<int64_t>(interval_ * static_cast<double>(sent_));
  }

  std::unique_ptr<tools::Peer> peer_;
  double interval_;
  size_t count_;
  size_t sent_ = 0;
  int64_t first_due_ = 0;
  std::deque<int64_t> unanswered_;  // When they were due.
};

// Echoes what it receives, on a thread of its own.
class EchoServer final : public tools::NetworkHandler {
 public:
  EchoServer()
      : sockets_(tools::SystemSockets::Make(clock_).value()),
        network_(*sockets_),
        address_(network_.Listen("127.0.0.1:0").value().address) {}

  const std::string& address() const { return address_; }

  void Run() {
    while (!is_over_.load(std::memory_order_relaxed)) {
      network_.Turn(clock_.Now() + 10'000'000, *this);
      network_.Flush();
    }
  }
  void Stop() { is_over_.store(true, std::memory_order_relaxed); }

  void OnAccepted(tools::ConnectionId, tools::ListenerId, absl::string_view) override {}
  void OnBytes(tools::ConnectionId id, engine::Bytes bytes) override { network_.Send(id, bytes); }
  void OnInputEnded(tools::ConnectionId) override {}
  void OnDrained(tools::ConnectionId) override {}
  void OnClosed(tools::ConnectionId, tools::CloseReason) override {}

 private:
  tools::MonotonicClock clock_;
  const std::unique_ptr<tools::SystemSockets> sockets_;
  tools::Network network_;
  const std::string address_;
  std::atomic<bool> is_over_ = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<VenueUnderTest>> VenueUnderTest::Start(const VenueOptions& options) {
  std::unique_ptr<VenueUnderTest> venue(new VenueUnderTest());
  ASSIGN_OR_RETURN(venue->temporary_, tools::TemporaryDirectory::Make());
  const std::string& folder = venue->temporary_->path();
  const std::string& file = options.venue_file;
  RETURN_IF_ERROR(tools::WritePrivateFile(folder + "/venue.json",
                                          file.empty() ? VenueFile(options.sessions_max) : file));
  std::vector<std::string> command = {options.ticktape, "serve", folder,
                                      "--json",         "--ack", options.ack};
  if (options.is_tls) command.push_back("--tls");
  if (options.is_busy) command.push_back("--busy");
  ASSIGN_OR_RETURN(venue->process_, tools::ChildProcess::Start(command));
  // {"schema":"ticktape.serve/1","text":"127.0.0.1:7001","kalshi":""}
  std::string report;
  std::array<std::byte, 4096> bytes;
  while (!absl::EndsWith(report, "\n")) {
    ASSIGN_OR_RETURN(const size_t size, venue->process_->Read(bytes));
    if (size == 0) return absl::AbortedError("the venue ended");
    absl::StrAppend(&report, engine::AsText(engine::Bytes(bytes).first(size)));
  }
  ASSIGN_OR_RETURN(venue->address_, TextAfter("\"text\":\"", report));
  ASSIGN_OR_RETURN(venue->kalshi_address_, TextAfter("\"kalshi\":\"", report));
  ASSIGN_OR_RETURN(venue->native_address_, TextAfter("\"native\":\"", report));
  ASSIGN_OR_RETURN(venue->ouch_address_, TextAfter("\"ouch\":\"", report));
  return venue;
}

absl::StatusOr<std::unique_ptr<tools::Peer>> VenueUnderTest::LogIn(size_t number) {
  std::unique_ptr<tools::Peer> peer = world_->Connect(address_);
  RETURN_IF_ERROR(SendAll(absl::StrCat("LOGIN ", NameOf(number), " 12345678\n"), *peer));
  ASSIGN_OR_RETURN(const std::string welcome, ReceiveLine(*peer));
  if (!absl::StartsWith(welcome, "WELCOME ")) return absl::AbortedError(welcome);
  return peer;
}

absl::StatusOr<uint64_t> VenueUnderTest::ResidentBytes() const {
  ASSIGN_OR_RETURN(const std::string status,
                   tools::ReadFile(absl::StrCat("/proc/", process_->pid(), "/status")));
  ASSIGN_OR_RETURN(const uint64_t kibibytes, NumberAfter("VmRSS:", status));
  return kibibytes << 10;
}

double VenueUnderTest::CpuSeconds() const {
  clockid_t clock = {};
  timespec used = {};
  if (clock_getcpuclockid(process_->pid(), &clock) == 0) clock_gettime(clock, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

// The thread that serves is the process's first. "nanoseconds on a core, waiting, turns"
absl::StatusOr<double> VenueUnderTest::ServingCpuSeconds() const {
  const int pid = process_->pid();
  ASSIGN_OR_RETURN(const std::string text,
                   tools::ReadFile(absl::StrCat("/proc/", pid, "/task/", pid, "/schedstat")));
  const absl::string_view used = text;
  uint64_t nanos = 0;
  if (engine::ParseInteger(used.substr(0, used.find(' ')), nanos)) {
    return 1e-9 * static_cast<double>(nanos);
  }
  return absl::AbortedError(absl::StrCat("no time of a thread in: ", used));
}

absl::StatusOr<VenueLag> VenueUnderTest::End() {
  kill(process_->pid(), SIGINT);
  ASSIGN_OR_RETURN(const std::string report, ReadAll(*process_));
  VenueLag lag;
  ASSIGN_OR_RETURN(lag.p50_nanos, NumberAfter("\"lag_p50_nanos\":", report));
  ASSIGN_OR_RETURN(lag.p99_nanos, NumberAfter("\"lag_p99_nanos\":", report));
  ASSIGN_OR_RETURN(lag.max_nanos, NumberAfter("\"lag_max_nanos\":", report));
  return lag;
}

absl::StatusOr<double> VenueLinesPerSecond(const VenueOptions& options, absl::string_view lines,
                                           size_t line_count) {
  ASSIGN_OR_RETURN(const std::unique_ptr<VenueUnderTest> venue, VenueUnderTest::Start(options));
  ASSIGN_OR_RETURN(const std::unique_ptr<tools::Peer> peer, venue->LogIn(0));
  const tools::Stopwatch stopwatch;
  size_t replies = 0;
  double seconds = 0;
  bool has_input_ended = false;
  while (!peer->has_ended()) {
    if (!lines.empty()) {
      lines.remove_prefix(peer->Send(lines.substr(0, kPieceBytes)));
    } else if (!std::exchange(has_input_ended, true)) {
      peer->EndOutput();
    }
    const std::string received = peer->Receive(kPieceBytes);
    replies += CountLines(received);
    if (!received.empty()) seconds = stopwatch.Seconds();
    if (peer->is_reset()) return absl::AbortedError("the venue reset the connection");
  }
  return LinesPerSecond(line_count, replies, seconds);
}

absl::StatusOr<double> ShellLinesPerSecond(const VenueOptions& options, absl::string_view lines,
                                           size_t line_count) {
  ASSIGN_OR_RETURN(const std::unique_ptr<tools::TemporaryDirectory> temporary,
                   tools::TemporaryDirectory::Make());
  ASSIGN_OR_RETURN(
      const std::unique_ptr<tools::ChildProcess> shell,
      tools::ChildProcess::Start({options.ticktape, "shell", "--quiet", "--ack", options.ack, "-o",
                                  absl::StrCat(temporary->path(), "/shell.tape")}));
  const tools::Stopwatch stopwatch;
  size_t replies = 0;
  double seconds = 0;  // Until the last reply: an end also seals the journal.
  absl::Status read_status;
  {
    const tools::Thread reading("reading", [&] {
      std::vector<std::byte> bytes(kPieceBytes);
      while (true) {
        const absl::StatusOr<size_t> size = shell->Read(bytes);
        read_status = size.status();
        if (!size.ok() || *size == 0) return;
        replies += CountLines(engine::AsText(engine::Bytes(bytes).first(*size)));
        seconds = stopwatch.Seconds();
      }
    });
    RETURN_IF_ERROR(reading.status());
    RETURN_IF_ERROR(shell->Write(engine::AsBytes(lines)));
    shell->EndInput();
  }
  RETURN_IF_ERROR(read_status);
  return LinesPerSecond(line_count, replies, seconds);
}

absl::StatusOr<LatencyHistogram> VenueRoundTrips(const VenueOptions& options, size_t count) {
  ASSIGN_OR_RETURN(const std::unique_ptr<VenueUnderTest> venue, VenueUnderTest::Start(options));
  ASSIGN_OR_RETURN(const std::unique_ptr<tools::Peer> peer, venue->LogIn(0));
  return RoundTrips(*peer, count);
}

absl::StatusOr<LatencyHistogram> EchoRoundTrips(size_t count) {
  EchoServer server;
  const tools::Thread serving(
      "echo", [&] { server.Run(); }, [&] { server.Stop(); });
  RETURN_IF_ERROR(serving.status());
  const std::unique_ptr<tools::NetworkWorld> world = tools::MakeTcpWorld();
  const std::unique_ptr<tools::Peer> peer = world->Connect(server.address());
  return RoundTrips(*peer, count);
}

absl::StatusOr<OpenLoopResult> VenueOpenLoop(const VenueOptions& options, double rate,
                                             double seconds) {
  ASSIGN_OR_RETURN(const std::unique_ptr<VenueUnderTest> venue, VenueUnderTest::Start(options));
  std::vector<OpenLoopClient> clients;
  const double interval = 1e9 * static_cast<double>(options.sessions_max) / rate;
  for (size_t i = 0; i < options.sessions_max; ++i) {
    ASSIGN_OR_RETURN(std::unique_ptr<tools::Peer> peer, venue->LogIn(i));
    clients.emplace_back(std::move(peer), interval,
                         static_cast<size_t>(rate * seconds) / options.sessions_max);
  }
  OpenLoopResult result;
  const int64_t begin = NowNanos();
  for (OpenLoopClient& client : clients) {
    client.Begin(begin +
                 static_cast<int64_t>(interval * static_cast<double>(&client - clients.data()) /
                                      static_cast<double>(clients.size())));
  }
  while (std::ranges::any_of(clients,
                             [](const OpenLoopClient& client) { return !client.is_done(); })) {
    for (OpenLoopClient& client : clients) RETURN_IF_ERROR(client.Visit(result.latency));
  }
  result.achieved_rate =
      static_cast<double>(result.latency.count()) * 1e9 / static_cast<double>(NowNanos() - begin);
  ASSIGN_OR_RETURN(result.lag, venue->End());
  return result;
}

absl::StatusOr<IdleResult> VenueIdle(const VenueOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<VenueUnderTest> venue, VenueUnderTest::Start(options));
  IdleResult result;
  ASSIGN_OR_RETURN(result.bytes_before, venue->ResidentBytes());
  std::vector<std::unique_ptr<tools::Peer>> peers;
  for (size_t i = 0; i < options.sessions_max; ++i) {
    ASSIGN_OR_RETURN(peers.emplace_back(), venue->LogIn(i));
  }
  ASSIGN_OR_RETURN(result.bytes_after, venue->ResidentBytes());
  return result;
}

}  // namespace bench
