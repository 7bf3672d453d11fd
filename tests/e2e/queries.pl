#!/usr/bin/env perl
# SPDX-License-Identifier: MIT
# Runs the queries of a page, and compares their results with the text that follows each query.
#   usage: queries.pl DATABASE PAGE [--update]
# Prints a line for each query: "ok - HEADING" or "not ok - HEADING", and the differences. --update writes the results
# into the page.
use strict;
use warnings;

my ($database, $page, $update) = @ARGV;
open(my $in, '<', $page) or die "$page: $!\n";
my $text = do { local $/; <$in> };
close $in;
my ($heading, $out, $failed) = ('', '', 0);
while ($text =~ /\G(.*?^```sql\n(.*?)^```\n)(\n```\n(.*?)^```\n)?/gcms) {
    my ($before, $query, $old) = ($1, $2, $4 // '');
    $heading = $1 while $before =~ /^## (.*)$/gm;
    open(my $run, '-|', 'sqlite3', '-batch', '-bail', '-column', '-header', $database, $query) or die "sqlite3: $!\n";
    my $result = join '', map { s/[ ]+$//mgr } <$run>;
    close $run or $result .= "sqlite3 failed\n";
    $out .= "$before\n```\n$result```\n";
    my $good = $update || ($result eq $old && $result ne '');
    $failed += !$good;
    print $good ? "ok" : "not ok", " - $heading\n";
    print map { "#   $_\n" } 'expected:', split(/\n/, $old), 'got:', split(/\n/, $result) unless $good;
}
$out .= substr($text, pos($text) // 0);
if ($update) {
    open(my $to, '>', $page) or die "$page: $!\n";
    print $to $out;
    close $to or die "$page: $!\n";
}
exit($failed ? 1 : 0);
