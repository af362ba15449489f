#include "tools/os/web/web_reply.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

constexpr size_t kBodyBytesMax = 1000;

// What is read of `bytes` in pieces of `step`, then of the connection's end: the status, the date,
// the body and whether the connection may go on, or an error.
std::string Read(absl::string_view bytes, size_t step = SIZE_MAX, bool is_to_head = false) {
  ReplyParser parser(is_to_head, kBodyBytesMax);
  while (!parser.is_done() && !bytes.empty()) {
    const absl::string_view piece = bytes.substr(0, step);
    const auto taken = parser.Take(piece);
    if (!taken.ok()) return std::string(absl::StatusCodeToString(taken.status().code()));
    EXPECT_TRUE(*taken == piece.size() || parser.is_done());
    bytes.remove_prefix(*taken);
  }
  if (!parser.is_done()) {
    const absl::Status status = parser.TakeEnd();
    if (!status.ok()) return std::string(absl::StatusCodeToString(status.code()));
  }
  const WebReply reply = parser.reply();
  return absl::StrCat(reply.status, "|", reply.date, "|", reply.body, "|",
                      parser.keeps_alive() ? "keeps" : "ends", bytes.empty() ? "" : "|rest");
}

// The same, however the bytes are cut.
std::string ReadCut(absl::string_view bytes, bool is_to_head = false) {
  const std::string whole = Read(bytes, SIZE_MAX, is_to_head);
  for (size_t step = 1; step < 8; ++step) EXPECT_EQ(Read(bytes, step, is_to_head), whole) << step;
  return whole;
}

TEST(WebReply, IsReadHoweverItIsCut) {
  EXPECT_EQ(ReadCut("HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 5\r\n\r\nhello"),
            "200|now|hello|keeps");
  EXPECT_EQ(ReadCut("HTTP/1.1 201 \r\nContent-Length: 0\r\n\r\n"), "201|||keeps");
  EXPECT_EQ(ReadCut("HTTP/1.1 204 No Content\r\n\r\n"), "204|||keeps");
  EXPECT_EQ(ReadCut("HTTP/1.1 500 Oops\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno"),
            "500||no|ends");
  EXPECT_EQ(ReadCut("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"), "200||ok|ends");
}

TEST(WebReply, IsReadInChunks) {
  EXPECT_EQ(ReadCut("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"),
            "200||abc0123456789|keeps");
  const absl::string_view empty = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
  EXPECT_EQ(ReadCut(absl::StrCat(empty, "\r\n")), "200|||keeps");
  EXPECT_EQ(ReadCut(absl::StrCat(empty, "T: t\r\n\r\n")), "200|||keeps");
  EXPECT_EQ(ReadCut(absl::StrCat(empty, "T")), "UNAVAILABLE");
}

TEST(WebReply, WithoutALengthEndsWithTheConnection) {
  EXPECT_EQ(ReadCut("HTTP/1.1 200 OK\r\n\r\nall of it"), "200||all of it|ends");
}

TEST(WebReply, ToHeadHasNoBody) {
  EXPECT_EQ(ReadCut("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", /*is_to_head=*/true),
            "200|||keeps");
}

TEST(WebReply, InterimOnesAreSkipped) {
  EXPECT_EQ(ReadCut("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
                    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"),
            "200||x|keeps");
}

TEST(WebReply, WhatFollowsIsNotTaken) {
  EXPECT_EQ(Read("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n"),
            "200||x|keeps|rest");
}

TEST(WebReply, OneThatIsNotWholeIsAnError) {
  const std::string whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(Read(absl::string_view(whole).substr(0, size)), "UNAVAILABLE") << size;
  }
  EXPECT_EQ(ReadCut("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
            "UNAVAILABLE");
}

TEST(WebReply, BytesThatAreNoReplyAreAnError) {
  for (const absl::string_view bytes :
       {"garbage\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"}) {
    EXPECT_EQ(ReadCut(bytes), "DATA_LOSS") << bytes;
  }
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte.push_back(static_cast<char>(byte));
  EXPECT_EQ(ReadCut(every_byte + "\r\n\r\n"), "DATA_LOSS");
}

TEST(WebReply, OneThatIsTooLargeIsAnError) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  EXPECT_EQ(ReadCut(absl::StrCat(ok, "Content-Length: 1001\r\n\r\n")), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(ReadCut(absl::StrCat(ok, "\r\n", std::string(1001, 'x'))), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(ReadCut(absl::StrCat(ok, "Transfer-Encoding: chunked\r\n\r\n3e9\r\n",
                                 std::string(1001, 'x'), "\r\n0\r\n\r\n")),
            "RESOURCE_EXHAUSTED");
  EXPECT_EQ(Read(absl::StrCat(ok, "X: ", std::string(70'000, 'x'), "\r\n\r\n"), 999),
            "RESOURCE_EXHAUSTED");
  EXPECT_EQ(
      Read(absl::StrCat(ok, "Transfer-Encoding: chunked\r\n\r\n1;", std::string(200'000, 'x')),
           999),
      "RESOURCE_EXHAUSTED");
}

}  // namespace
}  // namespace tools
