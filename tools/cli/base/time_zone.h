// Time zones of the IANA database, as the machine has it: /usr/share/zoneinfo.

#ifndef TOOLS_CLI_BASE_TIME_ZONE_H_
#define TOOLS_CLI_BASE_TIME_ZONE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "engine/base/timestamp.h"

namespace tools {

// `name`: "America/New_York", "UTC", or "local" for the machine's own. Errors: INVALID_ARGUMENT for
// a name that the database does not have; FAILED_PRECONDITION without a database.
absl::StatusOr<absl::TimeZone> FindTimeZone(const std::string& name);

// "2020-01-30T04:30:00.123456789-05:00".
std::string TimeIn(engine::Timestamp time, absl::TimeZone zone);

// `text` with each time that has the text form of a Timestamp as the time of `zone`.
std::string WithTimesIn(absl::string_view text, absl::TimeZone zone);

// Returns `text` with each time in it as a Timestamp prints it: "2020-01-30 09:30:00.5-05:00", also
// without seconds and with a T. A time without an offset is one of `zone`. Errors: INVALID_ARGUMENT
// for such a time if `zone` is nullopt, or if clocks of `zone` skip it or show it twice.
absl::StatusOr<std::string> WithTimesInUtc(absl::string_view text,
                                           const std::optional<absl::TimeZone>& zone);

// The first moment of the day. Errors: INVALID_ARGUMENT for a day outside 1678..2261.
absl::StatusOr<engine::Timestamp> BeginOf(absl::CivilDay day, absl::TimeZone zone);

// "2020-01-30" or "20200130". Errors: INVALID_ARGUMENT.
absl::StatusOr<absl::CivilDay> ParseDay(absl::string_view text);

// The day that a file name has, as the data of exchanges are named: 2020-01-30, 20200130, 01302020
// or S013020; nullopt if it has none or several. `path` may have folders, which do not count.
std::optional<absl::CivilDay> DayInFileName(absl::string_view path);

// The midnight from which the times in the file `path` count: of the day `date`, or else of the day
// in the name of the file, in the zone of that name. Errors: INVALID_ARGUMENT, if there is no such
// day, or neither names one; those of FindTimeZone().
absl::StatusOr<engine::Timestamp> MidnightOf(const std::string& path,
                                             const std::optional<std::string>& date,
                                             const std::string& zone_name);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_TIME_ZONE_H_
