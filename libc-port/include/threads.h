/* SPDX-License-Identifier: MIT */
/* Before newlib's <threads.h>, which has nothing beneath it. */
#error "<threads.h> is not supported yet: there are no threads in this system so far"
