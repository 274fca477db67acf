/* SPDX-License-Identifier: MIT */
/* Packets that continue the program. */
#include "debug/remote_go.h"

#include <errno.h>
#include <stdlib.h>

#include "debug/remote.h"

static bool continue_program(struct debug *debug, struct debug_request how)
{
	debug->verdict = DEBUG_GOES_ON;
	debug->go = how;
	return true;
}

/* One action of vCont. */
struct action {
	char kind;
	unsigned sig;       /* C, S */
	uint64_t low, high; /* r */
	uint32_t tid;       /* 0: any */
};

/* Reads an action, which begins with ';'. Returns what follows; NULL: damaged. */
static const char *read_action(const char *text, struct action *action)
{
	char *end;
	*action = (struct action){.kind = text[1]};
	if (text[0] != ';' || !text[1])
		return NULL;
	text += 2;
	if (action->kind == 'C' || action->kind == 'S') {
		action->sig = (unsigned)strtoul(text, &end, 16);
		text = end;
	} else if (action->kind == 'r') {
		text = remote_range(text, &action->low, &action->high);
	}
	return text && *text == ':' ? remote_thread(text + 1, &action->tid) : text;
}

bool remote_go_with(struct debug *debug, unsigned sig, struct debug_request how)
{
	const bool is_signal = debug->stop.reason == DEBUG_AT_SIGNAL;
	if (sig && (!is_signal || sig != remote_signal(debug->stop.signal))) {
		remote_reply_result(debug, -EINVAL);
		return false;
	}
	if (is_signal && !sig) {
		how.tid |= DEBUG_GO_DROPS;
		debug->has_changed = true;
	}
	return continue_program(debug, how);
}

/* Whether an action is for threads other than the one that has stopped. */
static bool has_others(const struct debug *debug, const char *text)
{
	struct action action;
	while (text && *text) {
		text = read_action(text, &action);
		if (text && action.tid != debug->stop.tid)
			return true;
	}
	return false;
}

/* Whether gdb wants the other threads to stand while the thread runs on: set scheduler-locking on. Between the making
 * of a process by vfork(2) and its end gdb names the thread alone, too, and other clients do so in calls of functions.
 */
static bool is_locking(struct debug *debug)
{
	const bool is_gdb = debug->has_swbreak;
	unsigned count = 0;
	if (is_gdb && debug->stop.reason != DEBUG_AT_VFORK)
		remote_threads(debug, &count);
	return count > 1;
}

static bool refuse_locking(struct debug *debug)
{
	remote_add(debug, "E.the other threads cannot be held, because the run would be another one; use 'set "
	                  "scheduler-locking replay'");
	return false;
}

bool remote_go_by(struct debug *debug, const char *text)
{
	struct action action;
	const uint32_t alone = has_others(debug, text) ? 0 : DEBUG_GO_ALONE;
	while (*text) {
		text = read_action(text, &action);
		if (!text)
			break;
		if (action.tid && action.tid != debug->stop.tid)
			continue;
		switch (action.kind) {
		case 'c':
		case 'C':
			if (alone && is_locking(debug))
				return refuse_locking(debug);
			return remote_go_with(debug, action.sig, (struct debug_request){.op = DEBUG_CONTINUE});
		case 's':
		case 'S':
			return remote_go_with(debug, action.sig,
			                      (struct debug_request){.op = DEBUG_STEP, .tid = alone});
		case 'r':
			return remote_go_with(debug, action.sig,
			                      (struct debug_request){.op = DEBUG_STEP,
			                                             .tid = alone,
			                                             .address = action.low,
			                                             .bytes = action.high - action.low});
		default:
			remote_reply_result(debug, -EINVAL);
			return false;
		}
	}
	remote_reply_result(debug, -EINVAL);
	return false;
}
