/* SPDX-License-Identifier: MIT */
/* REG_TRAPNO counts only if it agrees with the signal. Linux does not set it when it refuses a process the use of AMX
 * (SIGILL for exception 7). With the number of an earlier page fault, the stub would map that page again, and the
 * instruction would trap for ever. */
#include "engine/process/stub/vector.h"

#include <signal.h>

#define VECTORS 32U

unsigned vector_of(int signal, int code, unsigned trap)
{
	if (signal == SIGILL)
		return VECTOR_UNDEFINED;
	if (trap == VECTOR_PAGE_FAULT && (signal != SIGSEGV || code == SI_KERNEL))
		return VECTOR_PROTECTION;
	return trap < VECTORS && trap != VECTOR_UNDEFINED ? trap : VECTOR_PROTECTION;
}
