/* SPDX-License-Identifier: MIT */
/* For gdb.test: a null pointer; with an argument, a handler for it. */
#include <setjmp.h>
#include <signal.h>

static volatile int *volatile pointer;
static sigjmp_buf back;

static void handle(int sig)
{
	siglongjmp(back, sig);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		signal(SIGSEGV, handle);
	if (sigsetjmp(back, 1))
		return 7;
	*pointer = 1;
	return 0;
}
