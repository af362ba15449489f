#include "engine/gateway/conversation.h"

#include <utility>

#include "absl/strings/ascii.h"

namespace engine {

std::string LoginMask::Mask(Bytes bytes) {
  std::string masked(AsText(bytes));
  for (char& byte : masked) {
    if (has_ended_) break;
    byte = Next(byte);
  }
  return masked;
}

char LoginMask::Next(char byte) {
  constexpr absl::string_view kKeyword = "LOGIN";
  if (byte == '\n') {
    has_ended_ = true;
    return byte;
  }
  if (byte == ' ' || byte == '\t' || byte == '\r') {
    if (std::exchange(in_word_, false)) is_login_ &= in_keyword_ == kKeyword.size();
    return byte;
  }
  if (is_comment_) return '*';
  if (!std::exchange(in_word_, true)) {
    ++word_;
    is_comment_ = byte == '#';
    if (is_comment_) return byte;
  }
  if (word_ == 1) {
    is_login_ &= in_keyword_ < kKeyword.size() &&
                 absl::ascii_toupper(static_cast<unsigned char>(byte)) == kKeyword[in_keyword_];
    ++in_keyword_;
    return is_login_ ? byte : '*';
  }
  return is_login_ && word_ == 2 ? byte : '*';
}

}  // namespace engine
