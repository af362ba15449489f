// A client over the loopback, of a server that does what each test says.

#include "tools/os/web/web_client.h"

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/os/clocks.h"
#include "tools/os/crypto/certificate.h"
#include "tools/os/output_folder.h"
#include "tools/os/private_file.h"
#include "tools/os/thread.h"
#include "tools/os/web/testing/scripted_server.h"

namespace tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kHour = int64_t{3600} * 1000 * kMillisecond;

// What a client reports, a line each.
class ReportLog final : public WebHandler {
 public:
  void OnReply(uint64_t id, const WebReply& reply) override {
    Add(absl::StrCat("reply ", id, " ", reply.status, " ", reply.body,
                     reply.date.empty() ? "" : " of ", reply.date));
  }
  void OnRequestFailed(uint64_t id, const absl::Status& why, bool may_have_arrived) override {
    Add(absl::StrCat("failed ", id, may_have_arrived ? " unclear " : " unsent ", why.ToString()));
  }
  void OnFeedOpen() override { Add("open"); }
  void OnFrame(absl::string_view text) override { Add(absl::StrCat("frame ", text)); }
  void OnFeedClosed(const absl::Status& why) override {
    Add(absl::StrCat("closed ", why.ToString()));
  }

  std::vector<std::string> lines;
  std::function<void()> on_report;  // Called after the line is added, if set.

 private:
  void Add(std::string line) {
    lines.push_back(std::move(line));
    if (on_report) on_report();
  }
};

std::string Reply(absl::string_view body, absl::string_view fields = "") {
  return absl::StrCat("HTTP/1.1 200 OK\r\n", fields, "Content-Length: ", body.size(), "\r\n\r\n",
                      body);
}

ServerIdentity MakeIdentity() {
  SystemClock clock;
  std::string key = MakeServerKey().value();
  std::string certificate = MakeLocalCertificate(key, "", clock.Now()).value();
  return {.certificate = std::move(certificate), .key = std::move(key)};
}

const ServerIdentity& Identity() {
  static const ServerIdentity identity = MakeIdentity();
  return identity;
}

class WebClientTest : public testing::Test {
 protected:
  explicit WebClientTest(const std::optional<ServerIdentity>& identity = std::nullopt)
      : server_(identity) {
    terms_.rest = {
        .is_tls = identity.has_value(), .host = "127.0.0.1", .port = server_.port(), .path = ""};
    terms_.feed = terms_.rest;
    terms_.feed.path = "/feed?v=1";
    // No test waits for them, unless it sets others.
    terms_.connect_timeout_nanos = kHour;
    terms_.reply_timeout_nanos = kHour;
    terms_.ping_nanos = kHour;
  }

  void Start() { client_ = WebClient::Make(terms_, log_).value(); }

  void Turns(int count) {
    for (int turn = 0; turn < count; ++turn) {
      server_.Turn();
      client_->RunFor(0);
    }
  }

  // Fails the test if `is_done` does not become true.
  void RunUntil(const std::function<bool()>& is_done) {
    for (int turn = 0; turn < 60'000; ++turn) {
      server_.Turn();
      if (is_done()) return;
      client_->RunFor(kMillisecond);
    }
    FAIL() << "did not happen; reports: " << testing::PrintToString(log_.lines);
  }
  void RunUntilReports(size_t count) {
    RunUntil([&] { return log_.lines.size() >= count; });
  }
  void RunUntilReceived(size_t connection, absl::string_view text) {
    RunUntil([&] {
      return server_.connection_count() > connection &&
             absl::StrContains(server_.received(connection), text);
    });
  }

  void Get(uint64_t id, absl::string_view target = "/") {
    client_->Send(id, {.method = "GET", .target = target});
  }
  void Post(uint64_t id, absl::string_view body = "{}") {
    client_->Send(id, {.method = "POST", .target = "/", .body = body});
  }

  // Connection 0 answers a request, and is idle then.
  void MakeIdle() {
    Get(0, "/first");
    RunUntilReceived(0, "/first");
    server_.Forget(0);
    server_.Send(0, Reply("first"));
    RunUntilReports(1);
    log_.lines.clear();
  }

  void OpenFeed(size_t connection = 0) {
    client_->OpenFeed({});
    RunUntilReceived(connection, "\r\n\r\n");
    server_.Send(connection, UpgradeReply(server_.received(connection)));
    server_.Forget(connection);
    RunUntilReports(1);
    EXPECT_THAT(log_.lines, ElementsAre("open"));
    log_.lines.clear();
  }

  // The next frame of the client.
  std::string ClientFrame(uint8_t expected_head, size_t connection = 0) {
    uint8_t head = 0;
    std::optional<std::string> payload;
    RunUntil([&] {
      absl::string_view bytes = server_.received(connection);
      payload = TakeClientFrame(bytes, head);
      return payload.has_value();
    });
    EXPECT_EQ(head, expected_head);
    server_.Forget(connection);
    return payload.value_or("");
  }

  WebTerms terms_;
  ReportLog log_;
  ScriptedServer server_;
  std::unique_ptr<WebClient> client_;
};

TEST_F(WebClientTest, RequestArrivesAsItWasGivenAndIsAnswered) {
  Start();
  const std::vector<WebHeader> headers = {{"KEY", "k"}};
  client_->Send(7, {.method = "POST", .target = "/a?b=c", .headers = headers, .body = "{\"x\":1}"});
  RunUntilReceived(0, "{\"x\":1}");
  EXPECT_EQ(server_.received(0),
            absl::StrCat("POST /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:", server_.port(),
                         "\r\nKEY: k\r\nContent-Length: 7\r\n\r\n{\"x\":1}"));
  server_.Send(0, Reply("done", "Date: today\r\n"));
  RunUntilReports(1);
  EXPECT_THAT(log_.lines, ElementsAre("reply 7 200 done of today"));
}

TEST_F(WebClientTest, ReplyMayComeInPieces) {
  Start();
  Get(1);
  RunUntilReceived(0, "\r\n\r\n");
  for (const char byte : Reply("in pieces")) {
    EXPECT_THAT(log_.lines, IsEmpty());
    server_.Send(0, absl::string_view(&byte, 1));
    Turns(3);
  }
  RunUntilReports(1);
  EXPECT_THAT(log_.lines, ElementsAre("reply 1 200 in pieces"));
}

TEST_F(WebClientTest, ConnectionIsKeptForTheNextRequest) {
  Start();
  MakeIdle();
  for (int i = 1; i <= 3; ++i) {
    Get(i, absl::StrCat("/", i));
    RunUntilReceived(0, absl::StrCat("/", i));
    server_.Send(0, Reply("again"));
    RunUntilReports(i);
  }
  EXPECT_EQ(server_.connection_count(), 1);
  EXPECT_EQ(log_.lines.back(), "reply 3 200 again");
}

TEST_F(WebClientTest, ConnectionThatTheReplyEndsIsNotUsedAgain) {
  Start();
  Get(1);
  RunUntilReceived(0, "\r\n\r\n");
  server_.Send(0, Reply("", "Connection: close\r\n"));
  RunUntilReports(1);
  Get(2, "/2");
  RunUntilReceived(1, "/2");
  RunUntil([&] { return server_.has_ended(0); });
}

TEST_F(WebClientTest, OneRequestAtATimeOnAConnectionAndTheOthersInOrder) {
  terms_.connections_max = 2;
  Start();
  for (int i = 1; i <= 5; ++i) Get(i, absl::StrCat("/", i));
  RunUntilReceived(0, "\r\n\r\n");
  RunUntilReceived(1, "\r\n\r\n");
  Turns(20);
  EXPECT_EQ(server_.connection_count(), 2);
  const size_t first = absl::StrContains(server_.received(0), "/1") ? 0 : 1;
  EXPECT_FALSE(absl::StrContains(server_.received(first), "/3"));
  server_.Send(first, Reply("a"));
  RunUntilReceived(first, "/3");
  server_.Send(first, Reply("b"));
  RunUntilReceived(first, "/4");
  server_.Send(1 - first, Reply("c"));
  RunUntilReceived(1 - first, "/5");
  EXPECT_THAT(log_.lines, ElementsAre("reply 1 200 a", "reply 3 200 b", "reply 2 200 c"));
}

TEST_F(WebClientTest, ReplyBeforeTheRequestIsWholeEndsTheConnection) {
  Start();
  Post(1, std::string(size_t{40} << 20, 'x'));
  RunUntil([&] { return server_.connection_count() == 1; });
  server_.Send(0, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
  server_.Turn();
  RunUntilReports(1);
  EXPECT_EQ(log_.lines.at(0), "reply 1 413 ");
}

TEST_F(WebClientTest, LargeRequestsAndRepliesArriveWhole) {
  Start();
  std::string large;
  for (int i = 0; large.size() < (size_t{3} << 20); ++i) absl::StrAppend(&large, i, ",");
  Post(1, large);
  RunUntilReceived(0, large);
  server_.Send(0, Reply(large));
  RunUntilReports(1);
  EXPECT_TRUE(log_.lines.at(0) == absl::StrCat("reply 1 200 ", large));
}

TEST_F(WebClientTest, ReplyThatIsTooLargeFails) {
  terms_.reply_bytes_max = 10;
  Start();
  Get(1);
  RunUntilReceived(0, "\r\n\r\n");
  server_.Send(0, Reply("eleven byte"));
  RunUntilReports(1);
  EXPECT_THAT(log_.lines.at(0), StartsWith("failed 1 unclear RESOURCE_EXHAUSTED: "));
  Get(2, "/2");
  RunUntilReceived(1, "/2");
}

TEST_F(WebClientTest, GarbageFails) {
  Start();
  Get(1);
  RunUntilReceived(0, "\r\n\r\n");
  server_.Send(0, "SSH-2.0-OpenSSH_9.2\r\n\r\n");
  RunUntilReports(1);
  EXPECT_THAT(log_.lines.at(0), StartsWith("failed 1 unclear DATA_LOSS: "));
}

TEST_F(WebClientTest, BytesWithoutARequestEndTheConnection) {
  Start();
  MakeIdle();
  server_.Send(0, "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n");
  RunUntil([&] { return server_.has_ended(0); });
  Get(1, "/1");
  RunUntilReceived(1, "/1");
  EXPECT_THAT(log_.lines, IsEmpty());
}

TEST_F(WebClientTest, SecondReplyIsNotThatOfTheNextRequest) {
  Start();
  Get(1, "/1");
  RunUntilReceived(0, "/1");
  server_.Send(0, Reply("one") + Reply("two"));
  RunUntilReports(1);
  Get(2, "/2");
  RunUntilReceived(1, "/2");
  EXPECT_THAT(log_.lines, ElementsAre("reply 1 200 one"));
}

TEST_F(WebClientTest, EndBeforeTheReplyFailsOnANewConnection) {
  Start();
  Get(1);
  RunUntilReceived(0, "\r\n\r\n");
  server_.Close(0);
  RunUntilReports(1);
  EXPECT_THAT(log_.lines.at(0), StartsWith("failed 1 unclear UNAVAILABLE: "));
  Get(2, "/2");
  RunUntilReceived(1, "/2");
  server_.Send(1, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel");
  server_.Abort(1);
  RunUntilReports(2);
  EXPECT_THAT(log_.lines.at(1), StartsWith("failed 2 unclear UNAVAILABLE: "));
}

TEST_F(WebClientTest, EndOfAnIdleConnectionIsNoError) {
  Start();
  MakeIdle();
  server_.Close(0);
  RunUntil([&] { return server_.has_ended(0); });
  Post(1, "one");
  RunUntilReceived(1, "one");
  server_.Send(1, Reply("new"));
  RunUntilReports(1);
  EXPECT_THAT(log_.lines, ElementsAre("reply 1 200 new"));
}

TEST_F(WebClientTest, NorIsAnEndThatTheLoopHasNotNoticed) {
  Start();
  // The loopback may be late with the end. Then a request is unclear, and the next attempt counts.
  for (int attempt = 0; attempt < 100; ++attempt) {
    log_.lines.clear();
    const size_t last = server_.connection_count();
    Get(0, "/first");
    RunUntilReceived(last, "/first");
    server_.Send(last, Reply("first"));
    RunUntilReports(1);
    server_.Close(last);
    Post(1, "one");
    RunUntil([&] { return server_.connection_count() > last + 1 || log_.lines.size() > 1; });
    if (log_.lines.size() > 1) continue;
    RunUntilReceived(last + 1, "one");
    return;
  }
  FAIL() << "it was late each time";
}

TEST_F(WebClientTest, GetOnAnIdleConnectionThatEndsIsSentAgainOnce) {
  Start();
  MakeIdle();
  Get(1, "/1");
  RunUntilReceived(0, "/1");
  server_.Close(0);
  RunUntilReceived(1, "/1");
  EXPECT_THAT(log_.lines, IsEmpty());
  server_.Close(1);
  RunUntilReports(1);
  EXPECT_THAT(log_.lines.at(0), StartsWith("failed 1 unclear UNAVAILABLE: "));
  Turns(20);
  EXPECT_EQ(server_.connection_count(), 2);
}

TEST_F(WebClientTest, GetThatHasBegunToBeAnsweredIsNotSentAgain) {
  Start();
  MakeIdle();
  Get(1, "/1");
  RunUntilReceived(0, "/1");
  server_.Send(0, "H");
  Turns(20);
  server_.Close(0);
  RunUntilReports(1);
  EXPECT_THAT(log_.lines.at(0), StartsWith("failed 1 unclear UNAVAILABLE: "));
  EXPECT_EQ(server_.connection_count(), 1);
}

TEST_F(WebClientTest, PostOnAnIdleConnectionThatEndsIsUnclear) {
  Start();
  MakeIdle();
  Post(1, "one");
  RunUntilReceived(0, "one");
  server_.Abort(0);
  RunUntilReports(1);
  EXPECT_THAT(log_.lines.at(0), StartsWith("failed 1 unclear UNAVAILABLE: "));
  Turns(20);
  EXPECT_EQ(server_.connection_count(), 1);
}

TEST_F(WebClientTest, NoReplyInTimeFailsAndEndsTheConnection) {
  terms_.reply_timeout_nanos = 20 * kMillisecond;
  Start();
  Get(1, "/1");
  RunUntilReports(1);
  EXPECT_EQ(log_.lines.at(0), absl::StrCat("failed 1 unclear DEADLINE_EXCEEDED: no reply of "
                                           "127.0.0.1:",
                                           server_.port(), " within 20 ms"));
  RunUntil([&] { return server_.connection_count() == 1 && server_.has_ended(0); });
  EXPECT_EQ(log_.lines.size(), 1);
}

TEST_F(WebClientTest, ServerThatIsNotThereFailsWithItsAddress) {
  terms_.rest.port = [] { return ScriptedServer().port(); }();  // Its listener is gone.
  terms_.feed.port = terms_.rest.port;
  Start();
  Get(1);
  client_->OpenFeed({});
  RunUntilReports(2);
  const std::string why = absl::StrCat(
      "UNAVAILABLE: cannot connect to 127.0.0.1:", terms_.rest.port, ": Connection refused");
  EXPECT_THAT(log_.lines, testing::UnorderedElementsAre(absl::StrCat("failed 1 unsent ", why),
                                                        absl::StrCat("closed ", why)));
}

TEST_F(WebClientTest, HostIsFoundByItsName) {
  terms_.rest.host = "localhost";
  Start();
  Get(1, "/1");
  RunUntilReceived(0, "/1");
  EXPECT_THAT(std::string(server_.received(0)),
              HasSubstr(absl::StrCat("Host: localhost:", server_.port(), "\r\n")));
}

TEST_F(WebClientTest, HostThatDoesNotExistFails) {
  terms_.rest.host = absl::StrCat(std::string(64, 'x'), ".invalid");  // No label is as long.
  Start();
  Get(1);
  RunUntilReports(1);
  EXPECT_THAT(log_.lines.at(0),
              HasSubstr(absl::StrCat("cannot find the host of ", terms_.rest.host)));
}

TEST_F(WebClientTest, RequestThatIsNoneOfHttpFailsUnsent) {
  Start();
  Get(1, "/a\r\nX: y");
  const std::vector<WebHeader> headers = {{"KEY", "s3cret\r\n"}};
  client_->Send(2, {.method = "GET", .target = "/", .headers = headers});
  EXPECT_THAT(log_.lines, IsEmpty()) << "only RunFor() reports";
  client_->RunFor(kHour);
  ASSERT_EQ(log_.lines.size(), 2);
  EXPECT_THAT(log_.lines.at(0), StartsWith("failed 1 unsent INVALID_ARGUMENT: "));
  EXPECT_THAT(log_.lines.at(1), StartsWith("failed 2 unsent INVALID_ARGUMENT: "));
  Turns(20);
  EXPECT_EQ(server_.connection_count(), 0);
}

TEST_F(WebClientTest, WaitingRequestsAreBounded) {
  terms_.connections_max = 1;
  Start();
  for (size_t i = 0; i < WebClient::kWaitingMax + 2; ++i) Get(i);
  Turns(1);
  ASSERT_FALSE(log_.lines.empty());
  EXPECT_THAT(log_.lines.at(0), StartsWith(absl::StrCat("failed ", WebClient::kWaitingMax + 1,
                                                        " unsent RESOURCE_EXHAUSTED: ")));
}

TEST_F(WebClientTest, DroppedRequestsAreNotReported) {
  terms_.connections_max = 2;
  Start();
  for (int i = 1; i <= 4; ++i) Get(i, absl::StrCat("/", i));
  RunUntilReceived(0, "\r\n\r\n");
  RunUntilReceived(1, "\r\n\r\n");
  Get(5, "no path");
  client_->DropRequests();
  server_.Send(0, Reply("late"));
  RunUntil([&] { return server_.has_ended(0) && server_.has_ended(1); });
  EXPECT_THAT(log_.lines, IsEmpty());
  Get(6, "/6");
  RunUntilReceived(2, "/6");
  server_.Send(2, Reply("six"));
  RunUntilReports(1);
  EXPECT_THAT(log_.lines, ElementsAre("reply 6 200 six"));
}

TEST_F(WebClientTest, HandlerMaySendAndDrop) {
  terms_.connections_max = 1;
  Start();
  Get(1, "/1");
  Get(2, "/2");
  log_.on_report = [&] {
    log_.on_report = nullptr;
    Get(3, "/3");
    client_->DropRequests();
    Get(4, "/4");
  };
  RunUntilReceived(0, "/1");
  server_.Send(0, Reply("one"));
  RunUntilReceived(1, "/4");
  EXPECT_FALSE(absl::StrContains(server_.received(1), "/2"));
  EXPECT_THAT(log_.lines, ElementsAre("reply 1 200 one"));
}

TEST_F(WebClientTest, EndsWithAllInProgress) {
  Start();
  MakeIdle();
  for (int i = 1; i <= 10; ++i) Post(i, std::string(100'000, 'x'));
  client_->OpenFeed({});
  Turns(3);
  client_.reset();
  Start();
  terms_.rest.host = "localhost";
  Get(1);
  client_.reset();
}

TEST_F(WebClientTest, WakeEndsTheWait) {
  Start();
  client_->Wake();
  client_->RunFor(kHour);  // The next one.
  const Thread other("other", [&] { client_->Wake(); });
  client_->RunFor(kHour);
  EXPECT_THAT(log_.lines, IsEmpty());
}

TEST_F(WebClientTest, WaitEndsByItself) {
  Start();
  MonotonicClock clock;
  const engine::SteadyTime before = clock.Now();
  for (int i = 0; i < 20; ++i) client_->RunFor(kMillisecond / 2);
  EXPECT_GE(clock.Now() - before, 5 * kMillisecond) << "it waits, if nothing happens";
}

TEST_F(WebClientTest, AuthorityFileWithoutCertificatesIsRefused) {
  terms_.authority_file = "/dev/null";
  const auto client = WebClient::Make(terms_, log_);
  EXPECT_TRUE(absl::IsInvalidArgument(client.status())) << client.status();
  EXPECT_THAT(std::string(client.status().message()), HasSubstr("/dev/null"));
  terms_.authority_file = "/no/such/file";
  EXPECT_TRUE(absl::IsInvalidArgument(WebClient::Make(terms_, log_).status()));
}

TEST_F(WebClientTest, FeedAsksForItsPathWithItsHeaders) {
  Start();
  const std::vector<WebHeader> headers = {{"KEY", "k"}, {"TIME", "1"}};
  client_->OpenFeed(headers);
  RunUntilReceived(0, "\r\n\r\n");
  const std::string request(server_.received(0));
  EXPECT_THAT(request, StartsWith("GET /feed?v=1 HTTP/1.1\r\n"));
  EXPECT_THAT(request, HasSubstr(absl::StrCat("Host: 127.0.0.1:", server_.port(), "\r\n")));
  EXPECT_THAT(request, HasSubstr("\r\nKEY: k\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nTIME: 1\r\n"));
  EXPECT_FALSE(absl::StrContains(request, "permessage-deflate"));
}

TEST_F(WebClientTest, FramesArriveInOrderBothWays) {
  Start();
  OpenFeed();
  client_->SendFrame("{\"cmd\":1}");
  EXPECT_EQ(ClientFrame(0x81), "{\"cmd\":1}");
  client_->SendFrame(std::string(5'000, 'x'));
  EXPECT_EQ(ClientFrame(0x81), std::string(5'000, 'x'));
  std::string sent;
  for (int i = 0; i < 1'000; ++i) sent += ServerFrame(0x81, absl::StrCat("<", i, ">"));
  server_.Send(0, sent);
  RunUntilReports(1'000);
  for (int i = 0; i < 1'000; ++i) EXPECT_EQ(log_.lines.at(i), absl::StrCat("frame <", i, ">"));
}

TEST_F(WebClientTest, MessageMayBeCutIntoFramesAndFramesIntoPieces) {
  Start();
  OpenFeed();
  const std::string large(100'000, 'y');
  const std::string sent = absl::StrCat(ServerFrame(0x01, "one, "), ServerFrame(0x89, "ping"),
                                        ServerFrame(0x00, "two, "), ServerFrame(0x80, "three"));
  for (const char byte : sent) {
    server_.Send(0, absl::string_view(&byte, 1));
    Turns(2);
  }
  server_.Send(0, ServerFrame(0x81, large));
  RunUntilReports(2);
  EXPECT_EQ(log_.lines.at(0), "frame one, two, three");
  EXPECT_TRUE(log_.lines.at(1) == "frame " + large);
}

TEST_F(WebClientTest, FrameWithTheUpgradeIsNotLost) {
  Start();
  client_->OpenFeed({});
  RunUntilReceived(0, "\r\n\r\n");
  server_.Send(0, UpgradeReply(server_.received(0)) + ServerFrame(0x81, "early"));
  RunUntilReports(2);
  EXPECT_THAT(log_.lines, ElementsAre("open", "frame early"));
}

TEST_F(WebClientTest, PingIsAnsweredAndAPongIsNot) {
  Start();
  OpenFeed();
  server_.Send(0, ServerFrame(0x8A, "unasked") + ServerFrame(0x89, "heartbeat"));
  EXPECT_EQ(ClientFrame(0x8A), "heartbeat");
  EXPECT_THAT(log_.lines, IsEmpty());
}

TEST_F(WebClientTest, PingsByItselfAndBearsSilence) {
  terms_.ping_nanos = 5 * kMillisecond;
  Start();
  OpenFeed();
  for (int i = 0; i < 5; ++i) ClientFrame(0x89);
  EXPECT_THAT(log_.lines, IsEmpty());
}

TEST_F(WebClientTest, CloseOfTheServerIsReportedWithItsReason) {
  Start();
  OpenFeed();
  server_.Send(0, ServerFrame(0x88, "\x03\xe9going away"));
  RunUntilReports(1);
  EXPECT_THAT(log_.lines,
              ElementsAre("closed UNAVAILABLE: the server closed the feed: 1001 going away"));
  EXPECT_EQ(ClientFrame(0x88), "\x03\xe9");
}

TEST_F(WebClientTest, OpenFeedHasADescriptorOnWhichFramesArrive) {
  Start();
  EXPECT_EQ(client_->feed_descriptor(), -1);
  OpenFeed();
  const int descriptor = client_->feed_descriptor();
  server_.Send(0, ServerFrame(0x81, "tick"));
  server_.Turn();
  pollfd arrival = {.fd = descriptor, .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&arrival, 1, 10'000), 1);
  RunUntilReports(1);
  EXPECT_THAT(log_.lines, ElementsAre("frame tick"));
  client_->CloseFeed();
  EXPECT_EQ(client_->feed_descriptor(), -1);
}

TEST_F(WebClientTest, EndOfTheConnectionClosesTheFeed) {
  Start();
  OpenFeed();
  server_.Close(0);
  RunUntilReports(1);
  EXPECT_THAT(log_.lines, ElementsAre("closed UNAVAILABLE: the feed ended: the server ended the "
                                      "connection"));
  log_.lines.clear();
  OpenFeed(1);
  server_.Abort(1);
  RunUntilReports(1);
  EXPECT_THAT(log_.lines.at(0), StartsWith("closed UNAVAILABLE: the feed ended: "));
}

TEST_F(WebClientTest, BrokenProtocolClosesTheFeed) {
  Start();
  const std::string broken[] = {
      ServerFrame(0x81, "\xff\xfe"),                                // No UTF-8.
      ServerFrame(0x01, "\xc3") + ServerFrame(0x80, "x"),           // Nor across frames.
      ServerFrame(0xC1, "reserved bit"),                            //
      ServerFrame(0x83, "reserved opcode"),                         //
      ServerFrame(0x80, "continues nothing"),                       //
      ServerFrame(0x01, "one") + ServerFrame(0x81, "two"),          //
      ServerFrame(0x09, "ping in parts"),                           //
      ServerFrame(0x89, std::string(126, 'x')),                     // A large ping.
      ServerFrame(0x82, "binary"),                                  //
      ServerFrame(0x88, "x"),                                       // Half of a code.
      std::string("\x81\x85mask", 6) + "12345",                     // A masked frame.
      std::string("\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff", 10),  // 2^64 - 1 bytes.
      "HTTP/1.1 200 OK\r\n\r\n",
  };
  size_t connection = 0;
  for (const std::string& bytes : broken) {
    OpenFeed(connection);
    server_.Send(connection, bytes);
    RunUntilReports(1);
    EXPECT_EQ(log_.lines.size(), 1);
    EXPECT_THAT(log_.lines.at(0), testing::AnyOf(StartsWith("closed DATA_LOSS: "),
                                                 StartsWith("closed RESOURCE_EXHAUSTED: ")))
        << connection;
    log_.lines.clear();
    ++connection;
  }
}

TEST_F(WebClientTest, MessageThatIsTooLargeClosesTheFeed) {
  terms_.frame_bytes_max = 1'000;
  Start();
  OpenFeed();
  server_.Send(
      0, ServerFrame(0x81, std::string(1'000, 'x')) + ServerFrame(0x81, std::string(1'001, 'x')));
  RunUntilReports(2);
  EXPECT_EQ(log_.lines.at(0).size(), 1'006);
  EXPECT_EQ(log_.lines.at(1),
            "closed RESOURCE_EXHAUSTED: the feed ended: a message of more than 1000 bytes");
  log_.lines.clear();
  OpenFeed(1);
  server_.Send(1,
               ServerFrame(0x01, std::string(900, 'x')) + ServerFrame(0x80, std::string(900, 'x')));
  RunUntilReports(1);
  EXPECT_THAT(log_.lines.at(0), StartsWith("closed RESOURCE_EXHAUSTED: "));
}

TEST_F(WebClientTest, RefusedUpgradeIsReportedWithItsBody) {
  Start();
  client_->OpenFeed({});
  RunUntilReceived(0, "\r\n\r\n");
  server_.Send(0, "HTTP/1.1 401 Unauthorized\r\nContent-Length: 9\r\n\r\nno such k");
  RunUntilReports(1);
  EXPECT_EQ(log_.lines.at(0),
            "closed PERMISSION_DENIED: the server refused the upgrade to WebSocket: "
            "401 Unauthorized: no such k");
  log_.lines.clear();
  client_->OpenFeed({});
  RunUntilReceived(1, "\r\n\r\n");
  server_.Send(1, absl::StrCat("HTTP/1.1 503 Busy\r\nX: ", std::string(3'000, 'x'), "\r\n\r\n",
                               std::string(100'000, 'b')));
  server_.Close(1);
  RunUntilReports(1);
  EXPECT_EQ(log_.lines.at(0),
            absl::StrCat("closed UNAVAILABLE: the server refused the upgrade to WebSocket: "
                         "503 Busy: ",
                         std::string(512, 'b')));
}

TEST_F(WebClientTest, UpgradeThatIsNoneOfWebSocketIsReported) {
  Start();
  const std::pair<std::string, std::string> replies[] = {
      {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
       "Sec-WebSocket-Accept: bm90IHRoZSBoYXNoIG9mIGl0Lg==\r\n\r\n",
       "closed DATA_LOSS: "},
      {"HTTP/1.1 101 Switching Protocols\r\n\r\n", "closed DATA_LOSS: "},
      {"garbage\r\n\r\n", "closed DATA_LOSS: "},
      {absl::StrCat("HTTP/1.1 101 ", std::string(100'000, 'x')), "closed "},
  };
  size_t connection = 0;
  for (const auto& [reply, expected] : replies) {
    client_->OpenFeed({});
    RunUntilReceived(connection, "\r\n\r\n");
    server_.Send(connection, reply);
    RunUntilReports(1);
    EXPECT_THAT(log_.lines.at(0), StartsWith(expected));
    log_.lines.clear();
    ++connection;
  }
}

TEST_F(WebClientTest, NoUpgradeInTimeIsReported) {
  terms_.connect_timeout_nanos = 20 * kMillisecond;
  Start();
  client_->OpenFeed({});
  RunUntilReports(1);
  EXPECT_EQ(log_.lines.at(0), absl::StrCat("closed DEADLINE_EXCEEDED: no WebSocket of 127.0.0.1:",
                                           server_.port(), " within 20 ms"));
}

TEST_F(WebClientTest, FeedWithBadHeadersIsRefused) {
  Start();
  const std::vector<WebHeader> headers = {{"KEY", "a\r\nb"}};
  client_->OpenFeed(headers);
  EXPECT_THAT(log_.lines, IsEmpty());
  client_->RunFor(kHour);
  ASSERT_EQ(log_.lines.size(), 1);
  EXPECT_THAT(log_.lines.at(0), StartsWith("closed INVALID_ARGUMENT: "));
  log_.lines.clear();
  OpenFeed();
}

TEST_F(WebClientTest, ClosedFeedSaysGoodbyeAndReportsNothing) {
  Start();
  OpenFeed();
  client_->CloseFeed();
  EXPECT_EQ(ClientFrame(0x88), "\x03\xe8");
  server_.Send(0, ServerFrame(0x81, "late") + ServerFrame(0x88, "\x03\xe8"));
  RunUntil([&] { return server_.has_ended(0); });
  client_->CloseFeed();
  client_->SendFrame("nowhere");
  client_->OpenFeed({});
  client_->CloseFeed();
  EXPECT_THAT(log_.lines, IsEmpty());
  client_->OpenFeed({});
  const auto last = [&] { return server_.connection_count() - 1; };
  RunUntil([&] { return absl::StrContains(server_.received(last()), "GET /feed"); });
  server_.Send(last(), UpgradeReply(server_.received(last())));
  RunUntilReports(1);
  EXPECT_THAT(log_.lines, ElementsAre("open"));
}

TEST_F(WebClientTest, HandlerMayCloseAndOpenTheFeed) {
  Start();
  OpenFeed();
  log_.on_report = [&] {
    if (log_.lines.size() == 1) client_->OpenFeed({});  // After OnFeedClosed.
    if (log_.lines.size() == 2) client_->CloseFeed();   // After OnFeedOpen.
  };
  server_.Close(0);
  RunUntilReceived(1, "\r\n\r\n");
  server_.Send(1, UpgradeReply(server_.received(1)) + ServerFrame(0x81, "late"));
  RunUntilReports(2);
  EXPECT_EQ(log_.lines.at(1), "open");
  Turns(20);
  EXPECT_EQ(log_.lines.size(), 2);
}

TEST_F(WebClientTest, ServerThatDoesNotReadEndsTheFeed) {
  Start();
  OpenFeed();
  const std::string megabyte(size_t{1} << 20, 'x');
  for (int i = 0; i < 100; ++i) client_->SendFrame(megabyte);
  while (log_.lines.empty()) client_->RunFor(kMillisecond);
  EXPECT_THAT(log_.lines.at(0), StartsWith("closed RESOURCE_EXHAUSTED: "));
}

class WebClientTlsTest : public WebClientTest {
 protected:
  WebClientTlsTest() : WebClientTest(Identity()) {
    EXPECT_TRUE(WritePrivateFile(authority_, Identity().certificate).ok());
    terms_.authority_file = authority_;
  }

  const std::unique_ptr<TemporaryDirectory> folder_ = TemporaryDirectory::Make().value();
  const std::string authority_ = folder_->path() + "/authority.pem";
};

TEST_F(WebClientTlsTest, RequestsAndFramesPass) {
  terms_.rest.host = "localhost";
  Start();
  MakeIdle();
  std::string large;
  for (int i = 0; large.size() < (size_t{1} << 20); ++i) absl::StrAppend(&large, i, ",");
  Post(1, large);
  RunUntilReceived(0, large);
  server_.Send(0, Reply(large));
  RunUntilReports(1);
  EXPECT_TRUE(log_.lines.at(0) == absl::StrCat("reply 1 200 ", large));
  log_.lines.clear();
  OpenFeed(1);
  client_->SendFrame("{\"cmd\":1}");
  EXPECT_EQ(ClientFrame(0x81, 1), "{\"cmd\":1}");
  server_.Send(1, ServerFrame(0x81, large) + ServerFrame(0x89, "ping"));
  EXPECT_EQ(ClientFrame(0x8A, 1), "ping");
  RunUntilReports(1);
  EXPECT_TRUE(log_.lines.at(0) == "frame " + large);
}

TEST_F(WebClientTlsTest, IdleConnectionThatEndsIsReplaced) {
  Start();
  MakeIdle();
  server_.Close(0);
  RunUntil([&] { return server_.has_ended(0); });
  Post(1, "one");
  RunUntilReceived(1, "one");
  EXPECT_THAT(log_.lines, IsEmpty());
}

TEST_F(WebClientTlsTest, BodyWithoutALengthNeedsTheAlertOfTheEnd) {
  Start();
  Get(1, "/1");
  RunUntilReceived(0, "/1");
  server_.Send(0, "HTTP/1.1 200 OK\r\n\r\nall of it");
  server_.Close(0);
  RunUntilReports(1);
  EXPECT_EQ(log_.lines.at(0), "reply 1 200 all of it");
  Get(2, "/2");
  RunUntilReceived(1, "/2");
  server_.Send(1, "HTTP/1.1 200 OK\r\n\r\nall of it");
  Turns(20);
  server_.Abort(1);
  RunUntilReports(2);
  EXPECT_THAT(log_.lines.at(1), StartsWith("failed 2 unclear UNAVAILABLE: "));
}

TEST_F(WebClientTlsTest, CertificateThatIsNotTrustedIsRefused) {
  terms_.authority_file.clear();  // The system knows nothing of it.
  Start();
  Get(1);
  client_->OpenFeed({});
  RunUntilReports(2);
  const std::string place = absl::StrCat("127.0.0.1:", server_.port());
  for (const std::string& line : log_.lines) {
    EXPECT_THAT(line,
                HasSubstr(absl::StrCat("no TLS with ", place, ": its certificate is refused: ")));
  }
  EXPECT_EQ(server_.received(0), "");
}

TEST_F(WebClientTlsTest, CertificateOfAnotherHostIsRefused) {
  ScriptedServer other(Identity(), "127.0.0.2");
  terms_.rest.host = "127.0.0.2";
  terms_.rest.port = other.port();
  Start();
  Get(1);
  RunUntil([&] {
    other.Turn();
    return !log_.lines.empty();
  });
  EXPECT_THAT(log_.lines.at(0), StartsWith("failed 1 unsent UNAVAILABLE: no TLS with 127.0.0.2:"));
  EXPECT_THAT(log_.lines.at(0), HasSubstr("its certificate is refused: IP address mismatch"));
}

TEST_F(WebClientTlsTest, PlainClientFails) {
  terms_.rest.is_tls = false;
  Start();
  Get(1);
  RunUntilReports(1);
  EXPECT_THAT(log_.lines.at(0), StartsWith("failed 1 unclear UNAVAILABLE: "));
}

TEST_F(WebClientTest, ServerWithoutTlsFails) {
  terms_.rest.is_tls = true;
  Start();
  Get(1);
  RunUntil([&] { return server_.connection_count() == 1 && !server_.received(0).empty(); });
  server_.Send(0, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
  RunUntilReports(1);
  EXPECT_THAT(log_.lines.at(0), StartsWith("failed 1 unsent UNAVAILABLE: no TLS with 127.0.0.1:"));
}

}  // namespace
}  // namespace tools
