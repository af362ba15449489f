// The file that `export` writes: as it is, compressed, or Parquet that Python's pyarrow makes of
// CSV.

#ifndef TOOLS_CLI_SHOW_EXPORT_FILE_H_
#define TOOLS_CLI_SHOW_EXPORT_FILE_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/wire/gzip.h"
#include "engine/wire/zstd.h"
#include "tools/os/child_process.h"
#include "tools/os/output.h"
#include "tools/os/output_folder.h"

namespace tools {

// The ends of names that say how a file is compressed.
inline constexpr absl::string_view kZstdSuffix = ".zst";
inline constexpr absl::string_view kGzipSuffix = ".gz";

// Returns `path` without such an end.
absl::string_view WithoutCompression(absl::string_view path);

// Appears under its name only when it is whole. Not thread-safe: owned by the verb.
class ExportFile {
 public:
  // Compresses as the name says. With `is_parquet`, what is written is the CSV of commands or
  // events, and `path` has no such end. Errors: those of Output::Create(), with how to replace
  // the file; NOT_FOUND, with what to install: there is no python3, or it has no pyarrow.
  static absl::StatusOr<std::unique_ptr<ExportFile>> Create(const std::string& path, bool replace,
                                                            bool is_parquet);

  void Write(absl::string_view text);

  // Errors: the first one that occurred, now or earlier.
  absl::Status Finish();

 private:
  explicit ExportFile(std::unique_ptr<Output> output) : output_(std::move(output)) {}
  absl::Status StartConverter();
  absl::Status FinishConverter();

  const std::unique_ptr<Output> output_;
  std::unique_ptr<engine::ZstdWriter> zstd_;  // At most one of these.
  std::unique_ptr<engine::GzipWriter> gzip_;
  std::unique_ptr<TemporaryDirectory> folder_;  // The converter writes into it.
  std::unique_ptr<ChildProcess> converter_;
  std::string pending_;
  absl::Status status_;
};

}  // namespace tools

#endif  // TOOLS_CLI_SHOW_EXPORT_FILE_H_
