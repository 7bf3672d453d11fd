#compdef txtap
# SPDX-License-Identifier: MIT
# Completion of txtap for zsh. The program itself knows the words: see txtap completion --help.

_txtap() {
    local -a lines plain open
    local line word about
    local -a typed=("${(@Q)words[2,CURRENT]}")
    typed=("${(@)typed/#\~\//$HOME/}")
    lines=("${(@f)$("${(Q)words[1]}" complete -- "${typed[@]}" 2>/dev/null)}")
    if [[ ${lines[1]} == :files ]]; then
        [[ $PREFIX == --*=* ]] && compset -P '*='
        _files
        return
    fi
    for line in $lines; do
        word=${line%%$'\t'*}
        about=${line#*$'\t'}
        word=${word//:/\\:}
        if [[ $word == *= ]]; then open+=("$word:$about"); else plain+=("$word:$about"); fi
    done
    _describe -t words 'word' plain -- open -S ''
}

if [[ $funcstack[1] == _txtap ]]; then _txtap "$@"; else compdef _txtap txtap; fi
