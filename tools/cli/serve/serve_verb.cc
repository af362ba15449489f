// ticktape serve: an exchange that clients connect to, journalled.

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/record/recording.h"
#include "tools/cli/serve/conversation_journal.h"
#include "tools/cli/serve/flow_fields.h"
#include "tools/cli/serve/kalshi_lines.h"
#include "tools/cli/serve/new_venue_keys.h"
#include "tools/cli/serve/open_flows.h"
#include "tools/cli/serve/replay_conversations.h"
#include "tools/cli/serve/scenario.h"
#include "tools/cli/serve/serving.h"
#include "tools/cli/serve/tls_identity.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/os/clocks.h"
#include "tools/os/crypto/tls_sockets.h"
#include "tools/os/descriptor_limit.h"
#include "tools/os/entropy.h"
#include "tools/os/network/stream_sockets.h"
#include "tools/os/network/system_sockets.h"
#include "tools/os/output_folder.h"
#include "tools/os/private_file.h"
#include "tools/serve/itch_service.h"
#include "tools/serve/venue_server.h"

namespace tools {
namespace {

constexpr char kExamples[] = R"(  ticktape serve --init exchange
  ticktape serve exchange
  ticktape serve exchange --kalshi 7002
  ticktape serve --demo
  ticktape serve exchange --kalshi 7002 --tls
  ticktape serve exchange --flow market=ACME,source=day.tape,from_market=AAPL,pace=10
  ticktape serve exchange --record-conversation bytes
  ticktape serve exchange --replay
  printf 'LOGIN desk-1 SECRET\nSUBMIT 1 ACME BUY 10.50 100\n' | nc -q 1 127.0.0.1 7001

DIR has venue.json (accounts, markets, logins; tools/cli/serve/VENUE_FILE.md) and, from the first
start on, the journal. While it serves, 'ticktape admin DIR' commands it. Ctrl-C ends all sessions
and seals the journal; the next start goes on with it.)";

std::string JournalOf(const std::string& folder) { return folder + "/journal"; }

std::string KeysOf(const std::string& folder) { return folder + "/keys"; }

std::string NewSecret() { return absl::StrFormat("%016x%016x", RandomWord(), RandomWord()); }

// Operators prove with it that they may read the folder. Each start has its own.
absl::Status WriteAdminToken(const std::string& folder, absl::string_view token) {
  const std::string path = folder + "/admin.token";
  std::error_code error;
  std::filesystem::remove(path, error);  // If it fails, so does what follows.
  return WritePrivateFile(path, absl::StrCat(token, "\n"));
}

class ServeVerb final : public Verb {
 public:
  ServeVerb() : Verb("serve", "Serve an exchange to clients, journalled", kExamples) {}

  void Declare(Options& options) override {
    options.Add("DIR", folder_, "The venue's folder; of --demo, ticktape-demo by default");
    options.AddFlag("--init", init_, "Create the folder with a venue file, and serve nothing");
    options.AddFlag("--demo", demo_,
                    "Serve Kalshi's API with agents that trade; create the folder if it is new");
    options
        .Add("--text", text_,
             "Where text sessions connect, instead of what the venue file says: a port, a\n"
             "port of another address as in 0.0.0.0:7001, or unix:PATH")
        .Type("PORT");
    options
        .Add("--kalshi", kalshi_,
             "Where clients of Kalshi's API connect, instead of what the venue file says: as "
             "--text,\n"
             "or 'none'")
        .Type("PORT");
    options.AddFlag("--tls", tls_,
                    "Serve Kalshi's API by TLS (https, wss): with the certificate that the venue\n"
                    "file names, or with DIR/tls_certificate.pem, made at the first such start");
    options
        .AddChoice("--record-conversation", conversation_,
                   std::map<std::string, Talk>{{"hashes", Talk::kHashes}, {"bytes", Talk::kBytes}},
                   "Keep all that clients send, without secrets, and what the venue sends: its\n"
                   "length and hash, or its bytes, up to a MiB of each write. In DIR/conversations")
        .Type("WHAT");
    options.AddFlag("--replay", replay_,
                    "Serve nothing: replay all conversations, and compare every byte");
    options
        .Add("--flow", flows_,
             "Let a recorded order flow drive a market, e.g. market=ACME,source=day.tape,\n"
             "from_market=AAPL,pace=10: the fields of 'flows' in the venue file; repeatable")
        .Type("FIELD=VALUE,...");
    options.AddFlag("--sim", sim_,
                    "Take faults by POST /sim/NAME on the port of Kalshi's API, from who has the\n"
                    "token in DIR/admin.token");
    options
        .Add("--scenario", scenario_,
             "Inject the faults of this script: at times, or after so many trades, orders or\n"
             "connections; --list-scenarios shows how it is written")
        .Type("FILE");
    options.AddFlag("--busy", is_busy_,
                    "Spin for input and never sleep: faster answers, for a whole core");
    options.AddFlag("--list-scenarios", list_scenarios_, "Print all faults and a script of them");
    recording_.DeclareHow(options);
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (init_ + replay_ + demo_ > 1) {
      return absl::InvalidArgumentError("--init, --replay or --demo, not two of them");
    }
    if (list_scenarios_) {
      console.Print(ConsoleText::Lines(ExampleScenario()));
      return ExitCode::kOk;
    }
    if (demo_) return Demo(console);
    if (folder_.empty()) return absl::InvalidArgumentError("DIR is required");
    if (replay_) return ReplayConversations(folder_, JournalOf(folder_), console);
    return init_ ? Init(console) : Serve(console);
  }

 private:
  absl::StatusOr<ExitCode> Demo(Console& console) {
    if (folder_.empty()) folder_ = "ticktape-demo";
    std::error_code error;
    if (!std::filesystem::exists(VenueFileOf(folder_), error)) RETURN_IF_ERROR(Create(console));
    return Serve(console);
  }

  absl::StatusOr<ExitCode> Init(Console& console) {
    RETURN_IF_ERROR(Create(console));
    console.PrintLine("next: ticktape serve ", ShellWord(folder_));
    return ExitCode::kOk;
  }

  absl::Status Create(Console& console) {
    RETURN_IF_ERROR(MakeNewFolder(folder_));
    std::array<std::string, kNewVenueLogins> secrets;
    for (std::string& secret : secrets) {
      secret = NewSecret();
    }
    ASSIGN_OR_RETURN(const std::vector<NewVenueKey> keys, MakeNewVenueKeys(KeysOf(folder_)));
    RETURN_IF_ERROR(WritePrivateFile(VenueFileOf(folder_), NewVenueFile(secrets, keys, demo_)));
    ASSIGN_OR_RETURN(const VenueConfig config, ReadVenueFile(VenueFileOf(folder_)));
    const std::string file = absl::StrCat(
        "created ", VenueFileOf(folder_), ": ", Counted(config.accounts.size(), "account"), ", ",
        Counted(config.markets.size(), "market"), ", ", Counted(config.logins.size(), "login"),
        " with new secrets");
    const std::string made = absl::StrCat("created ", KeysOf(folder_), ": ", keys.size(),
                                          " private keys of Kalshi's API");
    for (const std::string& line : {file, made}) {
      // What a demo prints is where it serves.
      demo_ ? console.Note(line) : console.PrintLine(line);
    }
    return absl::OkStatus();
  }

  // The venue file, with what the command line says instead.
  absl::StatusOr<VenueConfig> ReadConfig() const {
    ASSIGN_OR_RETURN(VenueConfig config, ReadVenueFile(VenueFileOf(folder_)));
    for (FlowConfig& flow : config.flows) {
      flow.source = (std::filesystem::path(folder_) / flow.source).string();
    }
    for (const std::string& flow : flows_) RETURN_IF_ERROR(TakeFlowOption(flow, config));
    if (!text_.empty()) config.text.listen = text_;
    if (!kalshi_.empty()) config.kalshi.listen = kalshi_ == "none" ? std::string() : kalshi_;
    config.kalshi.serves_sim = sim_;
    if (tls_ && config.kalshi.listen.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--tls is for Kalshi's API, which this venue does not serve: give --kalshi "
                       "PORT, or kalshi.listen in ",
                       VenueFileOf(folder_)));
    }
    config.admin = {.listen = absl::StrCat("unix:", folder_, "/admin.sock"), .token = NewSecret()};
    return config;
  }

  // TLS over `below` for the address of Kalshi's API, to which it gives TLS's prefix.
  absl::StatusOr<std::unique_ptr<TlsSockets>> MakeTls(KalshiConfig& config, StreamSockets& below,
                                                      Console& console) {
    SystemClock clock;
    ASSIGN_OR_RETURN(const TlsIdentity taken, TakeTlsIdentity(config, folder_, clock.Now()));
    if (!taken.fitness.ok()) {
      console.Note("warning: clients refuse this certificate: ", taken.fitness.message());
    }
    certificate_ = taken.certificate_file;
    config.listen = absl::StrCat(kTlsPrefix, config.listen);
    auto tls = TlsSockets::Make(below, taken.identity);
    if (!tls.ok()) return ErrorIn(certificate_, tls.status());
    return tls;
  }

  absl::StatusOr<ExitCode> Serve(Console& console) {
    ASSIGN_OR_RETURN(VenueConfig config, ReadConfig());
    ASSIGN_OR_RETURN(Scenario scenario, ReadScenario(config));
    WarnOfFewDescriptors(config, console);
    if (conversation_ != Talk::kNone && !config.ouch.listen.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--record-conversation does not record OUCH, which this venue serves: ouch.listen in ",
          VenueFileOf(folder_)));
    }
    if (conversation_ != Talk::kNone && !config.native.listen.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--record-conversation does not record the native protocol, which this venue serves: "
          "native.listen in ",
          VenueFileOf(folder_)));
    }
    recording_.recording.path = JournalOf(folder_);
    MonotonicClock steady;
    ASSIGN_OR_RETURN(const std::unique_ptr<SystemSockets> sockets, SystemSockets::Make(steady));
    std::unique_ptr<TlsSockets> tls;
    if (tls_) {
      ASSIGN_OR_RETURN(tls, MakeTls(config.kalshi, *sockets, console));
    }
    StreamSockets& used = tls_ ? static_cast<StreamSockets&>(*tls) : *sockets;
    ASSIGN_OR_RETURN(std::vector<OpenedFlow> flows, OpenFlows(config, used.bell(), console));
    LiveClock clock(recording_.clock_jump_seconds_max, console);
    BatchClock batch_clock(clock);
    std::unique_ptr<ConversationJournal> conversation;
    std::string configuration;
    if (conversation_ != Talk::kNone) {
      ASSIGN_OR_RETURN(configuration, ReadVenueFileWithoutSecrets(VenueFileOf(folder_)));
      ASSIGN_OR_RETURN(conversation, ConversationJournal::Create(folder_, batch_clock));
    }
    Serving serving(config, used, batch_clock,
                    {.talk = conversation.get(),
                     .options = {.keeps_sent_bytes = conversation_ == Talk::kBytes},
                     .configuration = std::move(configuration)},
                    console);
    serving.set_busy(is_busy_);
    serving.AddFlows(std::move(flows));
    RETURN_IF_ERROR(serving.Open(recording_.Get("ticktape serve")));
    RETURN_IF_ERROR(WriteAdminToken(folder_, config.admin.token));
    RETURN_IF_ERROR(serving.Listen());
    PrintAddresses(config, serving.server(), console);
    RETURN_IF_ERROR(serving.Serve(conversation.get(), std::move(scenario)));
    ASSIGN_OR_RETURN(const journal::Checkpoint last, serving.Finish());
    PrintLag(serving.server().lag().histogram(), console);
    if (serving.server().itch() != nullptr) NoteItch(serving.server().itch()->counts(), console);
    console.Note("journal: ", last.sequence.value(),
                 last.sequence.value() == 1 ? " command in " : " commands in ", JournalOf(folder_));
    if (conversation != nullptr) {
      const absl::Status kept = conversation->Finish();
      console.Note("conversation: ", conversation->path(),
                   kept.ok() ? "" : absl::StrCat(" is not complete: ", kept.message()));
    }
    return ExitCode::kOk;
  }

  absl::StatusOr<Scenario> ReadScenario(const VenueConfig& config) const {
    if ((sim_ || !scenario_.empty()) && config.kalshi.listen.empty()) {
      return absl::InvalidArgumentError("--sim and --scenario need --kalshi: faults are its own");
    }
    if (scenario_.empty()) return Scenario({});
    ASSIGN_OR_RETURN(const std::string text, ReadFile(scenario_, kScenarioBytesMax));
    ASSIGN_OR_RETURN(std::vector<ScenarioStep> steps, ParseScenario(text, scenario_));
    return Scenario(std::move(steps));
  }

  void PrintAddresses(const VenueConfig& config, const VenueServer& server, Console& console) {
    const absl::string_view kalshi = absl::StripPrefix(server.kalshi_address(), kTlsPrefix);
    if (console.json()) {
      JsonObject json("ticktape.serve/1");
      json.Field("text", server.text_address());
      json.Field("kalshi", kalshi);
      json.Field("ouch", server.ouch_address());
      json.Field("snapshots", server.snapshots_address());
      json.Field("retransmission", server.itch() == nullptr
                                       ? std::string()
                                       : server.itch()->retransmission_address());
      json.Field("native", server.native_address());
      if (tls_) json.Field("certificate", certificate_);
      console.PrintLine(json.Take());
      return console.Flush();
    }
    const bool has_text = !server.text_address().empty();
    console.PrintLine("text sessions: ", has_text ? server.text_address() : "none");
    if (has_text && !config.logins.empty()) {
      console.PrintLine("log in with: LOGIN ", config.logins.front().name, " <its secret in ",
                        VenueFileOf(folder_), ">");
    }
    if (!kalshi.empty()) {
      PrintKalshiLines(config.kalshi, KeysOf(folder_), kalshi, certificate_, console);
    }
    if (!server.ouch_address().empty()) {
      console.PrintLine("OUCH 4.2 over SoupBinTCP: ", server.ouch_address());
    }
    if (server.itch() != nullptr) PrintItch(config.itch, server, console);
    if (!server.native_address().empty()) {
      console.PrintLine("native protocol: ", server.native_address());
    }
    console.Flush();
  }

  static void PrintItch(const ItchConfig& config, const VenueServer& server, Console& console) {
    const auto to_address = [](std::string* out, const ItchLineConfig& line) {
      absl::StrAppend(out, line.address);
    };
    console.PrintLine("ITCH 5.0 over MoldUDP64: ", absl::StrJoin(config.lines, ", ", to_address));
    const std::string retransmission = server.itch()->retransmission_address();
    if (!retransmission.empty()) console.PrintLine("retransmission: ", retransmission);
    if (!server.snapshots_address().empty()) {
      console.PrintLine("snapshots over SoupBinTCP: ", server.snapshots_address());
    }
  }

  // What the publisher did.
  static void NoteItch(const ItchService::Counts& counts, Console& console) {
    console.Note("market data: ", Counted(counts.messages, "message"), " of the session, ",
                 Counted(counts.packets, "packet"), " sent, ", WithCommas(counts.dropped),
                 " dropped; ", Counted(counts.retransmission.answered, "request"), " answered");
  }

  // How long clients waited within the venue.
  static void PrintLag(const replay::LatencyHistogram& lag, Console& console) {
    const uint64_t median = lag.Percentile(500'000);
    const uint64_t p99 = lag.Percentile(990'000);
    if (console.json()) {
      JsonObject json("ticktape.served/1");
      json.Field("reads", lag.count());
      json.Field("lag_p50_nanos", median);
      json.Field("lag_p99_nanos", p99);
      json.Field("lag_max_nanos", lag.max());
      console.PrintLine(json.Take());
    } else if (lag.count() > 0) {
      console.Note("replies: half within ", HumanNanos(median), " of their request, 99 % within ",
                   HumanNanos(p99), ", all within ", HumanNanos(lag.max()));
    }
  }

  static void WarnOfFewDescriptors(const VenueConfig& config, Console& console) {
    constexpr uint64_t kOthers = 64;  // The journal's files and the like.
    const uint64_t clients = config.text.connections_max +
                             (config.kalshi.listen.empty() ? 0 : config.kalshi.connections_max) +
                             (config.ouch.listen.empty() ? 0 : config.ouch.connections_max) +
                             (config.native.listen.empty() ? 0 : config.native.connections_max);
    const uint64_t wanted = clients + kOthers;
    const uint64_t limit = RaiseDescriptorLimit(wanted);
    if (limit >= wanted) return;
    console.Note("note: this user may open ", limit, " files, so fewer than ", clients,
                 " clients can connect (ulimit -n)");
  }

  enum class Talk { kNone, kHashes, kBytes };

  RecordingOptions recording_;
  std::string folder_;
  std::string text_;
  std::string kalshi_;
  bool tls_ = false;
  std::string certificate_;  // The file that clients trust; empty without TLS.
  bool init_ = false;
  bool replay_ = false;
  bool demo_ = false;
  std::vector<std::string> flows_;
  bool sim_ = false;
  bool is_busy_ = false;
  bool list_scenarios_ = false;
  std::string scenario_;
  Talk conversation_ = Talk::kNone;
};

}  // namespace

std::unique_ptr<Verb> MakeServeVerb() { return std::make_unique<ServeVerb>(); }

}  // namespace tools
