#!/bin/bash
# SPDX-License-Identifier: MIT
# install.sh BUILD_DIRECTORY [FLAG...]: installs a build with DESTDIR and moves the installation elsewhere. Then
# builds docs/example with the installed files alone, in several ways: with pkg-config and with find_package, with the
# shared library and with the archive, together with functions that have the names of libtxtap's hidden functions, and
# from C++. Each program must print the goldens. FLAG: a compiler flag of the build (-fsanitize=...); CC: the
# compiler. Status 77 (skipped) without g++.
set -euo pipefail

BUILD=$(cd "${1:?usage: install.sh BUILD_DIRECTORY [FLAG...]}" && pwd)
shift
FLAGS=("$@")
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
command -v g++ >/dev/null || { echo "install: skipped: g++ is not installed"; exit 77; }
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
FAILED=0

die() {
    printf 'install: %s\n' "$*" >&2
    exit 1
}

check() { # SENTENCE COMMAND...
    if "${@:2}" >"$WORK/log" 2>&1; then
        printf 'ok   %s\n' "$1"
    else
        printf 'FAIL %s\n' "$1"
        cat "$WORK/log"
        FAILED=$((FAILED + 1))
    fi
}

# install_to NAME BUILD_DIRECTORY PREFIX: installs the build. Sets P, the path of the installation, and LIB, its library
# directory.
install_to() {
    DESTDIR=$WORK/stage cmake --install "$2" --prefix "$3" >"$WORK/log" 2>&1 || die "$(cat "$WORK/log")"
    P=$WORK/$1
    mv "$WORK/stage$3" "$P" || die "DESTDIR is not respected"
    rmdir -p --ignore-fail-on-non-empty "$WORK/stage$(dirname "$3")"
    [[ ! -e $WORK/stage ]] || die "installed outside of its prefix: $(find "$WORK/stage" -type f)"
    LIB=$(dirname "$(dirname "$(find "$P" -name libtxtap.pc)")")
    export PKG_CONFIG_PATH=$LIB/pkgconfig
}

installed() { # FILE... below the prefix
    local file missing=0
    for file in "$@"; do
        [[ -s $P/$file ]] || { echo "$file is not there"; missing=1; }
    done
    return "$missing"
}
speaks_of_no_other_place() { ! grep -rIlE "$WORK/stage|$BUILD|$ROOT" "$LIB/pkgconfig" "$LIB/cmake" "$P/include"; }

# The time stamps of demo_threadx count down. So the times are right only if decode reads all events before it shows
# the first event.
"$BUILD/capture/txtap" decode -q "$ROOT/tests/data/demo_threadx.trx" >"$WORK/demo_threadx.text.expect"
decodes() { # PROGRAM
    local expect sample
    for expect in "$ROOT"/tests/data/threadx_qemu_{wrapped,unwrapped}.text.expect "$WORK/demo_threadx.text.expect"; do
        sample=${expect##*/} sample=${sample%%.*}
        "$1" "$ROOT/tests/data/$sample.trx" >"$WORK/out" && cmp "$WORK/out" "$expect" || return 1
    done
}
explains_itself() { # PROGRAM
    local status=0
    "$1" 2>"$WORK/out" || status=$?
    [[ $status == 2 && $(<"$WORK/out") == "usage: decode FILE" ]] || return 1
    "$1" /nonexistent/trace 2>"$WORK/out" || status=$?
    [[ $status == 1 && $(<"$WORK/out") == "decode: /nonexistent/trace: No such file or directory" ]]
}
is_shared() { readelf -d "$1" | grep 'NEEDED.*libtxtap\.so\.'; }
is_static() { [[ -x $1 ]] && ! is_shared "$1"; }

compile() { # OUTPUT ARGUMENT...: compiles the example with the installed headers
    rm -f "$1"
    # shellcheck disable=SC2046 # words
    "${CC:-cc}" "${FLAGS[@]}" -Wall -Wextra -Werror "$EXAMPLE/decode.c" $(pkg-config --cflags libtxtap) "${@:2}" -o "$1"
}
with_pkg_config() { # OUTPUT
    # shellcheck disable=SC2046
    compile "$1" $(pkg-config --libs libtxtap) "-Wl,-rpath,$LIB"
}
with_cmake() { # SOURCE_DIRECTORY [OPTION]...
    rm -rf "$WORK/cmake"
    cmake -S "$1" -B "$WORK/cmake" -DCMAKE_PREFIX_PATH="$P" -DCMAKE_C_FLAGS="${FLAGS[*]}" \
        -DCMAKE_CXX_FLAGS="${FLAGS[*]}" "${@:2}" && cmake --build "$WORK/cmake" -j2
}

# ---- this build ----

install_to all "$BUILD" /opt/tap
EXAMPLE=$P/share/doc/txtap/example
check "headers, programs, manual pages, configurations and the recorder are installed" installed \
    include/txtap/{trace,version,txtb}.h bin/txtap bin/txtap-vboard share/man/man1/txtap{,-tail,-decode}.1 \
    share/txtap/integrations/{ci/run,gdb/txtap-gdb.py,pytest/pytest_txtap.py,labgrid/labgrid_txtap.py,lava/lava-txtap,twister/twister_txtap.py} \
    share/txtap/openocd-cfg/{common.cfg,stlink.cfg,txtap.tcl} share/txtap/{recorder/txtap_trace,threadx/txtap_threadx}.{c,h}
check "nothing installed names the folders that it was built in" speaks_of_no_other_place
keeps_inner_headers() { [[ ! -e $P/include/txtap/inner ]]; }
check "headers of the program alone are not installed" keeps_inner_headers
pages_have_programs() {
    local page
    for page in "$P"/share/man/man1/*.1; do
        page=${page##*/} page=${page%.1}
        [[ -x $P/bin/$page ]] || "$P/bin/txtap" "${page#txtap-}" --help || { echo "$page"; return 1; }
    done
}
check "every manual page has its program" pages_have_programs
check "the archive by its name" compile "$WORK/archive" "$LIB/libtxtap.a"
check "decodes" decodes "$WORK/archive"
check "it explains its usage, and errors" explains_itself "$WORK/archive"
check "and needs no library" is_static "$WORK/archive"

# A program that links libtxtap may use the names of libtxtap's hidden functions.
nm -g --defined-only "$BUILD/decoder/libtxtap_core.a" |
    awk 'NF == 3 && $3 !~ /^(txtap_|__)/ { print "void " $3 "(void);\nvoid " $3 "(void) { __builtin_trap(); }" }' |
    sort -u >"$WORK/names.c"
[[ -s $WORK/names.c ]] || die "libtxtap_core.a has no hidden names: has it moved?"
check "functions with the names of hidden ones can be linked with the archive" \
    compile "$WORK/beside" "$WORK/names.c" "$LIB/libtxtap.a"
check "and libtxtap does not call them" decodes "$WORK/beside"

# A project with firmware and C++.
mkdir "$WORK/project"
cat >"$WORK/project/version.cpp" <<'END'
#include <cstdio>
#include <cstring>
#include <txtap/container.h>
#include <txtap/filter.h>
#include <txtap/ring.h>
#include <txtap/trace.h>
#include <txtap/version.h>
static_assert(TXTAP_VERSION_NUMBER == TXTAP_VERSION_AT(TXTAP_VERSION_MAJOR, TXTAP_VERSION_MINOR, TXTAP_VERSION_PATCH));
int main()
{
    std::puts(txtap_version());
    txtap_filter filter;
    txtap_filter_init(&filter);
    return std::strcmp(txtap_version(), TXTAP_VERSION) != 0 || txtap_filter_add(&filter, TXTAP_FILTER_EVENT, "t*p") != TXTAP_OK;
}
END
cat >"$WORK/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(embedder LANGUAGES C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(txtap $(pkg-config --modversion libtxtap) REQUIRED)
add_executable(decode $EXAMPLE/decode.c)
target_link_libraries(decode txtap::static)
add_executable(version version.cpp)
target_link_libraries(version txtap::txtap)
add_library(recorder \${txtap_RECORDER_DIR}/txtap_trace.c)
END
check "a CMake project with the archive, C++ and the recorder builds" with_cmake "$WORK/project"
check "decodes" decodes "$WORK/cmake/decode"
check "and needs no library" is_static "$WORK/cmake/decode"
says_one_version() {
    local version
    version=$("$WORK/cmake/version") && [[ $version == $(pkg-config --modversion libtxtap) ]] &&
        [[ $("$P/bin/txtap" --version) == "txtap $version ("*")" ]]
}
check "headers, library, package and program have the same version" says_one_version
sed -i 's/find_package(txtap [^ ]*/find_package(txtap 99.0/' "$WORK/project/CMakeLists.txt"
refuses_version() { ! with_cmake "$WORK/project" >"$WORK/refused" 2>&1 && grep 'version: 0' "$WORK/refused"; }
check "find_package of another major version is refused" refuses_version
knows_recorder() { [[ -s $(pkg-config --variable=recorderdir libtxtap)/txtap_trace.c ]]; }
check "pkg-config says where the recorder is" knows_recorder

if [[ -e $LIB/libtxtap.so ]]; then
    check "the example builds with pkg-config" with_pkg_config "$WORK/decode"
    check "decodes" decodes "$WORK/decode"
    check "and uses the shared library" is_shared "$WORK/decode"
    check "the example builds with find_package" with_cmake "$EXAMPLE"
    check "decodes" decodes "$WORK/cmake/decode"
    check "and uses the shared library" is_shared "$WORK/cmake/decode"
fi

# ---- two builds, which share objects that are compiled with the same options ----

mkdir "$WORK/objects"
cat >"$WORK/launcher" <<END
#!/bin/bash
# launcher COMPILER ARGUMENT...: copies the object if it was compiled with the same arguments before, but for the place of
# the build, which generates the same headers.
previous="" source="" object="" arguments=""
for argument; do
    case \$previous in
    -o) object=\$argument ;;
    -c) source=\$argument ;;
    -MT | -MF) ;;
    *) [[ \$argument == -I$WORK/* ]] || arguments+=" \$argument" ;;
    esac
    previous=\$argument
done
kept=$WORK/objects/\${source//\//_}
if [[ -f \$kept.o && \$(<"\$kept") == "\$arguments" ]]; then exec cp "\$kept.o" "\$object"; fi
"\$@" || exit
cp "\$object" "\$kept.o"
echo "\$arguments" >"\$kept"
END
chmod +x "$WORK/launcher"
SHARING=(-DCMAKE_BUILD_TYPE=None "-DCMAKE_C_COMPILER_LAUNCHER=$WORK/launcher")

# ---- libtxtap alone, without the shared library, in a distribution's directories ----

build_alone() {
    cmake -S "$ROOT" -B "$WORK/alone" "${SHARING[@]}" -DCMAKE_C_FLAGS="${FLAGS[*]}" -DTXTAP_PROGRAMS=OFF \
        -DBUILD_SHARED_LIBS=OFF -DCMAKE_INSTALL_PREFIX=/usr && cmake --build "$WORK/alone" -j2
}
build_alone >"$WORK/log" 2>&1 || die "$(cat "$WORK/log")"
install_to distribution "$WORK/alone" /usr
check "BUILD_SHARED_LIBS=OFF installs the archive alone" test ! -e "$LIB/libtxtap.so" -a -e "$LIB/libtxtap.a"
EXAMPLE=$ROOT/docs/example
check "the example builds with pkg-config" with_pkg_config "$WORK/decode"
check "decodes" decodes "$WORK/decode"
check "the example builds with find_package" with_cmake "$EXAMPLE"
check "decodes" decodes "$WORK/cmake/decode"
check "and needs no library" is_static "$WORK/cmake/decode"

# ---- as part of another project, whose settings it does not change ----

mkdir "$WORK/outer"
echo 'int outer(void); int outer(void) { return 0; }' >"$WORK/outer/outer.c"
cat >"$WORK/outer/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(outer LANGUAGES C CXX)
add_subdirectory($ROOT txtap EXCLUDE_FROM_ALL)
add_executable(decode $EXAMPLE/decode.c)
target_link_libraries(decode txtap::txtap)
add_library(outer outer.c)
END
check "another project builds with add_subdirectory" with_cmake "$WORK/outer" "${SHARING[@]}"
check "decodes" decodes "$WORK/cmake/decode"
check "and its own libraries stay archives" test -e "$WORK/cmake/libouter.a"

((FAILED == 0)) || die "$FAILED checks failed"
