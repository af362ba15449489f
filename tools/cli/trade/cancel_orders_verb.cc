// ticktape cancel-orders: all orders of an account, now or when a run has fallen silent.

#include <filesystem>
#include <system_error>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "engine/wire/kalshi/client_replies.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/trade/signed_calls.h"
#include "tools/cli/trade/venue_options.h"
#include "tools/client/order_calls.h"
#include "tools/os/clocks.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/signals.h"

namespace tools {
namespace {

constexpr char kExamples[] =
    R"(  ticktape cancel-orders --venue https://demo-api.kalshi.co --key-id ID --key me.pem
  ticktape cancel-orders ... --when-silent run.tape --after 5s   a dead man's switch, see 'trade'

With --when-silent it waits until nothing was recorded in the run for so long: its program, or its
machine, hangs or has died. Then it cancels all orders of the account. It ends without that when the
run has ended. Exit code 1: it had to cancel.)";

constexpr absl::string_view kListPath = "/trade-api/v2/portfolio/orders";
constexpr absl::string_view kUnfinished = ".partial";
constexpr uint64_t kLoginsMax = 3;
constexpr absl::Duration kBetween = absl::Milliseconds(250);

// The bytes of all files of an unfinished run; nullopt if there is none.
std::optional<uint64_t> BytesOf(const std::string& path) {
  std::error_code error;
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    bytes += entry.file_size(error);
  }
  if (error) return std::nullopt;
  return bytes;
}

class CancelOrdersVerb final : public Verb {
 public:
  CancelOrdersVerb()
      : Verb("cancel-orders", "Cancel all orders of an account at a venue", kExamples) {}

  void Declare(Options& options) override {
    venue_.Declare(options);
    options.Add("--when-silent", run_, "Wait until this run records nothing any more").Type("RUN");
    options.Add("--after", silence_seconds_, "With --when-silent: for how long nothing")
        .Type("TIME")
        .TimeSpan(/*unit_is_required=*/true, "5s or 1m")
        .ShowDefault()
        .InRange(int64_t{2}, int64_t{86'400});
    options.AddCount("--attempts", attempts_max_, "After so many failures it gives up", 1,
                     1'000'000);
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const WebTerms terms, venue_.Web());
    ASSIGN_OR_RETURN(const PrivateKey key, venue_.Key());
    SystemClock clock;
    ASSIGN_OR_RETURN(const std::unique_ptr<SignedCalls> calls,
                     SignedCalls::Make(terms, venue_.key_id(), key, clock));
    Interrupt interrupt;
    if (!run_.empty()) {
      ASSIGN_OR_RETURN(const bool is_silent, WaitForSilence(interrupt, console));
      if (interrupt.raised()) return ExitCode::kInterrupted;
      if (!is_silent) {
        Report report("ticktape.cancel-orders/1");
        report.Line(run_, " has ended: nothing was cancelled");
        report.Field("cancelled", false);
        report.PrintTo(console);
        return ExitCode::kOk;
      }
    }
    RETURN_IF_ERROR(CancelAll(*calls, interrupt, console));
    Report report("ticktape.cancel-orders/1");
    report.Line(run_.empty() ? "" : absl::StrCat(run_, " was silent. "),
                "All orders were cancelled: the venue lists none that rests");
    report.Field("cancelled", true);
    report.PrintTo(console);
    return run_.empty() ? ExitCode::kOk : ExitCode::kDifferent;
  }

 private:
  // False: the run has ended as it should.
  absl::StatusOr<bool> WaitForSilence(const Interrupt& interrupt, Console& console) const {
    const std::string unfinished = absl::StrCat(run_, kUnfinished);
    std::error_code error;
    if (!std::filesystem::exists(run_, error) && !std::filesystem::exists(unfinished, error)) {
      return absl::NotFoundError(absl::StrCat(run_, " is no run: start 'ticktape trade' first"));
    }
    console.Note("waiting until ", unfinished, " has not grown for ", silence_seconds_, " s");
    std::optional<uint64_t> bytes = BytesOf(unfinished);
    Stopwatch silence;
    while (!interrupt.raised()) {
      const std::optional<uint64_t> now = BytesOf(unfinished);
      // The folder is renamed at the end. One that has vanished otherwise says nothing about
      // orders.
      if (!now.has_value() && std::filesystem::exists(run_, error)) return false;
      if (now != bytes) {
        bytes = now;
        silence.Restart();
      }
      if (silence.Seconds() > static_cast<double>(silence_seconds_)) return true;
      absl::SleepFor(kBetween);
    }
    return true;
  }

  // Errors: the last one, after all attempts.
  absl::Status CancelAll(SignedCalls& calls, const Interrupt& interrupt, Console& console) const {
    absl::Status status;
    for (uint64_t attempt = 0; attempt < attempts_max_ && !interrupt.raised(); ++attempt) {
      if (attempt > 0) {
        console.Note("again: ", status.message());
        absl::SleepFor(kBetween * static_cast<int64_t>(std::min<uint64_t>(attempt, 8)));
      }
      status = TryToCancelAll(calls);
      // The first refusal tells the venue's time, if this machine's clock is wrong.
      const bool is_final = absl::IsPermissionDenied(status) && attempt + 1 >= kLoginsMax;
      if (status.ok() || is_final) return status;
    }
    return status.ok() ? absl::CancelledError("interrupted: orders may be left") : status;
  }

  static absl::Status TryToCancelAll(SignedCalls& calls) {
    ASSIGN_OR_RETURN(const SignedCalls::Reply cancelled, calls.Call("DELETE", client::kOrdersPath));
    engine::kalshi::ReplyReader reader;
    RETURN_IF_ERROR(ErrorOf(cancelled, reader));
    ASSIGN_OR_RETURN(const SignedCalls::Reply list,
                     calls.Call("GET", kListPath, "status=resting&limit=1"));
    RETURN_IF_ERROR(ErrorOf(list, reader));
    ASSIGN_OR_RETURN(const auto page, reader.Orders(list.body));
    if (page.items.empty()) return absl::OkStatus();
    return absl::UnavailableError("the venue still lists orders that rest");
  }

  static absl::Status ErrorOf(const SignedCalls::Reply& reply,
                              engine::kalshi::ReplyReader& reader) {
    if (reply.status >= 200 && reply.status <= 299) return absl::OkStatus();
    const engine::kalshi::ReadError error = reader.Error(reply.body);
    const std::string text =
        absl::StrCat("the venue refused: ", reply.status, " ", error.code, " ", error.details);
    return reply.status == 401 || reply.status == 403 ? absl::PermissionDeniedError(text)
                                                      : absl::UnavailableError(text);
  }

  VenueOptions venue_;
  std::string run_;
  int64_t silence_seconds_ = 5;
  uint64_t attempts_max_ = 20;
};

}  // namespace

std::unique_ptr<Verb> MakeCancelOrdersVerb() { return std::make_unique<CancelOrdersVerb>(); }

}  // namespace tools
