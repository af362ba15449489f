#include "journal/format/batch.h"

#include <capnp/any.h>
#include <capnp/message.h>
#include <capnp/serialize.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "engine/base/catch_kj.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/format/batch.capnp.h"
#include "journal/format/format.h"

namespace journal {
namespace {

constexpr size_t kWordBytes = sizeof(capnp::word);

// Stream framing (one segment), root pointer (no data, two pointers), pointer to an
// inline-composite list one word further, no attachments, list tag (eight data words, no pointers).
std::array<std::byte, kRowsOffset> RowsOnlyHead(uint64_t row_count) {
  const uint64_t words = RowsOnlyBytes(row_count) / kWordBytes - 1;
  const std::array<uint64_t, 5> head = {
      words << 32,
      uint64_t{2} << 48,
      (row_count * 8) << 35 | uint64_t{7} << 32 | 1 << 2 | 1,
      0,
      uint64_t{8} << 32 | row_count << 2,
  };
  std::array<std::byte, kRowsOffset> bytes;
  std::memcpy(bytes.data(), head.data(), sizeof(head));
  return bytes;
}

bool IsRowsOnly(engine::Bytes body, uint32_t row_count) {
  if (body.size() != RowsOnlyBytes(row_count)) return false;
  const auto head = RowsOnlyHead(row_count);
  return std::memcmp(body.data(), head.data(), head.size()) == 0;
}

// As in Cap'n Proto, the missing words of a shorter struct read as zeros. The additional words of a
// longer struct would be lost, so they must be zero.
absl::Status CopyRow(const schema::Row::Reader& reader, Row& row) {
  const capnp::AnyStruct::Reader any(reader);
  const kj::ArrayPtr<const kj::byte> data = any.getDataSection();
  const size_t known = std::min(sizeof(Row), data.size());
  row = Row{};
  std::memcpy(&row, data.begin(), known);
  bool has_pointers = false;
  for (const auto pointer : any.getPointerSection()) has_pointers |= !pointer.isNull();
  if (has_pointers || !IsZero(std::as_bytes(std::span(data.begin(), data.size()).subspan(known)))) {
    return absl::UnimplementedError(
        absl::StrCat("record ", row.sequence.value(),
                     " has fields this build does not know: a newer one wrote it"));
  }
  return absl::OkStatus();
}

}  // namespace

void WriteRowsOnlyHead(size_t row_count, std::byte* at) {
  const auto head = RowsOnlyHead(row_count);
  std::memcpy(at, head.data(), head.size());
}

size_t EncodeBatch(const Batch& batch, AlignedBuffer& body) {
  const auto& [rows, attachments] = batch;
  size_t words = RowsOnlyBytes(rows.size()) / kWordBytes - 1 + 1 + attachments.size() * 2;
  for (const AttachmentView& attachment : attachments) {
    words += (attachment.bytes.size() + kWordBytes - 1) / kWordBytes;
  }
  const size_t bytes = (words + 1) * kWordBytes;
  body.Reserve(bytes);
  std::memset(body.data(), 0, bytes);
  engine::StoreLittleEndian(static_cast<uint32_t>(words), body.data() + 4);

  // One segment of exactly the right size, in place.
  auto* segment = reinterpret_cast<capnp::word*>(body.data() + kWordBytes);
  capnp::FlatMessageBuilder message(kj::arrayPtr(segment, words));
  auto root = message.initRoot<schema::Batch>();
  auto row_list = root.initRows(static_cast<unsigned>(rows.size()));
  for (unsigned i = 0; i < rows.size(); ++i) {
    // The row's layout is that of the struct (batch.capnp).
    auto data = capnp::AnyStruct::Builder(row_list[i]).getDataSection();
    CHECK_EQ(data.size(), sizeof(Row));
    std::memcpy(data.begin(), &rows[i], sizeof(Row));
  }
  auto attachment_list = root.initAttachments(static_cast<unsigned>(attachments.size()));
  for (unsigned i = 0; i < attachments.size(); ++i) {
    attachment_list[i].setSequence(attachments[i].sequence.value());
    attachment_list[i].setBytes(
        kj::arrayPtr(reinterpret_cast<const kj::byte*>(attachments[i].bytes.data()),
                     attachments[i].bytes.size()));
  }
  const auto segments = message.getSegmentsForOutput();
  CHECK_EQ(segments.size(), 1u);
  CHECK_EQ(segments[0].size(), words);
  return bytes;
}

absl::Status BatchDecoder::Decode(engine::Bytes body, uint32_t row_count) {
  attachments_.clear();
  rows_ = {};
  if (IsRowsOnly(body, row_count)) {
    rows_ = {reinterpret_cast<const Row*>(body.data() + kRowsOffset), row_count};
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(DecodeMessage(body, row_count));
  rows_ = copied_rows_;
  return CheckAttachments();
}

absl::Status BatchDecoder::DecodeMessage(engine::Bytes body, uint32_t row_count) {
  const size_t words = body.size() / kWordBytes;
  if (words < 2 || body.size() % kWordBytes != 0 ||
      engine::LoadLittleEndian<uint32_t>(body.data()) != 0 ||
      engine::LoadLittleEndian<uint32_t>(body.data() + 4) != words - 1) {
    return absl::DataLossError("body is not one Cap'n Proto message of one segment");
  }
  absl::Status status;
  const absl::Status thrown = engine::CatchKj([&] {
    capnp::ReaderOptions options;
    // A valid message is read once; in a malicious one several pointers lead to the same words.
    options.traversalLimitInWords = 2 * words;
    capnp::FlatArrayMessageReader message(
        kj::arrayPtr(reinterpret_cast<const capnp::word*>(body.data()), words), options);
    const auto batch = message.getRoot<schema::Batch>();
    const auto row_list = batch.getRows();
    if (row_list.size() != row_count) {
      status = absl::DataLossError(
          absl::StrCat("body has ", row_list.size(), " rows, expected ", row_count));
      return;
    }
    copied_rows_.resize(row_count);
    for (unsigned i = 0; i < row_count && status.ok(); ++i) {
      status = CopyRow(row_list[i], copied_rows_[i]);
    }
    for (const auto attachment : batch.getAttachments()) {
      const auto bytes = attachment.getBytes();
      attachments_.push_back(
          {.sequence = engine::SequenceNumber(attachment.getSequence()),
           .bytes = {reinterpret_cast<const std::byte*>(bytes.begin()), bytes.size()}});
    }
  });
  return thrown.ok() ? status : thrown;
}

absl::Status BatchDecoder::CheckAttachments() const {
  engine::SequenceNumber previous;
  for (const AttachmentView& attachment : attachments_) {
    if (rows_.empty() || attachment.sequence < rows_.front().sequence ||
        attachment.sequence > rows_.back().sequence || attachment.sequence <= previous ||
        attachment.bytes.empty()) {
      return absl::DataLossError(absl::StrCat("attachment of record ", attachment.sequence.value(),
                                              " is empty, out of order or outside its block"));
    }
    previous = attachment.sequence;
  }
  return absl::OkStatus();
}

}  // namespace journal
