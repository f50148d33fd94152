# SPDX-License-Identifier: Apache-2.0
"""A suite of 24 cases in 24 files, and changes to it that leave every case's own code alone.

Each file has a hot function, a helper that only prepares data, and a function that is never called. A
change grows, shrinks, moves, inlines or removes the cold ones, or alters a constant of the header
that only they read. So no case becomes slower by any of them; whatever a gate names is the link.
"""

import random

CASES = 24
KINDS = ("grow", "shrink", "reorder", "inline", "remove", "constant")

# Hot functions over 2,048 of 4,096 bytes: name, body. {c} is a constant of the case.
HOT = (
    ("machine", """int state = 0; uint64_t sum = 0;
  for (size_t i = 0; i < n; ++i) {{
    switch (p[i] % ({c} + 5)) {{
      case 0: state = (state + 1) & 3; break;
      case 1: sum += p[i]; break;
      case 2: sum ^= sum << 3; break;
      case 3: if (state != 0) sum += static_cast<uint64_t>(state); break;
      default: sum = sum * 31 + p[i];
    }}
  }}
  return sum;"""),
    ("varint", """uint64_t sum = 0, value = 0; int shift = 0;
  for (size_t i = 0; i < n; ++i) {{
    value |= static_cast<uint64_t>(p[i] & 0x7f) << shift;
    if (p[i] & (0x40 + {c} * 8)) {{ sum += value; value = 0; shift = 0; }}
    else if ((shift += 7) > 56) {{ sum ^= value; value = 0; shift = 0; }}
  }}
  return sum + value;"""),
    ("digits", """uint64_t sum = 0;
  for (size_t i = 0; i + 4 < n; i += 4) {{
    unsigned x = 0;
    for (size_t k = 0; k < 4; ++k) {{
      unsigned d = p[i + k] % (10 + {c});
      if (d > 9) break;
      x = x * 10 + d;
    }}
    sum += x;
  }}
  return sum;"""),
    ("search", """uint64_t sum = 0;
  for (size_t i = 0; i < n; ++i) {{
    size_t lo = 0, hi = 255;
    while (lo < hi) {{
      size_t mid = (lo + hi) / 2;
      if (mid * (2 + {c}) < p[i] * 2u) lo = mid + 1; else hi = mid;
    }}
    sum += lo;
  }}
  return sum;"""),
    ("tokens", """uint64_t words = 0, length = 0, longest = 0;
  for (size_t i = 0; i < n; ++i) {{
    bool letter = p[i] > 40 + {c} * 16;
    if (letter) {{ ++length; if (length > longest) longest = length; }}
    else if (length > 0) {{ ++words; length = 0; }}
  }}
  return words * 1000 + longest;"""),
    ("runs", """uint64_t sum = 0; unsigned run = 0; uint8_t last = 0;
  for (size_t i = 0; i < n; ++i) {{
    uint8_t v = static_cast<uint8_t>(p[i] >> (4 + {c} % 3));
    if (v == last) {{ ++run; }} else {{ sum = sum * 7 + run; run = 1; last = v; }}
    if (run == 3 + {c}) {{ sum ^= sum >> 5; run = 0; }}
  }}
  return sum;"""),
    # Chains of multiplications: nothing to predict, so where they lie matters least.
    ("mix", """uint64_t sum = 14695981039346656037u + {c};
  for (size_t i = 0; i < n; ++i) sum = (sum ^ p[i]) * 1099511628211u;
  return sum;"""),
    ("chain", """uint64_t sum = {c};
  for (size_t i = 0; i < n; ++i) sum = (sum + p[i]) * 6364136223846793005u ^ (sum >> 29);
  return sum;"""),
)
CALM = ("mix", "chain")

HEADER = """#pragma once
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <vector>
constexpr unsigned kColdConstant = {constant};
"""

FILE = """#include "cold.h"
{parts}
void BM_{name}(benchmark::State& state) {{
  static const std::vector<uint8_t> data = make_{name}(4096);
  for (auto _ : state) benchmark::DoNotOptimize({name}(data.data(), data.size() / 512 * {length}));
}}
BENCHMARK(BM_{name});
"""


def case_name(index):
    return f"{HOT[index % len(HOT)][0]}_{index // len(HOT)}"


def _hot(index):
    body = HOT[index % len(HOT)][1].format(c=index // len(HOT))
    return (f"__attribute__((noinline)) static uint64_t {case_name(index)}"
            f"(const uint8_t* p, size_t n) {{\n  {body}\n}}\n")


def _cold(index, size, inline):
    steps = "\n".join(f"    s ^= s >> {k % 13 + 1}; if (s & {1 << k % 7}) s += kColdConstant * {k + 3};"
                      for k in range(size))
    attribute = "__attribute__((always_inline)) inline" if inline else "__attribute__((noinline))"
    # What the steps give does not reach the data: the case reads the same bytes before and after.
    return f"""{attribute} static unsigned stir_{case_name(index)}(unsigned s) {{
{steps}
  return s;
}}
static std::vector<uint8_t> make_{case_name(index)}(size_t n) {{
  std::vector<uint8_t> v(n);
  unsigned s = {index + 1}, cold = s;
  for (uint8_t& x : v) {{ s = s * 1664525u + 1013904223u; x = static_cast<uint8_t>(s >> 24); }}
  for (size_t i = 0; i < 16; ++i) cold = stir_{case_name(index)}(cold + static_cast<unsigned>(i));
  benchmark::DoNotOptimize(cold);
  return v;
}}
"""


def _unused(index, size):
    body = "\n".join(f"  x = x * {k + 3} ^ (x >> {k % 9 + 1});" for k in range(size))
    return f"unsigned unused_{case_name(index)}(unsigned x) {{\n{body}\n  return x;\n}}\n"


def base():
    """The suite as values: what each file looks like."""
    return {"constant": 3,
            "files": [{"cold": 6, "unused": 8, "inline": False, "cold_first": True, "length": 256}
                      for _ in range(CASES)]}


def changed(number):
    """The suite after change `number`: a kind of change in one to three files."""
    suite, draw = base(), random.Random(number)
    kind = KINDS[number % len(KINDS)]
    if kind == "constant":
        suite["constant"] = 4 + draw.randrange(90)
    else:
        for index in draw.sample(range(CASES), draw.randint(1, 3)):
            file = suite["files"][index]
            if kind == "grow":
                file["cold"] += draw.randint(3, 40)
            elif kind == "shrink":
                file["cold"] -= draw.randint(2, 5)
            elif kind == "reorder":
                file["cold_first"] = False
            elif kind == "inline":
                file["inline"] = True
            else:
                file["unused"] = 0
    return kind, suite


def calm_cases():
    return [i for i in range(CASES) if HOT[i % len(HOT)][0] in CALM]


def slowed(index):
    """One case does 5.1 % more: 269 units of 8 bytes instead of 256."""
    suite = base()
    suite["files"][index]["length"] = 269
    return suite


def sources(suite):
    """File name: text, of a suite."""
    texts = {"cold.h": HEADER.format(constant=suite["constant"])}
    for index, file in enumerate(suite["files"]):
        cold = _cold(index, file["cold"], file["inline"])
        unused = _unused(index, file["unused"]) if file["unused"] else ""
        parts = [cold, unused, _hot(index)] if file["cold_first"] else [_hot(index), unused, cold]
        texts[f"{case_name(index)}.cc"] = FILE.format(parts="".join(parts), name=case_name(index),
                                                      length=file["length"])
    return texts
