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
      # "native" fails where nvcc is there and no GPU is, so ask first.
      execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE gpus ERROR_QUIET RESULT_VARIABLE status)
      if(status EQUAL 0 AND gpus MATCHES "GPU 0")
        set(CMAKE_CUDA_ARCHITECTURES native)
      else()
        set(CMAKE_CUDA_ARCHITECTURES 80 90)
      endif()
    endif()
    enable_language(CUDA)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
      message(FATAL_ERROR "perfgate's CUDA code is C++20, which nvcc knows from 12.0 on; "
                          "${CMAKE_CUDA_COMPILER} is ${CMAKE_CUDA_COMPILER_VERSION}. Name another "
                          "CMAKE_CUDA_COMPILER, or configure with -DPERFGATE_CUDA=OFF.")
    endif()
    # CMake 3.25 does not know the flag of this standard for nvcc and would silently drop to 17.
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_EXTENSIONS OFF)
    find_package(CUDAToolkit REQUIRED)
    set(PERFGATE_HAVE_CUDA ON)
  elseif(PERFGATE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "PERFGATE_CUDA=ON, but no CUDA compiler was found. Put nvcc on PATH, set "
                        "CMAKE_CUDA_COMPILER, or configure with -DPERFGATE_CUDA=AUTO.")
  endif()
endif()
message(STATUS "perfgate: CUDA ${PERFGATE_HAVE_CUDA}")
