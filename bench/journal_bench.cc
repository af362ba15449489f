// Measures the journal alone on the workloads' commands: the cost of writing and reading, in memory
// and with one thread, without the disk and the scheduler. end_to_end_bench includes both.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/workload.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/command_row.h"

namespace bench {
namespace {

constexpr absl::string_view kWorkloadNames[] = {"hft", "normal"};

std::vector<journal::Row> RowsOf(absl::string_view name) {
  const Workload workload = MakeWorkload(name, 1, WorkloadSize::kSmoke).value();
  std::vector<journal::Row> rows;
  rows.reserve(workload.commands.size());
  for (const engine::Command& command : workload.commands) rows.push_back(replay::ToRow(command));
  return rows;
}

journal::WriterOptions OptionsOf(const benchmark::State& state) {
  journal::WriterOptions options;
  options.block_records = static_cast<uint32_t>(state.range(1));
  return options;
}

std::unique_ptr<journal::Writer> WriteAll(journal::MemoryDirectory& directory,
                                          const std::vector<journal::Row>& rows,
                                          const journal::WriterOptions& options) {
  auto writer = journal::Writer::Create(directory, journal::JournalMetadata(),
                                        journal::Uuid::FromWords(1, 2), {}, options)
                    .value();
  for (const journal::Row& row : rows) CHECK_OK(writer->Append(row));
  CHECK_OK(writer->Sync());
  return writer;
}

// Append, log digest, columns, zstd, hashes: the whole cost of a record before the device.
void BM_Write(benchmark::State& state) {
  const std::vector<journal::Row> rows = RowsOf(kWorkloadNames[state.range(0)]);
  uint64_t stored_bytes = 0;
  for (auto _ : state) {
    journal::MemoryDirectory directory;
    stored_bytes = WriteAll(directory, rows, OptionsOf(state))->stats().stored_bytes;
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * rows.size()));
  state.SetLabel(std::string(kWorkloadNames[state.range(0)]));
  state.counters["bytes_per_record"] =
      static_cast<double>(stored_bytes) / static_cast<double>(rows.size());
}

// Checks and decodes every record of the journal.
void BM_Read(benchmark::State& state) {
  const std::vector<journal::Row> rows = RowsOf(kWorkloadNames[state.range(0)]);
  journal::MemoryDirectory directory;
  CHECK_OK(WriteAll(directory, rows, OptionsOf(state))->Close());
  const auto reader = journal::Reader::Open(directory).value();
  for (auto _ : state) {
    CHECK_OK(reader->SeekToSequence(engine::SequenceNumber::First()));
    uint64_t sum = 0;
    for (journal::Batch batch = reader->NextBatch().value(); !batch.empty();
         batch = reader->NextBatch().value()) {
      for (const journal::Row& row : batch.rows) sum += row.sequence.value();
    }
    CHECK_EQ(sum, rows.size() * (rows.size() + 1) / 2);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * rows.size()));
  state.SetLabel(std::string(kWorkloadNames[state.range(0)]));
}

BENCHMARK(BM_Write)
    ->ArgNames({"workload", "block_records"})
    ->ArgsProduct({{0, 1}, {256, 1024, 4096}});
BENCHMARK(BM_Read)
    ->ArgNames({"workload", "block_records"})
    ->ArgsProduct({{0, 1}, {256, 1024, 4096}});

}  // namespace
}  // namespace bench
