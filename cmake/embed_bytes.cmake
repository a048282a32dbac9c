# cmake -DINPUT=file -DOUTPUT=file.cpp -DHEADER=file.h -DNAME=name -P embed_bytes.cmake
# Writes a C++ file that holds INPUT's bytes as the string_view NAME, which HEADER declares. NAME
# may have a namespace before it.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REPEAT "0x..," 16 row)
string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

alignas(8) static const unsigned char bytes[] = {
${bytes}
};
const std::string_view ${NAME}(reinterpret_cast<const char*>(bytes), sizeof bytes);
")
