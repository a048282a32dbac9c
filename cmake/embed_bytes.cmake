# cmake -DINPUT=file -DOUTPUT=file.cpp -DNAME=kName -P embed_bytes.cmake
# Writes a C++ file that holds INPUT's bytes, declared in device_library/embedded.h.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REPEAT "0x..," 16 row)
string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"device_library/embedded.h\"

namespace hither::device_library {

alignas(8) static const unsigned char bytes[] = {
${bytes}
};
const std::string_view ${NAME}(reinterpret_cast<const char*>(bytes), sizeof bytes);

}  // namespace hither::device_library
")
