# perfgate_add_suite(): a Google Benchmark executable as a performance test of CTest.
#
#   perfgate_add_suite(NAME kernels TARGET kernels_bench [TOLERANCE 2%] [BUDGET 60s] [ALPHA 0.01]
#                      [POLICY policy.json] [FILTER regex] [LABELS cpu] [TIMEOUT 300]
#                      [STORE baselines] [LAYOUTS 40]
#                      [RESOURCE_GROUPS gpus:1] [OPTIONS --pairs 6 ...])
#
# adds the test perf.<NAME>, labelled perf and LABELS. It gates TARGET's executable against the one
# at the same place in the build tree PERFGATE_BASELINE_BUILD, usually a build of the merge base with
# the same options:
#
#   cmake -S . -B build -DPERFGATE_BASELINE_BUILD=/path/to/build-of-main && cmake --build build
#   ctest --test-dir build -L perf
#
# Where PERFGATE_BASELINE_BUILD is empty it gates against the baseline that STORE has of this machine's
# class (perfgate baseline record): the cached executable, or recorded numbers, which only warn.
#
# The test fails with the exit code of `perfgate gate`; it is skipped where there is neither, and
# fails where PERFGATE_BASELINE_BUILD is set but holds no such executable. The verdict and the raw
# session go to perfgate/<NAME>.verdict.json and perfgate/<NAME>.session.json in the current binary
# folder.
#
#   NAME, TARGET     needed; TARGET links perfgate::main (any Google Benchmark executable works)
#   TOLERANCE        accepted slowdown [2%]
#   ALPHA            false regressions per run, whole suite [0.01]
#   BUDGET           measuring time, as on the command line: 90s, 1.5min, 1h; or auto: what 16
#                    rounds need [auto]
#   POLICY           policy file, relative to the current source folder. It says all of the above, so
#                    they cannot be given beside it
#   STORE            folder of recorded baselines, relative to the current source folder
#   LAYOUTS          layouts of TARGET that tell a change from its link (PerfgateAddLayouts.cmake);
#                    linked only when the gate would name a case, in both build trees
#   FILTER           regular expression on case names
#   LABELS           further CTest labels
#   TIMEOUT          CTest's limit in seconds [twice the budget and two minutes]
#   RESOURCE_GROUPS  CTest resource groups, for suites that need a GPU to themselves
#   OPTIONS          further options of `perfgate gate`, as they are
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/PerfgateAddLayouts.cmake)

# seconds_var gets whole seconds, rounded up, of a duration as the command line takes it: "90", "90s",
# "2m", "1.5 min", "1h", "500ms".
function(_perfgate_seconds text seconds_var)
  set(refused "perfgate_add_suite: BUDGET \"${text}\" is no time; write 90, 90s, 1.5min or 1h.")
  if(NOT text MATCHES "^([0-9]+)([.]([0-9]+))? *(ns|us|ms|s|min|m|h)?$")
    message(FATAL_ERROR "${refused}")
  endif()
  set(whole ${CMAKE_MATCH_1})
  set(unit "${CMAKE_MATCH_4}")
  string(SUBSTRING "${CMAKE_MATCH_3}000" 0 3 thousandths)
  # 1${thousandths} - 1000: "010" would be octal.
  math(EXPR thousandths "${whole} * 1000 + 1${thousandths} - 1000")
  if(unit MATCHES "^(ns|us|ms)$")
    math(EXPR thousandths "${thousandths} / 1000")
  elseif(unit MATCHES "^m")
    math(EXPR thousandths "${thousandths} * 60")
  elseif(unit STREQUAL "h")
    math(EXPR thousandths "${thousandths} * 3600")
  endif()
  if(NOT text MATCHES "[1-9]")
    message(FATAL_ERROR "${refused}")
  endif()
  math(EXPR seconds "(${thousandths} + 999) / 1000")
  if(seconds EQUAL 0)
    set(seconds 1)
  endif()
  set(${seconds_var} ${seconds} PARENT_SCOPE)
endfunction()

# Refuses what the command line would refuse as a fraction, before anything is built: 2% and 0.02 are
# the same, and 2 may be either.
function(_perfgate_check_fraction call name text)
  if(text MATCHES "^[0-9]*[.]?[0-9]+ *%$")
    return()
  endif()
  if(NOT text MATCHES "^[0-9]*[.]?[0-9]+$")
    message(FATAL_ERROR "${call}: ${name} \"${text}\" is no fraction; write 2% or 0.02.")
  elseif(text GREATER 1)
    message(FATAL_ERROR "${call}: ${name} ${text} may mean ${text}% or ${text}00%; write the sign.")
  endif()
endfunction()

# The budget_s of a policy file, rounded up; where it has none, the most that an automatic one takes.
function(_perfgate_policy_budget file seconds_var)
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "perfgate_add_suite: there is no policy file ${file}.")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" content)
  string(JSON budget ERROR_VARIABLE absent GET "${content}" budget_s)
  if(absent OR budget EQUAL 0)
    set(budget 300)
  endif()
  string(REGEX REPLACE "[.].*" "" whole "${budget}")
  math(EXPR whole "${whole} + 1")
  set(${seconds_var} ${whole} PARENT_SCOPE)
endfunction()

function(perfgate_add_suite)
  cmake_parse_arguments(PARSE_ARGV 0 arg ""
    "NAME;TARGET;TOLERANCE;BUDGET;ALPHA;POLICY;FILTER;TIMEOUT;STORE;LAYOUTS" "LABELS;RESOURCE_GROUPS;OPTIONS")
  set(call "perfgate_add_suite(NAME ${arg_NAME})")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: unknown argument \"${arg_UNPARSED_ARGUMENTS}\".")
  endif()
  foreach(needed NAME TARGET)
    if(NOT arg_${needed})
      message(FATAL_ERROR "${call}: ${needed} is missing.")
    endif()
  endforeach()
  if(NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "${call}: there is no target ${arg_TARGET}.")
  endif()
  if(NOT TARGET perfgate::perfgate)
    message(FATAL_ERROR "${call}: there is no perfgate executable; find_package(perfgate) first.")
  endif()

  set(relink "")
  if(arg_LAYOUTS)
    perfgate_add_layouts(TARGET ${arg_TARGET} COUNT ${arg_LAYOUTS})
    get_target_property(folder ${arg_TARGET} BINARY_DIR)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_BINARY_DIR} OUTPUT_VARIABLE place)
    set(relink ${place}/${arg_TARGET}.relink)
  endif()

  set(options --suite ${arg_NAME})
  set(budget_s 300)  # the most that an automatic one takes, but for suites of several hundred cases
  if(arg_POLICY)
    foreach(inside TOLERANCE ALPHA BUDGET)
      if(NOT "${arg_${inside}}" STREQUAL "")
        message(FATAL_ERROR "${call}: ${inside} beside POLICY; say it in ${arg_POLICY}.")
      endif()
    endforeach()
    cmake_path(ABSOLUTE_PATH arg_POLICY BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    _perfgate_policy_budget("${arg_POLICY}" budget_s)
    list(APPEND options --policy "${arg_POLICY}")
  endif()
  if(arg_BUDGET STREQUAL "auto")
    list(APPEND options --budget auto)
  elseif(arg_BUDGET)
    _perfgate_seconds("${arg_BUDGET}" budget_s)
    list(APPEND options --budget "${arg_BUDGET}")
  endif()
  foreach(option TOLERANCE ALPHA FILTER)
    if(NOT "${arg_${option}}" STREQUAL "")
      if(NOT option STREQUAL "FILTER")
        _perfgate_check_fraction("${call}" ${option} "${arg_${option}}")
      endif()
      string(TOLOWER ${option} flag)
      list(APPEND options --${flag} "${arg_${option}}")
    endif()
  endforeach()
  if(arg_STORE)
    cmake_path(ABSOLUTE_PATH arg_STORE BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  endif()
  if(NOT arg_TIMEOUT)
    # The budget covers measuring; twice that and two minutes also cover a last round that began
    # just before its end, launches of slow executables and a busy machine.
    math(EXPR arg_TIMEOUT "2 * ${budget_s} + 120")
  endif()

  add_test(NAME perf.${arg_NAME}
    COMMAND sh ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/perfgate_run_suite.sh
            ${arg_NAME} $<TARGET_FILE:perfgate::perfgate> $<TARGET_FILE:${arg_TARGET}>
            ${CMAKE_BINARY_DIR} "${PERFGATE_BASELINE_BUILD}" "${arg_STORE}"
            ${CMAKE_CURRENT_BINARY_DIR}/perfgate "${relink}"
            ${options} ${arg_OPTIONS})
  set_tests_properties(perf.${arg_NAME} PROPERTIES
    LABELS "perf;${arg_LABELS}" RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT})
  if(arg_RESOURCE_GROUPS)
    set_tests_properties(perf.${arg_NAME} PROPERTIES RESOURCE_GROUPS "${arg_RESOURCE_GROUPS}")
  endif()
endfunction()
