# perfgate_add_layouts(): an executable linked many times, each time with another random order of its
# functions and data (docs/layouts.md).
#
#   perfgate_add_layouts(TARGET my_bench [COUNT 40] [LINKER auto|lld|mold|order])
#
# compiles TARGET, and the libraries of this project that it links, with -ffunction-sections
# -fdata-sections, and keeps its link command in its binary folder, as my_bench.link. Nothing is
# linked a second time until the target `layouts` (of all) or `my_bench_layouts` is built, or a gate
# needs layouts: those then lie in the folder my_bench.layouts beside the executable, which perfgate
# takes wherever it takes an executable. Shared libraries of this project are shuffled with it.
#
# Call it after the last target_link_libraries() of TARGET. Generators: Ninja and Makefiles.
include_guard(GLOBAL)

# All targets of this project that `target` links, itself included, in targets_var.
function(_perfgate_own_targets target targets_var)
  set(open ${target})
  set(found "")
  while(open)
    list(POP_FRONT open next)
    if(NOT TARGET ${next})
      continue()
    endif()
    get_target_property(aliased ${next} ALIASED_TARGET)
    if(aliased)
      set(next ${aliased})
    endif()
    get_target_property(imported ${next} IMPORTED)
    if(imported OR next IN_LIST found)
      continue()
    endif()
    list(APPEND found ${next})
    foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
      get_target_property(linked ${next} ${property})
      if(linked)
        # $<LINK_ONLY:x> is x
        string(REGEX REPLACE "\\$<LINK_ONLY:([^>]*)>" "\\1" linked "${linked}")
        list(APPEND open ${linked})
      endif()
    endforeach()
  endwhile()
  set(${targets_var} ${found} PARENT_SCOPE)
endfunction()

function(perfgate_add_layouts)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;COUNT;LINKER" "")
  set(call "perfgate_add_layouts(TARGET ${arg_TARGET})")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: unknown argument \"${arg_UNPARSED_ARGUMENTS}\".")
  endif()
  if(NOT TARGET "${arg_TARGET}")
    message(FATAL_ERROR "${call}: there is no such target.")
  endif()
  get_target_property(type ${arg_TARGET} TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "${call}: is no executable.")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "${call}: the generator ${CMAKE_GENERATOR} keeps no link commands; use Ninja or Makefiles.")
  endif()
  if(NOT TARGET perfgate::perfgate)
    message(FATAL_ERROR "${call}: there is no perfgate executable; find_package(perfgate) first.")
  endif()
  if(NOT arg_COUNT)
    set(arg_COUNT 40)
  endif()
  if(NOT arg_COUNT MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "${call}: COUNT \"${arg_COUNT}\" is no number of layouts.")
  endif()
  if(NOT arg_LINKER)
    set(arg_LINKER auto)
  endif()

  get_target_property(folder ${arg_TARGET} BINARY_DIR)
  set(command_file ${folder}/${arg_TARGET}.link)
  set(libraries "")
  _perfgate_own_targets(${arg_TARGET} targets)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(EXECUTABLE|(STATIC|SHARED|OBJECT)_LIBRARY)$")
      target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:C,CXX>:-ffunction-sections -fdata-sections>
        $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffunction-sections,-fdata-sections>)
    endif()
    get_target_property(folder ${target} BINARY_DIR)
    set(kept ${folder}/${target}.link)
    if(target STREQUAL arg_TARGET OR type STREQUAL "SHARED_LIBRARY")
      set(launcher "sh ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/perfgate_keep_link.sh ${kept}")
      get_target_property(before ${target} RULE_LAUNCH_LINK)
      if(NOT before MATCHES "perfgate_keep_link")
        if(before)
          string(APPEND launcher " ${before}")
        endif()
        set_target_properties(${target} PROPERTIES RULE_LAUNCH_LINK "${launcher}")
      endif()
    endif()
    if(type STREQUAL "SHARED_LIBRARY")
      list(APPEND libraries --library ${kept})
    endif()
  endforeach()

  set(options --count ${arg_COUNT} --linker ${arg_LINKER} --command-file ${command_file} ${libraries})
  # For who links later: perfgate_relink_later.sh.
  list(JOIN options "\n" lines)
  file(WRITE ${folder}/${arg_TARGET}.relink "${lines}\n")
  add_custom_target(${arg_TARGET}_layouts
    COMMAND perfgate::perfgate relink --output $<TARGET_FILE:${arg_TARGET}>.layouts ${options}
    COMMENT "Linking ${arg_COUNT} layouts of ${arg_TARGET}" VERBATIM)
  add_dependencies(${arg_TARGET}_layouts ${arg_TARGET})
  if(NOT TARGET layouts)
    add_custom_target(layouts)
  endif()
  add_dependencies(layouts ${arg_TARGET}_layouts)
endfunction()
