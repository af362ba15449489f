// Bytes and nanoseconds a record, by delta mask and records a block; DESIGN.md has the numbers.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "engine/base/check.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/batch.h"
#include "journal/format/block_codec.h"
#include "journal/format/block_header.h"
#include "journal/testing/records.h"

namespace journal {
namespace {

constexpr size_t kRecordCount = 1 << 15;

// The same log as bodies of `block_records` each.
std::vector<AlignedBuffer> Bodies(size_t block_records, std::vector<BlockHeader>& headers) {
  RecordSource source(1);
  std::vector<AlignedBuffer> bodies;
  for (size_t i = 0; i < kRecordCount; i += block_records) {
    AlignedBuffer& body = bodies.emplace_back(kRowsOffset);
    body.Reserve(RowsOnlyBytes(block_records));
    WriteRowsOnlyHead(block_records, body.data());
    const std::vector<OwnedRecord> records = source.Take(block_records);
    for (size_t j = 0; j < block_records; ++j) {
      std::memcpy(body.data() + RowsOnlyBytes(j), &records[j].row, sizeof(Row));
    }
    BlockHeader& header = headers.emplace_back();
    header.record_count = static_cast<uint32_t>(block_records);
    header.first_sequence = records.front().row.sequence.value();
    header.first_timestamp = records.front().row.timestamp.nanos();
    header.last_timestamp = records.back().row.timestamp.nanos();
  }
  return bodies;
}

void Report(benchmark::State& state, uint64_t payload_bytes) {
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kRecordCount));
  state.counters["bytes_per_record"] =
      static_cast<double>(payload_bytes) / static_cast<double>(kRecordCount);
}

void BM_Encode(benchmark::State& state) {
  const size_t block_records = static_cast<size_t>(state.range(0));
  BlockEncoder encoder(1, static_cast<uint8_t>(state.range(1)));
  std::vector<BlockHeader> headers;
  const std::vector<AlignedBuffer> bodies = Bodies(block_records, headers);
  AlignedBuffer block(kRowsOffsetInBlock);
  uint64_t payload_bytes = 0;
  for (auto _ : state) {
    payload_bytes = 0;
    for (size_t i = 0; i < bodies.size(); ++i) {
      encoder.Encode(bodies[i].first(RowsOnlyBytes(block_records)), headers[i], block);
      payload_bytes += headers[i].payload_bytes;
    }
  }
  Report(state, payload_bytes);
}

void BM_Decode(benchmark::State& state) {
  const size_t block_records = static_cast<size_t>(state.range(0));
  BlockEncoder encoder(state.range(2) == 0 ? std::nullopt : std::optional(1),
                       static_cast<uint8_t>(state.range(1)));
  std::vector<BlockHeader> headers;
  const std::vector<AlignedBuffer> bodies = Bodies(block_records, headers);
  std::vector<AlignedBuffer> blocks;
  uint64_t payload_bytes = 0;
  for (size_t i = 0; i < bodies.size(); ++i) {
    encoder.Encode(bodies[i].first(RowsOnlyBytes(block_records)), headers[i],
                   blocks.emplace_back(kRowsOffsetInBlock));
    payload_bytes += headers[i].payload_bytes;
  }
  BlockDecoder decoder;
  DecodedBlock decoded;
  uint64_t sum = 0;
  for (auto _ : state) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      const engine::Bytes payload = std::as_const(blocks[i])
                                        .first(kBlockHeaderBytes + headers[i].payload_bytes)
                                        .subspan(kBlockHeaderBytes);
      CHECK_OK(CheckPayload(headers[i], payload));
      CHECK_OK(decoder.Decode(headers[i], payload, decoded));
      for (const Row& row : decoded.rows()) sum += row.sequence.value();
    }
  }
  CHECK_EQ(sum, state.iterations() * (kRecordCount * (kRecordCount + 1) / 2));
  Report(state, payload_bytes);
}

// Masks: none; sequence; sequence, time; and with each of order, price, client order.
BENCHMARK(BM_Encode)
    ->ArgNames({"block_records", "mask"})
    ->ArgsProduct({{1024}, {0b0, 0b1, 0b11, 0b111, 0b1011, 0b10'0011, 0b10'0111}})
    ->ArgsProduct({{16, 64, 256, 4096}, {0b11}});
BENCHMARK(BM_Decode)
    ->ArgNames({"block_records", "mask", "zstd"})
    ->ArgsProduct({{1024}, {0b0, 0b11, 0b10'0011}, {1}})
    ->ArgsProduct({{64, 256, 4096}, {0b11}, {1}})
    ->Args({1024, 0b11, 0});

}  // namespace
}  // namespace journal
