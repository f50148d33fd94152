// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/sampling/kernel_sampler.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::code {
namespace {

constexpr std::size_t kPages = 32;  // of records: 128 KiB hold four seconds of one processor

std::size_t PageBytes() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

int OpenSampling(int pid, int cpu) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.sample_type = PERF_SAMPLE_IP;
  attributes.freq = 1;
  attributes.sample_freq = 2000;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.inherit = 1;
  return static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC));
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

void KernelSampler::Read(std::vector<std::uint64_t>& addresses) {
  for (const std::unique_ptr<Ring>& ring : rings_) {
    auto* page = static_cast<perf_event_mmap_page*>(ring->memory);
    const char* data = static_cast<const char*>(ring->memory) + PageBytes();
    const std::uint64_t size = kPages * PageBytes();
    const std::uint64_t head = std::atomic_ref(page->data_head).load(std::memory_order_acquire);
    std::uint64_t tail = page->data_tail;
    const auto copy = [&](std::uint64_t from, void* to, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        static_cast<char*>(to)[i] = data[(from + i) % size];
      }
    };
    while (tail < head) {
      perf_event_header header{};
      copy(tail, &header, sizeof header);
      if (header.size < sizeof header) break;
      if (header.type == PERF_RECORD_SAMPLE) {
        std::uint64_t address = 0;
        copy(tail + sizeof header, &address, sizeof address);
        addresses.push_back(address);
      }
      tail += header.size;
    }
    std::atomic_ref(page->data_tail).store(head, std::memory_order_release);
  }
}

}  // namespace perfgate::code
