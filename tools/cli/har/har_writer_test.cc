#include "tools/cli/har/har_writer.h"

#include <rapidjson/document.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/wire/http/testing/conversations.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"
#include "tools/cli/har/testing/talk_rows.h"

namespace tools {
namespace {

using ::engine::ClientFrame;
using ::engine::WebSocketOpcode;
using ::testing::HasSubstr;

constexpr char kGet[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

std::string HarOf(const TalkRows& rows) {
  std::string out;
  HarWriter har("a test", [&](absl::string_view text) { absl::StrAppend(&out, text); });
  for (const TalkRecord& record : rows.records()) {
    EXPECT_TRUE(har.Add(record.row, engine::AsBytes(record.attachment)).ok());
  }
  EXPECT_TRUE(har.Finish().ok());
  return out;
}

// A HAR, with its entries by number.
class Har {
 public:
  explicit Har(const TalkRows& rows) : text_(HarOf(rows)) {
    document_.Parse(text_.c_str());
    EXPECT_FALSE(document_.HasParseError()) << text_;
  }

  size_t size() const { return document_["log"]["entries"].Size(); }
  const rapidjson::Value& operator[](unsigned at) const { return document_["log"]["entries"][at]; }
  int Status(unsigned at) const { return (*this)[at]["response"]["status"].GetInt(); }
  std::string Method(unsigned at) const { return (*this)[at]["request"]["method"].GetString(); }
  std::string Body(unsigned at) const {
    return (*this)[at]["response"]["content"]["text"].GetString();
  }
  std::string Comment(unsigned at) const {
    return (*this)[at].HasMember("comment") ? (*this)[at]["comment"].GetString() : "";
  }
  const rapidjson::Value& Messages(unsigned at) const { return (*this)[at]["_webSocketMessages"]; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  rapidjson::Document document_;
};

TalkRows Opened() {
  TalkRows rows;
  rows.Open(1);
  return rows;
}

TalkRows Upgraded() {
  TalkRows rows = Opened();
  rows.Receive(1, UpgradeRequest());
  rows.Send(1, UpgradeResponse());
  return rows;
}

// What passes in a session is read the same however it is cut.
TEST(HarWriterTest, ReadsBytesCutAnywhere) {
  const auto read = [](size_t chunk_bytes) {
    TalkRows rows = Opened();
    rows.CutInto(chunk_bytes);
    rows.Receive(1,
                 absl::StrCat("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", kGet));
    rows.Send(
        1, absl::StrCat("HTTP/1.1 100 Continue\r\n\r\n", Response(200, "one"), Response(404, "")));
    rows.Receive(1, UpgradeRequest());
    rows.Send(1, absl::StrCat(UpgradeResponse(), ServerFrame(WebSocketOpcode::kText, "first"),
                              ServerFrame(WebSocketOpcode::kText, std::string(70'000, 'x'))));
    rows.Receive(1, absl::StrCat(ClientFrame(WebSocketOpcode::kText, "a", 0),
                                 ClientFrame(WebSocketOpcode::kPing, ""),
                                 ClientFrame(WebSocketOpcode::kContinuation, "b")));
    rows.Close(1);
    const Har har(rows);
    std::string summary;
    for (unsigned at = 0; at < har.size(); ++at) {
      absl::StrAppend(&summary, har.Method(at), " ", har[at]["request"]["headersSize"].GetInt(),
                      " ", har.Status(at), " ", har.Body(at), har.Comment(at), "\n");
    }
    for (const auto& message : har.Messages(2).GetArray()) {
      absl::StrAppend(&summary, message["type"].GetString(), message["opcode"].GetInt(), " ",
                      message["data"].GetStringLength(), "\n");
    }
    return summary;
  };
  const std::string whole = read(SIZE_MAX);
  EXPECT_EQ(whole,
            "POST 47 200 one\nGET 27 404 \nGET 203 101 \n"
            "receive1 5\nreceive1 70000\nsend9 0\nsend1 2\n");
  for (const size_t chunk_bytes : {1, 2, 3, 7, 100, 1000}) EXPECT_EQ(read(chunk_bytes), whole);
}

TEST(HarWriterTest, ARequestWithoutResponseHasStatusZero) {
  TalkRows rows = Opened();
  rows.Receive(1, kGet);
  rows.Close(1);
  rows.Open(2);
  rows.Receive(2, kGet);
  rows.Send(2, Response(200, "12345").substr(0, 80));
  const Har har(rows);
  ASSERT_EQ(har.size(), 2);
  EXPECT_EQ(har.Status(0), 0);
  EXPECT_EQ(har.Comment(0), "there is no response");
  EXPECT_EQ(har[0]["response"]["bodySize"].GetInt(), -1);
  EXPECT_EQ(har.Comment(1), "the response ended early; the conversation ends within this session");
}

TEST(HarWriterTest, AResponseMayComeBeforeTheWholeRequest) {
  TalkRows rows = Opened();
  rows.Receive(1, "POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 300\r\n\r\nabc");
  rows.Send(1, Response(401, "{}"));
  rows.Receive(1, std::string(297, 'x'));
  rows.Close(1);
  rows.Open(2);
  rows.Send(2, Response(408, "{}"));
  const Har har(rows);
  ASSERT_EQ(har.size(), 2);
  EXPECT_EQ(har.Method(0), "POST");
  EXPECT_EQ(har.Status(0), 401);
  EXPECT_EQ(har.Comment(0), "the response came before the whole request");
  EXPECT_EQ(har.Method(1), "");
  EXPECT_EQ(har.Status(1), 408);
}

TEST(HarWriterTest, ABodyThatIsNotTextIsBase64) {
  TalkRows rows = Opened();
  rows.Receive(1, kGet);
  rows.Send(1, Response(200, "\xff\xfe"));
  const Har har(rows);
  EXPECT_EQ(har.Body(0), "//4=");
  EXPECT_STREQ(har[0]["response"]["content"]["encoding"].GetString(), "base64");
}

TEST(HarWriterTest, BytesThatWereNotKeptAreCounted) {
  TalkRows rows = Opened();
  rows.Receive(1, absl::StrCat(kGet, kGet));
  rows.SendCut(1, Response(200, std::string(5000, 'x')), 4000);
  rows.Send(1, Response(200, "next"));
  const Har har(rows);
  ASSERT_EQ(har.size(), 2);
  const rapidjson::Value& content = har[0]["response"]["content"];
  EXPECT_EQ(content["size"].GetInt(), 5000);
  EXPECT_EQ(content["text"].GetStringLength(), 1000);
  EXPECT_THAT(content["comment"].GetString(), HasSubstr("4000 bytes are missing"));
  EXPECT_EQ(har.Body(1), "next");
}

TEST(HarWriterTest, ASessionWhoseResponsesAreMissingEndsThere) {
  TalkRows rows = Opened();
  rows.Receive(1, absl::StrCat(kGet, kGet, kGet));
  rows.SendCut(1, absl::StrCat(Response(200, "one"), Response(200, "two")), 130);
  rows.Send(1, Response(200, "three"));
  rows.Receive(1, kGet);
  rows.Close(1);
  const Har har(rows);
  ASSERT_EQ(har.size(), 3);
  for (unsigned at = 0; at < 3; ++at) {
    EXPECT_THAT(har.Comment(at), HasSubstr("from row @3 on not readable"));
  }
}

TEST(HarWriterTest, WhatIsNoResponseEndsTheSession) {
  TalkRows rows = Opened();
  rows.Receive(1, kGet);
  rows.Send(1, "nonsense\r\n\r\n");
  EXPECT_THAT(Har(rows).Comment(0), HasSubstr("what was sent is no response"));
}

TEST(HarWriterTest, ARefusedUpgradeGoesOnInHttp) {
  TalkRows rows = Opened();
  rows.Receive(1, absl::StrCat(UpgradeRequest(), kGet));
  rows.Send(1, absl::StrCat(Response(401, ""), Response(200, "")));
  const Har har(rows);
  ASSERT_EQ(har.size(), 2);
  EXPECT_EQ(har.Status(0), 401);
  EXPECT_FALSE(har[0].HasMember("_webSocketMessages"));
  EXPECT_EQ(har.Status(1), 200);
}

TEST(HarWriterTest, MessagesBeforeTheUpgradesResponseAreKept) {
  TalkRows rows = Opened();
  rows.Receive(1, UpgradeRequest() + ClientFrame(WebSocketOpcode::kText, "early"));
  rows.Send(1, UpgradeResponse());
  EXPECT_STREQ(Har(rows).Messages(0)[0]["data"].GetString(), "early");
}

TEST(HarWriterTest, LongSessionsKeepTheOrderOfTheirMessages) {
  TalkRows rows;
  for (const uint32_t place : {1, 2}) {
    rows.Open(place);
    rows.Receive(place, UpgradeRequest());
    rows.Send(place, UpgradeResponse());
  }
  for (int number = 0; number < 3000; ++number) {
    const std::string text = absl::StrCat(number, std::string(50, '.'));
    rows.Send(1, ServerFrame(WebSocketOpcode::kText, text));
    rows.Receive(2, ClientFrame(WebSocketOpcode::kText, text));
  }
  const Har har(rows);
  ASSERT_EQ(har.size(), 2);
  for (unsigned at = 0; at < 2; ++at) {
    ASSERT_EQ(har.Messages(at).Size(), 3000);
    for (unsigned number = 0; number < 3000; ++number) {
      ASSERT_EQ(har.Messages(at)[number]["data"].GetString(),
                absl::StrCat(number, std::string(50, '.')));
    }
  }
}

TEST(HarWriterTest, MessagesWithMissingBytesSaySo) {
  TalkRows rows = Upgraded();
  const std::string frame = ServerFrame(WebSocketOpcode::kText, std::string(9000, 'x'));
  rows.SendCut(1, frame, 8000);
  rows.Send(1, ServerFrame(WebSocketOpcode::kText, "next"));
  rows.SendCut(1, absl::StrCat(frame, frame), 9500);
  rows.Send(1, frame);
  const Har har(rows);
  ASSERT_EQ(har.size(), 1);
  ASSERT_EQ(har.Messages(0).Size(), 2);
  EXPECT_EQ(har.Messages(0)[0]["data"].GetStringLength(), 1000);
  EXPECT_TRUE(har.Messages(0)[0].HasMember("comment"));
  EXPECT_STREQ(har.Messages(0)[1]["data"].GetString(), "next");
  EXPECT_THAT(har.Comment(0), HasSubstr("bytes of frames are missing"));
}

TEST(HarWriterTest, HashesAreRefused) {
  HarWriter har("a test", [](absl::string_view) {});
  TalkRows rows = Opened();
  rows.Send(1, "something");
  ASSERT_TRUE(har.Add(rows.records()[0].row, {}).ok());
  const absl::Status refused = har.Add(rows.records()[1].row, {});
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_THAT(refused.message(), HasSubstr("row @2 holds the hash of 9 bytes"));
}

TEST(HarWriterTest, WhatWaitsIsBounded) {
  TalkRows rows = Opened();
  const std::string request = absl::StrCat(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n", std::string(1'000'000, 'x'));
  for (int i = 0; i < 20; ++i) rows.Receive(1, request);
  const Har har(rows);
  EXPECT_EQ(har.size(), 17);
  EXPECT_THAT(har.Comment(0), HasSubstr("too many requests wait"));
}

// Any rows give JSON.
RC_GTEST_PROP(HarWriterProperty, AnyBytesGiveJson, ()) {
  TalkRows rows = Opened();
  const std::vector<std::string> pieces = {kGet,
                                           UpgradeRequest(),
                                           UpgradeResponse(),
                                           Response(200, "x"),
                                           "\x81\x03"
                                           "abc",
                                           ClientFrame(WebSocketOpcode::kText, "x"),
                                           std::string("\0\xff\r\n", 4),
                                           "HTTP/1.1 "};
  const auto count = *rc::gen::inRange(0, 12);
  for (int i = 0; i < count; ++i) {
    const std::string piece = pieces[*rc::gen::inRange<size_t>(0, pieces.size())];
    const auto way = *rc::gen::inRange(0, 4);
    if (way == 0) {
      rows.Send(1, piece);
    } else if (way == 1) {
      rows.SendCut(1, piece, piece.size() / 2);
    } else {
      rows.Receive(1, piece);
    }
  }
  const Har har(rows);
  RC_ASSERT(har.size() <= static_cast<size_t>(count) + 1);
}

}  // namespace
}  // namespace tools
