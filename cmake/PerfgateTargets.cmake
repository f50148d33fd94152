# One function per role; every target of the project is made by one of these.
include_guard(GLOBAL)

# Flags for this project's own code, never for its users.
function(perfgate_own_code target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion $<$<BOOL:${PERFGATE_WERROR}>:-Werror>>)
  if(PERFGATE_SANITIZE)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${PERFGATE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer>)
    target_link_options(${target} PRIVATE -fsanitize=${PERFGATE_SANITIZE})
  endif()
endfunction()

# perfgate_library(NAME stats SOURCES a.cc b.cc DEPENDS perfgate::evidence ...)
# makes the static library perfgate_<name> with the alias perfgate::<name>.
function(perfgate_library)
  cmake_parse_arguments(arg "" "NAME" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  set(target perfgate_${arg_NAME})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(perfgate::${arg_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_NAME} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
  perfgate_own_code(${target})
endfunction()

# perfgate_test(NAME stats.max_t SOURCES max_t_test.cc DEPENDS perfgate::stats [LABELS e2e])
# makes one GoogleTest executable and one ctest of that name.
function(perfgate_test)
  cmake_parse_arguments(arg "" "NAME;TIMEOUT" "SOURCES;DEPENDS;LABELS;ARGS" ${ARGN})
  string(REPLACE "." "_" target "test_${arg_NAME}")
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_DEPENDS} GTest::gtest GTest::gmock GTest::gtest_main)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE PERFGATE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  perfgate_own_code(${target})
  add_test(NAME ${arg_NAME} COMMAND ${target} ${arg_ARGS})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()
