# perfgate_add_fleet(): a suite that several tests of CTest measure at the same time, each on a core of
# its own, and that is judged as one.
#
#   perfgate_add_fleet(NAME kernels TARGET kernels_bench JOBS 4 [ROUNDS 24] [TOLERANCE 2%] [ALPHA 0.01]
#                      [POLICY policy.json] [FILTER regex] [LABELS cpu] [TIMEOUT 600])
#
# adds the tests fleet.<NAME>.plan, fleet.<NAME>.job.1 ... and fleet.<NAME>.verdict, labelled perf and
# LABELS. They compare as perfgate_add_suite() does, with the same place in PERFGATE_BASELINE_BUILD, and
# are skipped where that is empty. Only the last one fails for a regression, with the exit code of
# `perfgate gate`: one family of cases, one alpha. Run them with cores set aside:
#
#   ctest --test-dir build -L perf --parallel 4 --resource-spec-file resources.json
#
# where resources.json names the cores (ci/fleet/ctest-resources.json is a template). Each job takes one
# slot of `cores` and is pinned to the core of that id; without a specification perfgate chooses.
# Sessions and the verdict go to perfgate/<NAME>.fleet in the current binary folder.
include_guard(GLOBAL)

function(perfgate_add_fleet)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;JOBS;ROUNDS;TOLERANCE;ALPHA;POLICY;FILTER;TIMEOUT" "LABELS")
  set(call "perfgate_add_fleet(NAME ${arg_NAME})")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: unknown argument \"${arg_UNPARSED_ARGUMENTS}\".")
  endif()
  foreach(needed NAME TARGET JOBS)
    if(NOT arg_${needed})
      message(FATAL_ERROR "${call}: ${needed} is missing.")
    endif()
  endforeach()
  if(NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "${call}: there is no target ${arg_TARGET}.")
  endif()
  if(NOT arg_JOBS MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "${call}: JOBS \"${arg_JOBS}\" is no number of jobs.")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  set(options "")
  if(arg_POLICY)
    cmake_path(ABSOLUTE_PATH arg_POLICY BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    list(APPEND options --policy "${arg_POLICY}")
  endif()
  foreach(option ROUNDS TOLERANCE ALPHA FILTER)
    if(NOT "${arg_${option}}" STREQUAL "")
      string(TOLOWER ${option} flag)
      list(APPEND options --${flag} "${arg_${option}}")
    endif()
  endforeach()

  set(script sh ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/perfgate_run_fleet.sh)
  set(where ${arg_NAME} $<TARGET_FILE:perfgate::perfgate> ${CMAKE_CURRENT_BINARY_DIR}/perfgate/${arg_NAME}.fleet)
  set(test fleet.${arg_NAME})
  add_test(NAME ${test}.plan
    COMMAND ${script} plan ${where} $<TARGET_FILE:${arg_TARGET}> ${CMAKE_BINARY_DIR} "${PERFGATE_BASELINE_BUILD}"
            ${arg_JOBS} ${options})
  set_tests_properties(${test}.plan PROPERTIES FIXTURES_SETUP ${test}.planned)
  set(all ${test}.plan ${test}.verdict)
  foreach(job RANGE 1 ${arg_JOBS})
    add_test(NAME ${test}.job.${job} COMMAND ${script} job ${where} ${job})
    set_tests_properties(${test}.job.${job} PROPERTIES
      FIXTURES_REQUIRED ${test}.planned FIXTURES_SETUP ${test}.measured RESOURCE_GROUPS "cores:1")
    list(APPEND all ${test}.job.${job})
  endforeach()
  add_test(NAME ${test}.verdict COMMAND ${script} verdict ${where})
  set_tests_properties(${test}.verdict PROPERTIES FIXTURES_REQUIRED "${test}.planned;${test}.measured")
  set_tests_properties(${all} PROPERTIES
    LABELS "perf;${arg_LABELS}" SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT})
endfunction()
