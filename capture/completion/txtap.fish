# SPDX-License-Identifier: MIT
# Completion of txtap for fish. The program itself knows the words: see txtap completion --help.

function __txtap_complete
    set -l words (commandline -opc | string replace -r '^~/' "$HOME/")
    set -l part (commandline -ct)
    set -l lines ($words[1] complete -- $words[2..-1] "$part" 2>/dev/null)
    if test "$lines[1]" = :files
        set -l value (string replace -r -- '^--[^=]*=' '' "$part")
        set -l before (string replace -r -- '^(--[^=]*=)?.*' '$1' "$part")
        for path in (__fish_complete_path "$value")
            echo "$before$path"
        end
        return
    end
    printf '%s\n' $lines
end
complete -c txtap -f -a '(__txtap_complete)'
