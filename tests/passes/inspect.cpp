// hither_inspect FILE STAGE CPU prints one stage of the kernel @k of FILE. The CPU spirv1.4 stands
// for SPIR-V, whose last stage is "optimised", and sm_90 for PTX.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include <hither/error.h>

#include "compiler/compiler.h"

namespace {

using hither::compiler::Stage;
using hither::target::Parameter;

const std::map<std::string, Parameter> kParameters = {
    {"ptr", Parameter::kPointer},     {"i8", Parameter::kInt8},
    {"i16", Parameter::kInt16},       {"i32", Parameter::kInt32},
    {"i64", Parameter::kInt64},       {"f16", Parameter::kFloat16},
    {"f32", Parameter::kFloat32},     {"f64", Parameter::kFloat64},
    {"c64", Parameter::kComplex64},   {"c128", Parameter::kComplex128},
    {"local", Parameter::kLocalBytes}};
const std::map<std::string, Stage> kStages = {{"linked", Stage::kLinked},
                                              {"looped", Stage::kLooped},
                                              {"optimised", Stage::kOptimised},
                                              {"assembly", Stage::kAssembly}};

hither::target::KernelModule read_module(const char* path) {
  std::ifstream file(path);
  hither::target::KernelModule module;
  module.entry = "k";
  module.code.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  const std::string signature = "; SIGNATURE:", local = "; LOCAL:";
  std::istringstream lines(module.code[0]);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(signature)) {
      std::istringstream fields(line.substr(signature.size()));
      for (std::string type; fields >> type;)
        module.signature.parameters.push_back(kParameters.at(type));
    } else if (line.starts_with("; INDEPENDENT")) {
      module.independent_items = true;
    } else if (line.starts_with(local)) {
      std::istringstream fields(line.substr(local.size()));
      for (int64_t& size : module.local_size) fields >> size;
    }
  }
  return module;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::fputs("usage: hither_inspect FILE linked|looped|optimised|assembly CPU\n", stderr);
    return 2;
  }
  hither::target::Target target{hither::target::TargetKind::kCpu, argv[3]};
  const std::string spirv = "spirv";
  if (target.arch.starts_with(spirv))
    target = {hither::target::TargetKind::kSpirv, target.arch.substr(spirv.size())};
  if (target.arch.starts_with("sm_")) target.kind = hither::target::TargetKind::kPtx;
  std::string text = inspect(read_module(argv[1]), target, kStages.at(argv[2]));
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
} catch (const std::exception& error) {
  // On the same stream, so that FileCheck can check errors too.
  std::printf("error: %s\n", error.what());
  return 0;
}
