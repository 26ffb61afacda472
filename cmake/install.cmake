# A program that runs flows links holdfast::holdfast, from an installed prefix
# (find_package(holdfast)) or from the source tree (add_subdirectory).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(holdfast::holdfast ALIAS holdfast_core)
set_target_properties(holdfast_core PROPERTIES EXPORT_NAME holdfast)

install(TARGETS holdfast_core holdfast_bpmn holdfast_feel EXPORT holdfast ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/holdfast DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT holdfast NAMESPACE holdfast:: FILE holdfastTargets.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/holdfast)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/holdfastConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/holdfastConfig.cmake
    ${PROJECT_BINARY_DIR}/holdfastConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/holdfast)
if(TARGET holdfast)
    install(TARGETS holdfast RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
