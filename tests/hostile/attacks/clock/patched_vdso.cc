// SPDX-License-Identifier: Apache-2.0
// Writes over the kernel's own clock function, the vDSO that is mapped into every process: no
// symbol of the program or of a library is replaced.
#include <elf.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <ctime>
#include <string_view>

#include "tests/hostile/attacks/work.h"

namespace {

constexpr std::int64_t kNsPerS = 1'000'000'000;

int SlowClock(clockid_t clock, timespec* time) {
  const long done = ::syscall(SYS_clock_gettime, clock, time);
  const std::int64_t ns = (time->tv_sec * kNsPerS + time->tv_nsec) / 10 * 7;
  time->tv_sec = ns / kNsPerS;
  time->tv_nsec = ns % kNsPerS;
  return static_cast<int>(done);
}

char* ClockOf(char* image) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(image);
  const auto* segments = reinterpret_cast<const Elf64_Phdr*>(image + header->e_phoff);
  const Elf64_Dyn* dynamic = nullptr;
  for (int i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type == PT_DYNAMIC) {
      dynamic = reinterpret_cast<const Elf64_Dyn*>(image + segments[i].p_offset);
    }
  }
  const char* names = nullptr;
  const Elf64_Sym* symbols = nullptr;
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    if (dynamic->d_tag == DT_STRTAB) names = image + dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_SYMTAB) {
      symbols = reinterpret_cast<const Elf64_Sym*>(image + dynamic->d_un.d_ptr);
    }
  }
  if (names == nullptr || symbols == nullptr) return nullptr;
  for (int i = 1; i < 20; ++i) {
    if (std::string_view(names + symbols[i].st_name) == "__vdso_clock_gettime") {
      return image + symbols[i].st_value;
    }
  }
  return nullptr;
}

const bool kPatched = [] {
#if defined(__x86_64__)
  char* image = reinterpret_cast<char*>(::getauxval(AT_SYSINFO_EHDR));
  char* code = image == nullptr ? nullptr : ClockOf(image);
  if (code == nullptr) return false;
  const auto page = reinterpret_cast<std::uintptr_t>(code) & ~std::uintptr_t{4095};
  if (::mprotect(reinterpret_cast<void*>(page), 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    return false;
  }
  unsigned char jump[] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};  // mov rax, ...; jmp rax
  auto* const target = &SlowClock;
  std::memcpy(jump + 2, &target, sizeof target);
  std::memcpy(code, jump, sizeof jump);
  return true;
#else
  return false;
#endif
}();

void Case(benchmark::State& state) {
  benchmark::DoNotOptimize(kPatched);
  attacks::RunSteps(state, attacks::kSlowSteps);
}
BENCHMARK(Case)->Name("work");

}  // namespace

#ifndef SERVES_PROTOCOL
BENCHMARK_MAIN();
#endif
