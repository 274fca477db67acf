# SPDX-License-Identifier: MIT
b=/bin/busybox
$b sort /jobs/text | $b uniq -c | $b sha1sum
$b ls -lin /jobs
$b seq 9 | $b shuf
$b mktemp
$b date
$b ps
$b free
$b stat /etc/passwd
(echo $$ >pid; exit 3) & wait $!
echo $?
