// What an operator sets for a login, as the note that records it:
//
//   namespace venue.login, version 1, bytes "cancel_on_disconnect on desk-1"

#ifndef ENGINE_VIEWS_LOGIN_SETTING_H_
#define ENGINE_VIEWS_LOGIN_SETTING_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/types/note.h"

namespace engine {

inline constexpr size_t kLoginNameBytesMax = 64;

// Whether `name` may be that of a login: 1 to kLoginNameBytesMax printable ASCII characters without
// spaces.
bool IsLoginName(absl::string_view name);

// A regular value type.
struct LoginSetting {
  std::string login;  // IsLoginName().
  bool cancels_at_end = false;

  friend bool operator==(const LoginSetting&, const LoginSetting&) = default;
};

Note NoteOf(const LoginSetting& setting);

// Any note is safe. Empty for notes that set nothing.
std::optional<LoginSetting> LoginSettingOf(const Note& note);

}  // namespace engine

#endif  // ENGINE_VIEWS_LOGIN_SETTING_H_
