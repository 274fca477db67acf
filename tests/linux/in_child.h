/* SPDX-License-Identifier: MIT */
/* Does something in a child, and waits for it. */
#ifndef TESTS_LINUX_IN_CHILD_H
#define TESTS_LINUX_IN_CHILD_H

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void in_child(void (*what)(void))
{
	fflush(stdout);
	if (!fork()) {
		what();
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
}

#endif
