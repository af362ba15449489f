#include "engine/wire/http/http_response.h"

#include <array>
#include <string>

#include "engine/wire/http/http_request.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

std::string Write(const HttpResponse& response) {
  std::string out;
  AppendHttpResponse(response, out);
  return out;
}

TEST(HttpResponse, WritesABody) {
  const std::array<HttpField, 1> fields = {{{.name = "Retry-After", .value = "1"}}};
  EXPECT_EQ(Write({.status = 429, .fields = fields, .body = "{}"}),
            "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\n"
            "Content-Length: 2\r\nRetry-After: 1\r\nConnection: keep-alive\r\n\r\n{}");
}

TEST(HttpResponse, LeavesOutTheBodyWhereThereIsNone) {
  EXPECT_EQ(Write({.body = "{}", .is_to_head = true}),
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
            "Connection: keep-alive\r\n\r\n");
  EXPECT_EQ(Write({.status = 204, .body = "x"}),
            "HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(Write({.status = 304, .body = "x"}),
            "HTTP/1.1 304 Not Modified\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(Write({.status = 404, .keep_alive = false}),
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST(HttpResponse, WritesAContinue) {
  std::string out = "a";
  AppendHttpContinue(out);
  EXPECT_EQ(out, "aHTTP/1.1 100 Continue\r\n\r\n");
}

TEST(HttpResponseDeathTest, RefusesAFieldThatWouldBeTwo) {
  const std::array<HttpField, 1> fields = {{{.name = "A", .value = "b\r\nC: d"}}};
  EXPECT_DEATH(Write({.fields = fields}), "");
}

}  // namespace
}  // namespace engine
