/* SPDX-License-Identifier: MIT */
/* Telling the monitor of kernel calls, when it has asked for that. */
#ifndef KERNEL_SYS_EVENT_H
#define KERNEL_SYS_EVENT_H

#include <stdbool.h>

#include "abi/boot.h"

/** Whether event_note has to be called. */
extern bool event_watched;

void event_init(const struct boot_info *boot);

/** Notes the event that has just been chained. Does not return when the run is to stop after it. */
void event_note(unsigned call, long result);

#endif
