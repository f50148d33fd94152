# SPDX-License-Identifier: Apache-2.0
"""Properties of the plan: reproducible, balanced, and blind to results."""

import unittest

import plan

CONFIG = {"seed": 1, "aa_runs": 100, "per_effect": 20}
NAMES = [f"case:{i}" for i in range(24)]


class Plan(unittest.TestCase):
    def test_same_seed_same_plan_other_seed_other_plan(self):
        quiet = dict.fromkeys(NAMES, 0.001)
        first = plan.later_runs(CONFIG, NAMES, quiet)
        self.assertEqual(first, plan.later_runs(CONFIG, NAMES, quiet))
        self.assertNotEqual(first, plan.later_runs({**CONFIG, "seed": 2}, NAMES, quiet))

    def test_counts_ids_and_load_when_all_cases_are_quiet(self):
        runs = plan.calibration_runs(CONFIG) + plan.later_runs(
            CONFIG, NAMES, dict.fromkeys(NAMES, 0.001))
        self.assertEqual(len(runs), 160)
        self.assertEqual(len({r["id"] for r in runs}), 160)
        self.assertEqual(sum(r["load"] for r in runs), 80)
        for effect in plan.EFFECTS:
            drawn = [r for r in runs if r.get("effect") == effect]
            self.assertEqual(len(drawn), 20)
            self.assertGreater(len({r["case_index"] for r in drawn}), 10)

    def test_calibration_is_half_loaded(self):
        self.assertEqual(sum(r["load"] for r in plan.calibration_runs(CONFIG)), 6)

    def test_draws_go_on_until_enough_are_eligible(self):
        eligible = set(range(16))
        runs = plan.slow_runs(1, 5, 24, 20, eligible)
        self.assertEqual(sum(r["case_index"] in eligible for r in runs), 20)
        self.assertIn(runs[-1]["case_index"], eligible)
        self.assertTrue(any(r["case_index"] not in eligible for r in runs))

    def test_draws_do_not_depend_on_eligibility(self):
        some = plan.slow_runs(1, 5, 24, 20, set(range(16)))
        more = plan.slow_runs(1, 5, 24, 20, set(range(20)))
        shorter = min(len(some), len(more))
        self.assertEqual(some[:shorter], more[:shorter])

    def test_draws_end_where_few_or_no_cases_are_eligible(self):
        self.assertEqual(len(plan.slow_runs(1, 3, 24, 20, {0})), 30)
        self.assertEqual(len(plan.slow_runs(1, 3, 24, 20, set())), 30)
        self.assertEqual(len(plan.slow_runs(1, 3, 24, 20, None)), 20)

    def test_drawable_covers_every_run(self):
        for wanted in (3, 20):
            possible = plan.drawable(1, 5, 24, wanted)
            for eligible in (None, set(), {0, 1}, set(range(16)), set(range(24))):
                runs = plan.slow_runs(1, 5, 24, wanted, eligible)
                self.assertTrue({r["case_index"] for r in runs} <= set(possible))

    def test_interleaving_keeps_all_runs_and_mixes_kinds(self):
        runs = plan.later_runs(CONFIG, NAMES, dict.fromkeys(NAMES, 0.001))
        first_half = runs[: len(runs) // 2]
        for kind in ("aa", "slow"):
            share = sum(r["kind"] == kind for r in first_half) / sum(
                r["kind"] == kind for r in runs)
            self.assertTrue(0.3 < share < 0.7, (kind, share))

    def test_only(self):
        quiet = dict.fromkeys(NAMES, 0.001)
        self.assertEqual({r["kind"] for r in plan.later_runs(CONFIG, NAMES, quiet, "aa")}, {"aa"})
        self.assertEqual({r["kind"] for r in plan.later_runs(CONFIG, NAMES, None, "slow")},
                         {"slow"})

    def test_eligibility_is_half_the_distance_to_the_tolerance(self):
        for effect, limit in ((3, 0.005), (5, 0.015), (10, 0.04)):
            self.assertTrue(plan.is_eligible(limit, effect))
            self.assertFalse(plan.is_eligible(limit * 1.001, effect))
        self.assertFalse(plan.is_eligible(None, 10))

    def test_noise_is_the_median_over_aa_runs_alone(self):
        records = [{"kind": "aa", "noise_sd": {"a": sd}} for sd in (0.01, 0.03, 0.02)]
        records += [{"kind": "slow", "noise_sd": {"a": 9.0}}, {"kind": "aa"},
                    {"kind": "aa", "noise_sd": {"a": None}}]
        self.assertEqual(plan.pooled_noise(records, ["a", "b"]), {"a": 0.02, "b": None})


if __name__ == "__main__":
    unittest.main()
