#include "engine/wire/http/http_reader.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/http/testing/conversations.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

std::string Read(absl::string_view bytes) { return ReadHttp(bytes, bytes.size() + 1); }

constexpr absl::string_view kHost = "Host: a\r\n";
const std::string kGet = absl::StrCat("GET / HTTP/1.1\r\n", kHost);

TEST(HttpReader, ReadsARequest) {
  EXPECT_EQ(Read("POST /a%2Fb?c=1&d=? HTTP/1.1\r\nhost: x:80\r\nContent-LENGTH: 5\r\n"
                 "KALSHI-ACCESS-KEY: \t k 1 \t\r\n\r\nhello"),
            "POST /a%2Fb ?c=1&d=? 1.1 keep\nhost=x:80\nContent-LENGTH=5\nKALSHI-ACCESS-KEY=k 1\n"
            "[hello]\n");
}

TEST(HttpReader, FindsFieldsWithoutCase) {
  HttpReader reader;
  const std::string bytes = absl::StrCat(kGet, "Aa: 1\r\naA: 2\r\nConnection: x, Upgrade\r\n\r\n");
  ASSERT_EQ(reader.Take(AsBytes(bytes)), bytes.size());
  EXPECT_EQ(reader.request().Find("AA"), "1");
  EXPECT_EQ(reader.request().Find("b"), std::nullopt);
  EXPECT_TRUE(reader.request().HasToken("connection", "upgrade"));
  EXPECT_FALSE(reader.request().HasToken("connection", "up"));
}

TEST(HttpReader, ReadsPipelinedRequests) {
  EXPECT_EQ(Read(absl::StrCat(kGet, "Content-Length: 2\r\n\r\nabPUT /x HTTP/1.0\r\n\r\n\r\n",
                              "GET /y? HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
                              "GET /z HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\nG")),
            "GET / ? 1.1 keep\nHost=a\nContent-Length=2\n[ab]\nPUT /x ? 1.0 close\n[]\n"
            "GET /y ? 1.0 keep\nConnection=keep-alive\n[]\n"
            "GET /z ? 1.1 close\nHost=\nConnection=close\n[]\nmore");
}

TEST(HttpReader, SaysWhenAContinueIsDue) {
  const std::string head = absl::StrCat(kGet, "Expect: 100-Continue\r\n");
  EXPECT_EQ(Read(absl::StrCat(head, "Content-Length: 1\r\n\r\n")), "continue\nmore");
  EXPECT_EQ(Read(absl::StrCat(head, "Content-Length: 1\r\n\r\nx")),
            "continue\nGET / ? 1.1 keep\nHost=a\nExpect=100-Continue\nContent-Length=1\n[x]\n");
  EXPECT_EQ(Read(absl::StrCat(head, "\r\n")),
            "GET / ? 1.1 keep\nHost=a\nExpect=100-Continue\n[]\n");
  EXPECT_EQ(Read(absl::StrCat(head, "Content-Length: 1048577\r\n\r\n")),
            "413 the body is too long");
}

TEST(HttpReader, TakesALongBodyAndNoLonger) {
  const std::string body(kHttpBodyBytesMax, 'x');
  EXPECT_EQ(ReadHttp(absl::StrCat(kGet, "Content-Length: 1048576\r\n\r\n", body), 5000),
            absl::StrCat("GET / ? 1.1 keep\nHost=a\nContent-Length=1048576\n[", body, "]\n"));
}

// However the bytes are cut.
TEST(HttpReader, ShowsAHeadBeforeItsBody) {
  const std::string head = absl::StrCat(kGet, "Content-Length: 3\r\n\r\n");
  const std::string bytes = absl::StrCat(head, "abc", kGet, "\r\n");
  HttpReader reader;
  EXPECT_EQ(reader.Take(AsBytes(bytes)), head.size());
  ASSERT_TRUE(reader.has_head());
  EXPECT_EQ(reader.head().body_bytes, 3u);
  EXPECT_EQ(reader.head().path, "/");
  EXPECT_FALSE(reader.has_request());
  EXPECT_EQ(reader.Take(AsBytes(bytes).subspan(head.size())), 3u);
  EXPECT_FALSE(reader.has_head());
  EXPECT_EQ(reader.request().body, "abc");
  reader.Next();
  EXPECT_EQ(reader.Take(AsBytes(bytes).subspan(head.size() + 3)), bytes.size() - head.size() - 3);
  EXPECT_FALSE(reader.has_head()) << "no body follows";
  EXPECT_TRUE(reader.has_request());
}

struct Refusal {
  std::string bytes;
  int status = 0;
};

std::string Fields(absl::string_view fields) { return absl::StrCat(kGet, fields, "\r\n\r\n"); }

std::string Chunked(absl::string_view body) {
  return absl::StrCat(kGet, "Transfer-Encoding: chunked\r\n\r\n", body);
}

std::vector<Refusal> Refusals() {
  const std::string kLong(17000, 'x');
  std::string many;
  for (int i = 0; i < 101; ++i) absl::StrAppend(&many, "a: b\r\n");
  return {
      // The request line.
      {Fields("").replace(0, 3, "get"), 501},
      {Fields("").replace(0, 3, "CONNECT"), 501},
      {Fields("").replace(0, 3, "G(T"), 400},
      {Fields("").replace(0, 3, ""), 400},
      {Fields("").replace(4, 1, "http://a/"), 400},
      {Fields("").replace(4, 1, "*"), 400},
      {Fields("").replace(4, 1, "/#a"), 400},
      {Fields("").replace(4, 1, "/ b"), 400},
      {Fields("").replace(4, 1, "/\x80"), 400},
      {Fields("").replace(4, 1, ""), 400},
      {"GET /\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
      {"GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505},
      {"GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505},
      {"GET / HTTX/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/1.10\r\nHost: a\r\n\r\n", 400},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
      {"\r\n\r\n", 400},
      {"\x16\x03\x01", 400},
      // Its characters.
      {std::string("GET /\0 HTTP/1.1\r\n", 17), 400},
      {absl::StrCat("GET / HTTP/1.1\r\nA: b", absl::string_view("\0", 1)), 400},
      {"GET / HTTP/1.1\nHost: a\n\n", 400},
      {"GET / HTTP/1.1\r\nA: b\rc", 400},
      {Fields("A: b\r\n c"), 400},
      {Fields("A: b\r\n\tc"), 400},
      {"GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400},
      {Fields("A : b"), 400},
      {Fields(": b"), 400},
      {Fields("A"), 400},
      // Its fields.
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {Fields("Host: b"), 400},
      {"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
      {Fields("Content-Length: 1\r\nContent-Length: 2"), 400},
      {Fields("Content-Length: 1, 2"), 400},
      {Fields("Content-Length: -1"), 400},
      {Fields("Content-Length: +1"), 400},
      {Fields("Content-Length: 0x1"), 400},
      {Fields("Content-Length:"), 400},
      {Fields("Content-Length: 99999999999999999999"), 400},
      {Fields("Content-Length: 1048577"), 413},
      {Fields("Content-Length: 1\r\nTransfer-Encoding: chunked"), 400},
      {Fields("Transfer-Encoding: chunked\r\nContent-Length: 1"), 400},
      {Fields("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"), 400},
      {Fields("Transfer-Encoding: gzip, chunked"), 501},
      {Fields("Transfer-Encoding: chunked, gzip"), 501},
      {Fields("Transfer-Encoding: xchunked"), 501},
      {Fields("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked"), 501},
      {"GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {Fields("Expect: 200-ok"), 417},
      {Fields("Connection: @"), 400},
      // Its size.
      {absl::StrCat("GET /", kLong), 414},
      {Fields(absl::StrCat("A: ", kLong)), 431},
      {Fields(many), 431},
      {Chunked("1\r\na\r\n0\r\n\r\n"), 501},
      {Chunked("38886;e=\"f2\r\nab\r\n1\r\nc\r\n1\r\n/: t\r\n\r\n"), 501},
  };
}

TEST(HttpReader, RefusesHostileInputHoweverItIsCut) {
  for (const Refusal& refusal : Refusals()) {
    SCOPED_TRACE(refusal.bytes.substr(0, 200));
    const std::string whole = Read(refusal.bytes);
    const std::string expected = refusal.status == 0 ? "more" : absl::StrCat(refusal.status, " ");
    EXPECT_EQ(whole.substr(0, expected.size()), expected);
    for (const size_t chunk : {1, 2, 3, 7, 4095, 4096}) {
      EXPECT_EQ(ReadHttp(refusal.bytes, chunk), whole) << chunk;
    }
  }
}

TEST(HttpReader, TakesHeadsUpToTheLimitsHoweverTheyAreCut) {
  const auto with_line = [](size_t bytes) {
    return absl::StrCat("GET /", std::string(bytes - 14, 'x'), " HTTP/1.1\r\n", kHost, "\r\n");
  };
  const auto with_head = [](size_t bytes) {
    const std::string fields = absl::StrCat(kHost, "A: ");
    return absl::StrCat("GET / HTTP/1.1\r\n", fields, std::string(bytes - fields.size() - 20, 'x'),
                        "\r\n\r\n");
  };
  for (const size_t chunk : {size_t{1}, size_t{4096}, size_t{20'000}}) {
    EXPECT_EQ(ReadHttp(with_line(kHttpRequestLineBytesMax), chunk).substr(0, 4), "GET ");
    EXPECT_EQ(ReadHttp(with_line(kHttpRequestLineBytesMax + 1), chunk).substr(0, 3), "414");
    EXPECT_EQ(ReadHttp(with_head(kHttpHeadBytesMax), chunk).substr(0, 4), "GET ");
    EXPECT_EQ(ReadHttp(with_head(kHttpHeadBytesMax + 1), chunk).substr(0, 3), "431");
  }
}

TEST(HttpReader, DropsWhatFollowsAnError) {
  HttpReader reader;
  EXPECT_EQ(reader.Take(AsBytes("\n and more")), 10u);
  EXPECT_TRUE(reader.has_error());
  EXPECT_EQ(reader.Take(AsBytes("GET")), 3u);
  EXPECT_TRUE(reader.is_idle());
}

TEST(HttpReader, ReadsTheSameHoweverItIsCut) {
  const std::string bytes = absl::StrCat(
      "\r\nPOST /a?b HTTP/1.1\r\n", kHost, "Expect: 100-continue\r\nContent-Length: 3\r\n\r\nxyz",
      kGet, "Content-Length: 2\r\n\r\nab", "OPTIONS * HTTP/1.0\r\n\r\n", kGet);
  const std::string whole = Read(bytes);
  for (size_t chunk = 1; chunk < bytes.size(); ++chunk) {
    EXPECT_EQ(ReadHttp(bytes, chunk), whole) << chunk;
  }
  for (size_t cut = 1; cut < bytes.size(); ++cut) {
    HttpReader reader;
    size_t requests = 0;
    for (absl::string_view part :
         {absl::string_view(bytes).substr(0, cut), absl::string_view(bytes).substr(cut)}) {
      while (!part.empty()) {
        part.remove_prefix(reader.Take(AsBytes(part)));
        if (!reader.has_request()) continue;
        ++requests;
        reader.Next();
      }
    }
    EXPECT_EQ(requests, 3u) << cut;
    EXPECT_FALSE(reader.has_error()) << cut;
  }
}

std::string RandomRequest() {
  const auto word = [] {
    return *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z')));
  };
  std::string bytes = absl::StrCat("POST /", word(), "?", word(), " HTTP/1.1\r\n", kHost);
  const int fields = *rc::gen::inRange(0, 5);
  for (int i = 0; i < fields; ++i) absl::StrAppend(&bytes, "X-", word(), ": ", word(), "\r\n");
  const auto body = *rc::gen::arbitrary<std::string>();
  return absl::StrCat(bytes, "Content-Length: ", body.size(), "\r\n\r\n", body);
}

RC_GTEST_PROP(HttpReader, ReadsRandomRequestsHoweverTheyAreCut, ()) {
  std::string bytes;
  std::string expected;
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    const std::string request = RandomRequest();
    expected += Read(request);
    bytes += request;
  }
  RC_ASSERT(ReadHttp(bytes, *rc::gen::inRange<size_t>(1, bytes.size() + 1)) == expected);
  RC_ASSERT(expected.find("400") != 0);
}

}  // namespace
}  // namespace engine
