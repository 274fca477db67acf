/* SPDX-License-Identifier: MIT */
/* What kill.c and count_calls.c share: at which call of a program a signal is to be sent. */
#ifndef TESTS_SECURITY_MOMENT_H
#define TESTS_SECURITY_MOMENT_H

#include <stdint.h>

enum moment_state { MOMENT_AWAITED, MOMENT_COME, MOMENT_OVER };

struct moment {
	uint64_t wanted; /* the number of the call; 0: none */
	uint64_t calls;  /* so far */
	uint32_t state;  /* enum moment_state */
	uint32_t begun;  /* the first process counts */
	uint32_t all;    /* all processes count */
};

#endif
