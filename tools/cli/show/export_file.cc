#include "tools/cli/show/export_file.h"

#include <cstddef>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/files.h"

// Created by the linker from tools/cli/read/parquet.py (its BUILD.bazel, parquet_script_object).
extern "C" const char _binary_parquet_py_start[];
extern "C" const char _binary_parquet_py_end[];

namespace tools {
namespace {

constexpr size_t kPendingBytesMax = 64 << 10;

std::string ConverterScript() { return {_binary_parquet_py_start, _binary_parquet_py_end}; }

// Checked before the work: the converter would fail only after its start.
absl::Status CheckHasPyarrow() {
  const auto python = ChildProcess::Start({"python3", "-c", "import pyarrow"});
  if (absl::IsNotFound(python.status())) {
    return absl::NotFoundError(
        "Parquet is written by Python, and there is no python3 in $PATH; expected python3 with "
        "pyarrow (python3 -m pip install pyarrow)");
  }
  RETURN_IF_ERROR(python.status());
  if ((*python)->Wait() == 0) return absl::OkStatus();
  return absl::NotFoundError(
      "Parquet is written by Python's pyarrow, which python3 in $PATH does not have: "
      "python3 -m pip install pyarrow");
}

}  // namespace

absl::string_view WithoutCompression(absl::string_view path) {
  return absl::StripSuffix(absl::StripSuffix(path, kZstdSuffix), kGzipSuffix);
}

absl::StatusOr<std::unique_ptr<ExportFile>> ExportFile::Create(const std::string& path,
                                                               bool replace, bool is_parquet) {
  if (is_parquet) RETURN_IF_ERROR(CheckHasPyarrow());
  auto output = Output::Create(path, replace);
  if (absl::IsAlreadyExists(output.status())) {
    return absl::AlreadyExistsError(
        absl::StrCat(output.status().message(), "; --force replaces it"));
  }
  RETURN_IF_ERROR(output.status());
  std::unique_ptr<ExportFile> file(new ExportFile(*std::move(output)));
  if (is_parquet) {
    RETURN_IF_ERROR(file->StartConverter());
  } else if (absl::EndsWith(path, kZstdSuffix)) {
    file->zstd_ = std::make_unique<engine::ZstdWriter>();
  } else if (absl::EndsWith(path, kGzipSuffix)) {
    file->gzip_ = std::make_unique<engine::GzipWriter>();
  }
  return file;
}

absl::Status ExportFile::StartConverter() {
  ASSIGN_OR_RETURN(folder_, TemporaryDirectory::Make());
  ASSIGN_OR_RETURN(converter_, ChildProcess::Start({"python3", "-c", ConverterScript(),
                                                    absl::StrCat(folder_->path(), "/table")}));
  return absl::OkStatus();
}

void ExportFile::Write(absl::string_view text) {
  if (zstd_ != nullptr) {
    zstd_->Write(text, pending_);
  } else if (gzip_ != nullptr) {
    gzip_->Write(text, pending_);
  } else {
    absl::StrAppend(&pending_, text);
  }
  if (pending_.size() < kPendingBytesMax) return;
  if (converter_ == nullptr) {
    output_->Write(pending_);
  } else if (status_.ok()) {
    status_ = converter_->Write(engine::AsBytes(absl::string_view(pending_)));
  }
  pending_.clear();
}

absl::Status ExportFile::Finish() {
  if (zstd_ != nullptr) zstd_->Finish(pending_);
  if (gzip_ != nullptr) gzip_->Finish(pending_);
  if (converter_ != nullptr) {
    RETURN_IF_ERROR(FinishConverter());
  } else {
    output_->Write(pending_);
  }
  return output_->Finish();
}

absl::Status ExportFile::FinishConverter() {
  if (status_.ok()) status_ = converter_->Write(engine::AsBytes(absl::string_view(pending_)));
  const int exit_code = converter_->Wait();
  if (exit_code != 0) {
    return absl::AbortedError(
        absl::StrCat("python3, which writes Parquet: ", DescribeExit(exit_code), ": ",
                     converter_->last_words()));
  }
  RETURN_IF_ERROR(status_);
  ASSIGN_OR_RETURN(const std::string table, ReadFile(absl::StrCat(folder_->path(), "/table")));
  output_->Write(table);
  return absl::OkStatus();
}

}  // namespace tools
