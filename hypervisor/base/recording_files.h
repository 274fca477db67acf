/* SPDX-License-Identifier: MIT */
/* The files of a recording (docs/recording.md), by which a directory is known to hold one. */
#ifndef HYPERVISOR_RECORDING_FILES_H
#define HYPERVISOR_RECORDING_FILES_H

#define RECORDING_LOG "input.log"
#define RECORDING_CAPTURE "network.pcapng"
#define RECORDING_KERNEL "kernel"

/** How the log of every version begins. */
#define RECORDING_MARKER "eremite input "

#endif
