// Writes pcap files, as PcapReader reads them: the classic format, little-endian, times in
// nanoseconds.

#ifndef ENGINE_WIRE_PCAP_PCAP_WRITER_H_
#define ENGINE_WIRE_PCAP_PCAP_WRITER_H_

#include <string>

#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/wire/pcap/udp.h"

namespace engine {

// Whether a record can have this time: from 1970 to the 7th of February 2106.
bool IsPcapTime(Timestamp time);

// Appends the file's header.
void AppendPcapHeader(LinkType link, std::string& out);

// Appends a packet. REQUIRES: IsPcapTime(time); at most PcapReader::kPacketBytesMax bytes.
void AppendPcapRecord(Timestamp time, Bytes packet, std::string& out);

}  // namespace engine

#endif  // ENGINE_WIRE_PCAP_PCAP_WRITER_H_
