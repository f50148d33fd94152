#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install_test.sh: what `cmake --install` and the Debian packages of this build hold, and what a
# project needs that uses them.
#
# usage: install_test.sh SOURCE_DIR BUILD_DIR GENERATOR COMPILER [FLAGS]
set -uo pipefail
source_dir=$1 build_dir=$2 generator=$3 compiler=$4 flags=${5:-}
# shellcheck source=tests/e2e/shell_test.sh
source "$source_dir/tests/e2e/shell_test.sh"

quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "$*"; finish; exit 1; }; }

prefix=$scratch/prefix
quietly cmake --install "$build_dir" --prefix "$prefix"
mkdir "$scratch/projects"
cp -r "$source_dir/tests/e2e/consumer" "$source_dir/tests/e2e/installed" "$scratch/projects"

expect_file() {  # FILE: is there, and not empty
  expect_equal "$([ -s "$1" ] && echo there || echo "no $1")" there
}
for file in bin/perfgate include/perfgate/gate/gate.h share/perfgate/build_description.cc \
  share/doc/perfgate/README.md share/doc/perfgate/docs/guide.md \
  share/doc/perfgate/docs/schema/verdict.schema.json share/man/man1/perfgate-gate.1 \
  share/bash-completion/completions/perfgate share/zsh/site-functions/_perfgate \
  share/fish/vendor_completions.d/perfgate.fish; do
  expect_file "$prefix/$file"
done

# configure FOLDER [cmake options...]: $status and $output, its white space squeezed.
configure() {
  local folder=$1
  shift
  status=0
  output=$(cmake -S "$scratch/projects/installed" -B "$scratch/$folder" -G "$generator" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" \
    "$@" 2>&1) || status=$?
  output=$(tr -s ' \n' ' ' <<<"$output")
}
# Everything but Google Benchmark is out of reach.
lacking=()
for package in nlohmann_json fmt Boost OpenSSL GTest CUDAToolkit; do
  lacking+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done

# perfgate::main needs Google Benchmark alone.
configure plain "${lacking[@]}"
expect_equal "$status" 0
quietly cmake --build "$scratch/plain"
expect_equal "$("$scratch/plain/installed_bench" --benchmark_list_tests)" add
expect_contains "$(ctest --test-dir "$scratch/plain" -N)" perf.installed

# A component that is named must be there, and what it needs is said.
configure lacking "${lacking[@]}" "-DINSTALLED_COMPONENTS=libraries"
expect_equal "$status" 1
expect_contains "$output" "libraries: it needs packages that CMake does not find: nlohmann_json, fmt"
configure unknown "-DINSTALLED_COMPONENTS=bench_cudda"
expect_equal "$status" 1
expect_contains "$output" "bench_cudda: there is no such component"
configure all "-DINSTALLED_COMPONENTS=libraries;gtest;main"
expect_equal "$status" 0

# A prefix that was built where CUDA is serves projects on machines without it.
folder=$(dirname "$(find "$prefix" -name perfgateConfig.cmake)")
if [ ! -f "$folder/perfgateCudaTargets.cmake" ]; then
  configure cuda "-DINSTALLED_COMPONENTS=bench_cuda"
  expect_equal "$status" 1
  expect_contains "$output" "bench_cuda: this perfgate was built without CUDA"
  cat >"$folder/perfgateCudaTargets.cmake" <<'END'
add_library(perfgate::bench_cuda INTERFACE IMPORTED)
set_property(TARGET perfgate::bench_cuda PROPERTY INTERFACE_LINK_LIBRARIES CUDA::cudart_static)
END
fi
configure cuda "-DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON" -DINSTALLED_COMPONENTS=
expect_equal "$status" 0
configure cuda "-DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON" "-DINSTALLED_COMPONENTS=bench_cuda"
expect_equal "$status" 1
expect_contains "$output" "bench_cuda: it needs the CUDA toolkit, which CMake does not find"

# The demo runs from the prefix, which may lie anywhere. A machine under test may not decide it (12).
demo() {  # PERFGATE
  status=0
  output=$("$1" demo --rounds 6 2>&1) || status=$?
  [ "$status" -eq 12 ] || expect_equal "$status" 0
  expect_contains "$output" "demo/changed"
  expect_contains "$output" "demo/unchanged"
}
mv "$prefix" "$scratch/elsewhere"
demo "$scratch/elsewhere/bin/perfgate"

# The same as Debian packages.
if command -v dpkg-deb >/dev/null && command -v cpack >/dev/null; then
  quietly cpack --config "$build_dir/CPackConfig.cmake" -G DEB -B "$scratch/packages"
  runtime=$(ls "$scratch"/packages/perfgate_*.deb)
  development=$(ls "$scratch"/packages/libperfgate-dev_*.deb)
  expect_contains "$(dpkg-deb --field "$development" Depends)" "perfgate (= "
  expect_contains "$(dpkg-deb --field "$development" Depends)" libbenchmark-dev
  if command -v dpkg-shlibdeps >/dev/null; then
    expect_contains "$(dpkg-deb --field "$runtime" Depends)" libc6
  fi
  expect_lacks "$(dpkg-deb --contents "$runtime")" perfgateConfig.cmake
  dpkg-deb --extract "$runtime" "$scratch/root"
  expect_equal "$(find "$scratch/root" -name '*.a' -o -name '*.h' -o -name '*.cmake')" ""
  demo "$scratch/root/usr/bin/perfgate"
  dpkg-deb --extract "$development" "$scratch/root"
  prefix=$scratch/root/usr
  configure packaged "${lacking[@]}"
  expect_equal "$status" 0
fi

finish
