// A note: bytes that a venue records in the log for itself, such as texts, schedules and key ids.
// The exchange never interprets them.

#ifndef ENGINE_TYPES_NOTE_H_
#define ENGINE_TYPES_NOTE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace engine {

// A regular value type, carried as the attachment of a note command.
struct Note {
  std::string name_space;        // Says who defines version and bytes.
  uint16_t version = 0;          // Of the meaning of the bytes; the first is 1.
  std::vector<std::byte> bytes;  // Any, or none.

  friend bool operator==(const Note&, const Note&) = default;
};

inline constexpr size_t kNoteNamespaceBytesMax = 32;
inline constexpr size_t kNoteBytesMax = 65'536;

constexpr bool IsInNoteNamespace(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

inline bool IsSound(const Note& note) {
  return !note.name_space.empty() && note.name_space.size() <= kNoteNamespaceBytesMax &&
         std::ranges::all_of(note.name_space, IsInNoteNamespace) && note.version != 0 &&
         note.bytes.size() <= kNoteBytesMax;
}

}  // namespace engine

#endif  // ENGINE_TYPES_NOTE_H_
