/* SPDX-License-Identifier: MIT */
#include "report/wait_kind.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define FRAMES_MAX 8 /* innermost frames that may be in the library: a wait is a few calls deep */

/* Functions without leading underscores, which the C libraries add to some of their names. A name of Rust's is the end
 * of a path. */
static const struct {
	const char *function, *kind;
} functions[] = {
	{"pthread_mutex_lock", "mutex"},
	{"pthread_mutex_timedlock", "mutex"},
	{"pthread_mutex_clocklock", "mutex"},
	{"pthread_rwlock_rdlock", "read-write lock, to read"},
	{"pthread_rwlock_timedrdlock", "read-write lock, to read"},
	{"pthread_rwlock_clockrdlock", "read-write lock, to read"},
	{"pthread_rwlock_wrlock", "read-write lock, to write"},
	{"pthread_rwlock_timedwrlock", "read-write lock, to write"},
	{"pthread_rwlock_clockwrlock", "read-write lock, to write"},
	{"pthread_cond_wait", "condition variable"},
	{"pthread_cond_timedwait", "condition variable"},
	{"pthread_cond_clockwait", "condition variable"},
	{"pthread_barrier_wait", "barrier"},
	{"sem_wait", "semaphore"},
	{"new_sem_wait_slow64", "semaphore"},
	{"sem_timedwait", "semaphore"},
	{"sem_clockwait", "semaphore"},
	{"pthread_once", "end of an initialisation (pthread_once)"},
	{"futex::Mutex::lock_contended", "mutex"},
	{"futex_mutex::Mutex::lock_contended", "mutex"},
	{"futex::RwLock::read_contended", "read-write lock, to read"},
	{"futex::RwLock::write_contended", "read-write lock, to write"},
	{"futex::Condvar::wait", "condition variable"},
	{"futex::Condvar::wait_timeout", "condition variable"},
};

/* Whether a function is `known`, or a path of Rust that ends with it. */
static bool is_function(const char *name, size_t bytes, const char *known)
{
	const size_t length = strlen(known), before = bytes - length;
	if (bytes < length || strncmp(name + before, known, length) != 0)
		return false;
	return !before || (strchr(known, ':') && name[before - 1] == ':');
}

static const char *kind_of(const char *name, size_t bytes)
{
	const char *dot = memchr(name, '.', bytes); /* "name.constprop.0" of gcc */
	bytes = dot ? (size_t)(dot - name) : bytes;
	for (; bytes && *name == '_'; name++)
		bytes--;
	for (unsigned i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (is_function(name, bytes, functions[i].function))
			return functions[i].kind;
	return NULL;
}

const char *wait_kind_of(const char *frames)
{
	const char *kind = NULL;
	for (const char *line = frames, *end; !kind && *line; line = end + (*end == '\n')) {
		unsigned number;
		int used = 0;
		end = strchrnul(line, '\n');
		if (sscanf(line, " #%u 0x%*x %n", &number, &used) != 1 || !used || number >= FRAMES_MAX)
			break;
		const char *plus = memchr(line + used, '+', (size_t)(end - line - used));
		if (plus) /* an inlined function has no offset */
			kind = kind_of(line + used, (size_t)(plus - line - used));
	}
	return kind;
}
