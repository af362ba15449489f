#include "engine/wire/dbn/stream_reader.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

constexpr size_t kPlainBytes = 256 << 10;
constexpr size_t kWordBytes = 4;

constexpr std::array<std::pair<uint8_t, absl::string_view>, 24> kTypeNames = {
    {{0x00, "trades"},    {0x01, "mbp-1"},      {0x0a, "mbp-10"},
     {0x11, "ohlcv"},     {0x12, "status"},     {0x13, "definition"},
     {0x14, "imbalance"}, {0x15, "error"},      {0x16, "symbol-mapping"},
     {0x17, "system"},    {0x18, "statistics"}, {0x20, "ohlcv-1s"},
     {0x21, "ohlcv-1m"},  {0x22, "ohlcv-1h"},   {0x23, "ohlcv-1d"},
     {0x24, "ohlcv-eod"}, {0xa0, "mbo"},        {0xb1, "cmbp-1"},
     {0xc0, "cbbo-1s"},   {0xc1, "cbbo-1m"},    {0xc2, "tcbbo"},
     {0xc3, "bbo-1s"},    {0xc4, "bbo-1m"},     {0xc5, "tbbo"}}};

}  // namespace

void DbnStreamReader::Feed(Bytes chunk) {
  if (!status_.ok()) return;
  if (!began_) {
    beginning_.insert(beginning_.end(), chunk.begin(), chunk.end());
    if (beginning_.size() >= kZstdMagicBytes) Begin();
  } else if (zstd_ != nullptr) {
    zstd_->Feed(chunk);
  } else {
    input_ = chunk;
  }
}

void DbnStreamReader::Begin() {
  began_ = true;
  if (!LooksLikeZstd(beginning_)) {
    input_ = beginning_;
    return;
  }
  zstd_ = std::make_unique<ZstdReader>();
  plain_.resize(kPlainBytes);
  zstd_->Feed(beginning_);
}

absl::StatusOr<bool> DbnStreamReader::Next(DbnMbo& record) {
  RETURN_IF_ERROR(status_);
  absl::StatusOr<bool> has_record = Take(record);
  status_ = has_record.status();
  return has_record;
}

absl::StatusOr<bool> DbnStreamReader::Take(DbnMbo& record) {
  while (true) {
    ASSIGN_OR_RETURN(const bool has_record, TakePlain(record));
    if (has_record) return true;
    if (zstd_ == nullptr) return false;
    ASSIGN_OR_RETURN(const size_t plain_bytes, zstd_->Read(plain_));
    if (plain_bytes == 0) return false;
    input_ = Bytes(plain_.data(), plain_bytes);
  }
}

absl::StatusOr<bool> DbnStreamReader::TakePlain(DbnMbo& record) {
  if (!metadata_.has_value()) {
    ASSIGN_OR_RETURN(const bool has_metadata, TakeMetadata());
    if (!has_metadata) return false;
  }
  while (!collected_.empty() || !input_.empty()) {
    const size_t words = std::to_integer<size_t>(collected_.empty() ? input_[0] : collected_[0]);
    const size_t size = words * kWordBytes;
    if (size < sizeof(DbnHeader)) {
      return absl::InvalidArgumentError(absl::StrCat("record at byte ", offset_, ": its length is ",
                                                     size, " bytes, expected ", sizeof(DbnHeader),
                                                     " or more"));
    }
    const std::optional<Bytes> piece = Collect(size);
    if (!piece.has_value()) return false;
    const auto rtype = std::to_integer<uint8_t>((*piece)[1]);
    RETURN_IF_ERROR(CheckRecord(size, rtype));
    offset_ += size;
    ++counts_[rtype];
    if (rtype != kDbnMboType) continue;
    std::memcpy(&record, piece->data(), sizeof(record));
    return true;
  }
  return false;
}

absl::Status DbnStreamReader::CheckRecord(size_t size, uint8_t rtype) const {
  if (rtype != kDbnMboType || size >= sizeof(DbnMbo)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("record at byte ", offset_,
                                                 ": a record of type mbo has ", size,
                                                 " bytes, expected ", sizeof(DbnMbo), " or more"));
}

// Whether it has arrived.
absl::StatusOr<bool> DbnStreamReader::TakeMetadata() {
  if (version_ == 0) {
    const std::optional<Bytes> prefix = Collect(kDbnPrefixBytes);
    if (!prefix.has_value()) return false;
    ASSIGN_OR_RETURN(std::tie(version_, metadata_bytes_), ParseDbnPrefix(*prefix));
    offset_ = kDbnPrefixBytes;
  }
  const std::optional<Bytes> rest = Collect(metadata_bytes_);
  if (!rest.has_value()) return false;
  ASSIGN_OR_RETURN(DbnMetadata metadata, ParseDbnMetadata(version_, *rest));
  if (metadata.schema != DbnSchema::kMbo && metadata.schema != DbnSchema::kMixed) {
    return absl::InvalidArgumentError(
        absl::StrCat("metadata at byte 24: the records are of schema ",
                     static_cast<uint16_t>(metadata.schema), ", expected 0 (mbo)"));
  }
  metadata_ = std::move(metadata);
  offset_ += metadata_bytes_;
  piece_ = {};  // It may be large.
  return true;
}

std::optional<Bytes> DbnStreamReader::Collect(size_t size) {
  if (collected_.empty() && input_.size() >= size) {
    const Bytes piece = input_.first(size);
    input_ = input_.subspan(size);
    return piece;
  }
  const Bytes part = input_.first(std::min(size - collected_.size(), input_.size()));
  collected_.insert(collected_.end(), part.begin(), part.end());
  input_ = input_.subspan(part.size());
  if (collected_.size() < size) return std::nullopt;
  piece_.swap(collected_);
  collected_.clear();
  return Bytes(piece_);
}

absl::Status DbnStreamReader::Finish() {
  RETURN_IF_ERROR(status_);
  if (!began_) {
    Begin();
    DbnMbo none;
    RETURN_IF_ERROR(Next(none).status());
  }
  if (zstd_ != nullptr) RETURN_IF_ERROR(zstd_->Finish());
  if (version_ == 0) {
    return absl::DataLossError(absl::StrCat("the input has ", collected_.size(),
                                            " bytes, expected DBN, which begins with \"DBN\""));
  }
  if (!metadata_.has_value()) {
    return absl::DataLossError(absl::StrCat("metadata at byte ", offset_, ": it has ",
                                            metadata_bytes_, " bytes, and the input ends after ",
                                            collected_.size()));
  }
  if (collected_.empty()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("record at byte ", offset_, ": its length is ",
                                          std::to_integer<size_t>(collected_[0]) * kWordBytes,
                                          " bytes, and the input ends after ", collected_.size()));
}

absl::string_view DbnTypeName(uint8_t rtype) {
  for (const auto& [type, name] : kTypeNames) {
    if (type == rtype) return name;
  }
  return "";
}

}  // namespace engine
