/* SPDX-License-Identifier: MIT */
#ifndef HYPERVISOR_DEBUG_REMOTE_GO_H
#define HYPERVISOR_DEBUG_REMOTE_GO_H

#include "debug/debug.h"

/** Continues with a signal, 0: without one. Only the one that has arrived can be delivered: gdb has its own number for
 * it. Returns whether the program continues, as remote_handle. */
bool remote_go_with(struct debug *debug, unsigned sig, struct debug_request how);

/** Continues by the actions of vCont. The first one that names the thread, or any, counts. The other threads run as the
 * policy of the run decides, so that steps do not change the run: an action for another thread alone is refused. */
bool remote_go_by(struct debug *debug, const char *text);

#endif
