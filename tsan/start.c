/* SPDX-License-Identifier: MIT */
#include "tsan.h"

#include <dlfcn.h>
#include <stdlib.h>

static bool is_started;

void *tsan_next(const char *name, const char *version)
{
	void *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
	return found ? found : dlsym(RTLD_NEXT, name);
}

void tsan_start(void)
{
	if (is_started)
		return;
	is_started = true;
	if (!report_begin() || !memory_init())
		return;
	tsan_state = TSAN_SINGLE;
	site_init();
	sync_init();
	shadow_init();
	if (tsan_state != TSAN_OFF)
		threads_init();
	atexit(report_end);
}

EXPORT void __tsan_init(void)
{
	tsan_start();
}

__attribute__((constructor(101))) static void start(void)
{
	tsan_start();
}
