# The files of the web page as a part of the program.
#
#     winnow_embed_web(RESULT)    sets RESULT to a C file with the table wn_serve_files (app/serve/files.h)
#
# Taken is what is in web/ and, for what is built (WebAssembly), in web/ of the build folder. The assembler
# reads the bytes (.incbin), which is quick for large files; a file that changes is read again.

function(winnow_embed_web result)
  set(endings html js mjs css json webmanifest svg png ico wasm)
  set(source ${PROJECT_BINARY_DIR}/web_files.c)
  set(blobs "")
  set(rows "")
  set(files "")
  set(number 0)
  foreach(folder ${PROJECT_SOURCE_DIR}/web ${PROJECT_BINARY_DIR}/web)
    set(patterns "")
    foreach(ending ${endings})
      list(APPEND patterns ${folder}/*.${ending})
    endforeach()
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${folder} ${patterns})
    list(FILTER found EXCLUDE REGEX "(^|/)(node_modules|tests?)/|(^|/)package(-lock)?\\.json$|\\.test\\.m?js$")
    foreach(path ${found})
      string(APPEND blobs "EMBED(${number}, \"${folder}/${path}\")\n")
      string(APPEND rows "    {\"${path}\", wn_web_file_${number}, wn_web_file_${number}_end},\n")
      list(APPEND files ${folder}/${path})
      math(EXPR number "${number} + 1")
    endforeach()
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/web_files.c.in ${source} @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}")
  set(${result} ${source} PARENT_SCOPE)
endfunction()
