/* SPDX-License-Identifier: MIT */
/* What a trace is made of. Texts may have any bytes, because the program chooses names. */
#ifndef HYPERVISOR_TRACE_EVENT_H
#define HYPERVISOR_TRACE_EVENT_H

#include <stdint.h>

/** X(NAME, category in trace.json). */
#define TRACE_KIND_LIST(X) \
	X(CALL, "call")         /* a kernel call, from its beginning to its end */ \
	X(NETWORK, "network")   /* one of the class network */ \
	X(SIGNAL, "signal")     /* a signal is delivered, or ends the program */ \
	X(FAULT, "fault")       /* a page fault of the program */ \
	X(DECISION, "decision") /* another thread takes over */ \
	X(MARKER, "marker")     /* eremite_marker(name) */ \
	X(END, "end")           /* the thread ends */

#define TRACE_KIND_ONE(NAME, category) TRACE_##NAME,
/** TRACE_CALL etc.; TRACE_KINDS is their number. */
enum trace_kind { TRACE_KIND_LIST(TRACE_KIND_ONE) TRACE_KINDS };
#undef TRACE_KIND_ONE

/** An event of a trace. */
struct trace_event {
	enum trace_kind kind;
	uint32_t pid, thread; /**< as --strace shows them */
	uint64_t begin_ns;    /**< virtual time since the start */
	uint64_t ns;          /**< duration; 0 for a moment */
	uint64_t decision;    /**< decisions so far */
	const char *name;
	const char *detail; /**< arguments, or why; or NULL */
	const char *result; /**< of a call: as strace(1) shows it; or NULL */
	const char *error;  /**< of a call that failed: name of the error; or NULL */
};

#endif
