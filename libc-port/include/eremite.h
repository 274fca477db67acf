/* SPDX-License-Identifier: MIT */
/* What a program may tell Eremite. It is a header for native images and for Linux programs alike, and does nothing
 * where the program runs natively. */
#ifndef EREMITE_H
#define EREMITE_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __EREMITE__

/** Names a point of the program, for `eremite run --from marker:NAME`: the scheduling policy starts there. */
void eremite_marker(const char *name);

#else

static inline void eremite_marker(const char *name)
{
	long number = 400; /* Linux has no such system call: it fails with ENOSYS */
	__asm__ volatile("syscall" : "+a"(number) : "D"(name) : "rcx", "r11", "memory");
}

#endif

#ifdef __cplusplus
}
#endif

#endif
