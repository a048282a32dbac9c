hither_compiler_folder(compiler/ptx FOLDERS compiler/module compiler/device error process target
  ${with_llvm} HEADERS_OF compiler/module)
