#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# prose.sh ROOT [BASE]: fails on wording that a reader may have to read twice, in the subjects of the commits since BASE
# and in the lines of comments and documents that these commits and uncommitted changes add. The default of BASE is
# $TXTAP_PROSE_BASE; if that is not set, HEAD~1. Each finding names its rule in CONTRIBUTING.md and a better wording.
# Lines that were only moved, and words in quotes or backquotes, are not checked.
set -euo pipefail
export LC_ALL=C
cd "${1:?usage: prose.sh ROOT [BASE]}"
base=${2:-${TXTAP_PROSE_BASE:-HEAD~1}}

skip() {
    echo "skipped: $*"
    exit 77
}

[[ -e .git ]] || skip "no history: $PWD is not a git repository"
command -v git >/dev/null || skip "git is not installed"
git rev-parse -q --verify "$base^{commit}" >/dev/null || skip "no commit $base: the history is too short"

# Prints each line of text to check as "PLACE<tab>TEXT"; PLACE is "subject HASH" or "FILE:LINE".
subjects() {
    git log --no-merges --format='subject %h%x09%s' "$base..HEAD"
}

added_lines() {
    git diff -U0 --no-color --no-ext-diff "$base" -- '*.c' '*.h' '*.def' '*.js' '*.mjs' '*.sh' '*.cmake' '*.py' '*.md' '*.1' \
        'docs/man/parts/*' ':!CONTRIBUTING.md' ':!CHANGELOG.md' |
        awk '
            function bare(text) { gsub(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/, "", text); return text }
            /^--- / { next }
            /^-/ { removed[bare(substr($0, 2))]; next }
            /^\+\+\+ / { file = substr($0, 7); prose = file ~ /\.(md|1)$|\/man\/parts\//; next }
            /^@@/ { split($3, at, ","); line = substr(at[1], 2); next }
            /^\+/ {
                text = substr($0, 2)
                if (!prose) { # only the comment
                    mark = file ~ /\.(sh|cmake|py)$/ ? "(^| )#[^!]" : "/[*]|//|^ *[*]( |/)"
                    text = match(text, mark) ? substr(text, RSTART) : ""
                }
                if (text != "") {
                    places[++count] = file ":" line
                    texts[count] = text
                    wholes[count] = bare(substr($0, 2))
                }
                line++
            }
            END { for (i = 1; i <= count; i++) if (!(wholes[i] in removed)) print places[i] "\t" texts[i] }'
}

# Each line has the rule, a better wording, and the pattern. Words have blanks around them and are in lower case.
judge='
function rule(number, better, pattern) { rules[++count] = number; betters[count] = better; patterns[count] = pattern }
BEGIN {
    FS = "\t"
    rule(2, "name the thing: \"what is given up is what was waited for\" -> \"stop a case when its wait times out\"",
        " what [^,.;:?]* (is|was|are|were) what ")
    rule(2, "say who prints it: \"that is said\" -> \"a line says so\"", " (is|are|was|were) (said|told)[ ,.;:]")
    rule(2, "name the thing: \"the range is not one\" -> \"invalid range\"", " (is|are|was|were) (not one|none)([,.;:]| *$| [*]/)")
    rule(2, "name the thing: \"is none of them\" -> \"is not among them\"", " (is|are|was|were) none of ")
    rule(2, "name the reader or the user: \"for who reads it\" -> \"for readers\"", " (of|for|to) who (asks|hears|knows|looks|needs|reads|sees|uses|wants|writes) ")
    rule(3, "\"after\" for time: \"the events behind it\" -> \"the events after it\"",
        " (events?|steps?|items?|entries|commands?|reads?|exchange) (behind|in front of) ")
    rule(3, "a real verb: \"stands for\" -> \"means\"; \"stands in\", \"stands on\" -> \"is in\", \"is on\"",
        " (stands|stood) (for|in|on|behind|before|there) ")
    rule(6, "\"again\" or nothing: \"once more\"", " once more[ ,.;:]")
    rule(6, "\"now\" or a time: \"by now\"", " by now[ ,.;:]")
    rule(6, "\"as many as\", or the number: \"so many as\"", " so (many|much|long) as ")
    rule(6, "\"again\": \"anew\"", " anew[ ,.;:]")
}
{
    place = $1
    text = substr($0, length(place) + 2)
    subject = place ~ /^subject /
    if (subject && length(text) > 65)
        printf "%s: %s\n    rule 5: %d characters: at most 65\n", place, text, length(text)
    if (subject && text !~ /^[^:]+: [^ ]|^Revert /)
        printf "%s: %s\n    rule 5: name the part first: \"ring: count events lost to a lap\"\n", place, text
    if (subject && text ~ /^[^:]+: (the|a|an|what|when|where|who|no|it|its|each|all|one|that|of) /)
        printf "%s: %s\n    rule 5: begin with an order: \"stop\", \"count\", \"test\"\n", place, text
    words = " " tolower(text) " "
    gsub(/`[^`]*`|"[^"]*"/, "", words)
    gsub(/[ \t(]+/, " ", words)
    gsub(/ there (is|are|was|were) none/, " ", words)
    for (i = 1; i <= count; i++)
        if (words ~ patterns[i])
            printf "%s: %s\n    rule %d: %s\n", place, substr(text, 1, 160), rules[i], betters[i]
}'

found=$({ subjects; added_lines; } | awk "$judge")
if [[ $found ]]; then
    printf '%s\n' "$found"
    echo "not ok - wording that may have to be read twice: the rules are in CONTRIBUTING.md, \"Style of text\""
    exit 1
fi
