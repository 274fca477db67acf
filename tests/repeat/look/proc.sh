# SPDX-License-Identifier: MIT
# All files of /proc and /sys, with their names.
cd /proc && find -L . ./self/task -maxdepth 1 -type f | sort | xargs tail -v -n +1
find self sys /sys -type f | sort | xargs tail -v -n +1
ls -l /proc/self/fd /dev
exit 0
