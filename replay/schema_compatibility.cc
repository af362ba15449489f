#include "replay/schema_compatibility.h"

#include <capnp/message.h>
#include <capnp/schema.capnp.h>
#include <capnp/serialize.h>
#include <kj/array.h>

#include <cstring>
#include <functional>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/catch_kj.h"
#include "engine/base/status_macros.h"

namespace replay {
namespace {

using capnp::schema::Field;
using capnp::schema::Node;
using capnp::schema::Type;

// Copies the bytes to words, because they may not be aligned.
kj::Array<capnp::word> ToWords(engine::Bytes schema) {
  auto words = kj::heapArray<capnp::word>(schema.size() / sizeof(capnp::word));
  if (words.size() > 0) {
    std::memcpy(words.begin(), schema.data(), words.size() * sizeof(capnp::word));
  }
  return words;
}

std::string NameOf(Node::Reader node) {
  const absl::string_view name = node.getDisplayName().cStr();
  return std::string(name.substr(name.find(':') + 1));
}

// Limit of nested lists in untrusted schemas.
constexpr int kListDepthMax = 8;

std::string TypeText(Type::Reader type, int depth = 0) {
  static constexpr const char* kNames[] = {"Void",    "Bool",    "Int8",   "Int16",  "Int32",
                                           "Int64",   "UInt8",   "UInt16", "UInt32", "UInt64",
                                           "Float32", "Float64", "Text",   "Data"};
  const auto which = static_cast<size_t>(type.which());
  if (which < std::size(kNames)) return kNames[which];
  switch (type.which()) {
    case Type::LIST:
      if (depth >= kListDepthMax) return "List(...)";
      return absl::StrCat("List(", TypeText(type.getList().getElementType(), depth + 1), ")");
    case Type::ENUM:
      return absl::StrCat("enum ", absl::Hex(type.getEnum().getTypeId()));
    case Type::STRUCT:
      return absl::StrCat("struct ", absl::Hex(type.getStruct().getTypeId()));
    case Type::INTERFACE:
      return "interface";
    default:
      return "AnyPointer";
  }
}

// Returns 0 for a pointer.
uint64_t BitsOf(Type::Reader type) {
  static constexpr uint64_t kBits[] = {0, 1, 8, 16, 32, 64, 8, 16, 32, 64, 32, 64};
  if (type.isEnum()) return 16;
  const auto which = static_cast<size_t>(type.which());
  return which < std::size(kBits) ? kBits[which] : 0;
}

// Returns the field's position and type: fields with equal texts are read identically.
std::string LayoutText(Field::Reader field) {
  std::string text;
  if (field.isGroup()) {
    text = absl::StrCat("group ", absl::Hex(field.getGroup().getTypeId()));
  } else {
    const auto slot = field.getSlot();
    const uint64_t bits = BitsOf(slot.getType());
    text = absl::StrCat(":", TypeText(slot.getType()));
    if (bits > 0) {
      const uint64_t first = slot.getOffset() * bits;
      absl::StrAppend(&text, " bits ", first, "..", first + bits - 1);
    } else if (!slot.getType().isVoid()) {
      absl::StrAppend(&text, " pointer ", slot.getOffset());
    }
  }
  if (field.getDiscriminantValue() != Field::NO_DISCRIMINANT) {
    absl::StrAppend(&text, " of a union, ", field.getDiscriminantValue());
  }
  return text;
}

// Fields are identified by ordinal; groups, which have none, by name.
std::string KeyOf(Field::Reader field) {
  if (field.getOrdinal().isExplicit()) return absl::StrCat("@", field.getOrdinal().getExplicit());
  return field.getName().cStr();
}

std::string FieldText(Field::Reader field) {
  return absl::StrCat(field.getName().cStr(), " ", KeyOf(field), " ", LayoutText(field));
}

void CompareFields(Node::Reader recorded, Node::Reader today, SchemaComparison& result) {
  const std::string type = NameOf(recorded);
  std::map<std::string, Field::Reader> now;
  for (const auto field : today.getStruct().getFields()) now.emplace(KeyOf(field), field);
  for (const auto field : recorded.getStruct().getFields()) {
    ++result.member_count;
    const auto found = now.find(KeyOf(field));
    if (found == now.end()) {
      result.breaks.push_back(absl::StrCat(type, ".", FieldText(field), " is gone"));
      continue;
    }
    const std::string before = LayoutText(field);
    const std::string after = LayoutText(found->second);
    const std::string name = found->second.getName().cStr();
    if (before != after) {
      result.breaks.push_back(absl::StrCat(type, ".", field.getName().cStr(), " ", KeyOf(field),
                                           " was ", before, " and is ", after));
    } else if (name != field.getName().cStr()) {
      result.renames.push_back(
          absl::StrCat(type, ".", FieldText(field), " is called ", name, " now"));
    }
    now.erase(found);
  }
  for (const auto& [key, field] : now) {
    result.additions.push_back(absl::StrCat(type, ".", FieldText(field)));
  }
}

void CompareStructs(Node::Reader recorded, Node::Reader today, bool is_row,
                    SchemaComparison& result) {
  const auto before = recorded.getStruct();
  const auto after = today.getStruct();
  const auto words = [](auto node) {
    return absl::StrCat(node.getDataWordCount(), " words of data and ", node.getPointerCount(),
                        " pointers");
  };
  const bool grew = after.getDataWordCount() > before.getDataWordCount() ||
                    after.getPointerCount() > before.getPointerCount();
  const bool shrank = after.getDataWordCount() < before.getDataWordCount() ||
                      after.getPointerCount() < before.getPointerCount();
  if (shrank || (grew && is_row)) {
    result.breaks.push_back(absl::StrCat(NameOf(recorded), " was ", words(before), " and is ",
                                         words(after), is_row ? "; rows have one size" : ""));
  }
  if (before.getDiscriminantCount() > 0 &&
      before.getDiscriminantOffset() != after.getDiscriminantOffset()) {
    result.breaks.push_back(absl::StrCat(NameOf(recorded), ": the union's tag has moved"));
  }
  CompareFields(recorded, today, result);
}

void CompareEnums(Node::Reader recorded, Node::Reader today, SchemaComparison& result) {
  const std::string type = NameOf(recorded);
  const auto before = recorded.getEnum().getEnumerants();
  const auto after = today.getEnum().getEnumerants();
  for (unsigned i = 0; i < before.size(); ++i) {
    ++result.member_count;
    const std::string name = before[i].getName().cStr();
    if (i >= after.size()) {
      result.breaks.push_back(absl::StrCat(type, ".", name, " @", i, " is gone"));
    } else if (name != after[i].getName().cStr()) {
      result.renames.push_back(
          absl::StrCat(type, ".", name, " @", i, " is called ", after[i].getName().cStr(), " now"));
    }
  }
  for (unsigned i = before.size(); i < after.size(); ++i) {
    result.additions.push_back(absl::StrCat(type, ".", after[i].getName().cStr(), " @", i));
  }
}

void CompareNodes(const std::map<uint64_t, Node::Reader>& recorded,
                  const std::map<uint64_t, Node::Reader>& today, uint64_t row,
                  SchemaComparison& result) {
  for (const auto& [id, node] : recorded) {
    ++result.type_count;
    const auto found = today.find(id);
    if (found == today.end()) {
      result.breaks.push_back(absl::StrCat(NameOf(node), " (", absl::Hex(id), ") is gone"));
    } else if (node.which() != found->second.which()) {
      result.breaks.push_back(absl::StrCat(NameOf(node), " is another kind of type"));
    } else if (node.isStruct()) {
      CompareStructs(node, found->second, id == row, result);
    } else if (node.isEnum()) {
      CompareEnums(node, found->second, result);
    }
  }
  for (const auto& [id, node] : today) {
    if (!recorded.contains(id)) result.additions.push_back(NameOf(node));
  }
}

absl::Status WithNodes(engine::Bytes schema, absl::string_view whose,
                       const std::function<void(std::map<uint64_t, Node::Reader>&)>& use) {
  const kj::Array<capnp::word> words = ToWords(schema);
  const absl::Status status = engine::CatchKj([&] {
    capnp::FlatArrayMessageReader reader(words);
    std::map<uint64_t, Node::Reader> nodes;
    for (const auto node : reader.getRoot<capnp::schema::CodeGeneratorRequest>().getNodes()) {
      nodes.emplace(node.getId(), node);
    }
    use(nodes);
  });
  if (status.ok()) return status;
  return absl::DataLossError(
      absl::StrCat("the ", whose, " schema cannot be read: ", status.message()));
}

}  // namespace

absl::StatusOr<SchemaComparison> CompareSchemas(engine::Bytes recorded, engine::Bytes today,
                                                uint64_t row) {
  SchemaComparison result;
  absl::Status inner;
  RETURN_IF_ERROR(WithNodes(recorded, "recorded", [&](auto& before) {
    inner = WithNodes(today, "other", [&](auto& now) { CompareNodes(before, now, row, result); });
  }));
  RETURN_IF_ERROR(inner);
  if (result.type_count == 0) return absl::DataLossError("the recorded schema has no types");
  return result;
}

absl::StatusOr<std::vector<std::string>> DescribeSchema(engine::Bytes schema) {
  std::vector<std::string> lines;
  RETURN_IF_ERROR(WithNodes(schema, "recorded", [&](auto& nodes) {
    for (const auto& [id, node] : nodes) {
      lines.push_back(absl::StrCat(NameOf(node), " (", absl::Hex(id), ")"));
      if (node.isStruct()) {
        for (const auto field : node.getStruct().getFields()) {
          lines.push_back(absl::StrCat("  ", FieldText(field)));
        }
      } else if (node.isEnum()) {
        unsigned ordinal = 0;
        for (const auto enumerant : node.getEnum().getEnumerants()) {
          lines.push_back(absl::StrCat("  ", enumerant.getName().cStr(), " @", ordinal++));
        }
      }
    }
  }));
  return lines;
}

}  // namespace replay
