// Docstrings of the extension's functions in NumPy's form, made from documentation.def.
#pragma once

#include <string_view>

namespace hither::python {

/// The docstring of a function of the table. It lives as long as the process.
const char* documentation(std::string_view function);

/// That of an element-wise function, from the text of the op table. It begins with `signature`,
/// which inspect.signature reads. `operands` are the names of its parameters.
const char* operation_documentation(std::string_view function, std::string_view signature,
                                    std::string_view text, std::string_view operands);

/// That of a reduction, from the text of the reduction table. `keywords` is the kind of keywords
/// that the table gives it.
const char* reduction_documentation(std::string_view function, std::string_view text,
                                    std::string_view keywords);

}  // namespace hither::python
