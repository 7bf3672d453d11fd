# SPDX-License-Identifier: MIT
# awk -v root=DIRECTORY -v scratch=DIRECTORY -f rules.awk TABLE: reads a table of rules (such as txtb_rules.table), and
# writes a copy of each source in the table into scratch/. In the copy, the variable rule_off chooses the rule to switch
# off: 0 no rule, 1 the first rule. It prints a line for each rule: number, configuration to search or "-", name.
#
# The text after "-" occurs exactly once in the source. It is a whole expression, a whole statement with its ";", or a
# declaration with a value. The text after "+" is another text of the same kind.

function fail(what) {
    print what >"/dev/stderr"
    failed = 1
    exit 1
}

function read_source(name,    line) {
    source = name
    if (source in text)
        return
    while ((getline line <(root "/" source)) > 0)
        text[source] = text[source] line "\n"
    if (!(source in text))
        fail(rule ": " source " cannot be read")
}

# Returns true for a declaration with a value, such as "bool gone = true;". Sets head ("bool gone = ") and value
# ("true").
function is_declaration(code) {
    if (!match(code, /^[a-z0-9_]+ [a-z0-9_]+ = /) || code !~ /;$/)
        return 0
    head = substr(code, 1, RLENGTH)
    value = substr(code, RLENGTH + 1, length(code) - RLENGTH - 1)
    return 1
}

function is_statement(code) {
    return code ~ /;( \/\*.*\*\/)?$/
}

# Adds the code `to` of the current rule to the code that replaces `from` in the copy.
function add(from, to,    key, at, rest) {
    at = index(text[source], from)
    rest = substr(text[source], at + length(from))
    if (at == 0)
        fail(rule ": " source " has no '" from "': change the table with the code")
    if (index(rest, from) > 0)
        fail(rule ": " source " has '" from "' more than once: give the table more of that line")
    if (is_statement(from) && to !~ /[;}]$/)
        fail(rule ": '" to "' must be a statement")
    key = source SUBSEP at
    if (!(key in length_at)) {
        place[source, ++places[source]] = at
        length_at[key] = length(from)
    } else if (length_at[key] != length(from))
        fail(rule ": '" from "' overlaps what another rule replaces")
    if (is_declaration(from)) {
        if (!is_declaration(to))
            fail(rule ": '" to "' must be a declaration")
        otherwise[key] = otherwise[key] "rule_off == " rules " ? (" value ") : "
    } else if (is_statement(from))
        otherwise[key] = otherwise[key] "if (rule_off == " rules ") { " to " } else "
    else
        otherwise[key] = otherwise[key] "rule_off == " rules " ? (" to ") : "
    changed = 1
}

function finish_rule() {
    if (rule != "" && !changed)
        fail(rule ": changes nothing")
    if (rule != "")
        print rules, states, rule
    changed = 0
    states = "-"
    from = ""
}

# Returns the text that replaces `code` in the copy. other: the code of all rules that change this place.
function switched(code, other) {
    if (is_declaration(code))
        return head other "(" value ");"
    return is_statement(code) ? "{ " other "{ " code " } }" : "(" other "(" code "))"
}

function write_copy(name,    i, k, at, from, done, copy) {
    for (i = 2; i <= places[name]; i++) # sort the places by their position in the text
        for (k = i; k > 1 && place[name, k] < place[name, k - 1]; k--) {
            at = place[name, k]
            place[name, k] = place[name, k - 1]
            place[name, k - 1] = at
        }
    done = 1
    for (i = 1; i <= places[name]; i++) {
        at = place[name, i]
        if (at < done)
            fail(name ": rules overlap in '" substr(text[name], at, length_at[name, at]) "'")
        from = substr(text[name], at, length_at[name, at])
        copy = copy substr(text[name], done, at - done) switched(from, otherwise[name, at])
        done = at + length(from)
    }
    copy = copy substr(text[name], done)
    sub(/.*\//, "", name)
    printf "%s", copy >(scratch "/" name)
    close(scratch "/" name)
}

/^$/ || /^#/ || /^else / || /^searched / { next }
/^rule / {
    finish_rule()
    rule = substr($0, 6)
    rules++
    next
}
rule == "" { fail($0 ": no rule before it") }
/^states / { states = $2; next }
/^in / { read_source($2); next }
/^- / {
    from = substr($0, 3)
    next
}
/^\+ / {
    if (source == "" || from == "")
        fail($0 ": no file or no text before it")
    add(from, substr($0, 3))
    from = ""
    next
}
{ fail(FILENAME ": '" $0 "' is not a valid line") }
END {
    if (failed)
        exit 1
    finish_rule()
    for (name in text)
        write_copy(name)
}
