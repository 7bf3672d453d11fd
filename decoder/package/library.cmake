# SPDX-License-Identifier: MIT
# libtxtap, for installation.
#
#   txtap_static   libtxtap.a. Names inside the decoder have no prefix, so they may be equal to names in a program that
#                  links the library. So all objects are linked into one object, and only the public functions stay
#                  global in this object.
#   txtap_shared   libtxtap.so, if BUILD_SHARED_LIBS is set
#
# Functions after TXTAP_API_BEGIN in the headers are public. Headers in include/txtap/inner are not installed. Programs
# that link with --gc-sections drop unused functions, because each function has its own section. -fno-lto is necessary,
# because objects for link-time optimisation have no symbols that objcopy can make local. If a program defines a
# function with the name of a library function, the library still uses its own function, because calls inside the
# library may be inlined.
set_target_properties(txtap_core PROPERTIES
  POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden INTERPROCEDURAL_OPTIMIZATION OFF)
target_compile_options(txtap_core PRIVATE -ffunction-sections -fdata-sections -fno-lto
  -fno-semantic-interposition)

if(NOT CMAKE_OBJCOPY)
  message(FATAL_ERROR "objcopy not found, which makes libtxtap.a: install binutils")
endif()
separate_arguments(flags UNIX_COMMAND "${CMAKE_C_FLAGS}") # the linker needs flags such as -m32
set(object ${CMAKE_CURRENT_BINARY_DIR}/libtxtap.o)
add_custom_command(
  OUTPUT ${object}
  COMMAND ${CMAKE_C_COMPILER} ${flags} -fno-lto -r -nostdlib -o ${object}.all $<TARGET_OBJECTS:txtap_core>
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${object}.all ${object}
  BYPRODUCTS ${object}.all
  DEPENDS txtap_core $<TARGET_OBJECTS:txtap_core>
  COMMENT "Linking the objects of libtxtap.a"
  COMMAND_EXPAND_LISTS VERBATIM)

# txtap_library(TARGET KIND NAME SOURCE...): adds the library TARGET of this KIND, and installs it as txtap::NAME.
function(txtap_library target kind name)
  add_library(${target} ${kind} ${ARGN})
  add_library(txtap::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME txtap EXPORT_NAME ${name} LINKER_LANGUAGE C)
  target_include_directories(${target} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS ${target} EXPORT txtap
    ARCHIVE COMPONENT development
    LIBRARY COMPONENT library NAMELINK_COMPONENT development)
endfunction()

# While MAJOR is 0, each new MINOR is a new interface; later, each new MAJOR. The name of libtxtap.so and the version
# checks follow this rule.
set(soversion ${PROJECT_VERSION_MAJOR})
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(compatibility SameMinorVersion)
endif()

txtap_library(txtap_static STATIC static ${object})
if(BUILD_SHARED_LIBS)
  txtap_library(txtap_shared SHARED txtap $<TARGET_OBJECTS:txtap_core>)
  set_target_properties(txtap_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${soversion})
else()
  add_library(txtap::txtap ALIAS txtap_static)
endif()

# ---- files with which other projects find the library ----

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/txtap ${PROJECT_BINARY_DIR}/include/txtap
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN inner EXCLUDE)

set(packages ${CMAKE_INSTALL_LIBDIR}/cmake/txtap)
set(recorder ${CMAKE_INSTALL_DATADIR}/txtap/recorder)
include(CMakePackageConfigHelpers)
configure_package_config_file(package/txtapConfig.cmake.in txtapConfig.cmake
  INSTALL_DESTINATION ${packages} PATH_VARS recorder NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(txtapConfigVersion.cmake COMPATIBILITY ${compatibility})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/txtapConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/txtapConfigVersion.cmake
  DESTINATION ${packages} COMPONENT development)
install(EXPORT txtap FILE txtapTargets.cmake NAMESPACE txtap:: DESTINATION ${packages} COMPONENT development)

# The prefix is relative to libtxtap.pc, so that users can move the installation. Directories outside the prefix are
# absolute.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(directory INCLUDEDIR LIBDIR DATADIR)
  set(pc_${directory} ${CMAKE_INSTALL_${directory}})
  if(NOT IS_ABSOLUTE "${pc_${directory}}")
    set(pc_${directory} "\${prefix}/${pc_${directory}}")
  endif()
endforeach()
configure_file(package/libtxtap.pc.in libtxtap.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libtxtap.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
