# How winnow's own targets are compiled and linked. Everything is put on the targets, so that a
# project that includes winnow keeps its own flags.
#
#     winnow_own(TARGET...)       these targets are ours
#     winnow_find(NAME MODULE)    looks for a module of pkg-config, which winnow_use then knows
#     winnow_use(TARGET NAME...)  compiles and links with what winnow_find found

include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

add_library(winnow_flags INTERFACE)
# Lines and names of functions are all that reports of sanitizers show, and quicker to write.
set(winnow_debug_info -g)
if(WINNOW_SANITIZE)
  set(winnow_debug_info -g1)
endif()
target_compile_options(winnow_flags INTERFACE
  -Wall -Wextra
  -ffp-contract=off # the same numbers, and so the same text, on every processor
  "$<$<CONFIG:Release>:-O3;-g>" # by measurement: a few percent faster than -O2
  "$<$<CONFIG:Debug>:-O1;${winnow_debug_info};-fno-omit-frame-pointer>")
if(WINNOW_WERROR)
  target_compile_options(winnow_flags INTERFACE -Werror)
endif()
if(WINNOW_NO_SIMD)
  target_compile_definitions(winnow_flags INTERFACE WN_NO_SIMD)
endif()
if(WINNOW_SANITIZE)
  target_compile_options(winnow_flags INTERFACE -fsanitize=${WINNOW_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(winnow_flags INTERFACE -fsanitize=${WINNOW_SANITIZE})
endif()
if(WINNOW_FUZZ)
  target_compile_options(winnow_flags INTERFACE -fsanitize=fuzzer-no-link -O2)
  # What trees and features compare are learned numbers, which tell a fuzzer nothing and took half of its time.
  file(GLOB learned CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/auto/*.c)
  set_source_files_properties(${learned} PROPERTIES COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp)
endif()
# What work costs is checked wherever asserts are, and counted for the performance fuzzers, which also
# count the blocks of code that are run (fuzz/cost.h).
target_compile_definitions(winnow_flags INTERFACE
  $<$<OR:$<CONFIG:Debug>,$<BOOL:${WINNOW_FUZZ_COST}>>:WN_COST_CHECK>)
if(WINNOW_FUZZ_COST)
  target_compile_options(winnow_flags INTERFACE -fsanitize-coverage=trace-pc)
endif()

# ---- Hardening, as Debian builds ----------------------------------------------------------

function(winnow_add_flag flag)
  set(CMAKE_REQUIRED_FLAGS -Werror) # clang only warns of flags that do not fit the processor
  string(MAKE_C_IDENTIFIER "WINNOW_HAS${flag}" known)
  check_c_compiler_flag(${flag} ${known})
  if(${known})
    target_compile_options(winnow_flags INTERFACE ${flag})
  endif()
endfunction()

# Sanitizers check more than this does, and do not go well with it: they do not see through
# _FORTIFY_SOURCE, and with a stack protector gcc 12 puts aligned variables of AddressSanitizer's
# stacks in the wrong place.
if(NOT WINNOW_SANITIZE AND NOT WINNOW_FUZZ)
  winnow_add_flag(-fstack-protector-strong)
  winnow_add_flag(-fstack-clash-protection)
  winnow_add_flag(-fcf-protection) # x86
  winnow_add_flag(-mbranch-protection=standard) # ARM
  # Needs optimisation. Who sets another level in CFLAGS keeps it.
  if(NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE")
    target_compile_options(winnow_flags INTERFACE
      "$<$<IN_LIST:$<CONFIG>,Release;RelWithDebInfo;MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  endif()
endif()

# --as-needed: a test that links the whole program's code loads only the libraries it uses.
foreach(flag LINKER:-z,relro LINKER:-z,now LINKER:--as-needed)
  string(MAKE_C_IDENTIFIER "WINNOW_HAS_${flag}" known)
  check_linker_flag(C ${flag} ${known})
  if(${known})
    target_link_options(winnow_flags INTERFACE ${flag})
  endif()
endforeach()

# ---- Functions ----------------------------------------------------------------------------

function(winnow_own)
  foreach(target ${ARGN})
    set_target_properties(${target} PROPERTIES
      C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS ON
      C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${target} PRIVATE winnow_flags)
  endforeach()
endfunction()

macro(winnow_find name)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(WINNOW_${name} QUIET ${ARGN})
  endif()
endmacro()

# What is not found is left out. The compiler learns what is there as WN_HAVE_<name>.
function(winnow_use target)
  foreach(name ${ARGN})
    if(WINNOW_${name}_FOUND)
      target_compile_definitions(${target} PRIVATE WN_HAVE_${name})
      target_include_directories(${target} SYSTEM PRIVATE ${WINNOW_${name}_INCLUDE_DIRS})
      target_link_directories(${target} PRIVATE ${WINNOW_${name}_LIBRARY_DIRS})
      target_link_libraries(${target} PRIVATE ${WINNOW_${name}_LIBRARIES})
    endif()
  endforeach()
endfunction()

function(winnow_say_missing name consequence)
  if(NOT WINNOW_${name}_FOUND)
    string(TOLOWER ${name} lower)
    message(STATUS "${lower} not found, or not wanted: ${consequence}")
  endif()
endfunction()

# The two forms of an installed library: what those who link it see, its name and version.
function(winnow_library output_name shared static)
  winnow_own(${shared})
  foreach(library ${shared} ${static})
    target_include_directories(${library} INTERFACE
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME ${output_name} LINKER_LANGUAGE C)
  endforeach()
  set_target_properties(${shared} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  if(NOT WINNOW_SANITIZE AND NOT APPLE)
    target_link_options(${shared} PRIVATE LINKER:--no-undefined)
  endif()
endfunction()
