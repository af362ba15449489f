// Measures lines of the text protocol per second through increasing parts of the path. The label is
// the digest of the replies, or of the request counts if there are no replies.
//
//   Parse      bytes ─► lines ─► requests
//   Session    the same ─► commands ─► an exchange that accepts everything ─► replies
//   Shell      the same with the journal (--ack=none) and the engine; one thread, or two
//
// In short batches, about a tenth of the time is the first access to a new conversation's memory.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "bench/text_bench_lines.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/gateway/text_account.h"
#include "engine/gateway/text_session.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/wire/text/line_reader.h"
#include "engine/wire/text/request.h"
#include "replay/recorder.h"
#include "tools/cli/base/console.h"
#include "tools/cli/record/text_conversation.h"
#include "tools/os/clocks.h"
#include "tools/os/output_folder.h"

namespace bench {
namespace {

constexpr int64_t kLineCount = 50'000;

// Each line names any of them. The first order of each defines its market.
const std::vector<int64_t> kMarketCounts = {1, 100, 10'000};

constexpr size_t kChunkBytes = 64 << 10;

const std::string& Lines(int64_t market_count, int64_t line_count) {
  static auto& texts = *new std::map<std::pair<int64_t, int64_t>, std::string>;
  std::string& text = texts[{market_count, line_count}];
  if (text.empty()) {
    TextBenchLines lines({.market_count = static_cast<uint32_t>(market_count)});
    for (int64_t i = 0; i < line_count; ++i) lines.Append(text);
  }
  return text;
}

template <typename Take>
void InChunks(absl::string_view text, Take take) {
  for (; !text.empty(); text.remove_prefix(std::min(kChunkBytes, text.size()))) {
    take(engine::AsBytes(text.substr(0, kChunkBytes)));
  }
}

void Report(benchmark::State& state, int64_t line_count, const engine::Digest& made) {
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * line_count);
  state.SetLabel(made.ToString());
}

void BM_Parse(benchmark::State& state) {
  const std::string& text = Lines(state.range(0), kLineCount);
  engine::Digest digest;
  for (auto _ : state) {
    engine::Digester made;
    size_t request_count[std::variant_size_v<engine::TextRequest>] = {};
    engine::LineReader reader;
    InChunks(text, [&](engine::Bytes chunk) {
      reader.Feed(chunk);
      for (engine::TextLine line; reader.Next(line);) {
        const auto request = engine::ParseTextRequest(line.text);
        CHECK_OK(request.status());
        ++request_count[request->index()];
      }
    });
    for (const size_t count : request_count) {
      std::byte bytes[sizeof(uint64_t)];
      engine::StoreLittleEndian(uint64_t{count}, bytes);
      made.Add(bytes);
    }
    digest = made.Finish();
  }
  Report(state, kLineCount, digest);
}
BENCHMARK(BM_Parse)->ArgName("markets")->Arg(1)->Arg(100)->Unit(benchmark::kMillisecond);

// Accepts every order, performs every cancel and amend, and never trades.
class YesExchange final : public engine::CommandSink, public engine::TextSessionHost {
 public:
  void ListenWith(engine::EventListener* listener) { listener_ = listener; }

  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes) override {
    last_ = last_.Next();
    engine::Command sequenced = command;
    sequenced.sequence = last_;
    engine::Event event;
    event.sequence = last_;
    event.market = command.market;
    event.account = command.account;
    event.order_id = command.order_id;
    event.price = command.price;
    event.quantity = command.quantity;
    switch (command.kind) {
      case engine::CommandKind::kNewOrder:
        event.kind = engine::EventKind::kAccepted;
        event.order_id = engine::OrderIdOf(last_);
        break;
      case engine::CommandKind::kCancel:
        event.kind = engine::EventKind::kCancelled;
        event.detail = static_cast<uint8_t>(engine::CancelReason::kRequested);
        break;
      case engine::CommandKind::kAmend:
        event.kind = engine::EventKind::kAmended;
        event.detail = static_cast<uint8_t>(engine::PriorityOutcome::kLost);
        break;
      default:
        event.kind = engine::EventKind::kMarketDefined;
    }
    listener_->OnApplied(sequenced, std::span(&event, 1));
    listener_->OnEvents(sequenced, std::span(&event, 1));
    return last_;
  }
  absl::Status JournalStatus() const override { return absl::OkStatus(); }
  void PrintBook(const engine::MarketDefinition*, std::string&) override {}

 private:
  engine::SequenceNumber last_;
  engine::EventListener* listener_ = nullptr;
};

void BM_Session(benchmark::State& state) {
  const std::string& text = Lines(state.range(0), state.range(1));
  engine::Digest digest;
  for (auto _ : state) {
    engine::Digester made;
    YesExchange exchange;
    engine::TextSession::Options options;
    options.auto_define_markets = true;
    engine::MarketDirectory markets;
    engine::TextAccount account(engine::AccountId(1), markets);
    engine::TextSession session(exchange, exchange, markets, account, options);
    exchange.ListenWith(&session);
    InChunks(text, [&](engine::Bytes chunk) {
      CHECK_OK(session.OnBytes(chunk));
      made.Add(engine::AsBytes(session.output()));
      session.ClearOutput();
    });
    CHECK_OK(session.Finish());
    digest = made.Finish();
  }
  Report(state, state.range(1), digest);
}
BENCHMARK(BM_Session)
    ->ArgNames({"markets", "lines"})
    ->ArgsProduct({kMarketCounts, {kLineCount, 1'000'000}})
    ->Unit(benchmark::kMillisecond);

void BM_Shell(benchmark::State& state) {
  const std::string& text = Lines(state.range(0), state.range(2));
  tools::Console console([](absl::string_view) {}, [](absl::string_view) {}, {.quiet = true});
  tools::SystemClock clock;
  engine::Digest digest;
  for (auto _ : state) {
    state.PauseTiming();
    engine::Digester made;
    const auto directory = tools::TemporaryDirectory::Make();
    CHECK_OK(directory.status());
    tools::TextConversation::Options options;
    options.recording.path = (*directory)->path() + "/bench.tape";
    options.recording.thread_count = static_cast<int>(state.range(1));
    options.recording.recorder.ack = replay::AckPolicy::kNone;
    options.account = engine::AccountId(1);
    auto conversation = tools::TextConversation::Start(options, clock, console);
    CHECK_OK(conversation.status());
    state.ResumeTiming();
    InChunks(text, [&](engine::Bytes chunk) {
      CHECK_OK((*conversation)->Feed(chunk, [&] {
        made.Add(engine::AsBytes((*conversation)->output()));
        (*conversation)->ClearOutput();
      }));
    });
    CHECK_OK((*conversation)->Settle());
    state.PauseTiming();
    CHECK_OK((*conversation)->Finish().status());
    made.Add(engine::AsBytes((*conversation)->output()));
    conversation->reset();
    digest = made.Finish();
    state.ResumeTiming();
  }
  Report(state, state.range(2), digest);
}
BENCHMARK(BM_Shell)
    ->ArgNames({"markets", "threads", "lines"})
    ->ArgsProduct({kMarketCounts, {1, 2}, {kLineCount, 1'000'000}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bench
