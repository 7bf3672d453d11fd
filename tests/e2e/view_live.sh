#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap view live, in a real browser. The page must have all events that the firmware wrote, up to the last
# number: after a reset, after the debug server or the network was lost for a while, and in a browser that sleeps.
#   usage: view_live.sh BUILD_DIRECTORY      (TXTAP_E2E_VIEW_EVENTS: how many the demo writes at first, 40000)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

DEMO=$FIRMWARE/demo.elf
ELF=$DEMO
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
EVENTS_FIRST=${TXTAP_E2E_VIEW_EVENTS:-40000}

missing() {
    if ! command -v node >/dev/null; then echo "node is not installed"
    elif ! command -v chromium chromium-browser google-chrome >/dev/null; then echo "chromium is not installed"
    elif "$BUILD/capture/txtap" view -o - 2>&1 >/dev/null | grep_all .; then echo "this txtap has no view"; fi
}
if [[ $(missing) ]]; then
    skip "a page follows the demo" "$(missing)"
    e2e_end
fi

# ---- the browser: tests/view/ask.mjs ----

start_browser() {
    coproc BROWSER { exec node "$E2E_ROOT/tests/view/ask.mjs" 2>"$WORK/browser.log"; }
    E2E_PIDS+=("$BROWSER_PID")
    # Copies the descriptors of the coprocess, because bash does not keep the original descriptors open in subshells.
    exec {ASK}>&"${BROWSER[1]}" {ANSWERS}<&"${BROWSER[0]}"
}

# page COMMAND: sends the command to the page and prints the answer. Fails if the answer is an error.
page() {
    local answer
    printf '%s\n' "$*" >&"$ASK"
    IFS= read -r -t "$E2E_PATIENCE_S" answer <&"$ANSWERS" || die "the browser has ended: $(tail -n 3 "$WORK/browser.log")"
    if [[ $answer == error:* ]]; then
        echo "# $answer" >&2
        return 1
    fi
    printf '%s\n' "$answer"
}
state() { page "eval txtap.view.trace.state().$1"; }
until_page() { page "until $1" >/dev/null; }
link() { page "eval document.querySelector('#header .live').innerText"; }
# The last ledger number that the page has: the first word of its last user event 4096.
LAST='(() => { const { trace } = txtap.view, { first, events } = trace.state(); let i = first + events - 1; '
LAST+='while (i >= first && trace.event(i).id !== 4096) i--; return i < first ? -1 : Number(trace.event(i).info[0]); })()'
last_number() { page "eval $LAST"; }
# Four counts of events: [missing after the first event, in gaps after the first event, in all gaps, reported as
# lost].
ACCOUNT='(() => { const { trace } = txtap.view, s = trace.state(), gaps = trace.gapsBetween(0, s.to + 1, 1e6); '
ACCOUNT+='const sum = (list) => list.reduce((all, { lost }) => all + lost, 0); '
ACCOUNT+='return [s.lastSeq - s.seqFirst + 1 - s.events, sum(gaps.filter(({ index }) => index > s.first)), sum(gaps), s.lost + s.earlier]; })()'
# Waits until both pairs are equal. A gap at the end has no place in time until the next event comes.
BALANCED="(([missing, shown, inAll, lost]) => missing === shown && inAll === lost)($ACCOUNT)"
all_are_there() {
    local lost
    until_page "$BALANCED" || return 1
    lost=$(page "eval ($ACCOUNT)[3]")
    if ((lost > 0)); then echo "# a busy machine: $lost lost"; fi
}
# Ends the demo's load, and waits until the page has the last ledger number that the firmware wrote.
comes_to_rest() {
    end_load "$DEMO"
    LEDGER=$(($(value demo_ledger_next) - 1))
    until_page "$LAST === $LEDGER"
}
paints() { # prints the number of colours in a column of the canvas
    page 'eval (() => { const { sceneCanvas: c } = txtap.timeline; const { data } = c.getContext("2d").getImageData(c.width >> 1, 0, 1, c.height); return new Set(new Uint32Array(data.buffer)).size; })()'
}

# start_view ARGUMENT...: starts txtap view; sets URL, which is the same at each start
start_view() {
    start_txtap view --tcl "$TCL_PORT" --hz 1M --no-open --port "$PAGE_PORT" "$@" "$DEMO"
    await "$TXTAP_PID" test -s "$OUT" || die "txtap view did not start: $(cat "$ERR")"
    URL=$(head -n 1 "$OUT")
}

start_board "$DEMO"
free_port
SERVER_PORT=$PORT
start_openocd -c "tcl_port $SERVER_PORT"
free_port
PAGE_PORT=$PORT
export XDG_RUNTIME_DIR=$WORK
start_view
start_browser

echo "# live"
page "open $URL" >"$WORK/answer"
until_page 'txtap.view.trace?.state().events > 1000'
rises_to demo_events_written "$EVENTS_FIRST"
check "the page says that it is live" grep -q -i -E 'live|catching up' <(link)
check "and has the names of the firmware's functions" grep -q 'function 0x[0-9a-f]* ."main' <(curl -s "${URL}state")
check "and its picture is not empty" test "$(paints)" -gt 4
comes_to_rest
check "the last number of the ledger is the firmware's" is "$(last_number)" "$LEDGER"
check "every event is there, or in a gap that is shown" all_are_there
page "open $URL" >"$WORK/answer"
until_page "txtap.view.trace && $LAST === $LEDGER"
check "a page that is opened later has all of it, too" all_are_there
page "use 0" >"$WORK/answer"

echo "# a reset"
RESETS=$(state resets)
ocd 'reset run' >"$WORK/ocd"
until_page "txtap.view.trace.state().resets > $RESETS"
check "it is a mark" is "$(page 'eval txtap.view.trace.marksBetween(0, txtap.view.trace.state().to, 99).some(({ kind }) => kind === "reset")')" true
until_page "txtap.view.trace.state().lastSeq > $(state lastSeq) + 1000"
comes_to_rest
check "after it the last number is the firmware's again" is "$(last_number)" "$LEDGER"

echo "# the debug server goes and comes back"
has_mark() { echo "txtap.view.trace.marksBetween(0, txtap.view.trace.state().to + 1, 99).some(({ kind }) => kind === '$1')"; }
stop_openocd
until_page "$(has_mark detached)"
start_openocd -c "tcl_port $SERVER_PORT"
ocd 'reset run' >"$WORK/ocd" # its load had ended
until_page "$(has_mark attached)"
check "both are marks" is "$(page "eval $(has_mark detached)")" true

echo "# the connection of the page breaks"
MORE="txtap.view.trace.state().lastSeq > $(state lastSeq) + 1000"
until_page "$MORE"
page 'eval { window.said = ""; window.before = txtap.view.trace; const live = document.querySelector("#header .live"); new MutationObserver(() => { said += live.innerText; }).observe(live, { subtree: true, childList: true, characterData: true }); }' >"$WORK/answer"
SEQ_BEFORE=$(state lastSeq)
page disconnect >"$WORK/answer"
until_page "before !== txtap.view.trace && txtap.view.trace.state().lastSeq >= $SEQ_BEFORE"
check "it said so" is "$(page 'eval /disconnected/.test(said)')" true
check "and has the history again, with nothing missing" all_are_there
check "but not that txtap was started again" is "$(page 'eval /started again/.test(said)')" false

echo "# a browser that sleeps"
BEFORE=$(state lastSeq)
page sleep >"$WORK/answer"
rises_to demo_events_written $(($(value demo_events_written) + 10000))
page wake >"$WORK/answer"
until_page "txtap.view.trace.state().lastSeq > $BEFORE + 10000"
comes_to_rest
check "it catches up to the last number" is "$(last_number)" "$LEDGER"
check "with every event, or a gap that is shown" all_are_there
check "nothing went wrong in the page, except that it was disconnected" is \
    "$(page problems | jq -c 'map(select(test("net::ERR_") | not))')" "[]"

echo "# a page of another server on this machine"
page elsewhere >"$WORK/answer"
check "it is of another origin" is "$(page "eval location.hostname + (location.origin === new URL('$URL').origin)")" '"127.0.0.1false"'
for what in state stream data ''; do
    for how in cors no-cors; do
        check "it cannot read '${what:-the page}', mode $how" is \
            "$(page "eval fetch('$URL$what', { mode: '$how' }).then((answer) => answer.text()).catch(() => 'refused')")" '"refused"'
    done
done
check "nor show the page" is "$(page "eval new Promise((done) => { const frame = document.createElement('iframe'); frame.onload = () => { let inside = 'refused'; try { inside = frame.contentWindow.document.title; } catch {} done(inside); }; frame.src = '$URL'; document.body.append(frame); })")" '"refused"'
page "use 0" >"$WORK/answer"

echo "# the end, and another start"
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
until_page "/disconnected/.test(document.querySelector('#header .live').innerText)"
check "the page says it, and keeps what it has" is "$(last_number)" "$LEDGER"
page "eval { before = txtap.view.trace; txtap.places.setMarks([before.seq(before.state().first)]); window.shown = []; txtap.view.on((changed) => changed.has('trace') && shown.push(txtap.view.trace ? 'trace' : 'none')); }" >"$WORK/answer"
BEFORE=$URL
start_view
check "the address is the same" is "$URL" "$BEFORE"
check "it is in a file that is the user's alone" is "$(stat -c '%a' "$XDG_RUNTIME_DIR/txtap/view-$PAGE_PORT.token")" 600
until_page "txtap.view.trace !== before && txtap.view.trace?.state().events > 0"
check "the page says that the trace is a new one" grep -q -E '(live|catching up), a new trace: txtap was started again' <(link)
ocd 'reset run' >"$WORK/ocd"
until_page "txtap.view.trace.state().resets > 0"
comes_to_rest
check "it has the firmware's last number" is "$(last_number)" "$LEDGER"
check "it began with none, and without marks" is "$(page 'eval shown.join()') $(page 'eval txtap.places.marks.length')" '"none,trace" 0'
check "every event is there, or in a gap that is shown" all_are_there
page "eval { before = txtap.view.trace; 0; }" >"$WORK/answer"
end_txtap INT
start_txtap view --no-open --port "$PAGE_PORT" "$E2E_ROOT/tests/data/demo_threadx.trx"
until_page "globalThis.before === undefined && globalThis.txtap?.view.trace?.state().ended"
check "where a file is served, the page becomes that of the file" grep -q demo_threadx <(page 'eval document.title')
end_txtap INT

echo "# a target that writes more than txtap can read"
stop_openocd
stop_board
ELF=$FIRMWARE/demo_overload.elf
start_board "$ELF"
start_openocd
start_txtap view --tcl "$TCL_PORT" --no-open "$ELF"
await "$TXTAP_PID" test -s "$OUT" || die "txtap view did not start: $(cat "$ERR")"
page "open $(<"$OUT")" >"$WORK/answer"
until_page '!document.getElementById("notice").hidden'
ADVICE=$(page 'eval document.querySelector("#notice span").textContent' | jq -r .)
check "the page has the advice that the terminal has" grep -qxF "txtap: $ADVICE" "$ERR"
check "and a chip with the losses" grep -q lost <(page 'eval document.getElementById("losses").innerText')
end_txtap INT

echo "# Zephyr's CTF in RAM"
stop_openocd
stop_board
ELF=$FIRMWARE/zephyr_ram.elf
RAM=(--zephyr-ram --ctf-metadata "$E2E_ROOT/tests/firmware/zephyr_ram/metadata")
start_board --set fixture_stop_after=30 "$ELF"
start_openocd
start_txtap view --tcl "$TCL_PORT" --no-open "${RAM[@]}" --check 'switches < 20' "$ELF"
await "$TXTAP_PID" test -s "$OUT" || die "txtap view did not start: $(cat "$ERR")"
page "open $(<"$OUT")" >"$WORK/answer"
rises_to fixture_stopped 1
RECORDS=$(value fixture_records)
until_page "txtap.view.trace?.state().events === $RECORDS"
check "the page has all records that the firmware counted, and no gap" is "$(state gaps)" 0
check "its threads have names" is "$(page 'eval txtap.timeline.layout.rows.filter(({ kind }) => kind === "thread").map(({ row }) => txtap.timeline.layout.names[row]).sort()')" \
    '["a name of 20 bytes..","reader"]'
check "and its picture is not empty" test "$(paints)" -gt 2
check "an event has its name and its fields" is "$(page 'eval (({ name, fields }) => [name, ...fields.map(({ name, text }) => `${name}=${text}`)])(txtap.view.trace.event(txtap.view.trace.candidate(["named_event"], 0, 99)))')" \
    '["named_event","name=count","arg0=0","arg1=0"]'
"$BUILD/capture/txtap" snapshot -q --tcl "$TCL_PORT" "${RAM[@]}" -o "$WORK/ctf" "$ELF"
"$BUILD/capture/txtap" report --format json "$WORK/ctf" | jq -S .figures >"$WORK/figures"
check "its figures are those of txtap report of the same records" cmp "$WORK/figures" \
    <(page 'eval txtap.view.trace.report().figures.map(({ bars, ...figure }) => figure)' | jq -S .)
until_page "$(has_mark check)"
check "a check that fails is a mark among the records" is "$(page 'eval (({ index }) => index > 0)(txtap.view.trace.marksBetween(0, 1e12, 99).find(({ kind }) => kind === "check"))')" true
ocd 'reset run' >"$WORK/ocd"
until_page "txtap.view.trace.state().events >= 2 * $RECORDS"
BEHIND='(({ events, to }) => events - txtap.view.trace.marksBetween(0, to, 99).filter(({ kind }) => kind === "reset").at(-1).index)'
check "behind a reset are all records of the second run" is "$(page "eval $BEHIND(txtap.view.trace.state())")" "$RECORDS"
end_txtap INT
check "the failed check is in its status" is "$STATUS" 6
e2e_end
