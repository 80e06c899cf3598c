# What `cmake --install` puts where: libraries, headers, files for pkg-config and find_package, the
# program and its manual pages.

# The modules of pkg-config among what a library uses.
function(module_names result)
  foreach(name ${ARGN})
    if(WINNOW_${name}_FOUND AND WINNOW_${name}_MODULE_NAME)
      list(APPEND modules ${WINNOW_${name}_MODULE_NAME})
    endif()
  endforeach()
  list(JOIN modules " " modules)
  set(${result} "${modules}" PARENT_SCOPE)
endfunction()

set(installed winnow_shared winnow_static)
set(headers include/winnow.h)
set(pc_files winnow.pc)
module_names(WINNOW_PC_REQUIRES_PRIVATE ${library_modules})
set(WINNOW_PC_LIBS_PRIVATE "-lm")
if(WINNOW_STEMS AND WINNOW_STEMMER_FOUND)
  set(WINNOW_PC_LIBS_PRIVATE "-lstemmer -lm")
endif()
if(TARGET winnow_io_shared)
  list(APPEND installed winnow_io_shared winnow_io_static)
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/winnow-io.h)
    list(APPEND headers include/winnow-io.h)
  endif()
  list(APPEND pc_files winnow-io.pc)
  module_names(WINNOW_PC_IO_REQUIRES_PRIVATE ${io_modules})
endif()

install(TARGETS ${installed} EXPORT winnow-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET winnow_command)
  install(TARGETS winnow_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  file(GLOB manual_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/man/*.1)
  install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  # The program writes what shells need to complete its command lines.
  set(completions ${PROJECT_BINARY_DIR}/completions)
  add_custom_command(
    OUTPUT ${completions}/winnow ${completions}/_winnow ${completions}/winnow.fish
    COMMAND ${CMAKE_COMMAND} -E make_directory ${completions}
    COMMAND $<TARGET_FILE:winnow_command> completion bash > ${completions}/winnow
    COMMAND $<TARGET_FILE:winnow_command> completion zsh > ${completions}/_winnow
    COMMAND $<TARGET_FILE:winnow_command> completion fish > ${completions}/winnow.fish
    DEPENDS winnow_command
    VERBATIM)
  add_custom_target(winnow_completions ALL DEPENDS ${completions}/winnow)
  install(FILES ${completions}/winnow DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${completions}/_winnow DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${completions}/winnow.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  if(WINNOW_SERVER AND WINNOW_MICROHTTPD_FOUND AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    configure_file(cmake/winnow.service.in ${PROJECT_BINARY_DIR}/winnow.service @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/winnow.service DESTINATION lib/systemd/system)
  endif()
endif()

foreach(file ${pc_files})
  configure_file(cmake/${file}.in ${PROJECT_BINARY_DIR}/${file} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/winnow)
install(EXPORT winnow-targets NAMESPACE winnow:: DESTINATION ${package_dir})
configure_package_config_file(cmake/winnow-config.cmake.in ${PROJECT_BINARY_DIR}/winnow-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/winnow-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/winnow-config.cmake ${PROJECT_BINARY_DIR}/winnow-config-version.cmake
  DESTINATION ${package_dir})
