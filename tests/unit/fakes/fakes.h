/* SPDX-License-Identifier: MIT */
/* What stands in for the rest of the kernel when its modules are tested in a host process. */
#ifndef TESTS_UNIT_FAKES_H
#define TESTS_UNIT_FAKES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Frames that may be handed out; more fails, as a full machine does. Blocks count 512. */
extern uint64_t fake_frames_left;

/** Frames and heap objects handed out now: both are 0 again when a test leaks nothing. */
extern uint64_t fake_frames_used;
extern uint64_t fake_objects_used;

/** What was written to the console, and what a read of it will get. */
extern char fake_output[65536];
extern size_t fake_output_bytes;
extern const char *fake_input;
extern bool fake_terminal;

/** Why the last sched_wait_until without a deadline was called; it returns -EINTR here. */
extern const char *fake_deadlock;

/** Signals sent with signal_send: the last one. */
extern int fake_signal;

/** An address that uaccess takes for a bad pointer, as it does everything in [0, 4096). */
#define FAKE_BAD_POINTER ((void *)16)

#endif
