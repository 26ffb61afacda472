# Compiles the files of a folder as one translation unit: most of a file's compile time is spent on headers and
# templates that the other files of the folder use too. The dev preset compiles every file separately, so that
# one changed file is one small compilation.
option(HOLDFAST_GROUP_FILES "Compile the files of a folder together" ON)

# Call it after the target has its sources, in the directory that created the target.
function(group_by_folder target)
    if(NOT HOLDFAST_GROUP_FILES)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    foreach(source ${sources})
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
        cmake_path(GET source PARENT_PATH folder)
        cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE group)
        # One group for each folder of src; the stores and the HTTP folders are groups of their own.
        string(REGEX MATCH "^(src/(store|http)/[^/]+|[^/]+/[^/]+)" group "${group}")
        string(REGEX REPLACE "[^a-z0-9]+" "_" group "${group}")
        # A group cannot be replaced in part when it is linked: the files that have changed copies are another one.
        if(source IN_LIST HOLDFAST_PLANTED_FILES)
            string(APPEND group "_planted")
        endif()
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${group})
    endforeach()
    # Names of other files in the folder cause false -Wshadow warnings; the dev preset reports the real ones.
    # g++ assumes that a class with members of file-local types is used in several files.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage> -Wno-shadow)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
