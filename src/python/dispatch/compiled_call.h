// hither.CompiledCall, the class of functions that @hither.compile makes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <hither/recording.h>

#include "python/dispatch/arithmetic.h"
#include "python/dispatch/call_structure.h"

namespace hither::python {

/// A program that a CompiledCall has recorded, and the calls that it is for.
struct CallProgram {
  uint32_t positional = 0;  ///< number of positional arguments
  nb::object names;         ///< tuple of the keywords' names, or null
  std::vector<Part> parts;  ///< of the arguments, then of the variables
  std::vector<Variable> variables;
  std::optional<Queue> context;   ///< queue of the innermost device context
  std::vector<nb::object> fixed;  ///< one per number: its only value, or null
  nb::object numbers_of;          ///< gives the run's numbers, or None if it does not hold; or null
  std::optional<Arithmetic> arithmetic;  ///< computes them too; only without `draws`
  bool draws = false;  ///< whether it gives a pair: the numbers, and the run's draws
  std::shared_ptr<const Recording> recording;  ///< null: these calls run as the function itself
  std::vector<Part> result;
};

/// Older programs of one object are dropped beyond this number.
inline constexpr size_t kMostPrograms = 64;

/// Makes the class. Its objects are called like `function`. `record(self, args, kwargs)` is called
/// where no program is for the arguments.
nb::object make_compiled_call_type();

/// Adds a program, which is tried first; one without a recording, last.
void add_program(nb::handle compiled, std::shared_ptr<CallProgram> program);
/// The program that was used last, or null.
std::shared_ptr<const CallProgram> latest_program(nb::handle compiled);
/// Number of programs.
size_t program_count(nb::handle compiled);
/// A text for each program: its work, or an empty text for calls that run as the function itself.
std::vector<std::string> describe_programs(nb::handle compiled);
void clear_programs(nb::handle compiled);

}  // namespace hither::python
