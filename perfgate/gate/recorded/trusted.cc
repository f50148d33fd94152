// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/recorded/trusted.h"

#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/json/json_writer.h"
#include "perfgate/evidence/files/policy_fields.h"
#include "perfgate/verdict/gate/round_plan.h"

namespace perfgate::gate {
namespace {

[[noreturn]] void Refuse(const std::string& option, std::string_view why) {
  throw Error(Exit::kUsage,
              "with --trusted, " + option + " may only tighten the policy: " + std::string(why));
}

// A field of a policy as JSON text, and as a number: NaN where it is none.
struct FieldValue {
  PolicyRule rule;
  double number;
  std::string text;
};

class FieldValues {
 public:
  // The rule has no default: a field that is described without one does not compile.
  template <typename T>
  void operator()(std::string_view name, const T& member, std::string_view meaning,
                  const PolicyRule& rule) {
    FieldValue value{rule, std::numeric_limits<double>::quiet_NaN(), {}};
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      value.number = static_cast<double>(member);
    json_io::ObjectWriter writer(value.text, 1);
    writer(name, member, meaning, rule);
    values_.push_back(std::move(value));
  }

  const std::vector<FieldValue>& values() const { return values_; }

 private:
  std::vector<FieldValue> values_;
};

std::vector<FieldValue> ValuesOf(const Policy& policy) {
  FieldValues values;
  describe(values, policy);
  return values.values();
}

// What is no number is no tighter than anything.
bool IsLooser(const FieldValue& trusted, const FieldValue& asked) {
  switch (trusted.rule.trust) {
    case Trust::kNoLarger:
      return !(asked.number <= trusted.number);
    case Trust::kNoSmaller:
      return !(asked.number >= trusted.number);
    case Trust::kLimit:
      return !(trusted.number == 0 || (asked.number != 0 && asked.number <= trusted.number));
    case Trust::kUnchanged:
      return asked.text != trusted.text;
    case Trust::kFree:
      return false;
  }
  return true;
}

}  // namespace

void RequireTighter(const Policy& trusted, const Policy& asked, const GateRequest& request) {
  if (!request.measure.policy.file.empty()) {
    Refuse("--policy", "the revision's own policy is used");
  }
  if (asked.rounds > 0 && asked.rounds < kFewestToFail) {
    Refuse("--rounds", "fewer than 10 cannot fail");
  }
  // Rounds that are named replace the budget, and a budget replaces them.
  Policy compared = asked;
  if (asked.rounds > 0) {
    compared.budget_s = trusted.budget_s;
  } else {
    compared.rounds = trusted.rounds;
  }
  // What an automatic budget would be is not known before it is measured.
  Policy limit = trusted;
  if (limit.budget_s <= 0 && compared.budget_s > 0) limit.budget_s = kMostAutoBudgetS;
  const std::vector<FieldValue> before = ValuesOf(limit);
  const std::vector<FieldValue> after = ValuesOf(compared);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const PolicyRule& rule = before[i].rule;
    if (IsLooser(before[i], after[i])) Refuse(std::string(rule.option), rule.looser);
  }
  if (request.measure.isolation.use == measure::IsolationUse::kNone) {
    Refuse("--isolate=no", "a candidate that is not isolated can change what is judged");
  }
  if (request.measure.seed) Refuse("--seed", "coins that are known before can be played to");
  if (!request.allow.empty()) Refuse("--allow", "it compares what does not compare");
  if (request.store.numbers) {
    Refuse("--numbers", "both executables measured together say more");
  }
}

}  // namespace perfgate::gate
