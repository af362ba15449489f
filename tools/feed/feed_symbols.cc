#include "tools/feed/feed_symbols.h"

#include <cstring>

#include "absl/strings/ascii.h"
#include "engine/wire/itch/messages.h"

namespace tools {

std::optional<FeedSymbol> ReadDirectory(engine::Bytes message) {
  using Directory = engine::ItchStockDirectory;
  const absl::string_view text = engine::AsText(message);
  if (text.size() != 1 + sizeof(Directory) || text.front() != Directory::kType) {
    return std::nullopt;
  }
  Directory directory;
  std::memcpy(&directory, text.data() + 1, sizeof(directory));
  const absl::string_view stock(directory.stock.data(), directory.stock.size());
  return FeedSymbol{.symbol = std::string(absl::StripTrailingAsciiWhitespace(stock)),
                    .locate = directory.header.stock_locate};
}

}  // namespace tools
