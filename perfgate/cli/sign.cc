// SPDX-License-Identifier: Apache-2.0
// perfgate sign: policy files that a gate with a key accepts.
#include <memory>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/signature.h"

namespace perfgate::cli {
namespace {

struct SignOptions {
  std::vector<std::string> files;
  std::string key;
};

// Every file is read before the first is written.
Exit SignPolicies(const SignOptions& options) {
  const SecretKey key = ReadKeyFile(options.key);
  std::vector<std::string> signed_texts;
  for (const std::string& file : options.files) {
    const std::string text = ReadInputFile(file, kPolicyFile);
    policy_from_json(text, file);
    signed_texts.push_back(WithSignature(text, file, key));
  }
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    write_file_atomically(options.files[i], signed_texts[i]);
    print("signed " + options.files[i] + "\n");
  }
  return Exit::kPass;
}

}  // namespace

Command add_sign(CLI::App& app) {
  auto options = std::make_shared<SignOptions>();
  app.add_option("POLICY", options->files, "Policy files, which are signed where they lie")
      ->required();
  AddKeyOption(app, options->key, "File of the key")->required();
  app.footer(
      "Verdicts and sessions are signed by the gate that writes them (gate --key), stores by\n"
      "baseline record --key.");
  return [options] { return SignPolicies(*options); };
}

}  // namespace perfgate::cli
