# Changed copies of shipped files, with deliberate bugs for the negative controls (tests/planted/defects.py). The shipped
# files contain none.
set(planted_folder ${PROJECT_SOURCE_DIR}/tests/planted)
set(HOLDFAST_PLANTED_FILES)
if(HOLDFAST_TESTS)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${planted_folder}/defects.py)
    execute_process(COMMAND ${Python3_EXECUTABLE} ${planted_folder}/plant.py --list
        OUTPUT_VARIABLE HOLDFAST_PLANTED_FILES OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    list(TRANSFORM HOLDFAST_PLANTED_FILES PREPEND ${PROJECT_SOURCE_DIR}/src/)
endif()

# An object library of the changed copies of these files. Linked before the library, they are taken in place of the
# shipped ones; every other object is the shipped one.
function(add_planted_library target)
    set(copies)
    foreach(source ${ARGN})
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE file)
        set(copy ${PROJECT_BINARY_DIR}/planted/${file})
        add_custom_command(OUTPUT ${copy}
            COMMAND ${Python3_EXECUTABLE} ${planted_folder}/plant.py
                    ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/planted ${file}
            DEPENDS ${source} ${planted_folder}/plant.py ${planted_folder}/defects.py
            VERBATIM)
        list(APPEND copies ${copy})
    endforeach()
    add_library(${target} OBJECT ${copies})
    target_link_libraries(${target} PRIVATE holdfast_core)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_precompile_headers(${target} REUSE_FROM holdfast_core)
endfunction()
