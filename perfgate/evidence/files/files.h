// SPDX-License-Identifier: Apache-2.0
// files.h: the session, verdict, parity, comparison, policy, calibration, plan and layouts files
// (versioned JSON; docs/formats.md).
//
// Readers check format, version (this one and the one before), every field's presence, type and
// range, and sizes that must agree. Error(kData) names the file, the JSON pointer and what was
// expected there; Error(kInvalid) where the content contradicts itself.
//
// Writers replace bytes that are not UTF-8 by U+FFFD and throw std::logic_error for a number that
// is not finite where the field cannot be absent; everything else is read back exactly as it was.
#pragma once

#include <string>
#include <string_view>

#include "perfgate/base/io/key_file.h"
#include "perfgate/evidence/alternatives.h"
#include "perfgate/evidence/calibration.h"
#include "perfgate/evidence/layouts.h"
#include "perfgate/evidence/parity.h"
#include "perfgate/evidence/plan.h"
#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/recorded.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::inline evidence {

std::string session_to_json(const Session& session);
Session session_from_json(std::string_view text, const std::string& where);
void write_session(const std::string& path, const Session& session, const SecretKey* key = nullptr);
// With a key (signature.h) only what it signed is read.
Session read_session(const std::string& path, const SecretKey* key = nullptr);

std::string verdict_to_json(const SuiteVerdict& verdict);
SuiteVerdict verdict_from_json(std::string_view text, const std::string& where);
void write_verdict(const std::string& path, const SuiteVerdict& verdict);
// Files of verdicts are read by verdict/verdict_file.h, which concludes again.

// Fields that a policy file leaves out keep their defaults; unknown fields are an error that names
// the nearest known one. Tolerances may be numbers (0.02) or text ("2%").
Policy policy_from_json(std::string_view text, const std::string& where);
Policy read_policy(const std::string& path, const SecretKey* key = nullptr);

// Every field, defaults included.
std::string policy_to_json(const Policy& policy);
void write_policy(const std::string& path, const Policy& policy);

std::string calibration_to_json(const Calibration& calibration);
Calibration calibration_from_json(std::string_view text, const std::string& where);
void write_calibration(const std::string& path, const Calibration& calibration);
Calibration read_calibration(const std::string& path);

std::string plan_to_json(const SuitePlan& plan);
SuitePlan plan_from_json(std::string_view text, const std::string& where);
SuitePlan read_plan(const std::string& path);

std::string parity_to_json(const ParityVerdict& verdict);
ParityVerdict parity_from_json(std::string_view text, const std::string& where);
ParityVerdict read_parity(const std::string& path);

// Several agents: version 2 of the format. A file is read in either version; of version 1 it is one
// verdict, and `together` holds nothing but its exit and summary.
std::string parity_agents_to_json(const ParityAgents& agents);
ParityAgents parity_agents_from_json(std::string_view text, const std::string& where);
ParityAgents ReadParityFile(const std::string& path);

std::string alternatives_to_json(const AlternativesVerdict& verdict);
AlternativesVerdict alternatives_from_json(std::string_view text, const std::string& where);
AlternativesVerdict read_alternatives(const std::string& path);

// One session of a baseline store (store/baseline_store.h writes and reads the files).
std::string recorded_to_json(const RecordedSession& session);
RecordedSession recorded_from_json(std::string_view text, const std::string& where);

// layouts.json in a folder of layouts.
std::string layouts_to_json(const LayoutSet& set);
LayoutSet layouts_from_json(std::string_view text, const std::string& where);
void write_layouts(const std::string& path, const LayoutSet& set);
LayoutSet read_layouts(const std::string& path);

// "session", "verdict", "parity", "policy", "calibration", "plan", "recorded", "layouts",
// "comparison", "fleet" (fleet/fleet.h), "history" (history/history.h) or "bisection"
// (bisect/bisect.h): what the file says it is.
// Error(kData) for anything else.
std::string file_format(const std::string& path);

}  // namespace perfgate::inline evidence
