/* SPDX-License-Identifier: MIT */
/* gdb's remote protocol: what each packet does. */
#ifndef HYPERVISOR_DEBUG_REMOTE_H
#define HYPERVISOR_DEBUG_REMOTE_H

#include "debug/debug.h"

struct remote_registers;

/** Performs the packet in debug->reader, and leaves the answer in debug->reply. An unknown packet has an empty answer.
 * Returns whether the program continues, by debug->verdict and debug->go; then there is no answer yet. */
bool remote_handle(struct debug *debug);

/** Puts the reason of the last stop into the reply. */
void remote_reply_stop(struct debug *debug);

/** Puts the end of the program into the reply: by a signal, or with a status. */
void remote_reply_end(struct debug *debug, bool by_signal, int status);

/** Adds text to the reply; a reply that is too long is cut. */
void remote_add(struct debug *debug, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Adds bytes as hexadecimal digits. */
void remote_add_hex(struct debug *debug, const void *bytes, size_t count);

/** Adds "OK", or in place of all an error. */
void remote_reply_result(struct debug *debug, int64_t result);

/** gdb's number of a signal. */
unsigned remote_signal(unsigned sig);

/** Tells the guest's kernel debug->wanted. Returns the number of system calls so far, or a negative errno. */
int64_t remote_want(struct debug *debug);

/** Whether the program is to continue from a stop in the same way, unseen by the debugger: the marker is another. */
bool remote_passes_stop(struct debug *debug);

/** Puts a line about a stop for which gdb has no word into the reply; none for other stops. */
void remote_tell_stop(struct debug *debug);

/** "TYPE,ADDRESS,KIND[;XLENGTH,DIGITS...]": type 0 is a breakpoint, with conditions; 2, 3 and 4 are watchpoints of KIND
 * bytes for stores, reads and both. There are no others. */
void remote_breakpoint(struct debug *debug, const char *text, bool inserts);

/** Reads "ADDRESS,BYTES" and returns what follows; NULL: damaged. */
const char *remote_range(const char *text, uint64_t *address, uint64_t *bytes);

/** QCatchSyscalls: and QPassSignals: */
void remote_catch_calls(struct debug *debug, const char *text);
void remote_pass_signals(struct debug *debug, const char *text);

/** All threads. The list is valid until the next call. */
const struct debug_thread *remote_threads(struct debug *debug, unsigned *count);

#define REMOTE_THREAD_LINE 128

/** Writes name, state, and what a thread waits for. */
void remote_describe_thread(const struct debug *debug, const struct debug_thread *thread,
                            char line[REMOTE_THREAD_LINE]);

/** The packets that begin with q and Q. */
void remote_query(struct debug *debug);

/** A command of gdb's `monitor`, in hexadecimal digits. */
void remote_monitor(struct debug *debug, const char *digits);

/** The packets that begin with vFile:. */
void remote_file(struct debug *debug);

/** Reads the registers of a thread. Returns 0 or a negative errno. */
int remote_read_registers(struct debug *debug, uint32_t tid, struct remote_registers *registers);

/** Reads a thread, "p1.2", "2" or "-1", and returns what follows it; *tid is 0 for any thread. NULL: damaged. */
const char *remote_thread(const char *text, uint32_t *tid);

#define REMOTE_PROCESS 1 /**< the number of the process that is debugged */

#endif
