#!/usr/bin/env perl
# SPDX-License-Identifier: MIT
# Splits a jq filter into the terms that must all be true: "A | B and C == D" gives "A | B" and "A | C == D". Prints for
# each term two filters, separated by a tab: the term, and the value to show if the term is false. For a comparison this
# is the left side. Text in strings and brackets is not split. usage: jq_terms.pl FILTER
use strict;
use warnings;

# Splits text at each separator that is not in a string or in brackets.
sub split_outside {
    my ($text, $separator) = @_;
    my @parts = ('');
    my $depth = 0;

    while ($text =~ /\G("(?:[^"\\]|\\.)*"|[\[({]|[\])}]|$separator|.)/gs) {
        my $token = $1;
        if ($depth == 0 && $token =~ /^$separator$/) {
            push @parts, '';
            next;
        }
        $depth++ if $token =~ /^[\[({]$/;
        $depth-- if $token =~ /^[\])}]$/;
        $parts[-1] .= $token;
    }
    return @parts;
}

# Returns true if the text is one pair of brackets, unlike "(a) or (b)".
sub is_one_bracket {
    my ($text) = @_;
    my $depth = 0;

    while ($text =~ /\G("(?:[^"\\]|\\.)*"|.)/gs) {
        my $token = $1;
        $depth++ if $token =~ /^[\[({]$/;
        $depth-- if $token =~ /^[\])}]$/;
        return pos($text) == length $text if $depth == 0;
    }
    return 0;
}

# Prints the terms of a filter. A term that is a filter in brackets is split again.
sub print_terms {
    my ($before, $filter) = @_;
    my @stages = split_outside($filter, qr/ \| /);
    my $body = pop @stages;

    $before .= "$_ | " for @stages;
    for my $term (split_outside($body, qr/ and /)) {
        my ($left) = split_outside($term, qr/ (?:==|!=|<=|>=|<|>) /);

        if ($term =~ /^\((.*)\)$/s && is_one_bracket($term)) {
            print_terms($before, $1);
        } else {
            print "$before$term\t$before$left\n";
        }
    }
}

print_terms('', join ' ', split ' ', shift // die "usage: jq_terms.pl FILTER\n");
