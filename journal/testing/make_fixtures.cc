// Writes the journals of testdata/journals/v1.2 into a directory: make_fixtures DIRECTORY
//
// A fixture is never written twice: this refuses an existing directory.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/testing/fixtures.h"

namespace journal {
namespace {

absl::Status WriteFixture(const Fixture& fixture, const std::string& parent) {
  ASSIGN_OR_RETURN(
      const std::unique_ptr<Directory> directory,
      OpenPosixDirectory(absl::StrCat(parent, "/", fixture.name), DirectoryMode::kCreate));
  const JournalFiles files = fixture.make();
  for (const auto& [name, bytes] : files) {
    ASSIGN_OR_RETURN(const std::unique_ptr<File> file, directory->Create(name));
    RETURN_IF_ERROR(file->Write(0, bytes));
    RETURN_IF_ERROR(file->Close());
  }
  return absl::OkStatus();
}

int Main(const std::string& parent) {
  for (const Fixture& fixture : FixturesOfVersion1_2()) {
    const absl::Status status = WriteFixture(fixture, parent);
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", status.ToString().c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace journal

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_fixtures DIRECTORY\n");
    return 2;
  }
  return journal::Main(argv[1]);
}
