# SPDX-License-Identifier: Apache-2.0
"""The table counts what it says, and each criterion can fail by itself."""

import copy
import unittest

import plan
import table

NAMES = [f"case:{i}" for i in range(24)]
CONFIG = {"command": "prove.py --x", "aa_runs": 100, "per_effect": 20, "cpu": "test"}
QUIET = dict.fromkeys(NAMES, 0.002)


def perfect_records():
    """A proof in which everything went as it should."""
    records = []
    for run in plan.aa_runs(1, 100):
        records.append({**run, "exit": 0, "gate_s": 30.0, "load_share": 0.5 * run["load"],
                        "rounds": 10, "could_fail": True, "noise_sd": dict(QUIET),
                        "verdicts": dict.fromkeys(NAMES, "no_regression"), "effects": {},
                        "peers": {rule: [] for rule in table.RULES}})
    for effect in plan.EFFECTS:
        for run in plan.slow_runs(1, effect, 24, 20, set(range(24))):
            name = NAMES[run["case_index"]]
            true = effect / 100
            records.append({**run, "case": name, "true": true, "exit": 10, "gate_s": 40.0,
                            "load_share": 0.0, "rounds": 24, "could_fail": True,
                            "case_rounds": {name: 16},
                            "verdicts": {**dict.fromkeys(NAMES, "no_regression"),
                                         name: "regression"},
                            "effects": {name: [true, true - 0.01, true + 0.01]},
                            "peers": {rule: [name] for rule in table.RULES}})
    return records


def judge(records, frozen=None):
    return table.failures(records, frozen or QUIET, CONFIG, NAMES)


class Criteria(unittest.TestCase):
    def setUp(self):
        self.records = perfect_records()

    def of(self, effect):
        return [r for r in self.records if r.get("effect") == effect]

    def test_perfect_proof_stands(self):
        self.assertEqual(judge(self.records), [])

    def test_three_aa_fails_pass_and_four_do_not(self):
        for code in (10, 11, -11, None, 70, 14):
            records = copy.deepcopy(self.records)
            for i in range(3):
                records[i]["exit"] = code
            self.assertEqual(judge(records), [])
            records[3]["exit"] = code
            self.assertEqual(len(judge(records)), 1, code)

    def test_inconclusive_aa_is_no_fail(self):
        for record in self.records[:100]:
            record["exit"] = 12
        self.assertEqual(judge(self.records), [])

    def test_runs_that_could_not_fail_prove_nothing(self):
        for record in self.records[:11]:
            record["could_fail"] = False
        self.assertIn("never reached", judge(self.records)[0])

    def test_found_counts(self):
        for effect, may_miss in ((5, 3), (10, 1)):
            records = self.records = perfect_records()
            for record in self.of(effect)[:may_miss]:
                record["exit"] = 12
            self.assertEqual(judge(records), [])
            self.of(effect)[may_miss]["exit"] = 12
            self.assertEqual(len(judge(records)), 1)

    def test_naming_another_case_is_not_finding(self):
        for record in self.of(5)[:4]:
            record["verdicts"] = dict.fromkeys(NAMES, "no_regression")
            record["verdicts"][next(n for n in NAMES if n != record["case"])] = "regression"
        self.assertIn("5 %: 16 found", judge(self.records)[0])

    def test_three_per_cent_has_no_criterion(self):
        for record in self.of(3):
            record["exit"] = 12
        self.assertEqual(judge(self.records), [])

    def test_missing_runs_are_named(self):
        self.assertIn("99 of 100", judge(self.records[1:])[0])
        self.assertIn("19 of 20 eligible", judge(self.records[:-1])[0])

    def test_runs_in_noisy_cases_do_not_count(self):
        noisy = self.of(5)[0]["case"]
        frozen = {**QUIET, noisy: 0.02}
        self.assertTrue(any("5 %" in p and "eligible" in p for p in judge(self.records, frozen)))
        self.assertFalse(any("10 %" in p for p in judge(self.records, frozen)))

    def test_eligible_runs_beyond_the_wanted_number_do_not_count(self):
        extra = [{**copy.deepcopy(r), "id": f"slow05-{100 + i}"}
                 for i, r in enumerate(self.of(5)[:10])]
        for record in self.of(5)[:4]:
            record["exit"] = 12
        self.assertIn("5 %: 16 found", judge(self.records + extra)[0])

    def test_enough_quiet_cases(self):
        for noisy, problems in ((9, 0), (10, 1)):
            for record in self.records[:100]:
                record["noise_sd"] = {**QUIET, **dict.fromkeys(NAMES[:noisy], 0.016)}
            self.assertEqual(len(judge(self.records)), problems)


class Text(unittest.TestCase):
    def test_names_command_counts_and_noisy_runs(self):
        records = perfect_records()
        records[0]["exit"] = 10
        first = next(r for r in records if r.get("effect") == 5)
        text = table.render(records, {**QUIET, first["case"]: 0.02}, CONFIG, NAMES, ["case:7"])
        self.assertIn("`prove.py --x`", text)
        self.assertIn("| all | 1/100 | 0: 99, 10: 1 | 100/100 |", text)
        self.assertIn("24 of 24 cases", text)
        self.assertIn("5 %, noisy case", text)
        self.assertIn(f"| 5 % | {first['case']} | 2.00 % | found |", text)
        self.assertIn("| 10 % | 20/20 | 10: 20 | 20/20 | 0 | 16.0 | 40 | 20/20, 0 false |", text)
        self.assertIn("not confirmed by calibrate_injection: case:7", text)

    def test_intervals_and_false_names(self):
        record = next(r for r in perfect_records() if r["kind"] == "slow")
        self.assertTrue(table.covers(record))
        record["effects"][record["case"]] = [0.1, 0.09, 0.11]
        self.assertFalse(table.covers(record))
        record["effects"][record["case"]] = [0.01, 0.0, 0.02]
        self.assertFalse(table.covers(record))
        record["effects"][record["case"]] = [None, None, None]
        self.assertIsNone(table.covers(record))
        self.assertEqual(table.falsely_named(record), [])
        record["verdicts"][NAMES[NAMES.index(record["case"]) - 1]] = "regression"
        self.assertEqual(len(table.falsely_named(record)), 1)

    def test_empty_and_crashed_states_render(self):
        table.render([], None, CONFIG, NAMES)
        crashed = [{"id": "aa-000", "kind": "aa", "load": True, "exit": -11, "gate_s": 1.0,
                    "load_share": 0.0},
                   {"id": "slow05-000", "kind": "slow", "effect": 5, "case": NAMES[0], "true": 0.05,
                    "load": False, "exit": None, "gate_s": 1.0, "load_share": 0.0, "peers": None}]
        self.assertIn("-11: 1", table.render(crashed, None, CONFIG, NAMES))


if __name__ == "__main__":
    unittest.main()
