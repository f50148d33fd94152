# PERFGATE_CUDA=AUTO|ON|OFF decides whether CUDA sources are compiled; sets PERFGATE_HAVE_CUDA.
include_guard(GLOBAL)
include(CheckLanguage)

set(PERFGATE_CUDA AUTO CACHE STRING "Compile the CUDA code: AUTO, ON or OFF")
set_property(CACHE PERFGATE_CUDA PROPERTY STRINGS AUTO ON OFF)

set(PERFGATE_HAVE_CUDA OFF)
if(NOT PERFGATE_CUDA STREQUAL "OFF")
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 80 90)
    endif()
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 20)
    set(PERFGATE_HAVE_CUDA ON)
  elseif(PERFGATE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "PERFGATE_CUDA=ON, but no CUDA compiler was found. Put nvcc on PATH, set "
                        "CMAKE_CUDA_COMPILER, or configure with -DPERFGATE_CUDA=AUTO.")
  endif()
endif()
message(STATUS "perfgate: CUDA ${PERFGATE_HAVE_CUDA}")
