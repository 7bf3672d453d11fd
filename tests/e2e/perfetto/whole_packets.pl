# SPDX-License-Identifier: MIT
# whole_packets.pl FILE: writes the whole packets of a trace for Perfetto; fails if the remaining bytes are not the
# beginning of a packet.
use strict;
use warnings;
local $/;
open(my $file, '<:raw', $ARGV[0]) or die "$ARGV[0]: $!\n";
my $bytes = <$file>;
my $at = 0;
binmode STDOUT;
while ($at < length $bytes) {
    last unless substr($bytes, $at) =~ /^\x0a([\x80-\xff]{0,2}[\x00-\x7f])/s;
    my ($length, $shift) = (0, 0);
    for my $byte (unpack 'C*', $1) {
        $length |= ($byte & 0x7f) << $shift;
        $shift += 7;
    }
    my $next = $at + 1 + length($1) + $length;
    last if $next > length $bytes;
    $at = $next;
}
print substr($bytes, 0, $at);
my $rest = length($bytes) - $at;
die "$rest bytes at $at are no packet\n" if $rest > 8192 or ($rest > 0 and substr($bytes, $at, 1) ne "\x0a");
