// Kalshi's errors and their bodies, for HTTP and for WebSocket.
//
//   nested   {"error":{"code":"not_found","message":"not found","service":"exchange"}}
//   flat     {"code":"bad_request","message":"bad request","details":"json: cannot unmarshal ..."}
//   msg      {"msg":"Parameter validation failed for GetMarkets: Key: ..."}
//   string   {"error":"too many requests"}
//   text     404 page not found
//
// A client must know all of these, and we use each where Kalshi does.

#ifndef ENGINE_WIRE_KALSHI_ERRORS_H_
#define ENGINE_WIRE_KALSHI_ERRORS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/string_view.h"
#include "engine/wire/kalshi/json_writer.h"

namespace engine::kalshi {

enum class ErrorShape : uint8_t { kNested, kFlat, kMsg, kString, kText };

// What is constant about an error. The texts live for ever.
struct ErrorKind {
  int status = 0;  // Of HTTP.
  ErrorShape shape = ErrorShape::kNested;
  absl::string_view code;
  absl::string_view message;  // Unused in the shape kMsg, whose text is Error::details.
  absl::string_view service;  // "exchange" if the matching engine refuses, otherwise empty.

  friend bool operator==(const ErrorKind&, const ErrorKind&) = default;
};

// An error to send. A value.
struct Error {
  ErrorKind kind;
  std::string details;

  friend bool operator==(const Error&, const Error&) = default;
};

// A value or the error that is the answer in its place.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}              // NOLINT: as absl::StatusOr
  Result(kalshi::Error error) : content_(std::move(error)) {}  // NOLINT
  bool ok() const { return std::holds_alternative<T>(content_); }
  // REQUIRES: ok().
  T& operator*() { return std::get<T>(content_); }
  const T& operator*() const { return std::get<T>(content_); }
  T* operator->() { return &std::get<T>(content_); }
  const T* operator->() const { return &std::get<T>(content_); }
  // REQUIRES: !ok().
  const kalshi::Error& error() const { return std::get<kalshi::Error>(content_); }

 private:
  std::variant<T, kalshi::Error> content_;
};

// Appends the body of the error; text for the shape kText, JSON for all others.
void AppendErrorBody(const Error& error, std::string& out);
absl::string_view ErrorContentType(const Error& error);
// The member `error` of an entry of a batch: {"code","message","details"}, details always present.
void WriteBatchError(absl::string_view key, const Error& error, JsonWriter& json);

// Kinds, by status.
namespace errors {

inline constexpr ErrorKind kBadRequest = {400, ErrorShape::kFlat, "bad_request", "bad request", ""};
inline constexpr ErrorKind kBadParameter = {400, ErrorShape::kMsg, "", "", ""};
inline constexpr ErrorKind kMissingParameters = {400, ErrorShape::kNested, "missing_parameters",
                                                 "missing parameters", ""};
inline constexpr ErrorKind kInvalidParameters = {400, ErrorShape::kNested, "invalid_parameters",
                                                 "invalid parameters", ""};
inline constexpr ErrorKind kInvalidOrder = {400, ErrorShape::kNested, "invalid_order",
                                            "invalid order", ""};
inline constexpr ErrorKind kExpirationInPast = {400, ErrorShape::kNested, "invalid_order",
                                                "Expiration timestamp must be in the future", ""};
inline constexpr ErrorKind kExpirationWithImmediate = {
    400, ErrorShape::kNested, "invalid_order",
    "Cannot specify both immediate_or_cancel and expiration_ts", ""};
inline constexpr ErrorKind kInvalidPrice = {400, ErrorShape::kNested, "invalid_price",
                                            "invalid price", "exchange"};
inline constexpr ErrorKind kInvalidOrderSize = {400, ErrorShape::kNested, "invalid_order_size",
                                                "invalid order size", ""};
inline constexpr ErrorKind kInsufficientBalance = {400, ErrorShape::kNested, "insufficient_balance",
                                                   "insufficient balance", "exchange"};
inline constexpr ErrorKind kInvalidUuid = {400, ErrorShape::kNested, "invalid_UUID", "invalid UUID",
                                           ""};
inline constexpr ErrorKind kOrderSideMismatch = {400, ErrorShape::kNested, "order_side_mismatch",
                                                 "order side mismatch", ""};
inline constexpr ErrorKind kOrderTickerMismatch = {
    400, ErrorShape::kNested, "order_ticker_mismatch", "order ticker mismatch", ""};
inline constexpr ErrorKind kOrderIdMismatch = {400, ErrorShape::kNested,
                                               "order_id_and_client_order_id_mismatch",
                                               "order id and client order id mismatch", ""};
inline constexpr ErrorKind kMarketInactive = {400, ErrorShape::kNested, "MARKET_INACTIVE",
                                              "market inactive", "exchange"};
inline constexpr ErrorKind kOrderGroupTriggered = {
    400, ErrorShape::kNested, "order_group_triggered", "order group triggered", "exchange"};

inline constexpr ErrorKind kAuthentication = {401, ErrorShape::kNested, "authentication_error",
                                              "authentication_error", ""};
inline constexpr ErrorKind kKeyMissing = {401, ErrorShape::kNested, "key_is_missing_from_headers",
                                          "key is missing from headers", ""};
inline constexpr ErrorKind kSignatureMissing = {401, ErrorShape::kNested,
                                                "signature_is_missing_from_headers",
                                                "signature is missing from headers", ""};
inline constexpr ErrorKind kTimestampMissing = {401, ErrorShape::kNested,
                                                "timestamp_is_missing_from_headers",
                                                "timestamp is missing from headers", ""};
inline constexpr ErrorKind kTimestampExpired = {
    401, ErrorShape::kNested, "header_timestamp_expired", "header timestamp expired", ""};
// Details of kAuthentication.
inline constexpr absl::string_view kIncorrectSignature = "INCORRECT_API_KEY_SIGNATURE";
inline constexpr absl::string_view kKeyNotFound = "NOT_FOUND";

inline constexpr ErrorKind kForbidden = {403, ErrorShape::kNested, "forbidden", "forbidden", ""};

inline constexpr ErrorKind kNotFound = {404, ErrorShape::kNested, "not_found", "not found",
                                        "exchange"};
inline constexpr ErrorKind kResourceNotFound = {404, ErrorShape::kNested, "not_found", "not found",
                                                ""};
inline constexpr ErrorKind kMarketNotFound = {404, ErrorShape::kNested, "market_not_found",
                                              "market not found", ""};
inline constexpr ErrorKind kUserNotFound = {404, ErrorShape::kNested, "user_not_found",
                                            "user not found", ""};
inline constexpr ErrorKind kRouteNotFound = {404, ErrorShape::kText, "", "404 page not found", ""};
inline constexpr ErrorKind kMethodNotAllowed = {405, ErrorShape::kText, "", "Method Not Allowed",
                                                ""};

inline constexpr ErrorKind kOrderAlreadyExists = {409, ErrorShape::kNested, "order_already_exists",
                                                  "order already exists", "exchange"};
inline constexpr ErrorKind kFillOrKill = {409, ErrorShape::kNested,
                                          "fill_or_kill_insufficient_resting_volume",
                                          "fill or kill insufficient resting volume", "exchange"};
inline constexpr ErrorKind kTradingPaused = {409, ErrorShape::kNested, "trading_is_paused",
                                             "trading is paused", "exchange"};

// Its details: kV2Documentation.
inline constexpr ErrorKind kDeprecated = {410, ErrorShape::kNested, "deprecated_v1_order_endpoint",
                                          "Please switch to the V2 endpoints", ""};
inline constexpr absl::string_view kV2Documentation =
    "https://docs.kalshi.com/api-reference/orders/create-order-v2";

inline constexpr ErrorKind kBodyTooLarge = {413, ErrorShape::kText, "", "Request Entity Too Large",
                                            ""};
inline constexpr ErrorKind kTooManyRequests = {429, ErrorShape::kString, "", "too many requests",
                                               ""};
inline constexpr ErrorKind kInternal = {500, ErrorShape::kNested, "internal_server_error",
                                        "internal server error", ""};
inline constexpr ErrorKind kUnavailable = {503, ErrorShape::kNested, "exchange_unavailable",
                                           "exchange unavailable", "exchange"};

// Details of kInvalidOrder.
inline constexpr absl::string_view kPostOnlyCross = "post only cross";

}  // namespace errors

// Errors of WebSocket commands.
enum class SocketErrorCode : uint8_t {
  kUnableToProcess = 1,
  kParamsRequired = 2,
  kChannelsRequired = 3,
  kSidsRequired = 4,
  kUnknownCommand = 5,
  kUnknownSid = 7,
  kUnknownChannel = 8,
  kAuthenticationRequired = 9,
  kChannelError = 10,  // Ends the subscription.
  kInvalidParameter = 11,
  kExactlyOneSid = 12,
  kUnsupportedAction = 13,
  kMarketTickerRequired = 14,
  kActionRequired = 15,
  kCommandTimeout = 18,
  kBufferOverflow = 25,  // Ends the subscription.
  kMarketLimit = 26,
  kTooManyRequests = 27,
};

// The text that goes with the code.
absl::string_view SocketErrorText(SocketErrorCode code);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_ERRORS_H_
