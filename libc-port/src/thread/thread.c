/* SPDX-License-Identifier: MIT */
/* The main thread's descriptor. The kernel gets it only when it is needed; most programs do not need it. */
#include "libc-port/src/thread/thread.h"

#include "libc-port/src/kernel.h"

struct pthread thread_main = {
	.tid = 1,
	.tid_kept = 1,
	.stack_is_given = true,
};
unsigned thread_count = 1;

void thread_tell_of_main(void)
{
	static bool told;
	if (told)
		return;
	told = true;
	thread_main.reent = _GLOBAL_REENT;
	kcall_thread_note(&thread_main.note);
	kcall_set_tid_address(&thread_main.tid);
}

void thread_robust_begin(void)
{
	struct pthread *self = thread_self();
	if (self->robust_known)
		return;
	self->robust_known = true;
	self->robust.list.next = &self->robust.list;
	kcall_set_robust_list(&self->robust, sizeof(self->robust));
}
