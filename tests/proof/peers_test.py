# SPDX-License-Identifier: Apache-2.0
"""The peers' statistics against enumeration and, where given, perfgate's rank_sum_test.

  peers_test.py [proof_rank_sum_oracle]
"""

import itertools
import json
import random
import statistics
import subprocess
import sys
import unittest

import peers

ORACLE = sys.argv.pop() if len(sys.argv) > 1 and not sys.argv[-1].startswith("-") else None


def enumerated_p(a, b):
    """Two-sided p over all assignments of the pooled values to the two sides."""
    pooled = [*a, *b]
    u = sum(x < y for x in a for y in b)
    below = above = total = 0
    for chosen in itertools.combinations(range(len(pooled)), len(a)):
        left = [pooled[i] for i in chosen]
        right = [pooled[i] for i in range(len(pooled)) if i not in chosen]
        other = sum(x < y for x in left for y in right)
        below, above, total = below + (other <= u), above + (other >= u), total + 1
    return min(1.0, 2 * min(below, above) / total)


class RankSum(unittest.TestCase):
    def test_exact_p_is_that_of_enumeration(self):
        rng = random.Random(1)
        for m, n in ((1, 1), (2, 5), (4, 4), (5, 3), (6, 4)):
            values = rng.sample(range(1000), m + n)
            a, b = values[:m], values[m:]
            self.assertAlmostEqual(peers.rank_sum(a, b)[1], enumerated_p(a, b), places=12)

    def test_known_extremes(self):
        a, b = list(range(10)), list(range(100, 110))
        u, p = peers.rank_sum(a, b)
        self.assertEqual(u, 100)
        self.assertAlmostEqual(p, 2 / 184756)
        self.assertEqual(peers.rank_sum([3] * 5, [3] * 5)[1], 1.0)

    @unittest.skipIf(ORACLE is None, "no oracle given")
    def test_agrees_with_perfgate(self):
        rng = random.Random(2)
        samples = []
        for _ in range(200):
            m, n = rng.randint(2, 12), rng.randint(2, 12)
            top = rng.choice((5, 20, 10**9))  # many ties, some, none
            samples.append(([rng.randint(0, top) for _ in range(m)],
                            [rng.randint(0, top) + rng.choice((0, top // 4)) for _ in range(n)]))
        text = "".join(f"{len(a)} {len(b)} {' '.join(map(str, a + b))}\n" for a, b in samples)
        out = subprocess.run([ORACLE], input=text, capture_output=True, text=True, check=True)
        lines = out.stdout.splitlines()
        self.assertEqual(len(lines), len(samples))
        for (a, b), line in zip(samples, lines):
            u, p = map(float, line.split())
            own_u, own_p = peers.rank_sum(a, b)
            self.assertAlmostEqual(own_u, u)
            self.assertAlmostEqual(own_p, p, places=9, msg=f"{a} {b}")


class Rules(unittest.TestCase):
    def test_two_sided_false_alarm_rate_of_independent_samples(self):
        rng = random.Random(3)
        alarms = sum(peers.is_slower("rank_sum", [rng.gauss(1, 0.01) for _ in range(10)],
                                     [rng.gauss(1, 0.01) for _ in range(10)], 0)
                     for _ in range(2000))
        # Half of a two-sided 5 % test at most; the exact test of 10 and 10 attains 2.2 %.
        self.assertTrue(25 <= alarms <= 65, alarms)

    def test_only_slower_counts(self):
        fast, slow = [1.0 + 0.001 * i for i in range(10)], [1.2 + 0.001 * i for i in range(10)]
        for rule in peers.RULES:
            self.assertTrue(peers.is_slower(rule, fast, slow, 0), rule)
            self.assertFalse(peers.is_slower(rule, slow, fast, 0), rule)
            self.assertFalse(peers.is_slower(rule, fast, fast, 0), rule)

    def test_five_per_cent_is_of_the_medians(self):
        base = [1.0] * 9 + [100.0]
        self.assertFalse(peers.is_slower("moved_5", base, [1.05] * 10, 0))
        self.assertTrue(peers.is_slower("moved_5", base, [1.0501] * 10, 0))

    def test_bootstrap_width_is_that_of_the_normal_approximation(self):
        rng = random.Random(4)
        a, b = [rng.gauss(1, 0.05) for _ in range(40)], [rng.gauss(2, 0.1) for _ in range(40)]
        lo, hi = peers.bootstrap_ratio(a, b, 5)
        ratio = statistics.mean(b) / statistics.mean(a)
        error = ratio * ((statistics.stdev(a) / statistics.mean(a)) ** 2 / 40 +
                         (statistics.stdev(b) / statistics.mean(b)) ** 2 / 40) ** 0.5
        self.assertAlmostEqual((lo + hi) / 2, ratio, delta=error / 2)
        self.assertAlmostEqual((hi - lo) / (2 * 1.96 * error), 1, delta=0.15)
        self.assertEqual((lo, hi), peers.bootstrap_ratio(a, b, 5))


class Output(unittest.TestCase):
    ROWS = [{"name": "a/repeats:2", "run_name": "a", "run_type": "iteration", "real_time": 1.5},
            {"name": "a", "run_name": "a", "run_type": "iteration", "real_time": 2.5},
            {"name": "a_mean", "run_name": "a", "run_type": "aggregate", "real_time": 2.0},
            {"name": "b", "run_name": "b", "run_type": "iteration", "real_time": 0,
             "error_occurred": True}]

    def test_repetitions_are_read_and_nothing_else(self):
        self.assertEqual(peers.read_times(json.dumps({"benchmarks": self.ROWS})),
                         {"a": [1.5, 2.5]})

    def test_a_failing_executable_is_no_result(self):
        with self.assertRaises(subprocess.SubprocessError):
            peers.compare(lambda command: (1, ""), "x", "y", 0)

    def test_names_the_slow_case(self):
        def run(command):
            rows = [{"name": n, "run_name": n, "run_type": "iteration",
                     "real_time": 1 + 0.001 * i + (0.3 if n == "b" and command[0] == "new" else 0)}
                    for n in "ab" for i in range(10)]
            return 0, json.dumps({"benchmarks": rows})
        self.assertEqual(peers.compare(run, "old", "new", 0), dict.fromkeys(peers.RULES, ["b"]))


if __name__ == "__main__":
    unittest.main()
