// Encodes and decodes a note, the attachment of its command: struct Note of messages.capnp.
// Canonical bytes, as for market definitions. Here no other bytes are accepted, so that what
// follows a note, or a field of a newer version, is not lost unseen.

#ifndef ENGINE_MESSAGES_NOTE_CODEC_H_
#define ENGINE_MESSAGES_NOTE_CODEC_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/types/note.h"

namespace engine {

// The longest attachment of a sound note: four words of pointers and version, the namespace and its
// zero in whole words, and the bytes.
inline constexpr size_t kNoteAttachmentBytesMax = 32 + 40 + kNoteBytesMax;

std::vector<std::byte> EncodeNote(const Note& note);

// Accepts any bytes; the note that it returns is sound, and EncodeNote() gives the same bytes.
// Errors: DATA_LOSS if the bytes are not those of a note, INVALID_ARGUMENT if the note is not
// sound.
absl::StatusOr<Note> DecodeNote(Bytes bytes);

}  // namespace engine

#endif  // ENGINE_MESSAGES_NOTE_CODEC_H_
