# One function per role: libraries of perfgate, tests, and the flags that all own code has.
include_guard(GLOBAL)

# Flags for this project's own code, never for its users.
function(perfgate_own_code target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion $<$<BOOL:${PERFGATE_WERROR}>:-Werror>>
    # The host compiler also sees what nvcc generates, so it gets no -Wconversion here.
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra $<$<BOOL:${PERFGATE_WERROR}>:-Werror=all-warnings>>)
  # False alarms: GCC 12 sees an overlap in every "literal" + std::string at -O3 (GCC bug 105651) and
  # at -O1 a copy beyond the string's own buffer, GCC 13 a dangling reference wherever a function takes a temporary and returns a reference.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
    set(false_alarm restrict)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      set(false_alarm dangling-reference)
    endif()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-${false_alarm} -Wno-array-bounds
                           -Wno-stringop-overflow -Wno-stringop-overread>)
  endif()
  if(PERFGATE_SANITIZE)
    # Instrumentation hides initialisations: GCC then warns about the inside of std::regex.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${PERFGATE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer>)
    target_link_options(${target} PRIVATE -fsanitize=${PERFGATE_SANITIZE})
  endif()
endfunction()

# perfgate_precompile(target HEADER...): headers that cost more to read than most files that use them.
# perfgate_reuse_precompiled(target owner) takes those of another target with the same flags. A build
# with -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON shows whether every file includes what it uses.
function(perfgate_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # Lets ccache see through a precompiled header.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endfunction()

function(perfgate_reuse_precompiled target owner)
  target_precompile_headers(${target} REUSE_FROM ${owner})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endfunction()

# perfgate_library(NAME stats SOURCES a.cc b.cc DEPENDS perfgate::evidence ...)
# makes the static library perfgate_<name> with the alias perfgate::<name>. Libraries that live
# under perfgate/ are part of the installed package; others (kernels, suites) are not. EXPORT names the
# file of the package that declares it, where it is not the one that every user reads.
function(perfgate_library)
  cmake_parse_arguments(arg "" "NAME;EXPORT" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  set(target perfgate_${arg_NAME})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(perfgate::${arg_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_NAME} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
  perfgate_own_code(${target})
  perfgate_install(${target} EXPORT ${arg_EXPORT})
endfunction()

# perfgate_install(target [EXPORT perfgateTargets]): puts a target that lives under perfgate/ into the
# CMake package as perfgate::<EXPORT_NAME>. perfgate/CMakeLists.txt installs the headers of all of them.
function(perfgate_install target)
  cmake_parse_arguments(arg "" "EXPORT" "" ${ARGN})
  if(NOT arg_EXPORT)
    set(arg_EXPORT perfgateTargets)
  endif()
  set(root ${PROJECT_SOURCE_DIR}/perfgate)
  cmake_path(IS_PREFIX root "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE inside)
  if(PERFGATE_INSTALL AND inside)
    install(TARGETS ${target} EXPORT ${arg_EXPORT}
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  endif()
endfunction()

# perfgate_install_beside(TARGET...): what perfgate starts or preloads, in its library folder.
function(perfgate_install_beside)
  if(PERFGATE_INSTALL)
    install(TARGETS ${ARGN}
      RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/perfgate COMPONENT runtime
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/perfgate COMPONENT runtime)
  endif()
endfunction()

# perfgate_test_executable(NAME SOURCES ... DEPENDS ...): GoogleTest with the main of tests/support.
function(perfgate_test_executable target)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;DEFINITIONS" ${ARGN})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_DEPENDS} perfgate_test_main)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  perfgate_own_code(${target})
  perfgate_test_flags(${target})
  perfgate_reuse_precompiled(${target} perfgate_test_main)
endfunction()

# Tests run once for each time that they are compiled, so they are optimised as little as pays: on a
# file of 450 lines -O2 -g takes 9.4 s to compile, -O1 4.6 s and -O0 3.8 s, but with -O0 tests that
# read much JSON take four times as long to run.
function(perfgate_test_flags target)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-O1>)
endfunction()

# perfgate_tests(NAME stats UNITS design/looks inference/max_t ... DEPENDS perfgate::stats
#                [SOURCES x.cc] [DEFINITIONS X="y"] [LABELS fast])
# makes the one GoogleTest executable of a folder, test_stats of design/looks_test.cc and so on, and a
# ctest for each of its files: stats.looks. The label `fast` is for tests that start no process.
function(perfgate_tests)
  cmake_parse_arguments(arg "" "NAME;TIMEOUT" "UNITS;SOURCES;DEPENDS;DEFINITIONS;LABELS" ${ARGN})
  string(REPLACE "." "_" target "test_${arg_NAME}")
  list(TRANSFORM arg_UNITS APPEND _test.cc OUTPUT_VARIABLE files)
  perfgate_test_executable(${target} SOURCES ${files} ${arg_SOURCES} DEPENDS ${arg_DEPENDS}
                           DEFINITIONS ${arg_DEFINITIONS})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  foreach(unit ${arg_UNITS})
    cmake_path(GET unit FILENAME name)
    add_test(NAME ${arg_NAME}.${name} COMMAND ${target} --only=${unit}_test.cc)
    set_tests_properties(${arg_NAME}.${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
  endforeach()
endfunction()

# perfgate_test(NAME e2e.verdict SOURCES verdict_test.cc DEPENDS perfgate::gtest [LABELS e2e])
# makes an executable and a ctest for one file that cannot share those of its folder.
function(perfgate_test)
  cmake_parse_arguments(arg "" "NAME;TIMEOUT" "SOURCES;DEPENDS;LABELS;ARGS" ${ARGN})
  string(REPLACE "." "_" target "test_${arg_NAME}")
  perfgate_test_executable(${target} SOURCES ${arg_SOURCES} DEPENDS ${arg_DEPENDS})
  add_test(NAME ${arg_NAME} COMMAND ${target} ${arg_ARGS})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()
