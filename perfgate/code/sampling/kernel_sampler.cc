// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/sampling/kernel_sampler.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <string_view>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::code {
namespace {

// Of each ring. With 4 KiB a page this is half of what the kernel lets a user lock for a processor.
constexpr std::size_t kPages = 64;

// The stack pointer, and the register that a leaf of AArch64 has its return address in; the kernel
// writes them in the order of their bits.
#if defined(__aarch64__)
constexpr std::uint64_t kRegisters = std::uint64_t{1} << 30 | std::uint64_t{1} << 31;
#else
constexpr std::uint64_t kRegisters = std::uint64_t{1} << 7;
#endif

std::size_t PageBytes() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

int OpenSampling(int pid, int cpu) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  attributes.sample_regs_user = kRegisters;
  attributes.sample_stack_user = kStackBytes;
  attributes.freq = 1;
  attributes.sample_freq = 1000;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.inherit = 1;
  return static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

// Takes a number off the front; 0 where nothing is left.
std::uint64_t TakeNumber(std::string_view& record) {
  std::uint64_t value = 0;
  if (record.size() >= sizeof value) std::memcpy(&value, record.data(), sizeof value);
  record.remove_prefix(std::min(record.size(), sizeof value));
  return value;
}

// As OpenSampling() asked for it.
RawSample SampleOf(std::string_view record) {
  RawSample sample;
  sample.address = TakeNumber(record);
  if (TakeNumber(record) != 0) {  // a thread without registers is one of the kernel
#if defined(__aarch64__)
    sample.link = TakeNumber(record);
#endif
    sample.stack_at = TakeNumber(record);
  }
  const std::uint64_t size = TakeNumber(record);
  if (size == 0 || size > record.size()) return sample;
  std::string_view behind = record.substr(size);
  sample.stack = record.substr(0, std::min(size, TakeNumber(behind)));
  return sample;
}

}  // namespace

struct KernelSampler::Ring {
  UniqueFd fd;
  void* memory = MAP_FAILED;
  std::size_t bytes = 0;

  ~Ring() {
    if (memory != MAP_FAILED) ::munmap(memory, bytes);
  }
};

KernelSampler::KernelSampler(int pid) {
  const long cpus = ::sysconf(_SC_NPROCESSORS_CONF);
  for (int cpu = 0; cpu < cpus; ++cpu) {
    auto ring = std::make_unique<Ring>();
    ring->fd = UniqueFd(OpenSampling(pid, cpu));
    if (!ring->fd) continue;  // a processor that is switched off
    ring->bytes = (kPages + 1) * PageBytes();
    ring->memory =
        ::mmap(nullptr, ring->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd.get(), 0);
    if (ring->memory != MAP_FAILED) rings_.push_back(std::move(ring));
  }
}

KernelSampler::~KernelSampler() = default;

void KernelSampler::Read(const TakeSample& take) {
  std::string record;
  for (const std::unique_ptr<Ring>& ring : rings_) {
    auto* page = static_cast<perf_event_mmap_page*>(ring->memory);
    const char* data = static_cast<const char*>(ring->memory) + PageBytes();
    const std::uint64_t size = kPages * PageBytes();
    const std::uint64_t head = std::atomic_ref(page->data_head).load(std::memory_order_acquire);
    std::uint64_t tail = page->data_tail;
    const auto copy = [&](std::uint64_t from, void* to, std::size_t count) {
      const std::size_t first = std::min<std::size_t>(count, size - from % size);
      std::memcpy(to, data + from % size, first);
      std::memcpy(static_cast<char*>(to) + first, data, count - first);
    };
    while (tail < head) {
      perf_event_header header{};
      copy(tail, &header, sizeof header);
      if (header.size < sizeof header) break;
      if (header.type == PERF_RECORD_SAMPLE) {
        record.resize(header.size - sizeof header);
        copy(tail + sizeof header, record.data(), record.size());
        take(SampleOf(record));
      }
      tail += header.size;
    }
    std::atomic_ref(page->data_tail).store(head, std::memory_order_release);
  }
}

}  // namespace perfgate::code
