#!/usr/bin/env perl
# SPDX-License-Identifier: MIT
# gdb_threads.pl PORT SYMBOLS: asks a GDB server that knows the target's kernel for the threads, as a debugger does.
# SYMBOLS: lines "ADDRESS TYPE NAME" of nm, in hexadecimal. Prints "ADDRESS<tab>TEXT" for each thread.
use strict;
use warnings;
use IO::Socket::INET;

my ($port, $symbols) = @ARGV;
my (%address, $wire);
open(my $list, '<', $symbols) or die "$symbols: $!\n";
while (<$list>) { $address{$2} = $1 if /^([0-9a-f]+) \S (\S+)$/ }

sub disconnect {
    ask('D');
    shutdown($wire, 1);
    1 while read($wire, my $rest, 1);
}

sub connect_to_server {
    $wire = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) or die "no server on port $port\n";
    $wire->autoflush(1);
    print $wire '+';
}

# Returns the next packet, and acknowledges it.
sub answer {
    my ($byte, $text) = ('', '');
    do { read($wire, $byte, 1) or die "the server has closed the connection\n" } until $byte eq '$';
    while (read($wire, $byte, 1) && $byte ne '#') { $text .= $byte }
    read($wire, my $sum, 2);
    print $wire '+';
    return $text;
}

sub send_packet { my ($text) = @_; printf $wire '$%s#%02x', $text, unpack('%8C*', $text) }
sub ask { send_packet(@_); return answer() }

connect_to_server();
my $wanted = ask('qSymbol::');
while ($wanted =~ /^qSymbol:([0-9a-f]+)$/) {
    my $known = $address{pack('H*', $1)};
    $wanted = ask('qSymbol:' . (defined $known ? $known : '') . ':' . $1);
}
disconnect();
connect_to_server(); # OpenOCD reads the threads when a debugger connects
my ($threads, $more) = ('', ask('qfThreadInfo'));
while ($more =~ s/^m//) {
    $threads .= ",$more";
    $more = ask('qsThreadInfo');
}
for my $thread (grep { $_ ne '' } split /,/, $threads) {
    printf "0x%08x\t%s\n", hex($thread), pack('H*', ask("qThreadExtraInfo,$thread"));
}
disconnect();
