// SPDX-License-Identifier: Apache-2.0
// Untouched functions are found unchanged wherever the linker puts them; small changes are found.
#include "perfgate/code/functions.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/base/io/private_folder.h"
#include "tests/perfgate/code/built_program.h"

namespace perfgate::code {

// Everything that the function under test may refer to.
constexpr const char* kHot = R"(
extern "C" int puts(const char*);
extern "C" double sqrt(double);
extern "C" double cbrt(double);
extern int shared_total;
extern "C" int helper(int);
extern "C" int other_helper(int);
struct Base { virtual int One(int x); virtual int Two(int x); virtual ~Base(); };
struct Derived : Base { int One(int x) override; int Two(int x) override; };
static const int kTable[] = {3, 1, 4, 1, 5, 9, 2, 6};
static int start_value = 77;
struct Point { int a; int b; int c; };
static inline int inlined(int x) { return x * 3 + 1; }
extern "C" __attribute__((noinline)) double hot(int n, Point* p, Base** slot) {
  double sum = 1.625;
  for (int i = 0; i < n - 100; ++i) {
    switch ((n + i) & 7) {
      case 0: sum += helper(i); break;
      case 1: sum *= 1.0000312; break;
      case 2: sum -= kTable[i & 7]; break;
      case 3: sum += sqrt(sum); break;
      case 4: p->b = i; p->a = n; break;
      case 5: sum += shared_total; break;
      case 6: sum += inlined(i); break;
      case 7: if (n == 123456) { puts("an odd number"); } break;
    }
  }
  if (n < -5) throw 7;
  static Derived derived;
  *slot = &derived;
  return sum + start_value;
}
int Derived::One(int x) { return x + 1; }
int Derived::Two(int x) { return x + 2; }
int Base::One(int x) { return x; }
int Base::Two(int x) { return x; }
Base::~Base() {}
)";

constexpr const char* kHelpers = R"(
int shared_total = 3;
extern "C" __attribute__((noinline)) int helper(int x) { return x * 5; }
extern "C" __attribute__((noinline)) int other_helper(int x) { return x * 5 + 1; }
)";

constexpr const char* kMain = R"(
struct Point { int a; int b; int c; };
struct Base;
extern "C" double hot(int n, Point* p, Base** slot);
int main(int argc, char**) { Point p{}; Base* slot; return hot(argc, &p, &slot) > 3; }
)";

// More code, data and text of every kind, so that nothing stays where it was.
constexpr const char* kFront = R"(
extern "C" int printf(const char*, ...);
extern "C" int puts(const char*);
double front_factor = 2.5;
const char* front_text = "a text in front of all others";
static const double kFrontTable[] = {9.25, 8.5, 7.75};
extern "C" double front(int n) {
  printf("%s %d\n", front_text, n);
  double s = 0.40625;
  switch (n) {
    case 1: return 3.375; case 2: puts("two"); break; case 3: s *= kFrontTable[n % 3];
    break; case 4: puts("four"); break; case 5: return s * 7.0625; case 6: puts("x");
  }
  return s * front_factor;
}
)";

namespace {

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

struct Kind {
  const char* name;
  const char* flags;
  const char* compiler = PERFGATE_TEST_CXX;
};

constexpr const char* kArm = "aarch64-linux-gnu-g++";

class Functions : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    const std::string found = std::string(GetParam().compiler) + " --version > /dev/null 2>&1";
    if (std::system(found.c_str()) != 0) GTEST_SKIP() << "no " << GetParam().compiler;
  }
  std::string Build(const std::string& name, const std::vector<SourceFile>& files,
                    const std::string& more = "") {
    return BuildProgram(folder_.file(name), files, std::string(GetParam().flags) + " " + more,
                        GetParam().compiler);
  }
  std::string Original() {
    return Build("original", {{"hot.cc", kHot}, {"helpers.cc", kHelpers}, {"main.cc", kMain}});
  }

  PrivateFolder folder_{"perfgate-code-test-"};
};

TEST_P(Functions, TheSameBehindOtherCodeAndInAnotherOrder) {
  const std::string original = Original();
  const std::string moved =
      Build("moved",
            {{"front.cc", kFront}, {"main.cc", kMain}, {"helpers.cc", kHelpers}, {"hot.cc", kHot}});
  for (const char* name : {"hot", "helper", "main", "_ZN7Derived3TwoEi"}) {
    EXPECT_EQ(DifferenceInFunction(original, moved, name), "") << name;
  }
}

TEST_P(Functions, TheSameWithAFunctionInFrontInItsOwnFile) {
  // GCC reaches static data of a file from one anchor there, so other data is other code.
  const bool anchors = GetParam().compiler == kArm && std::string(GetParam().flags) != "-O0";
  if (anchors) GTEST_SKIP();
  const std::string original = Original();
  const std::string moved = Build(
      "moved", {{"hot.cc", std::string(kFront) + kHot},
                {"helpers.cc",
                 std::string("extern \"C\" int apart(int x) { return x ^ 0x55; }\n") + kHelpers},
                {"main.cc", kMain}});
  EXPECT_EQ(DifferenceInFunction(original, moved, "hot"), "");
}

// Each is a change of what the hot function does, as small as it can be.
TEST_P(Functions, EverySmallChangeIsFound) {
  const std::vector<std::pair<const char*, const char*>> changes = {
      {"n - 100", "n - 101"},
      {"sum = 1.625", "sum = 1.6875"},
      {"1.0000312", "1.0000313"},
      {"sum += helper(i)", "sum += other_helper(i)"},
      {"{3, 1, 4, 1, 5, 9, 2, 6}", "{3, 1, 4, 1, 5, 9, 2, 7}"},
      {"sqrt(sum)", "cbrt(sum)"},
      {"p->b = i; p->a = n;", "p->a = n; p->b = i; asm volatile(\"\");"},
      {"{ int a; int b; int c; }", "{ int a; int c; int b; }"},
      {"sum += shared_total", "sum -= shared_total"},
      {"x * 3 + 1", "x * 3 + 2"},
      {"an odd number", "an even number"},
      {"an odd number", "an odd numbes"},
      {"start_value = 77", "start_value = 78"},
      {"case 0: sum", "case 6: sum"},
      {"throw 7", "throw 8L"},
      {"int Two(int x) override; };", "int Three(int x); };"},
      {"[i & 7]", "[i & 3]"},
  };
  const std::string original = Original();
  int number = 0;
  for (const auto& [from, to] : changes) {
    std::string text = Replaced(kHot, from, to);
    if (std::string(from) == "case 0: sum")
      text = Replaced(text, "case 6: sum += inlined", "case 0: sum += inlined");
    if (std::string(to).find("Three") != std::string::npos)
      text = Replaced(text, "Derived::Two", "Derived::Three");
    const std::string changed =
        Build("changed" + std::to_string(number++),
              {{"hot.cc", text}, {"helpers.cc", kHelpers}, {"main.cc", kMain}});
    const bool optimized = std::string(GetParam().flags).find("-O0") == std::string::npos;
    const bool cold = std::string(from) == "throw 7" && optimized;
    if (std::string(from) == "x * 3 + 1" && !optimized) continue;  // a call of another function
    // Two stores to neighbours are one instruction there, in either order.
    if (std::string(from) == "p->b = i; p->a = n;" && GetParam().compiler == kArm) continue;
    if (cold) continue;  // GCC moves it to hot.cold, which is not compared unless it runs
    EXPECT_NE(DifferenceInFunction(original, changed, "hot"), "") << from << " -> " << to;
  }
}

TEST_P(Functions, AlignmentOfFunctionsIsNoChange) {
  if (std::string(GetParam().flags).find("-O0") != std::string::npos) GTEST_SKIP();
  const std::string original = Original();
  const std::string aligned =
      Build("aligned",
            {{"front.cc", kFront}, {"hot.cc", kHot}, {"helpers.cc", kHelpers}, {"main.cc", kMain}},
            "-falign-functions=64");
  EXPECT_EQ(DifferenceInFunction(original, aligned, "hot"), "");
}

INSTANTIATE_TEST_SUITE_P(
    Flags, Functions,
    ::testing::Values(Kind{"O2", "-O2"}, Kind{"O2NoPie", "-O2 -fno-pie -no-pie"},
                      Kind{"O3Sections", "-O3 -ffunction-sections -fdata-sections"},
                      Kind{"O0", "-O0"}, Kind{"NoPlt", "-O2 -fno-plt"},
                      Kind{"Avx2", "-O3 -mavx2 -mfma"}, Kind{"NoPieO0", "-O0 -fno-pie -no-pie"},
                      Kind{"Arm", "-O2", kArm}, Kind{"ArmNoPie", "-O2 -fno-pie -no-pie", kArm},
                      Kind{"ArmO0", "-O0", kArm}),
    [](const ::testing::TestParamInfo<Kind>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace perfgate::code
