#include "engine/views/login_setting.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"

namespace engine {
namespace {

constexpr char kNamespace[] = "venue.login";
constexpr uint16_t kVersion = 1;
constexpr char kOn[] = "cancel_on_disconnect on ";
constexpr char kOff[] = "cancel_on_disconnect off ";

}  // namespace

bool IsLoginName(absl::string_view name) {
  return !name.empty() && name.size() <= kLoginNameBytesMax &&
         std::ranges::all_of(
             name, [](char c) { return absl::ascii_isgraph(static_cast<unsigned char>(c)); });
}

Note NoteOf(const LoginSetting& setting) {
  const std::string text = absl::StrCat(setting.cancels_at_end ? kOn : kOff, setting.login);
  const Bytes bytes = AsBytes(text);
  return {.name_space = kNamespace, .version = kVersion, .bytes = {bytes.begin(), bytes.end()}};
}

std::optional<LoginSetting> LoginSettingOf(const Note& note) {
  if (note.name_space != kNamespace || note.version != kVersion) return std::nullopt;
  absl::string_view text = AsText(note.bytes);
  const bool is_on = absl::ConsumePrefix(&text, kOn);
  if (!is_on && !absl::ConsumePrefix(&text, kOff)) return std::nullopt;
  if (!IsLoginName(text)) return std::nullopt;
  return LoginSetting{.login = std::string(text), .cancels_at_end = is_on};
}

}  // namespace engine
