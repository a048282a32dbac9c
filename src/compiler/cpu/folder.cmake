hither_compiler_folder(compiler/cpu FOLDERS compiler/module error process target ${with_llvm}
  HEADERS_OF compiler/module)
