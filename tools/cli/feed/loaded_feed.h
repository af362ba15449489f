// The feed of a journal in memory: its messages, to be sent at any rate, and sent again.

#ifndef TOOLS_CLI_FEED_LOADED_FEED_H_
#define TOOLS_CLI_FEED_LOADED_FEED_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/mold/retransmission.h"
#include "tools/cli/base/console.h"
#include "tools/feed/books_summary.h"

namespace tools {

// Not thread-safe: owned by the verb.
class LoadedFeed final : public engine::MoldHistory {
 public:
  // The ITCH messages of the whole journal, with progress on `console`. Errors: as WriteItch.
  static absl::StatusOr<LoadedFeed> OfItch(const std::string& path, Console& console);

  // The same as add-cancel messages of one book. An empty `symbol` is that of the only market.
  // Errors: INVALID_ARGUMENT with the markets if it is none of them.
  static absl::StatusOr<LoadedFeed> OfAddCancel(const std::string& path, const std::string& symbol,
                                                Console& console);

  const std::string& session() const { return session_; }
  uint64_t size() const { return ends_.size() - 1; }

  // Message `number`, from 1 on, after its length of 2 bytes.
  engine::Bytes framed(uint64_t number) const {
    return engine::AsBytes(
        absl::string_view(bytes_).substr(ends_[number - 1], ends_[number] - ends_[number - 1]));
  }

  // Visits those that were sent: the first `count`.
  void set_sent(uint64_t count) { sent_ = count; }
  void Visit(uint64_t first, absl::FunctionRef<bool(engine::Bytes framed)> take) override;

  // Appends, as SoupBinTCP's sequenced data, what one needs who has received none of those that
  // were sent: markets, trading states, orders that rest, and where the feed goes on. REQUIRES:
  // ITCH.
  void AppendSnapshot(std::string& out) const;

  // The books of one who has received all.
  const BooksSummary& books() const { return books_; }

 private:
  LoadedFeed() = default;
  void Add(engine::Bytes message);

  std::string session_;
  std::string bytes_;
  std::vector<size_t> ends_ = {0};
  uint64_t sent_ = 0;
  BooksSummary books_;
};

}  // namespace tools

#endif  // TOOLS_CLI_FEED_LOADED_FEED_H_
