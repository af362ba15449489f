// Archives that no honest program writes, byte by byte.

#ifndef TOOLS_CLI_BUNDLE_TESTING_TAR_H_
#define TOOLS_CLI_BUNDLE_TESTING_TAR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tools {

struct TarEntry {
  std::string name;
  std::string contents = {};
  char type = '0';  // '1' hard link, '2' symbolic link, '3' device, '5' folder, '6' pipe.
  std::string link = {};
  std::optional<uint64_t> bytes = {};  // What the header says; default: the truth.
  std::string size_field = {};         // The 12 bytes of the header that say it; default: octal.
};

std::string MakeTar(const std::vector<TarEntry>& entries);

// As one zstd frame with a checksum.
std::string Compressed(const std::string& text);

void WriteTestFile(const std::string& path, const std::string& contents);
std::string ReadTestFile(const std::string& path);

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_TESTING_TAR_H_
