// SPDX-License-Identifier: Apache-2.0
// Gates two executables through the library and says what it found: gate OLD NEW.
#include <perfgate/gate/gate.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return static_cast<int>(perfgate::Exit::kUsage);
  perfgate::gate::GateRequest request;
  request.baseline = argv[1];
  request.candidate = argv[2];
  request.measure.suite = "consumer";
  request.measure.policy.overrides.tolerance = 0.25;
  request.measure.policy.overrides.rounds = 10;
  request.measure.policy.overrides.slice_s = 2e-3;
  try {
    perfgate::gate::GateDisplay silent;
    const perfgate::gate::GateResult result = perfgate::gate::RunGate(request, silent);
    for (const perfgate::ColumnVerdict& comparison : result.verdict.columns) {
      std::printf("%s: %s\n", comparison.case_name.c_str(),
                  std::string(to_string(comparison.verdict)).c_str());
    }
    return static_cast<int>(result.exit);
  } catch (const perfgate::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.exit());
  }
}
