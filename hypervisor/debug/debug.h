/* SPDX-License-Identifier: MIT */
/* A debugger that controls a run: gdb, or another client of its remote protocol. */
#ifndef HYPERVISOR_DEBUG_DEBUG_H
#define HYPERVISOR_DEBUG_DEBUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "abi/debug.h"
#include "abi/sched_settings.h"
#include "debug/packet.h"

/** Where a run is, as schedules and --strace have it. */
struct debug_position {
	uint64_t decision;
	uint64_t now_ns; /**< virtual time since the start */
};

/** What a run says of itself. */
enum debug_say {
	DEBUG_SAY_SCHEDULE,  /**< how it is scheduled */
	DEBUG_SAY_DECISIONS, /**< the decisions around its place */
	DEBUG_SAY_DIGEST,    /**< the digest of what the program has done so far */
};

/** The program that is debugged, while a thread of it stands. */
struct debug_target {
	void *context;
	/** Has the guest's kernel perform a request, which gets its answer, with DEBUG_DATA_BYTES of data in and out.
	 * Returns debug_area.result. */
	int64_t (*request)(void *context, struct debug_request *request, void *data);
	/** Copies up to `bytes` of the program's memory, as the program's file or the program has made it. Returns how
	 * many, or a negative errno. */
	int64_t (*read)(void *context, uint64_t address, void *to, uint64_t bytes);
	void (*position)(void *context, struct debug_position *position);
	/** Writes lines of text. */
	void (*describe)(void *context, enum debug_say what, FILE *to);
	/** Whether the run is to stop because of --timeout or a signal. */
	bool (*is_stopped)(void);
};

/** How the run continues after a stop. */
enum debug_verdict {
	DEBUG_GOES_ON, /**< as the request says that debug_wait has filled in */
	DEBUG_KILLED,  /**< it ends: the debugger has killed the program */
	DEBUG_LEFT,    /**< it continues without a debugger, which has left */
};

/** A session with a debugger. */
struct debug {
	int fd;              /**< the connection; -1: the debugger has gone */
	const char *program; /**< path of the program on this host; NULL: unknown */
	bool was_stopped;    /**< the guest's kernel knows debuggers */
	bool has_changed;    /**< the debugger has changed memory or registers */
	bool may_restart;    /**< the run can be made again */
	bool restarts;       /**< it ends, because the debugger wants it to be made again */
	pid_t gdb;           /**< the debugger that eremite has started; 0: none */
	bool is_private;     /**< the session ends with this debugger */
	/* The rest belongs to the folder debug/. */
	const struct debug_target *target;
	struct debug_stop stop;
	uint32_t chosen; /**< thread of g, p and others (Hg) */
	bool is_other;   /**< that thread is of another process, which is not debugged */
	bool no_acks, is_multiprocess, has_swbreak, has_exec, is_resumed;
	bool is_restarted; /**< the next stop is the start of the run that is made again */
	enum debug_verdict verdict;
	struct debug_request go;
	struct debug_wanted wanted;      /**< as the guest's kernel has been told */
	char marker[SCHED_MARKER_BYTES]; /**< with DEBUG_PLACE_MARKER */
	struct packet_reader reader;
	uint8_t input[4096];
	size_t input_at, input_bytes;
	char reply[PACKET_MAX];
	size_t reply_bytes;
	char sent[2 * PACKET_MAX + 4];
	size_t sent_bytes;
};

/** Lets the debugger work on a program that has stopped, until it continues. `go` receives how. */
enum debug_verdict debug_wait(struct debug *debug, const struct debug_stop *stop, const struct debug_target *target,
                              struct debug_request *go);

/** Whether the debugger wants the running program to stop, or has gone. */
bool debug_is_waiting(struct debug *debug);

/** After a run that ended because debug->restarts: prepares for the same run, which is made again. */
void debug_restart(struct debug *debug);

/** Tells the debugger how the program has ended: by a signal, or with a status. */
void debug_tell_end(struct debug *debug, bool by_signal, int status);

#endif
