// Bytes changed on purpose, with the hashes over them recomputed.

#ifndef JOURNAL_TESTING_FORGE_H_
#define JOURNAL_TESTING_FORGE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace journal {

// The seed of the hashes of a segment's headers.
uint64_t SeedOfSegment(const std::vector<std::byte>& segment);

// Moves the times of all records from the second DATA block of a sealed segment on by `nanos`, in
// rows, headers and index. REQUIRES: its blocks are not compressed.
void ShiftLaterTimes(std::vector<std::byte>& segment, int64_t nanos);

// Puts a header after the segment's end for each of `count` pages. Each claims all that follows.
void AppendHeadersThatClaimTheRest(std::vector<std::byte>& segment, size_t count);

// Gives a sealed segment an index of so many bytes, all zeros. REQUIRES: a multiple of 4096.
void ReplaceIndexByZeros(std::vector<std::byte>& segment, size_t bytes);

}  // namespace journal

#endif  // JOURNAL_TESTING_FORGE_H_
