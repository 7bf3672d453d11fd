#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the CI integrations: runs the steps of GitHub's action and of GitLab's template with the virtual board, and the
# steps of integrations/ci/run with other programs, missing files and hostile texts, which must never be evaluated.
# usage: ci.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
e2e_begin "$@"

HERE=$E2E_ROOT/tests/integrations
RUN=$E2E_ROOT/integrations/ci/run
ACTION=$E2E_ROOT/integrations/github/action.yml
TEMPLATE=$E2E_ROOT/integrations/gitlab/txtap.gitlab-ci.yml
DEMO=$FIRMWARE/demo_large.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_OUTPUT GITHUB_PATH RUNNER_TEMP
mkdir "$WORK/github" "$WORK/home" "$WORK/bin" "$WORK/programs"
ln -s "$BUILD/capture/txtap" "$WORK/programs/txtap"
ln -s "$HERE/rested_board" "$WORK/programs/txtap-vboard"
export VBOARD_PROGRAM=$VBOARD
cd "$WORK/home"

# job COMMAND...: runs it; sets STATUS; its output is in $OUT and $ERR.
job() {
    OUT=$WORK/job.out ERR=$WORK/job.err STATUS=0
    timeout -k 5 "$E2E_RUN_S" "$@" >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
}
shows() { grep -qF -- "$1" "$2" || { sed 's/^/# /' "$2" "$ERR"; return 1; }; }
complains() { is "$STATUS" "$1" && shows "$2" "$ERR"; }
BAD='$(touch pwned)`touch pwned`'$'\n''";touch pwned;"'
# All names that were made in the working folders: nothing else may exist.
no_harm() { is "$(find "$WORK" -name pwned | wc -l)" 0; }

for PYTHON in python3 /usr/bin/python3 ""; do
    if [[ $PYTHON ]] && "$PYTHON" -c 'import yaml' 2>/dev/null; then break; fi
done
if [[ $PYTHON ]]; then
    echo "# GitHub's action"
    check "no command of the action has an expression" "$PYTHON" "$HERE/run_steps.py" check "$ACTION"
    check "nor of the template" "$PYTHON" "$HERE/run_steps.py" check "$TEMPLATE"
    head_ref="fix/$BAD" job "$PYTHON" "$HERE/run_steps.py" github "$ACTION" "$WORK/github" firmware="$DEMO" on=vboard seconds=1 runs=3 \
        install="$WORK/programs" options=--hz=1M check=$'total_events >= 1900\nlost == 0\nresponse(control).max < 10s' results=first
    check "a job whose checks are ok succeeds" is "$STATUS" 0
    [[ $STATUS == 0 ]] || sed 's/^/# /' "$ERR"
    check "the log has the results" shows "ok       lost == 0" "$OUT"
    check "the summary of the job has them, too" shows "<code>lost == 0</code>" "$WORK/github/step_summary"
    check "the outputs have the status and the folder" is "$(<"$WORK/github/output")" $'status=0\nresults='"$WORK/home/first"
    check "the programs are in PATH for later steps" test -x "$(<"$WORK/github/path")/txtap"
    check "each run has a recording" is "$(cd first/runs && echo *)" "1.rec 2.rec 3.rec"
    check "JUnit's file and the page exist" test -s first/txtap.xml -a -s first/txtap.html
    check "the comment has a heading that is text" shows '## fix/&#36;&#40;touch pwned&#41;&#96;touch pwned&#96; &#34;&#59;' first/comment.md
    check "and the results" shows "### txtap: 3 ok" first/comment.md
    check "no board is left" is "$(pgrep -cf -- "--port-file first/[b]oard.port" || true)" 0

    rm -r "$WORK"/github/*
    mkdir base && cp first/runs/*.rec base/
    job "$PYTHON" "$HERE/run_steps.py" github "$ACTION" "$WORK/github" firmware="$DEMO" on=vboard seconds=1 runs=3 install="$WORK/programs" \
        options=--hz=1M check="response(control).max < 1us" base=base vboard-options='--qemu-arg=-icount --qemu-arg=shift=4,sleep=on --set demo_filter_work=3000' results=second
    check "a failed check ends the job" is "$STATUS" 6
    check "after the comparison with the base" shows "change" second/compare.md
    check "which is in the comment" shows "runs, base/1.rec" second/comment.md
    check "and in the summary" shows "runs, base/1.rec" "$WORK/github/step_summary"
    check "a slower thread is worse" shows "compare-status=6" "$WORK/github/output"
    check "the failed check has its cause" shows "FAIL     response(control).max < 1us" "$OUT"
    check "the comment has no heading without a branch" is "$(grep -c '^## ' second/comment.md)" 0

    echo "# GitLab's template"
    CI_COMMIT_REF_NAME=main job "$PYTHON" "$HERE/run_steps.py" gitlab "$TEMPLATE" TXTAP_ROOT="$E2E_ROOT" TXTAP_ELF="$DEMO" TXTAP_ON=vboard \
        TXTAP_SECONDS=1 TXTAP_INSTALL="$WORK/programs" TXTAP_BASE=absent
    check "the job succeeds" is "$STATUS" 0
    check "the heading is the branch" shows "## main" txtap-results/comment.md
    check "without recordings of the base, a line says so" shows "no recordings to compare with" txtap-results/comment.md
else
    skip "the steps of GitHub's action and GitLab's template" "no module yaml (Debian: python3-yaml)"
fi

echo "# the steps one by one"
export TXTAP_OUT=$WORK/home/steps TXTAP_TOOLS=$WORK/tools TXTAP_ELF=$DEMO
job "$RUN"
check "no step is wrong usage" complains 2 "usage: run install | observe | compare | finish"
job "$RUN" finish
check "finish without a run fails" complains 1 "the firmware was not observed"
TXTAP_INSTALL=$WORK/absent job "$RUN" install
check "a missing installation fails" complains 1 "TXTAP_INSTALL: no file '$WORK/absent'"
mkdir empty
TXTAP_INSTALL=empty job "$RUN" install
check "so does a folder without txtap" complains 1 "no program txtap in"
echo garbage >garbage.tar.gz
TXTAP_INSTALL=garbage.tar.gz job "$RUN" install
check "so does a damaged archive" complains 1 "neither a .deb nor a readable archive"
TXTAP_INSTALL=$BUILD job "$RUN" install
check "a build directory has both programs" test "$STATUS" = 0 -a -x "$WORK/tools/bin/txtap-vboard"
rm -r "$WORK/tools"
mkdir -p package/txtap-1/bin
ln -s "$BUILD/capture/txtap" package/txtap-1/bin/txtap
tar -C package -czf ./-P.tar.gz txtap-1
TXTAP_INSTALL=-P.tar.gz job "$RUN" install
check "an archive is unpacked, whatever its name" is "$STATUS $("$WORK/tools/bin/txtap" --version | cut -c 1-5)" "0 txtap"
rm -r "$WORK/tools"
# A package manager that only writes down its arguments.
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>"%s"\n' "$WORK/apt.log" >"$WORK/bin/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$WORK/bin/sudo"
ln -s "$BUILD/capture/txtap" "$WORK/bin/txtap"
chmod +x "$WORK/bin/"*
export PATH=$WORK/bin:$PATH
echo >"txtap \$(touch pwned).deb"
TXTAP_INSTALL="txtap \$(touch pwned).deb" job "$RUN" install
check "a package is given to the package manager with its path" is "$STATUS $(tail -n 1 "$WORK/apt.log")" "0 $WORK/home/txtap \$(touch pwned).deb"
echo >txtap_1_amd64.deb
TXTAP_ON=vboard TXTAP_INSTALL=txtap_1_amd64.deb job "$RUN" install
check "a virtual board needs its package, too" complains 1 "no file 'txtap-vboard_1_amd64.deb'"
echo >txtap-vboard_1_amd64.deb
TXTAP_ON=vboard TXTAP_INSTALL=txtap_1_amd64.deb job "$RUN" install
check "both packages are given to the package manager" is "$STATUS $(tail -n 2 "$WORK/apt.log" | tr '\n' ' ')" \
    "0 $WORK/home/txtap_1_amd64.deb $WORK/home/txtap-vboard_1_amd64.deb "
TXTAP_ELF="" job "$RUN" observe
check "no firmware is wrong usage" complains 2 "TXTAP_ELF: give the firmware"
TXTAP_ELF=$BAD job "$RUN" observe
check "a missing firmware fails" complains 1 "TXTAP_ELF: no file"
TXTAP_SECONDS='1;touch pwned' job "$RUN" observe
check "a length that is no number is wrong usage" complains 2 "TXTAP_SECONDS is no number from 1 to 86400"
TXTAP_RUNS='a[$(touch pwned)]' job "$RUN" observe
check "so is a number of runs" complains 2 "TXTAP_RUNS is no number from 1 to 100"
TXTAP_ON=$BAD job "$RUN" observe
check "so is another board" complains 2 "TXTAP_ON is neither target nor vboard"
TXTAP_OUT=$'a\nstatus=0' job "$RUN" observe
check "a path cannot set an output" complains 2 "TXTAP_OUT: the path has a control character"
TXTAP_CHECK=$BAD job "$RUN" observe
check "a check that is no check is wrong usage" complains 2 'checks.txt'
TXTAP_CHECKS=$BAD job "$RUN" observe
check "so is a file of checks that is absent" complains 2 'touch pwned'
TXTAP_ON=vboard job "$RUN" observe
check "a missing virtual board fails" complains 1 "no program txtap-vboard in PATH"
free_port
GITHUB_OUTPUT=$WORK/output TXTAP_OPTIONS="--tcl=$PORT --timeout=1s * --no-reconnect" job "$RUN" observe
check "options are not expanded" complains 0 "txtap: *: No such file"
ln -s "$VBOARD" "$WORK/bin/txtap-vboard"
TXTAP_ON=vboard TXTAP_VBOARD_OPTIONS='--machine $(touch${IFS}pwned)' job "$RUN" observe
check "a virtual board that cannot start fails" complains 1 "the virtual board does not start: "
TXTAP_ELF=$RUN TXTAP_ON=vboard job "$RUN" observe
check "so does a firmware that is no firmware" complains 1 "the virtual board does not start: "
# A target that cannot be read: the program waits 30 s for it, so it is replaced by a program that fails at once.
rm "$WORK/bin/txtap"
printf '#!/bin/sh\necho "no target" >&2\nexit 4\n' >"$WORK/bin/txtap"
chmod +x "$WORK/bin/txtap"
GITHUB_OUTPUT=$WORK/output TXTAP_RUNS=5 job "$RUN" observe
check "a target that cannot be read ends the runs, not the step" is "$STATUS $(grep -c 'no target' "$ERR")" "0 1"
check "the output has the status" shows "status=4" "$WORK/output"
job "$RUN" finish
check "and finish ends with it" is "$STATUS" 4
echo '$(touch pwned)' >steps/observe.status
job "$RUN" finish
check "a damaged status fails" complains 1 "has no status"
# The largest comment that GitHub takes.
printf '#!/bin/sh\nfor option; do case $option in */txtap.md) seq 20000 >"$option" ;; esac; done\n' >"$WORK/bin/txtap"
job "$RUN" observe
check "a comment is shorter than GitHub's limit" test "$STATUS" = 0 -a "$(wc -c <steps/comment.md)" -lt 65536
check "and says that there is more" is "$(tail -n 1 steps/comment.md)" "The rest is in the artifact."
check "nothing was evaluated" no_harm
e2e_end
