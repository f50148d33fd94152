# One function per role; every target of the project is made by one of these.
include_guard(GLOBAL)

# Flags for this project's own code, never for its users.
function(perfgate_own_code target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion $<$<BOOL:${PERFGATE_WERROR}>:-Werror>>
    # The host compiler also sees what nvcc generates, so it gets no -Wconversion here.
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra $<$<BOOL:${PERFGATE_WERROR}>:-Werror=all-warnings>>)
  # False alarms: GCC 12 sees an overlap in every "literal" + std::string at -O3 (GCC bug 105651),
  # GCC 13 a dangling reference wherever a function takes a temporary and returns a reference.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
    set(false_alarm restrict)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      set(false_alarm dangling-reference)
    endif()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-${false_alarm}>)
  endif()
  if(PERFGATE_SANITIZE)
    # Instrumentation hides initialisations: GCC then warns about the inside of std::regex.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${PERFGATE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer>)
    target_link_options(${target} PRIVATE -fsanitize=${PERFGATE_SANITIZE})
  endif()
endfunction()

# perfgate_library(NAME stats SOURCES a.cc b.cc DEPENDS perfgate::evidence ...)
# makes the static library perfgate_<name> with the alias perfgate::<name>. Libraries that live
# under perfgate/ are part of the installed package; others (kernels, suites) are not.
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
  perfgate_install(${target})
endfunction()

# perfgate_install(target): puts a target that lives under perfgate/ into the CMake package as
# perfgate::<EXPORT_NAME>. perfgate/CMakeLists.txt installs the headers of all of them.
function(perfgate_install target)
  set(root ${PROJECT_SOURCE_DIR}/perfgate)
  cmake_path(IS_PREFIX root "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE inside)
  if(PERFGATE_INSTALL AND inside)
    install(TARGETS ${target} EXPORT perfgateTargets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
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
