# SPDX-License-Identifier: MIT
echo $RANDOM $SRANDOM $$ $PPID $BASHPID $SECONDS $EPOCHREALTIME $UID "$HOSTNAME" "$COLUMNS" "$-"
for i in 1 2 3; do
	(read -r line <<<"$i $RANDOM" && echo "$line") &
done
wait
set
ulimit -a
umask
sort -r <<TEXT | while read -r line; do echo "$line"; done
$(jobs -l) b
a
TEXT
printf '%s\n' /dev/fd/* ~ >(cat)
trap 'echo bye' EXIT
time sleep 1
times
