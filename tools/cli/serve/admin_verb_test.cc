// ticktape admin, as an operator uses it: over a Unix socket, to a venue with a small exchange.

#include <sys/stat.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/gateway/admin_gateway.h"
#include "engine/gateway/testing/conversation.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/os/clocks.h"
#include "tools/os/network/network.h"
#include "tools/os/network/system_sockets.h"
#include "tools/os/output_folder.h"
#include "tools/os/private_file.h"
#include "tools/os/thread.h"
#include "tools/serve/session_server.h"

namespace tools {
namespace {

using engine::CommandKind;
using ::testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;

// Serves a folder from its own thread until it is destroyed.
class ServedFolder {
 public:
  explicit ServedFolder(const std::string& folder) {
    exchange_.ListenWith(&venue_);
    venue_.Connect(exchange_);
    const absl::Status listens = network_.Listen("unix:" + folder + "/admin.sock").status();
    EXPECT_TRUE(listens.ok()) << listens;
    thread_ = std::make_unique<Thread>(
        "venue", [this] { Run(); },
        [this] {
          ends_ = true;
          network_.bell().Ring();
        });
  }

  // Ends the thread; what it has received.
  const std::vector<engine::Command>& Finish() {
    thread_.reset();
    return exchange_.commands();
  }

 private:
  void Run() {
    while (!ends_) {
      network_.Turn(network_.Now() + kSecond, server_);
      EXPECT_TRUE(server_.TakeLines([] { return true; }).ok());
      exchange_.Release();
      server_.Send();
      network_.Flush();
    }
  }

  MonotonicClock clock_;
  const std::unique_ptr<SystemSockets> sockets_ = SystemSockets::Make(clock_).value();
  Network network_{*sockets_};
  engine::MarketDirectory markets_ = engine::Conversation::Markets();
  engine::ToyExchange exchange_{1'000'000};
  engine::Venue venue_;
  engine::AdminGateway gateway_{venue_, markets_, "5ecret"};
  SessionServer server_{network_, gateway_, 1'000 * kSecond};
  std::atomic<bool> ends_ = false;
  std::unique_ptr<Thread> thread_;
};

class AdminVerbTest : public testing::Test {
 protected:
  AdminVerbTest() { WriteToken("5ecret\n"); }
  void WriteToken(const std::string& token) const {
    ASSERT_TRUE(WritePrivateFile(folder_->path() + "/admin.token", token).ok());
  }
  void WriteVenueFile() const {
    std::array<std::string, kNewVenueLogins> secrets;
    secrets.fill("12345678");
    ASSERT_TRUE(WritePrivateFile(VenueFileOf(folder_->path()), NewVenueFile(secrets)).ok());
  }
  VerbResult Run(std::vector<std::string> words) const {
    words.insert(words.begin(), folder_->path());
    return RunVerb(MakeAdminVerb(), words);
  }

  const std::unique_ptr<TemporaryDirectory> folder_ = TemporaryDirectory::Make().value();
};

TEST_F(AdminVerbTest, CommandsThatAreDone) {
  const ServedFolder served(folder_->path());
  const VerbResult sold =
      Run({"send", "ask account=7 market=ACME price=10.00 quantity=5.0 client_order_id=3"});
  EXPECT_EQ(sold.code, ExitCode::kOk) << sold.error;
  EXPECT_EQ(
      sold.output,
      "1.0 accepted order=1 side=ask market=ACME price=10.00 quantity=5.0 remaining=5.0 account=7\n"
      "DONE @1 events=1\n");
  EXPECT_EQ(sold.error, "");
  const VerbResult bought =
      Run({"--json", "send", "bid account=8 market=ACME price=10.00 quantity=1.0"});
  EXPECT_EQ(bought.code, ExitCode::kOk);
  EXPECT_EQ(
      bought.output,
      absl::StrCat(
          R"({"schema":"ticktape.admin/1","path":")", folder_->path(),
          R"(","command":"bid account=8 market=ACME price=10.00 quantity=1.0",)",
          R"("outcome":"done","sequence":2,"event_count":2,"events":[)",
          R"("2.0 accepted order=2 side=bid market=ACME price=10.00 quantity=1.0 remaining=1.0 account=8",)",
          R"("2.1 trade maker=1 taker=2 side=ask market=ACME price=10.00 quantity=1.0 )",
          R"(remaining=4.0 account=7"]})", "\n"));
}

TEST_F(AdminVerbTest, RefusedCommandsHaveAnExitCodeOfTheirOwn) {
  const ServedFolder served(folder_->path());
  const VerbResult refused = Run({"send", "cancel market=ACME order=9"});
  EXPECT_EQ(refused.code, ExitCode::kDifferent);
  EXPECT_EQ(refused.output,
            "1.0 rejected order=9 market=ACME reason=order_not_live\nREFUSED @1 order_not_live\n");
  const VerbResult json = Run({"send", "cancel market=ACME order=9", "--json"});
  EXPECT_EQ(json.code, ExitCode::kDifferent);
  EXPECT_THAT(json.output,
              HasSubstr(R"("outcome":"refused","sequence":2,"reason":"order_not_live",)"));
}

TEST_F(AdminVerbTest, LinesThatAreNoCommandsAreUsageErrors) {
  const ServedFolder served(folder_->path());
  const VerbResult unknown = Run({"send", "rubbish"});
  EXPECT_EQ(unknown.code, ExitCode::kUsage);
  EXPECT_THAT(unknown.error, HasSubstr("'rubbish' is not a command; expected bid, ask"));
  EXPECT_EQ(unknown.output, "");
  const VerbResult market = Run({"pause", "NONE"});
  EXPECT_EQ(market.code, ExitCode::kUsage);
  EXPECT_THAT(market.error, HasSubstr("market=NONE is not defined"));
}

// Each word of the table, and what the venue receives.
TEST_F(AdminVerbTest, WordsStandForCommands) {
  struct Case {
    std::vector<std::string> words;
    CommandKind kind;
    uint32_t account;
    uint32_t market;
    uint64_t quantity = 0;
  };
  const std::vector<Case> cases = {
      {{"suspend", "7"}, CommandKind::kSuspendAccount, 7, 0},
      {{"resume", "7"}, CommandKind::kResumeAccount, 7, 0},
      {{"cancel-all", "7"}, CommandKind::kMassCancel, 7, 0},
      {{"cancel-all"}, CommandKind::kMassCancel, 0, 0},
      {{"position-limit", "7", "ACME", "2.5"}, CommandKind::kSetPositionLimit, 7, 3, 25},
      {{"position-limit", "7", "#3", "0"}, CommandKind::kSetPositionLimit, 7, 3},
      {{"pause", "ACME"}, CommandKind::kPauseMarket, 0, 3},
      {{"pause"}, CommandKind::kPauseExchange, 0, 0},
      {{"open", "ACME"}, CommandKind::kOpenMarket, 0, 3},
      {{"close", "#3"}, CommandKind::kCloseMarket, 0, 3},
      {{"halt"}, CommandKind::kHaltExchange, 0, 0},
      {{"resume-trading"}, CommandKind::kResumeExchange, 0, 0},
  };
  ServedFolder served(folder_->path());
  for (const Case& each : cases) Run(each.words);
  const std::vector<engine::Command>& commands = served.Finish();
  ASSERT_EQ(commands.size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(commands[i].kind, cases[i].kind) << cases[i].words[0];
    EXPECT_EQ(commands[i].account, engine::AccountId(cases[i].account)) << cases[i].words[0];
    EXPECT_EQ(commands[i].market, engine::MarketId(cases[i].market)) << cases[i].words[0];
    EXPECT_EQ(commands[i].quantity.units(), cases[i].quantity) << cases[i].words[0];
  }
}

// serve_test shows what it does.
TEST_F(AdminVerbTest, CancelOnDisconnectIsANote) {
  WriteVenueFile();
  ServedFolder served(folder_->path());
  EXPECT_THAT(Run({"cancel-on-disconnect", "desk-1", "on"}).output, HasSubstr("DONE @1 events=1"));
  const std::vector<engine::Command>& commands = served.Finish();
  ASSERT_EQ(commands.size(), 1u);
  EXPECT_EQ(commands[0].kind, CommandKind::kNote);
}

TEST_F(AdminVerbTest, OtherWordsAreRefusedBeforeTheVenueIsAsked) {
  WriteVenueFile();
  struct Case {
    std::vector<std::string> words;
    std::string error;
  };
  const std::vector<Case> cases = {
      {{"suspend"}, "expected suspend ACCOUNT, found 'suspend'"},
      {{"suspend", "7", "8"}, "expected suspend ACCOUNT, found 'suspend 7 8'"},
      {{"open"}, "expected open SYMBOL, found 'open'"},
      {{"position-limit", "7", "ACME"},
       "expected position-limit ACCOUNT SYMBOL QUANTITY, found 'position-limit 7 ACME'"},
      {{"position-limit", "7", "ACME", "5", "6"},
       "expected position-limit ACCOUNT SYMBOL QUANTITY, found 'position-limit 7 ACME 5 6'"},
      {{"pause", "A", "B"}, "expected pause [SYMBOL], found 'pause A B'"},
      {{"halt", "ACME"}, "expected halt, found 'halt ACME'"},
      {{"send"}, "expected send 'COMMAND LINE', one word, found 'send'"},
      {{"send", "halt_exchange", "now"},
       "expected send 'COMMAND LINE', one word, found 'send halt_exchange now'"},
      {{"send", " # halt"}, "expected one command, found 'send  # halt'"},
      {{"send", ""}, "expected one command, found 'send '"},
      {{"suspend", "7\nhalt_exchange"}, "expected one command, found 'suspend 7\\nhalt_exchange'"},
      {{"stop"},
       "expected suspend ACCOUNT, resume ACCOUNT, cancel-all [ACCOUNT], position-limit ACCOUNT "
       "SYMBOL QUANTITY, pause [SYMBOL], open SYMBOL, close SYMBOL, halt, resume-trading, "
       "cancel-on-disconnect "
       "LOGIN on|off or send 'COMMAND LINE', found 'stop'"},
      {{"cancel-on-disconnect", "desk-1"},
       "expected cancel-on-disconnect LOGIN on|off, found 'cancel-on-disconnect desk-1'"},
      {{"cancel-on-disconnect", "desk-1", "maybe"},
       "expected cancel-on-disconnect LOGIN on|off, found 'cancel-on-disconnect desk-1 maybe'"},
      {{"cancel-on-disconnect", "desk-9", "on"},
       absl::StrCat("expected a login of ", folder_->path(), "/venue.json, found 'desk-9'")}};
  for (const Case& each : cases) {
    const VerbResult result = Run(each.words);
    EXPECT_EQ(result.code, ExitCode::kUsage) << each.error;
    EXPECT_THAT(absl::StrReplaceAll(result.error, {{"\n  ", "\\n"}}), HasSubstr(each.error));
  }
}

TEST_F(AdminVerbTest, FolderThatNoVenueServesIsNamed) {
  const std::string expected = absl::StrCat("no venue serves ", folder_->path(),
                                            ": 'ticktape serve ", folder_->path(), "' starts one");
  const VerbResult silent = Run({"halt"});
  EXPECT_EQ(silent.code, ExitCode::kIo);
  EXPECT_EQ(silent.error, expected);
  const auto other = TemporaryDirectory::Make().value();
  const VerbResult empty = RunVerb(MakeAdminVerb(), {other->path(), "halt"});
  EXPECT_EQ(empty.code, ExitCode::kIo);
  EXPECT_THAT(empty.error, HasSubstr(absl::StrCat("no venue serves ", other->path())));
}

TEST_F(AdminVerbTest, TokenThatIsWrongOrPublicIsRefused) {
  const auto other = TemporaryDirectory::Make().value();
  ServedFolder served(other->path());
  const std::string token = other->path() + "/admin.token";
  ASSERT_TRUE(WritePrivateFile(token, "5ecreT").ok());
  const VerbResult wrong = RunVerb(MakeAdminVerb(), {other->path(), "halt"});
  EXPECT_EQ(wrong.code, ExitCode::kIo);
  EXPECT_EQ(wrong.error, "ERROR line 1: token refused");
  ASSERT_EQ(::chmod(token.c_str(), 0644), 0);
  const VerbResult open = RunVerb(MakeAdminVerb(), {other->path(), "halt"});
  EXPECT_EQ(open.code, ExitCode::kIo);
  EXPECT_THAT(open.error, HasSubstr("chmod 600"));
  EXPECT_TRUE(served.Finish().empty());
}

}  // namespace
}  // namespace tools
