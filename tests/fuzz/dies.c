/* SPDX-License-Identifier: MIT */
/* die, say and refuse for harnesses, and allocations that are known until they are freed. The table of them is searched
 * from the last one on, because most are freed soon. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "library/cjson.h"
#include "base/die.h"
#include "library_names.h"
#include "tests/fuzz/dies.h"

jmp_buf dies_at;
volatile sig_atomic_t die_was_called, say_needs_return;

/* --- allocations --- */

#define SLOTS (1U << 18)

static void *known[SLOTS]; /* by address; open addressing */
static unsigned known_count;

static unsigned slot_of(const void *pointer)
{
	return (unsigned)(((uintptr_t)pointer >> 4) * 0x9e3779b97f4a7c15UL >> 46);
}

static void note(void *pointer)
{
	unsigned at = slot_of(pointer);
	if (!pointer || known_count > SLOTS / 2)
		return; /* the rest of a very large input stays allocated */
	while (known[at])
		at = (at + 1) % SLOTS;
	known[at] = pointer;
	known_count++;
}

static void forget(const void *pointer)
{
	unsigned at = slot_of(pointer), hole;
	while (known[at] && known[at] != pointer)
		at = (at + 1) % SLOTS;
	if (!pointer || !known[at])
		return;
	known[at] = NULL;
	known_count--;
	for (hole = at, at = (at + 1) % SLOTS; known[at]; at = (at + 1) % SLOTS) {
		const unsigned home = slot_of(known[at]);
		if ((at - home) % SLOTS < (at - hole) % SLOTS)
			continue;
		known[hole] = known[at];
		known[at] = NULL;
		hole = at;
	}
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void __real_free(void *pointer);
int __real_vasprintf(char **text, const char *format, va_list arguments);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void __wrap_free(void *pointer);
char *__wrap_strdup(const char *text);
int __wrap_vasprintf(char **text, const char *format, va_list arguments);

void *__wrap_malloc(size_t bytes)
{
	void *pointer = __real_malloc(bytes);
	note(pointer);
	return pointer;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	void *pointer = __real_calloc(count, bytes);
	note(pointer);
	return pointer;
}

void *__wrap_realloc(void *old, size_t bytes)
{
	void *pointer = __real_realloc(old, bytes);
	if (pointer || !bytes)
		forget(old);
	note(pointer);
	return pointer;
}

void __wrap_free(void *pointer)
{
	forget(pointer);
	__real_free(pointer);
}

char *__wrap_strdup(const char *text)
{
	const size_t bytes = strlen(text) + 1;
	char *copy = __wrap_malloc(bytes);
	return copy ? memcpy(copy, text, bytes) : NULL;
}

int __wrap_vasprintf(char **text, const char *format, va_list arguments)
{
	const int result = __real_vasprintf(text, format, arguments);
	if (result >= 0)
		note(*text);
	return result;
}

void dies_clean(void)
{
	for (unsigned at = 0; known_count && at < SLOTS; at++) {
		known_count -= known[at] != NULL;
		__real_free(known[at]);
		known[at] = NULL;
	}
	fflush(stdout);
}

void dies_begin(void)
{
	static bool begun;
	struct error error;
	if (known_count)
		memset(known, 0, sizeof(known)); /* what the caller has allocated is its own */
	known_count = 0;
	if (begun)
		return;
	begun = true;
	if (cjson_load(&error) || !freopen("/dev/null", "w", stdout))
		abort();
	cJSON_Hooks hooks = {__wrap_malloc, __wrap_free};
	void (*init)(cJSON_Hooks *) = NULL;
	*(void **)&init = dlsym(dlopen(LIBRARY_CJSON, RTLD_NOW), "cJSON_InitHooks");
	if (!init)
		abort();
	init(&hooks);
}

/* --- messages --- */

void die(const char *fmt, ...)
{
	(void)fmt;
	longjmp(dies_at, 1);
}

void say(const char *fmt, ...)
{
	char line[4096];
	va_list arguments;
	va_start(arguments, fmt);
	vsnprintf(line, sizeof(line), fmt, arguments);
	va_end(arguments);
}

/* Buffers of open_memstream(3), which no free was reached for, are not known here. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
