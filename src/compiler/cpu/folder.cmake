hither_compiler_folder(compiler/cpu FOLDERS compiler/items compiler/module error process target
  ${with_llvm} PkgConfig::SLEEF
  HEADERS_OF compiler/module)
