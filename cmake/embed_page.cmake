# Builds the dashboard of web/ and compiles it into the program. Only a change of web/ builds it again; its packages are
# installed once for each lock file. Without Node.js the program has no dashboard: `./dev` installs it.
function(embed_page result)
    set(place ${PROJECT_BINARY_DIR}/web)
    set(source ${PROJECT_SOURCE_DIR}/web)
    set(output ${PROJECT_BINARY_DIR}/generated/embedded_page.cpp)
    set(${result} ${output} PARENT_SCOPE)
    find_program(NODE NAMES node nodejs)
    find_program(NPM npm)
    if(NOT PROJECT_IS_TOP_LEVEL OR NOT NODE OR NOT NPM)
        message(STATUS "The program gets no dashboard: nodejs or npm is missing, or Holdfast is a part of another project")
        file(CONFIGURE OUTPUT ${output} @ONLY
            CONTENT "#include \"app/embedded_page.h\"\nholdfast::http::Page holdfast::app::embedded_page() { return {}; }\n")
        return()
    endif()
    # Installed beside the build, because the source folder may be read-only.
    add_custom_command(OUTPUT ${place}/packages.stamp
        COMMAND ${CMAKE_COMMAND} -E copy ${source}/package.json ${source}/package-lock.json ${source}/.npmrc ${place}
        COMMAND ${NPM} ci --ignore-scripts --loglevel=error
        COMMAND ${CMAKE_COMMAND} -E touch packages.stamp
        DEPENDS ${source}/package.json ${source}/package-lock.json ${source}/.npmrc
        WORKING_DIRECTORY ${place}
        COMMENT "Installing the packages of the dashboard" VERBATIM)
    file(MAKE_DIRECTORY ${place})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${source}/src/*)
    add_custom_command(OUTPUT ${output}
        COMMAND ${NODE} ${source}/build.mjs ${place} ${output}
        DEPENDS ${sources} ${source}/build.mjs ${place}/packages.stamp
        COMMENT "Building the dashboard" VERBATIM)
endfunction()
