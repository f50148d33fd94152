# Finds cpp-httplib: sets httplib_FOUND, and makes httplib::httplib.
#
# The library is one header, or, as Debian builds it, a header of declarations and a shared library.
# In the latter case the layout of its classes depends on macros which only its pkg-config file
# names; that is read here, since the package does not bring pkg-config itself.
include(FindPackageHandleStandardArgs)

find_path(httplib_INCLUDE_DIR httplib.h)
find_library(httplib_LIBRARY cpp-httplib)
mark_as_advanced(httplib_INCLUDE_DIR httplib_LIBRARY)

if(httplib_INCLUDE_DIR)
  file(STRINGS ${httplib_INCLUDE_DIR}/httplib.h line
    REGEX "^#define CPPHTTPLIB_VERSION \"" LIMIT_COUNT 1)
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" httplib_VERSION "${line}")
  # A split header declares what one in a single piece defines.
  file(STRINGS ${httplib_INCLUDE_DIR}/httplib.h definition REGEX "^inline .*Server::listen_internal")
  set(needed httplib_INCLUDE_DIR)
  if(NOT definition)
    list(APPEND needed httplib_LIBRARY)
  endif()
endif()
if(NOT httplib_VERSION OR httplib_VERSION VERSION_LESS 0.11)
  set(httplib_INCLUDE_DIR httplib_INCLUDE_DIR-NOTFOUND)
  set(needed httplib_INCLUDE_DIR)
endif()
find_package_handle_standard_args(httplib REQUIRED_VARS ${needed} VERSION_VAR httplib_VERSION)

if(httplib_FOUND AND NOT TARGET httplib::httplib)
  add_library(httplib::httplib INTERFACE IMPORTED)
  target_include_directories(httplib::httplib INTERFACE ${httplib_INCLUDE_DIR})
  target_link_libraries(httplib::httplib INTERFACE Threads::Threads)
  if(NOT definition)
    get_filename_component(folder ${httplib_LIBRARY} DIRECTORY)
    find_file(httplib_PC cpp-httplib.pc PATHS ${folder}/pkgconfig NO_DEFAULT_PATH)
    mark_as_advanced(httplib_PC)
    if(httplib_PC)
      file(STRINGS ${httplib_PC} flags REGEX "^Cflags:")
      string(REGEX MATCHALL "CPPHTTPLIB_[A-Z0-9_]+" macros "${flags}")
      target_compile_definitions(httplib::httplib INTERFACE ${macros})
    endif()
    target_link_libraries(httplib::httplib INTERFACE ${httplib_LIBRARY})
  endif()
endif()
