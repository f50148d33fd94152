// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/sampling/mappings.h"

#include <fstream>
#include <iterator>
#include <sstream>

namespace perfgate::code {

void AddMappingLines(const std::string& text, Mappings& mappings) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // "55d0c0a00000-55d0c0a21000 r-xp 00001000 08:01 1234   /path with blanks"
    std::istringstream fields(line);
    std::uint64_t begin = 0, end = 0, offset = 0;
    char dash = 0;
    std::string rights, device, inode, path;
    fields >> std::hex >> begin >> dash >> end >> rights >> offset >> device >> inode;
    if (!fields || rights.size() < 3) continue;
    mappings.ends.insert(end);
    if (rights[2] != 'x') continue;
    std::getline(fields >> std::ws, path);
    mappings.ranges[begin] = {end, offset, path};
  }
}

void AddMappings(int pid, Mappings& mappings) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/maps");
  AddMappingLines({std::istreambuf_iterator<char>(file), {}}, mappings);
}

bool IsCode(const Mappings& mappings, std::uint64_t address) {
  const auto after = mappings.ranges.upper_bound(address);
  return after != mappings.ranges.begin() && address < std::prev(after)->second.end;
}

CodePlace PlaceOf(const Mappings& mappings, std::uint64_t address) {
  if (!IsCode(mappings, address)) return {};
  const auto& [begin, range] = *std::prev(mappings.ranges.upper_bound(address));
  return {range.path, range.offset + (address - begin)};
}

}  // namespace perfgate::code
