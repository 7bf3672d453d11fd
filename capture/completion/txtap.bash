# SPDX-License-Identifier: MIT
# Completion of txtap for bash. The program itself knows the words: see txtap completion --help.

_txtap() {
    local -a words=() lines=()
    local i part line word prefix
    # bash splits words at = and :, and the program wants them whole.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        part=${COMP_WORDS[i]}
        if ((${#words[@]})) && [[ $part == [=:]* || ${words[-1]} == *[=:] ]]; then
            words[-1]+=$part
        else
            words+=("$part")
        fi
    done
    ((${#words[@]})) || words=("")
    [[ ${COMP_WORDS[COMP_CWORD]} != "" || ${words[-1]} == *[=:] || ${words[-1]} == "" ]] || words+=("")
    # The words before the cursor name files: removes their quotes, and expands ~.
    for ((i = 0; i < ${#words[@]} - 1; i++)); do
        part=${words[i]//[\\\"\']/}
        words[i]=${part/#\~\//$HOME/}
    done
    mapfile -t lines < <("$1" complete -- "${words[@]}" 2>/dev/null)
    COMPREPLY=()
    # bash replaces only what follows the last = or :.
    prefix=${words[-1]%"${words[-1]##*[=:]}"}
    if [[ ${lines[0]} == :files ]]; then
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "${words[-1]#"$prefix"}")
        return
    fi
    for line in "${lines[@]}"; do
        word=${line%%$'\t'*}
        word=${word#"$prefix"}
        [[ $word != *= ]] || compopt -o nospace
        [[ $word == *[^[:alnum:]_=./:%@+,-]* ]] && printf -v word %q "$word"
        COMPREPLY+=("$word")
    done
}
complete -F _txtap txtap
