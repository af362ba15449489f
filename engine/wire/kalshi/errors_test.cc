#include "engine/wire/kalshi/errors.h"

#include <string>

#include "gtest/gtest.h"

namespace engine::kalshi {
namespace {

std::string Body(const Error& error) {
  std::string out;
  AppendErrorBody(error, out);
  return out;
}

// The recorded bodies.
TEST(ErrorsTest, NestedErrorsLeaveOutWhatIsEmpty) {
  EXPECT_EQ(Body({errors::kAuthentication, std::string(errors::kIncorrectSignature)}),
            R"({"error":{"code":"authentication_error","message":"authentication_error",)"
            R"("details":"INCORRECT_API_KEY_SIGNATURE"}})");
  EXPECT_EQ(Body({errors::kSignatureMissing, ""}),
            R"({"error":{"code":"signature_is_missing_from_headers",)"
            R"("message":"signature is missing from headers"}})");
  EXPECT_EQ(
      Body({errors::kTimestampExpired, ""}),
      R"({"error":{"code":"header_timestamp_expired","message":"header timestamp expired"}})");
  EXPECT_EQ(Body({errors::kNotFound, ""}),
            R"({"error":{"code":"not_found","message":"not found","service":"exchange"}})");
}

TEST(ErrorsTest, FlatErrorsAreTheObject) {
  EXPECT_EQ(Body({errors::kBadRequest, "json: \"x\""}),
            R"({"code":"bad_request","message":"bad request","details":"json: \"x\""})");
}

TEST(ErrorsTest, QueriesAreAnsweredWithMsg) {
  EXPECT_EQ(Body({errors::kBadParameter, "Parameter validation failed"}),
            R"({"msg":"Parameter validation failed"})");
}

TEST(ErrorsTest, TooManyRequestsIsAString) {
  EXPECT_EQ(Body({errors::kTooManyRequests, ""}), R"({"error":"too many requests"})");
  EXPECT_EQ(errors::kTooManyRequests.status, 429);
}

TEST(ErrorsTest, UnknownRoutesAreText) {
  const Error error = {errors::kRouteNotFound, ""};
  EXPECT_EQ(Body(error), "404 page not found");
  EXPECT_EQ(ErrorContentType(error), "text/plain; charset=utf-8");
  EXPECT_EQ(ErrorContentType({errors::kNotFound, ""}), "application/json");
}

TEST(ErrorsTest, ErrorsOfABatchAlwaysHaveDetails) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  WriteBatchError("error", {errors::kInvalidPrice, ""}, json);
  json.EndObject();
  EXPECT_EQ(out, R"({"error":{"code":"invalid_price","message":"invalid price","details":""}})");
}

TEST(ErrorsTest, EveryCodeOfASocketHasItsOwnText) {
  EXPECT_EQ(SocketErrorText(SocketErrorCode::kUnknownSid), "Unknown subscription ID");
  std::string texts;
  for (const int code : {1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18, 25, 26, 27}) {
    const absl::string_view text = SocketErrorText(static_cast<SocketErrorCode>(code));
    EXPECT_FALSE(text.empty()) << code;
    EXPECT_EQ(texts.find(std::string(text) + "|"), std::string::npos) << code;
    texts.append(text.data(), text.size()).append("|");
  }
  EXPECT_EQ(SocketErrorText(static_cast<SocketErrorCode>(6)), "");
}

TEST(ResultTest, IsAValueOrAnError) {
  const Result<int> value = 7;
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*value, 7);
  const Result<int> error = Error{errors::kNotFound, "x"};
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.error().details, "x");
}

}  // namespace
}  // namespace engine::kalshi
