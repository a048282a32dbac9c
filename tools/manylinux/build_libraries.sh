#!/usr/bin/env bash
# build_libraries.sh FOLDER LINK_OPTIONS: builds oneTBB (shared), ITT, which is among oneTBB's
# sources, and hwloc (static) in FOLDER from the distribution's sources, since its own builds need
# its version of glibc. hwloc gets none of its parts for disks and accelerators, which hither does
# not use, and so does not need udev.
set -euo pipefail
folder=$1
link_options=$2
stamp=$folder/.built
wanted=$(dpkg-query -W libtbb-dev libhwloc-dev; echo "$link_options"; sha256sum <"$0")
[[ -f $stamp && $(<"$stamp") == "$wanted" ]] && exit 0

# `apt-get source` with the machine's own sources, also where they list binary packages only.
rm -rf "$folder"
mkdir -p "$folder"/{apt/sources,apt/lists/partial,source}
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
  [[ ! -f $file ]] || sed -E 's/^deb( |\t)/deb-src\1/; s/^Types:.*/Types: deb-src/' "$file" \
    >"$folder/apt/sources/$(basename "$file" | sed 's/sources.list$/main.list/')"
done
apt=(apt-get -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$folder/apt/sources"
  -o "Dir::State::Lists=$folder/apt/lists" -o APT::Sandbox::User=)
"${apt[@]}" update
cd "$folder/source"
"${apt[@]}" source onetbb hwloc >/dev/null

exec 3>&2 >"$folder/build.log" 2>&1
trap 'tail -n 30 "$folder/build.log" >&3' ERR
cmake -S onetbb-*/ -B tbb -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$folder" \
  -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_SHARED_LINKER_FLAGS="$link_options" -DTBB_TEST=OFF \
  -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF -DTBB4PY_BUILD=OFF -DTBB_ENABLE_IPO=OFF \
  -DTBB_DISABLE_HWLOC_AUTOMATIC_SEARCH=ON
ninja -C tbb install
itt=$(echo onetbb-*/src/tbb/tools_api)
cc -O2 -fPIC -c "$itt/ittnotify_static.c" -o itt.o
ar rcs "$folder/lib/libittnotify.a" itt.o
install -m 644 "$itt/ittnotify.h" "$folder/include"
cd hwloc-*/
./configure --prefix="$folder" --disable-shared --enable-static --with-pic --disable-io \
  --disable-libudev --disable-libxml2 CFLAGS=-O2
make -j "$(nproc)" -C include install
make -j "$(nproc)" -C hwloc install
install -D -m 644 hwloc.pc "$folder/lib/pkgconfig/hwloc.pc"
printf '%s' "$wanted" >"$stamp"
