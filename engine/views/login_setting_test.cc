#include "engine/views/login_setting.h"

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

Note NoteWith(absl::string_view text) {
  Note note = NoteOf({.login = "desk-1"});
  const Bytes bytes = AsBytes(text);
  note.bytes.assign(bytes.begin(), bytes.end());
  return note;
}

TEST(LoginSetting, IsReadFromItsNote) {
  for (const bool cancels_at_end : {false, true}) {
    for (const std::string& login : {std::string("desk-1"), std::string(64, '~')}) {
      const LoginSetting setting = {.login = login, .cancels_at_end = cancels_at_end};
      EXPECT_TRUE(IsSound(NoteOf(setting)));
      EXPECT_EQ(LoginSettingOf(NoteOf(setting)), setting);
    }
  }
  EXPECT_EQ(AsText(NoteOf({.login = "desk-1"}).bytes), "cancel_on_disconnect off desk-1");
}

TEST(LoginSetting, OtherNotesSetNothing) {
  ASSERT_TRUE(LoginSettingOf(NoteWith("cancel_on_disconnect on desk-1")).has_value());
  for (const std::string& text :
       {std::string(), std::string("cancel_on_disconnect"), std::string("cancel_on_disconnect on "),
        std::string("cancel_on_disconnect maybe desk-1"),
        std::string("cancel_on_disconnect on desk 1"),
        std::string("cancel_on_disconnect on d\0", 26), std::string("cancel_on_disconnect on \xff"),
        "cancel_on_disconnect on " + std::string(65, 'a')}) {
    EXPECT_EQ(LoginSettingOf(NoteWith(text)), std::nullopt) << text;
  }
  Note other = NoteOf({.login = "desk-1"});
  other.version = 2;
  EXPECT_EQ(LoginSettingOf(other), std::nullopt);
  other = NoteOf({.login = "desk-1"});
  other.name_space = "venue";
  EXPECT_EQ(LoginSettingOf(other), std::nullopt);
}

}  // namespace
}  // namespace engine
