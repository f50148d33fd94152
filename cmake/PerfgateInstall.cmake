# What `cmake --install` lays down, in two components that are also two Debian packages:
#
#   runtime      perfgate, what it preloads and starts, man pages, completions, documents
#   development  libraries, headers and the CMake package; needs runtime
#
# perfgate_library() installs the libraries. Included by perfgate/CMakeLists.txt, once all are there.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/perfgate)

install(TARGETS perfgate EXPORT perfgateTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime
  FILES_MATCHING PATTERN "*.md" PATTERN "*.json")

# perfgate::main's users compile it with their own flags, which is how their build is described.
install(FILES ${PROJECT_SOURCE_DIR}/perfgate/bench/worker/build_description.cc
  DESTINATION ${CMAKE_INSTALL_DATADIR}/perfgate COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/perfgate/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/perfgate
  COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN cli EXCLUDE)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/perfgateConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/perfgateConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/perfgateConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT perfgateTargets NAMESPACE perfgate:: DESTINATION ${package_folder}
  COMPONENT development)
# Targets that need more than the others: read only where that is found.
if(TARGET perfgate_gtest)
  install(EXPORT perfgateGtestTargets NAMESPACE perfgate:: DESTINATION ${package_folder}
    COMPONENT development)
endif()
if(TARGET perfgate_bench_cuda)
  install(EXPORT perfgateCudaTargets NAMESPACE perfgate:: DESTINATION ${package_folder}
    COMPONENT development)
endif()
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/perfgateConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/perfgateConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/PerfgateAddFleet.cmake
              ${PROJECT_SOURCE_DIR}/cmake/PerfgateAddSuite.cmake
              ${PROJECT_SOURCE_DIR}/cmake/PerfgateAddLayouts.cmake
  DESTINATION ${package_folder} COMPONENT development)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/cmake/perfgate_run_fleet.sh
                 ${PROJECT_SOURCE_DIR}/cmake/perfgate_run_suite.sh
                 ${PROJECT_SOURCE_DIR}/cmake/perfgate_keep_link.sh
                 ${PROJECT_SOURCE_DIR}/cmake/perfgate_relink_later.sh
  DESTINATION ${package_folder} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/ci/github ${PROJECT_SOURCE_DIR}/ci/gitlab
  DESTINATION ${CMAKE_INSTALL_DATADIR}/perfgate/ci COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/ci/fleet DESTINATION ${CMAKE_INSTALL_DATADIR}/perfgate
  COMPONENT runtime USE_SOURCE_PERMISSIONS)

# Debian packages: `cpack -G DEB` in the build folder. cpack writes an archive where dpkg is missing.
set(CPACK_GENERATOR TGZ)
find_program(PERFGATE_DPKG dpkg)
if(PERFGATE_DPKG)
  set(CPACK_GENERATOR DEB)
endif()
set(CPACK_PACKAGE_NAME perfgate)
set(CPACK_PACKAGE_VENDOR perfgate)
set(CPACK_PACKAGE_CONTACT "the perfgate authors <perfgate@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME perfgate)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION devel)
find_program(PERFGATE_SHLIBDEPS dpkg-shlibdeps)
if(PERFGATE_SHLIBDEPS)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "lld, bubblewrap")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
  "performance gate over Google Benchmark\n Decides whether a change made code slower, and is right about it on noisy machines.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libperfgate-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# perfgate::main needs Google Benchmark alone; the other libraries need what is recommended.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "perfgate (= ${PROJECT_VERSION}), libbenchmark-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS
  "nlohmann-json3-dev, libfmt-dev, libboost-dev, libssl-dev, libdw-dev, libelf-dev, libcapstone-dev, libgtest-dev, libgmock-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "performance gate over Google Benchmark, libraries\n Headers, static libraries and the CMake package of perfgate.")
include(CPack)
