hither_compiler_folder(compiler/spirv FOLDERS compiler/module compiler/device emitter error target
  ${with_llvm} HEADERS_OF compiler/module)
