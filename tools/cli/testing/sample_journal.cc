#include "tools/cli/testing/sample_journal.h"

#include <memory>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/schema.h"
#include "engine/messages/text.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/exchange_vocabulary.h"
#include "replay/recorder.h"
#include "replay/semantics_version.h"

namespace tools {
namespace {

constexpr int64_t kFirstNanos = 1'580'376'600'000'000'000;  // 2020-01-30T09:30:00Z
constexpr int64_t kNanosPerSecond = 1'000'000'000;

class NoListener final : public engine::EventListener {
 public:
  void OnEvents(const engine::Command&, std::span<const engine::Event>) override {}
};

journal::JournalMetadata SampleMetadata(const SampleJournalOptions& options) {
  return {.application = replay::kExchangeApplication,
          .build_id = "a test",
          .semantics_version = replay::kSemanticsVersion,
          .created_by = options.created_by,
          .row_schema_id = engine::CommandSchemaId(),
          .row_schema = engine::CompiledSchema()};
}

void SubmitAll(replay::Recorder& recorder, engine::ManualClock& clock,
               const std::vector<std::string>& lines) {
  engine::MarketDirectory markets;
  const engine::MessageText text(markets);
  int64_t second = 0;
  for (const std::string& line : lines) {
    const auto parsed = text.ParseCommand(line);
    CHECK(parsed.ok()) << line << ": " << parsed.status().message();
    if (parsed->command.kind == engine::CommandKind::kDefineMarket) {
      markets.Add(*engine::DecodeMarketDefinition(parsed->attachment));
    }
    clock.Set(engine::Timestamp::FromNanos(kFirstNanos + second++ * kNanosPerSecond));
    CHECK_OK(recorder.Submit(parsed->command, parsed->attachment).status());
  }
}

}  // namespace

std::vector<std::string> SampleCommands() {
  return {
      "define_market id=1 symbol=AAPL price_decimals=4 tick=0.0100 price_min=0.0100 "
      "price_max=1000.0000 lot=1",
      "define_market id=7 symbol=KX,\"RAIN\" price_decimals=4 quantity_decimals=2 tick=0.0100 "
      "price_min=0.0100 price_max=0.9900 lot=1.00",
      "bid market=AAPL price=320.1400 quantity=100 account=3 client_order_id=900",
      "bid market=AAPL price=320.1400 quantity=50 account=4",
      "bid market=AAPL price=320.1200 quantity=200 account=3",
      "ask market=AAPL price=320.1700 quantity=300 account=5",
      "ask market=AAPL price=320.1400 quantity=60 account=5",
      "bid market=KX,\"RAIN\" price=0.5600 quantity=10.00 account=4",
      "ask market=AAPL type=market quantity=20 account=6",
      "reduce market=AAPL order=5 quantity=80 account=3",
      "replace market=AAPL order=6 price=320.1600 quantity=250 account=5",
      "amend market=AAPL order=4 price=320.1500 quantity=70 account=4",
      "cancel market=AAPL order=8 account=4",
      "advance_time",
      "ask market=AAPL price=320.1900 quantity=40 account=6",
  };
}

std::string WriteSampleJournal(absl::string_view name, const SampleJournalOptions& options) {
  const std::string path = absl::StrCat(testing::TempDir(), "/", name);
  auto directory = journal::OpenPosixDirectory(path, journal::DirectoryMode::kCreate);
  CHECK_OK(directory.status());
  const journal::Uuid uuid = journal::Uuid::FromWords(options.journal_id, 2);
  auto writer = journal::Writer::Create(
      **directory, SampleMetadata(options), uuid, engine::Timestamp::FromNanos(kFirstNanos),
      {.segment_bytes = options.segment_bytes, .block_records = options.block_records});
  CHECK_OK(writer.status());
  auto sidecar = journal::SidecarWriter::Create(**directory, uuid);
  CHECK_OK(sidecar.status());
  replay::ExchangeMachine machine;
  replay::Driver driver(machine);
  NoListener listener;
  engine::ManualClock clock;
  replay::Recorder recorder(
      **writer, clock, **sidecar, driver, listener,
      {.ack = options.synced ? replay::AckPolicy::kDisk : replay::AckPolicy::kWritten,
       .group_commands = options.synced ? options.block_records : 4096});
  SubmitAll(recorder, clock, options.commands);
  if (options.sealed) {
    CHECK_OK(recorder.Finish().status());
  } else {
    CHECK_OK(recorder.Commit());
    if (options.heartbeat) CHECK_OK((*writer)->Heartbeat());
  }
  return path;
}

std::string WriteSampleJournal(absl::string_view name) {
  return WriteSampleJournal(name, {.commands = SampleCommands()});
}

}  // namespace tools
