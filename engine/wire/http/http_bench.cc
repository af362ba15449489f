// Requests read and responses written; frames read and written, also by wslay's queue.

#include <benchmark/benchmark.h>
#include <sys/types.h>
#include <wslay/wslay.h>

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/wire/http/http_reader.h"
#include "engine/wire/http/http_response.h"
#include "engine/wire/http/testing/conversations.h"
#include "engine/wire/http/websocket_frame.h"
#include "engine/wire/http/websocket_stream.h"

namespace engine {
namespace {

// An order as a client sends it: about 900 bytes.
std::string OrderRequest() {
  const std::string body =
      R"({"ticker":"KXHIGHNY-26NOV25-T50","client_order_id":"7c1d","side":"bid","count":"10.00","price":"0.5600"})";
  return absl::StrCat(
      "POST /trade-api/v2/portfolio/events/orders HTTP/1.1\r\nHost: localhost:8080\r\n"
      "User-Agent: python-requests/2.32.3\r\nAccept-Encoding: gzip, deflate\r\nAccept: */*\r\n"
      "Connection: keep-alive\r\nKALSHI-ACCESS-KEY: 2f0b6c1e-8a53-4d3c-9f4e-5a1d6c7b8e90\r\n"
      "KALSHI-ACCESS-TIMESTAMP: 1764108000000\r\nKALSHI-ACCESS-SIGNATURE: ",
      std::string(344, 'A'), "\r\nContent-Type: application/json\r\nContent-Length: ", body.size(),
      "\r\n\r\n", body);
}

void BM_ReadRequest(benchmark::State& state) {
  const std::string bytes = OrderRequest();
  HttpReader reader;
  for ([[maybe_unused]] auto _ : state) {
    for (Bytes rest = AsBytes(bytes); !reader.has_request();) {
      rest = rest.subspan(reader.Take(rest));
    }
    benchmark::DoNotOptimize(reader.request().Find("KALSHI-ACCESS-SIGNATURE"));
    reader.Next();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_ReadRequest);

void BM_WriteResponse(benchmark::State& state) {
  const std::string body(400, 'x');
  std::string out;
  for ([[maybe_unused]] auto _ : state) {
    out.clear();
    AppendHttpResponse({.status = 201, .body = body}, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_WriteResponse);

constexpr int kFrames = 100;
constexpr size_t kPayloadBytes = 200;

// To 100 clients, each with a prefix of its own, as a feed does.
void BM_WriteTextFrame(benchmark::State& state) {
  const std::string payload(kPayloadBytes, 'x');
  std::string out;
  for ([[maybe_unused]] auto _ : state) {
    out.clear();
    for (int i = 0; i < kFrames; ++i) AppendTextFrame({R"({"sid":1,"seq":7,)", payload}, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * kFrames);
}
BENCHMARK(BM_WriteTextFrame);

// The same by wslay's event interface: the reason why frames are not written by it.
void BM_WriteTextFrameByWslayEvents(benchmark::State& state) {
  wslay_event_callbacks callbacks = {};
  callbacks.send_callback = [](wslay_event_context_ptr, const uint8_t* data, size_t size, int,
                               void* out) -> ssize_t {
    static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data), size);
    return static_cast<ssize_t>(size);
  };
  std::string out;
  wslay_event_context_ptr context = nullptr;
  CHECK(wslay_event_context_server_init(&context, &callbacks, &out) == 0);
  const std::string payload(kPayloadBytes + 17, 'x');
  const wslay_event_msg message = {.opcode = WSLAY_TEXT_FRAME,
                                   .msg = reinterpret_cast<const uint8_t*>(payload.data()),
                                   .msg_length = payload.size()};
  for ([[maybe_unused]] auto _ : state) {
    out.clear();
    for (int i = 0; i < kFrames; ++i) {
      CHECK(wslay_event_queue_msg(context, &message) == 0);
      CHECK(wslay_event_send(context) == 0);
    }
    benchmark::DoNotOptimize(out.data());
  }
  wslay_event_context_free(context);
  state.SetItemsProcessed(state.iterations() * kFrames);
}
BENCHMARK(BM_WriteTextFrameByWslayEvents);

void BM_ReadFrame(benchmark::State& state) {
  const std::string frame = ClientFrame(WebSocketOpcode::kText, std::string(kPayloadBytes, 'x'));
  WebSocketStream stream;
  std::string out;
  for ([[maybe_unused]] auto _ : state) {
    CHECK(stream.Take(AsBytes(frame), out) == frame.size());
    benchmark::DoNotOptimize(stream.message().payload.data());
    stream.Next();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_ReadFrame);

}  // namespace
}  // namespace engine
