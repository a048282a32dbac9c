#include "python/bind/documentation.h"

#include <deque>
#include <map>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace hither::python {
namespace {

struct Entry {
  std::string_view summary, parameters, returns, example, notes, raises;
};

const std::map<std::string_view, Entry> kFunctions = {
#define HITHER_DOC(function, summary, parameters, returns, example, notes) \
  {#function, {summary, parameters, returns, example, notes, {}}},
#define HITHER_METHOD(type, method, summary, parameters, returns, example, notes) \
  {#type "." #method, {summary, parameters, returns, example, notes, {}}},
#define HITHER_EXAMPLE(function, example)
#include "python/bind/documentation.def"
#undef HITHER_DOC
#undef HITHER_METHOD
#undef HITHER_EXAMPLE
};

const std::map<std::string_view, std::string_view> kExamples = {
#define HITHER_DOC(function, summary, parameters, returns, example, notes)
#define HITHER_METHOD(type, method, summary, parameters, returns, example, notes)
#define HITHER_EXAMPLE(function, example) {#function, example},
#include "python/bind/documentation.def"
#undef HITHER_DOC
#undef HITHER_METHOD
#undef HITHER_EXAMPLE
};

constexpr std::string_view kRaises =
    "InvalidTypeError\n    For dtypes that the function does not support.\nPlacementError\n    "
    "If the queue cannot be inferred from the arguments.";

// The parameters that mean the same in all functions. A row of the table names them.
const std::map<std::string_view, std::string_view> kParameters = {
    {"x", "x : Array\n    An array."},
    {"x1", "x1 : Array or number\n    The first operand."},
    {"x2", "x2 : Array or number\n    The second operand; the operands broadcast."},
    {"condition", "condition : Array or bool\n    Which elements come from x1."},
    {"operand", "x : Array or number\n    The operand."},
    {"arrays", "arrays : sequence of Array\n    The arrays."},
    {"shape", "shape : int or tuple of int\n    The shape of the result."},
    {"like_shape", "shape : int or tuple of int, optional\n    Another shape than that of x."},
    {"dtype", "dtype : dtype, optional\n    The dtype of the result."},
    {"axis", "axis : int\n    The axis; negative ones count from the end."},
    {"any_axis", "axis : int, optional\n    The axis; negative ones count from the end."},
    {"axes",
     "axis : int or tuple of int, optional\n    The axes; negative ones count from the end. None "
     "means all."},
    {"keepdims", "keepdims : bool\n    Whether the reduced axes stay, with extent 1."},
    {"correction", "correction : float\n    The divisor is the number of elements minus this."},
    {"indices", "indices : array_like of int\n    The indices; negative ones count from the end."},
    {"initial", "include_initial : bool\n    Whether the result begins with the initial value."},
    {"queue",
     "queue : Queue, Device or str, optional\n    Runs there instead of on the queue of the "
     "arrays."},
    {"place",
     "device, queue, sycl_queue : Queue, Device or str, optional\n    Where the array is made: "
     "three names of one parameter. Without it, the queue of the\n    device context, else the "
     "default device's."},
    {"like_place",
     "device, queue, sycl_queue : Queue, Device or str, optional\n    Where the array is made: "
     "three names of one parameter. Without it, the queue of x."},
    {"usm_type",
     "usm_type : {\"device\", \"shared\", \"host\"}, optional\n    The kind of memory."},
    {"copy",
     "copy : bool, optional\n    Whether the elements are copied. None copies them if it is "
     "necessary."},
};

// The errors that parameters of these names have in all functions.
struct Raised {
  std::string_view error, text;
};
const std::map<std::string_view, Raised> kErrors = {
    {"axis", {"AxisError", "If an axis is out of range."}},
    {"axes", {"AxisError", "If an axis is out of range."}},
    {"dtype", {"InvalidTypeError", "If no array can have the dtype."}},
    {"destination", {"AxisError", "If an axis is out of range."}},
    {"source", {"AxisError", "If an axis is out of range."}},
    {"device", {"InvalidValueError", "If the filter string names no device."}},
    {"queue", {"InvalidValueError", "If the filter string names no device."}},
    {"shape", {"InvalidValueError", "If an extent is negative."}},
    {"usm_type", {"InvalidValueError", "If usm_type has another value."}},
    {"x2", {"InvalidValueError", "If the shapes of the operands do not fit."}},
};

// The next semicolon that separates entries: one with a space after it belongs to a text.
size_t separator_in(std::string_view names) {
  size_t found = names.find(';');
  while (found != names.npos && names.substr(found).starts_with("; "))
    found = names.find(';', found + 1);
  return found;
}

// `names` are names of kParameters, or complete entries, separated by semicolons.
std::string parameter_lines(std::string_view names) {
  std::string text;
  while (!names.empty()) {
    const size_t end = separator_in(names);
    const std::string_view name = names.substr(0, end);
    const auto found = kParameters.find(name);
    text += fmt::format("{}\n", found == kParameters.end() ? name : found->second);
    names = end == names.npos ? std::string_view() : names.substr(end + 1);
  }
  return text;
}

void add_section(std::string& text, std::string_view title, std::string_view content) {
  if (content.empty()) return;
  while (content.ends_with('\n')) content.remove_suffix(1);
  text += fmt::format("\n\n{}\n{:-<{}}\n{}", title, "", title.size(), content);
}

const char* kept(std::string text) {
  static auto* texts = new std::deque<std::string>;
  return texts->emplace_back(std::move(text)).c_str();
}

// Removes the section "Raises" from the end of a text and returns its content.
std::string_view cut_raises(std::string_view& text) {
  constexpr std::string_view kTitle = "\n\nRaises\n------\n";
  const size_t at = text.find(kTitle);
  if (at == text.npos) return {};
  const std::string_view content = text.substr(at + kTitle.size());
  text = text.substr(0, at);
  return content;
}

// `own` and the errors of the parameters, without errors that `own` has or has the base class of.
std::string raises_of(std::string_view own, std::string_view parameters) {
  std::map<std::string_view, std::string> added;
  for (size_t at = 0; at < parameters.size(); at = parameters.find('\n', at) + 1) {
    const std::string_view line = parameters.substr(at, parameters.find('\n', at) - at);
    std::string_view names = line.starts_with(' ') ? "" : line.substr(0, line.find(" :"));
    while (!names.empty()) {
      const size_t comma = names.find(", ");
      const auto found = kErrors.find(names.substr(0, comma));
      names = comma == names.npos ? std::string_view() : names.substr(comma + 2);
      if (found == kErrors.end()) continue;
      const auto [error, text] = found->second;
      const size_t prefix = error.starts_with("Invalid") ? 7 : 0;
      if (own.find(error.substr(prefix)) != own.npos) continue;
      std::string& said = added[error];
      if (said.find(text) == said.npos) said += fmt::format("{}{}", said.empty() ? "" : " ", text);
    }
  }
  std::string text(own);
  for (const auto& [error, said] : added)
    text += fmt::format("{}{}\n    {}", text.empty() ? "" : "\n", error, said);
  return text;
}

std::string text_of(Entry entry) {
  for (std::string_view* part : {&entry.summary, &entry.parameters, &entry.returns})
    if (const auto own = cut_raises(*part); !own.empty()) entry.raises = own;
  const std::string parameters = parameter_lines(entry.parameters);
  std::string text(entry.summary);
  add_section(text, "Parameters", parameters);
  add_section(text, "Returns", entry.returns);
  add_section(text, "Raises", raises_of(entry.raises, parameters));
  add_section(text, "Notes", entry.notes);
  add_section(text, "Examples", entry.example);
  return text;
}

// Empty if there is none; tests/one_device/test_docstrings.py names what has no example.
std::string_view example_of(std::string_view function) {
  const auto found = kExamples.find(function);
  return found == kExamples.end() ? std::string_view() : found->second;
}

}  // namespace

const char* documentation(std::string_view function) {
  const auto found = kFunctions.find(function);
  if (found == kFunctions.end())
    throw std::logic_error(fmt::format("documentation.def has no row of {}", function));
  return kept(text_of(found->second));
}

const char* operation_documentation(std::string_view function, std::string_view signature,
                                    std::string_view text, std::string_view operands) {
  const std::string parameters = fmt::format("{};queue", operands);
  const std::string content = text_of(
      {text, parameters, "Array\n    An array of the operands' common shape, on their queue.",
       example_of(function),
       "Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays\n"
       "are copied to its queue.",
       kRaises});
  return kept(fmt::format("{}\n--\n\n{}", signature, content));
}

const char* reduction_documentation(std::string_view function, std::string_view text,
                                    std::string_view keywords) {
  const std::string parameters =
      fmt::format("x;axes{}{};keepdims;queue", keywords == "plain" ? "" : ";dtype",
                  keywords == "spread" ? ";correction" : "");
  return kept(text_of(
      {text, parameters, "Array\n    An array without the reduced axes.", example_of(function),
       "The kernel of a reduction also computes the operations on its operand.", kRaises}));
}

}  // namespace hither::python
