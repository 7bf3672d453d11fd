# SPDX-License-Identifier: MIT
# cmake -D SOURCE=FOLDER -D OUT=FILE -P revision.cmake: writes a C file with the git revision of the source folder, which
# is "" in a tarball. The file changes only if the revision changes.
cmake_minimum_required(VERSION 3.25)
find_program(GIT git)
set(revision "")
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0 ${GIT} -C ${SOURCE} describe --always --dirty --exclude * --abbrev=12
    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "const char txtap_revision[] = \"@revision@\";\n" @ONLY)
