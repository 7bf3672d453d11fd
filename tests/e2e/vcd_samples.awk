# SPDX-License-Identifier: MIT
# Prints the number of samples of each channel that are 1, as "NAME SAMPLES", from sigrok-cli's CSV with channels as
# labels.
BEGIN { FS = "," }
/^META/ { next }
columns == 0 { columns = split($0, name); next }
{ for (i = 1; i <= NF; i++) sum[i] += $i }
END { for (i = 1; i <= columns; i++) if (sum[i] > 0) print name[i], sum[i] }
