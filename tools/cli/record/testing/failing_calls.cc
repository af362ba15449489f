// A library to preload: makes one of a program's calls to the system fail, come up short or take
// long. Only calls on files under one folder count.
//
//   program ─► write, pwritev, fdatasync, openat, renameat2, … ─► here ─► the system
//                                                             └─ the n-th: an error instead
//
//   FAILING_CALLS_UNDER=FOLDER    whose files count
//   FAILING_CALLS_FIRST=N         the first call that fails, from 0; none when left out
//   FAILING_CALLS_TIMES=N         so many fail, one after the other; 1 when left out
//   FAILING_CALLS_HOW=eio|enospc|full|short|delay
//                                 full: ENOSPC, but only for what takes more space
//                                 short: half of what was to be written, else EIO
//   FAILING_CALLS_REPORT=FILE     at the end: the names of all calls that counted, one a line, with
//                                 ":watermark" after those on the file of that name

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr uint32_t kReportedMax = 1 << 16;
constexpr long kDelayNanos = 3'000'000;

struct Plan {
  const char* under = std::getenv("FAILING_CALLS_UNDER");
  const char* how = std::getenv("FAILING_CALLS_HOW");
  const char* report = std::getenv("FAILING_CALLS_REPORT");
  uint64_t first = Number("FAILING_CALLS_FIRST", UINT64_MAX);
  uint64_t times = Number("FAILING_CALLS_TIMES", 1);

  static uint64_t Number(const char* name, uint64_t otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
  }
};

const Plan& ThePlan() {
  static const Plan plan;
  return plan;
}

std::atomic<uint32_t> call_count = 0;
const char* call_names[kReportedMax];
bool is_on_watermark[kReportedMax];

template <typename Function>
Function Real(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool Counts(const char* path) {
  const char* const under = ThePlan().under;
  return under != nullptr && std::strncmp(path, under, std::strlen(under)) == 0;
}

bool IsWatermark(const char* path) {
  const char* const name = std::strrchr(path, '/');
  return name != nullptr && std::strcmp(name, "/watermark") == 0;
}

// A name in a directory that is open, or that is AT_FDCWD.
struct NameIn {
  int directory;
  const char* name;
};

// A file is given by a descriptor, or by its name; it has no path where there is none.
struct PathOf {
  explicit PathOf(int descriptor) {
    char link[64];
    std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
    const ssize_t bytes = ::readlink(link, path, sizeof(path) - 1);
    path[bytes > 0 ? bytes : 0] = '\0';
  }
  explicit PathOf(const NameIn& file) : PathOf(file.directory) {
    const size_t length = file.directory == AT_FDCWD ? 0 : std::strlen(path);
    std::snprintf(path + length, sizeof(path) - length, "%s%s", length == 0 ? "" : "/", file.name);
  }
  char path[4096];
};

enum class Fate { kPasses, kFails, kShort };

// Counts a call that matters; errno is set where it fails.
template <typename Where>
Fate Meet(const char* name, Where where, bool takes_space = false) {
  const PathOf file(where);
  if (!Counts(file.path)) return Fate::kPasses;
  const Plan& plan = ThePlan();
  const uint32_t number = call_count.fetch_add(1);
  if (number < kReportedMax) {
    call_names[number] = name;
    is_on_watermark[number] = IsWatermark(file.path);
  }
  if (number < plan.first || number - plan.first >= plan.times) return Fate::kPasses;
  const char* const how = plan.how == nullptr ? "eio" : plan.how;
  if (std::strcmp(how, "delay") == 0) {
    const timespec delay = {.tv_sec = 0, .tv_nsec = kDelayNanos};
    ::nanosleep(&delay, nullptr);
    return Fate::kPasses;
  }
  const bool is_full = std::strcmp(how, "full") == 0;
  if (is_full && !takes_space) return Fate::kPasses;
  errno = is_full || std::strcmp(how, "enospc") == 0 ? ENOSPC : EIO;
  return std::strcmp(how, "short") == 0 ? Fate::kShort : Fate::kFails;
}

bool EndsAfter(int descriptor, uint64_t end) {
  struct stat info;
  return ::fstat(descriptor, &info) == 0 && end > static_cast<uint64_t>(info.st_size);
}

uint64_t BytesOf(const struct iovec* parts, int count) {
  uint64_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return bytes;
}

struct Reporter {
  ~Reporter() {
    const char* const path = ThePlan().report;
    if (path == nullptr) return;
    std::FILE* const file = std::fopen(path, "w");
    if (file == nullptr) return;
    const uint32_t count = call_count.load();
    for (uint32_t i = 0; i < count && i < kReportedMax; ++i) {
      std::fprintf(file, "%s%s\n", call_names[i], is_on_watermark[i] ? ":watermark" : "");
    }
    std::fclose(file);
  }
};
const Reporter reporter;

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t count) {
  static const auto real = Real(&write, "write");
  const Fate fate = Meet("write", descriptor, true);
  if (fate == Fate::kFails) return -1;
  return real(descriptor, bytes, fate == Fate::kShort ? count / 2 : count);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  static const auto real = Real(&pwrite, "pwrite");
  const Fate fate =
      Meet("pwrite", descriptor, EndsAfter(descriptor, static_cast<uint64_t>(offset) + count));
  if (fate == Fate::kFails) return -1;
  return real(descriptor, bytes, fate == Fate::kShort ? count / 2 : count, offset);
}

ssize_t pwritev(int descriptor, const struct iovec* parts, int count, off_t offset) {
  static const auto real = Real(&pwritev, "pwritev");
  const Fate fate =
      Meet("pwritev", descriptor,
           EndsAfter(descriptor, static_cast<uint64_t>(offset) + BytesOf(parts, count)));
  if (fate == Fate::kFails) return -1;
  if (fate == Fate::kPasses) return real(descriptor, parts, count, offset);
  const struct iovec half = {.iov_base = parts[0].iov_base, .iov_len = parts[0].iov_len / 2};
  return real(descriptor, &half, 1, offset);
}

int fdatasync(int descriptor) {
  static const auto real = Real(&fdatasync, "fdatasync");
  return Meet("fdatasync", descriptor) == Fate::kPasses ? real(descriptor) : -1;
}

int fsync(int descriptor) {
  static const auto real = Real(&fsync, "fsync");
  return Meet("fsync", descriptor) == Fate::kPasses ? real(descriptor) : -1;
}

int ftruncate(int descriptor, off_t bytes) noexcept {
  static const auto real = Real(&ftruncate, "ftruncate");
  return Meet("ftruncate", descriptor) == Fate::kPasses ? real(descriptor, bytes) : -1;
}

int fallocate(int descriptor, int mode, off_t offset, off_t bytes) {
  static const auto real = Real(&fallocate, "fallocate");
  if (Meet("fallocate", descriptor) != Fate::kPasses) return -1;
  return real(descriptor, mode, offset, bytes);
}

int renameat2(int from_directory, const char* from, int to_directory, const char* to,
              unsigned flags) noexcept {
  static const auto real = Real(&renameat2, "renameat2");
  if (Meet("rename", NameIn{from_directory, from}) != Fate::kPasses) return -1;
  return real(from_directory, from, to_directory, to, flags);
}

int openat(int directory, const char* name, int flags, ...) {
  static const auto real = Real(&openat, "openat");
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  const Fate fate = Meet("open", NameIn{directory, name}, (flags & O_CREAT) != 0);
  return fate == Fate::kPasses ? real(directory, name, flags, mode) : -1;
}

}  // extern "C"
