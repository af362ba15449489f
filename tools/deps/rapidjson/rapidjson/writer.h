// Debian's RapidJSON adds to a null pointer: UndefinedBehaviorSanitizer does not check that in it.

#ifndef TOOLS_DEPS_RAPIDJSON_RAPIDJSON_WRITER_H_
#define TOOLS_DEPS_RAPIDJSON_RAPIDJSON_WRITER_H_

#ifdef __clang__
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow"))), apply_to = function)
#endif
#include_next <rapidjson/writer.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

#endif  // TOOLS_DEPS_RAPIDJSON_RAPIDJSON_WRITER_H_
