// Compares the ways to store rows: bytes a record, and time to encode and decode on one core.
//
//   transform_bench [--benchmark_…] [JOURNAL...]
//
//   rows ─► columns, the words of a mask as differences ─► zstd ─► bytes
//           either step is optional
//
// Reads the records of the journals; without a journal, generates records. Blocks have 1,024
// records unless a name says otherwise; attachments and headers are left out. The writer's choice,
// columns with mask 3 and zstd 1, is based on it (bench/EXPERIMENTS.md, Ways to store rows).

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/format/columns_transform.h"
#include "journal/format/compression.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/testing/records.h"

namespace journal {
namespace {

constexpr size_t kMadeRecords = 1 << 15;
constexpr size_t kRecordsMax = 1'000'000;  // Of a journal.

struct Way {
  absl::string_view name;
  std::optional<uint8_t> delta_mask;  // Nothing: without the columns transform.
  std::optional<int> zstd_level;
  size_t block_records = 1024;
};

constexpr Way kWays[] = {
    {"rows, zstd 1", std::nullopt, 1},
    {"rows, zstd 3", std::nullopt, 3},
    {"columns, zstd 1", 0b0, 1},
    {"columns, sequence, zstd 1", 0b1, 1},
    {"columns, sequence, time, zstd 1", 0b11, 1},  // The writer's choice.
    {"columns, sequence, time, order, zstd 1", 0b111, 1},
    {"columns, sequence, time, price, zstd 1", 0b1011, 1},
    {"columns, sequence, time, client order, zstd 1", 0b10'0011, 1},
    {"columns, sequence, time, zstd 3", 0b11, 3},
    {"columns, sequence, time, zstd 9", 0b11, 9},
    {"columns, sequence, time, not compressed", 0b11, std::nullopt},
    {"columns, sequence, time, zstd 1, blocks of 64", 0b11, 1, 64},
    {"columns, sequence, time, zstd 1, blocks of 256", 0b11, 1, 256},
    {"columns, sequence, time, zstd 1, blocks of 4096", 0b11, 1, 4096},
};

// One way to store rows, with its working memory.
class Codec {
 public:
  explicit Codec(const Way& way)
      : way_(way), columns_(way.block_records * sizeof(Row)), stored_(2 * columns_.size() + 1024) {
    if (way.zstd_level.has_value()) compressor_.emplace(*way.zstd_level);
  }

  // Valid until the next call.
  engine::Bytes Encode(std::span<const Row> rows) {
    engine::Bytes bytes = std::as_bytes(rows);
    if (way_.delta_mask.has_value()) {
      RowsToColumns(bytes.data(), rows.size(), *way_.delta_mask, columns_.data());
      bytes = engine::Bytes(columns_).first(bytes.size());
    }
    if (!compressor_.has_value()) return bytes;
    return engine::Bytes(stored_).first(compressor_->Compress(bytes, stored_).value());
  }

  void Decode(engine::Bytes stored, std::span<Row> rows) {
    const engine::MutableBytes to = std::as_writable_bytes(rows);
    engine::Bytes columns = stored;
    if (compressor_.has_value()) {
      const engine::MutableBytes middle =
          way_.delta_mask.has_value() ? engine::MutableBytes(columns_).first(to.size()) : to;
      CHECK_OK(decompressor_.Decompress(stored, middle));
      columns = middle;
    }
    if (way_.delta_mask.has_value()) {
      ColumnsToRows(columns.data(), rows.size(), *way_.delta_mask, to.data());
    }
  }

 private:
  const Way way_;
  std::vector<std::byte> columns_;
  std::vector<std::byte> stored_;
  std::optional<Compressor> compressor_;
  Decompressor decompressor_;
};

std::vector<std::span<const Row>> BlocksOf(std::span<const Row> rows, size_t block_records) {
  std::vector<std::span<const Row>> blocks;
  for (; !rows.empty(); rows = rows.subspan(blocks.back().size())) {
    blocks.push_back(rows.first(std::min(block_records, rows.size())));
  }
  return blocks;
}

void Report(benchmark::State& state, size_t row_count, size_t stored_bytes) {
  const auto done = static_cast<int64_t>(state.iterations() * row_count);
  state.SetItemsProcessed(done);
  state.SetBytesProcessed(done * static_cast<int64_t>(sizeof(Row)));
  state.counters["bytes_per_record"] =
      static_cast<double>(stored_bytes) / static_cast<double>(row_count);
}

void BM_There(benchmark::State& state, const std::vector<Row>& rows, const Way& way) {
  Codec codec(way);
  const auto blocks = BlocksOf(rows, way.block_records);
  size_t stored_bytes = 0;
  for (auto _ : state) {
    stored_bytes = 0;
    for (const std::span<const Row> block : blocks) stored_bytes += codec.Encode(block).size();
  }
  Report(state, rows.size(), stored_bytes);
}

void BM_Back(benchmark::State& state, const std::vector<Row>& rows, const Way& way) {
  Codec codec(way);
  const auto blocks = BlocksOf(rows, way.block_records);
  std::vector<std::vector<std::byte>> stored;
  size_t stored_bytes = 0;
  for (const std::span<const Row> block : blocks) {
    const engine::Bytes bytes = codec.Encode(block);
    stored.emplace_back(bytes.begin(), bytes.end());
    stored_bytes += bytes.size();
  }
  std::vector<Row> back(way.block_records);
  for (auto _ : state) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      codec.Decode(stored[i], std::span(back).first(blocks[i].size()));
      benchmark::DoNotOptimize(back.data());
    }
  }
  CHECK_EQ(back[blocks.back().size() - 1].sequence, rows.back().sequence);
  Report(state, rows.size(), stored_bytes);
}

absl::StatusOr<std::vector<Row>> RowsOf(const std::string& path) {
  ASSIGN_OR_RETURN(const auto directory, OpenPosixDirectory(path, DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(const auto reader, Reader::Open(*directory));
  std::vector<Row> rows;
  while (rows.size() < kRecordsMax) {
    ASSIGN_OR_RETURN(const Batch batch, reader->NextBatch());
    if (batch.empty()) break;
    rows.insert(rows.end(), batch.rows.begin(), batch.rows.end());
  }
  if (rows.empty()) return absl::InvalidArgumentError(absl::StrCat(path, " has no records"));
  return rows;
}

std::vector<Row> MadeRows() {
  std::vector<Row> rows;
  RecordSource source(1);
  for (const OwnedRecord& record : source.Take(kMadeRecords)) rows.push_back(record.row);
  return rows;
}

struct Log {
  std::string name;
  std::vector<Row> rows;
};

// `log` outlives the run.
void Register(const Log& log) {
  for (const Way& way : kWays) {
    const std::string name = absl::StrCat(log.name, ": ", way.name);
    const auto rows = std::cref(log.rows);
    benchmark::RegisterBenchmark(absl::StrCat(name, "; there").c_str(), BM_There, rows, way);
    benchmark::RegisterBenchmark(absl::StrCat(name, "; back").c_str(), BM_Back, rows, way);
  }
}

int Run(std::span<char* const> journals) {
  std::vector<Log> logs;
  if (journals.empty()) logs.push_back({.name = "made", .rows = MadeRows()});
  for (const std::string path : journals) {
    absl::StatusOr<std::vector<Row>> rows = RowsOf(path);
    if (!rows.ok()) {
      std::cerr << "transform_bench: " << rows.status().message() << '\n';
      return 1;
    }
    logs.push_back({.name = path.substr(path.rfind('/') + 1), .rows = *std::move(rows)});
  }
  for (const Log& log : logs) Register(log);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace journal

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  return journal::Run(std::span(argv, static_cast<size_t>(argc)).subspan(1));
}
