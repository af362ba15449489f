// Reads HTTP/1 requests from the bytes of a connection, cut anywhere. PROTOCOL.md says what it
// takes and refuses.
//
//   while (!bytes.empty() && !reader.has_error()) {
//     bytes = bytes.subspan(reader.Take(bytes));
//     if (reader.has_head()) ...head() may be refused before its body comes...;
//     if (reader.TakeContinue()) AppendHttpContinue(out);
//     if (reader.has_request()) { ...request()...; reader.Next(); }
//   }
//
// What it reads is a function of the bytes alone, not of how they were cut.

#ifndef ENGINE_WIRE_HTTP_HTTP_READER_H_
#define ENGINE_WIRE_HTTP_HTTP_READER_H_

#include <cstddef>
#include <memory>

#include "engine/base/bytes.h"
#include "engine/wire/http/http_request.h"

namespace engine {

// The request line, without its ending.
inline constexpr size_t kHttpRequestLineBytesMax = 8 << 10;
// The request line and the fields, with the empty line.
inline constexpr size_t kHttpHeadBytesMax = 16 << 10;
inline constexpr size_t kHttpFieldsMax = 100;
inline constexpr size_t kHttpBodyBytesMax = 1 << 20;

// Sans-I/O. Between requests it holds no memory but itself. Not thread-safe: owned by its
// connection.
class HttpReader {
 public:
  HttpReader();
  HttpReader(HttpReader&&) noexcept;
  HttpReader& operator=(HttpReader&&) noexcept;
  ~HttpReader();

  // Takes bytes up to the end of a head whose body follows, or of one request, and returns how
  // many. Takes none while a request waits for Next(). After an error it takes all, and drops them.
  size_t Take(Bytes bytes);

  // Whether the last Take() ended with a head whose body follows.
  bool has_head() const;
  // The request without its body. Its views are valid until the next Take(). REQUIRES: has_head().
  const HttpRequest& head() const;

  bool has_request() const;
  // Its views are valid until Next(). REQUIRES: has_request().
  const HttpRequest& request() const;
  // Forgets the request. What follows a request to upgrade is not HTTP. REQUIRES: has_request().
  void Next();

  // Whether a "100 Continue" is due, before the response: the request expects it, and has a body.
  // Returns true once.
  bool TakeContinue();

  // The connection ends after a response with the error's status.
  bool has_error() const { return error_.status != 0; }
  // REQUIRES: has_error().
  const HttpError& error() const { return error_; }

  // Whether no byte of a request has come yet.
  bool is_idle() const { return progress_ == nullptr; }

 private:
  struct Progress;  // A request that has begun.

  size_t TakeHead(Bytes bytes);
  void FinishHead();
  size_t TakeBody(Bytes bytes);
  // By value: the error may be one of what it forgets.
  void Fail(HttpError error);

  std::unique_ptr<Progress> progress_;
  HttpError error_;
  bool is_continue_due_ = false;
};

}  // namespace engine

#endif  // ENGINE_WIRE_HTTP_HTTP_READER_H_
