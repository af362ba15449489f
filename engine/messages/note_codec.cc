#include "engine/messages/note_codec.h"

#include <algorithm>
#include <span>

#include "absl/status/status.h"
#include "engine/base/status_macros.h"
#include "engine/messages/canonical_message.h"
#include "engine/messages/messages.capnp.h"

namespace engine {

std::vector<std::byte> EncodeNote(const Note& note) {
  return EncodeCanonical<schema::Note>([&](schema::Note::Builder out) {
    out.setNamespace(kj::StringPtr(note.name_space.c_str(), note.name_space.size()));
    out.setVersion(note.version);
    if (note.bytes.empty()) return;  // Null: one form for no bytes.
    out.setBytes(
        kj::arrayPtr(reinterpret_cast<const kj::byte*>(note.bytes.data()), note.bytes.size()));
  });
}

absl::StatusOr<Note> DecodeNote(Bytes bytes) {
  Note note;
  const auto read = [&](schema::Note::Reader in) {
    note.name_space.assign(in.getNamespace().begin(), in.getNamespace().size());
    note.version = in.getVersion();
    const Bytes own = std::as_bytes(std::span(in.getBytes().begin(), in.getBytes().size()));
    note.bytes.assign(own.begin(), own.end());
  };
  RETURN_IF_ERROR(DecodeCanonical<schema::Note>(bytes, read, kNoteAttachmentBytesMax));
  if (!std::ranges::equal(EncodeNote(note), bytes)) {
    return absl::DataLossError("the bytes are not the canonical form of a note");
  }
  if (!IsSound(note)) {
    return absl::InvalidArgumentError(
        "a note has a namespace of 1 to 32 of a-z 0-9 _ - . and a version of at least 1");
  }
  return note;
}

}  // namespace engine
