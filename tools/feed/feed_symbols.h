// Which symbol a book of a feed has: the stock directory, which one thread reads from the feed
// while others ask.

#ifndef TOOLS_FEED_FEED_SYMBOLS_H_
#define TOOLS_FEED_FEED_SYMBOLS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "tools/os/thread.h"

namespace tools {

// A value.
struct FeedSymbol {
  std::string symbol = {};  // Without its padding.
  uint16_t locate = 0;
};

// What an ITCH message, without its length, says of the directory; nullopt if it says nothing. Any
// bytes are safe.
std::optional<FeedSymbol> ReadDirectory(engine::Bytes message);

// Thread-safe.
class FeedSymbols {
 public:
  // A symbol that has a book gets another one.
  void Set(const FeedSymbol& symbol) {
    const MutexLock lock(mutex_);
    locates_[symbol.symbol] = symbol.locate;
  }
  void Clear() {
    const MutexLock lock(mutex_);
    locates_.clear();
  }

  std::optional<uint16_t> Find(absl::string_view symbol) const {
    const MutexLock lock(mutex_);
    const auto found = locates_.find(symbol);
    if (found == locates_.end()) return std::nullopt;
    return found->second;
  }
  size_t size() const {
    const MutexLock lock(mutex_);
    return locates_.size();
  }

 private:
  mutable Mutex mutex_;
  std::map<std::string, uint16_t, std::less<>> locates_;  // Guarded by mutex_.
};

}  // namespace tools

#endif  // TOOLS_FEED_FEED_SYMBOLS_H_
