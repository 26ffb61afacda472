# Compiles the .sql files into the library: the binary contains its migrations and statements.
function(embed_sql result)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    file(GLOB_RECURSE sql_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/store/*.sql)
    set(output ${PROJECT_BINARY_DIR}/generated/embedded_sql.cpp)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
    add_custom_command(OUTPUT ${output}
        COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/embed_sql.py
                ${PROJECT_SOURCE_DIR}/src/store ${output}
        DEPENDS ${sql_files} ${PROJECT_SOURCE_DIR}/tools/embed_sql.py
        VERBATIM)
    set(${result} ${output} PARENT_SCOPE)
endfunction()
