/* SPDX-License-Identifier: MIT */
/* Exit statuses of eremite itself. Any other is the guest's own, or 128 + the signal that it died of. */
#ifndef HYPERVISOR_EXIT_STATUS_H
#define HYPERVISOR_EXIT_STATUS_H

#define EXIT_RESUMABLE 75 /* EX_TEMPFAIL of sysexits.h: stopped, and --resume goes on */
#define EXIT_DEADLOCK 120
#define EXIT_TIMEOUT 121
#define EXIT_DIFFER 122
#define EXIT_EREMITE 125
#define EXIT_SIGNAL_BASE 128

#endif
