#include "engine/gateway/conversation.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace engine {
namespace {

constexpr absl::string_view kSecretFields[] = {"authorization:", "kalshi-access-signature:"};

bool IsBlank(char byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }

}  // namespace

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
  if (IsBlank(byte)) {
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

std::string HeaderMask::Mask(Bytes bytes) {
  std::string masked(AsText(bytes));
  for (char& byte : masked) byte = Next(byte);
  return masked;
}

char HeaderMask::Next(char byte) {
  if (byte == '\n') {
    follows_secret_ = place_ == Place::kSecret;
    place_ = Place::kStart;
    name_.clear();
    return byte;
  }
  if (place_ == Place::kStart) {
    const bool goes_on = byte == ' ' || byte == '\t';  // A value, in another line.
    place_ = !goes_on ? Place::kName : follows_secret_ ? Place::kSecret : Place::kRest;
  }
  if (place_ == Place::kSecret) return IsBlank(byte) ? byte : '*';
  if (place_ == Place::kName && !IsBlank(byte)) {
    name_.push_back(absl::ascii_tolower(static_cast<unsigned char>(byte)));
    place_ = Place::kRest;
    for (const absl::string_view field : kSecretFields) {
      if (absl::StartsWith(field, name_)) place_ = Place::kName;
      if (field == name_) place_ = Place::kSecret;
    }
  }
  return byte;
}

}  // namespace engine
