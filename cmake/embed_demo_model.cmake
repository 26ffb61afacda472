# Compiles examples/shipping.bpmn into the program, for its demo; the process gets a name of its own.
function(embed_demo_model result)
    set(model ${PROJECT_SOURCE_DIR}/examples/shipping.bpmn)
    set(output ${PROJECT_BINARY_DIR}/generated/demo_model.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${model})
    file(READ ${model} text)
    string(REPLACE "\"shipping\"" "\"demo-shipping\"" text "${text}")
    file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
        "#include \"app/demo_model.h\"\nstd::string_view holdfast::app::demo_model() { return R\"bpmn(@text@)bpmn\"; }\n")
    set(${result} ${output} PARENT_SCOPE)
endfunction()
