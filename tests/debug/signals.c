/* SPDX-License-Identifier: MIT */
/* For gdb.test: a signal with a handler, one without, and a breakpoint of the program's own. */
#include <signal.h>
#include <stdio.h>

static void handle(int sig)
{
	printf("handler %d\n", sig);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0); /* a signal ends the program */
	signal(SIGUSR1, handle);
	raise(SIGUSR1);
	puts("one");
	raise(SIGUSR2);
	puts("two");
	__asm__ volatile("int3");
	puts("three");
	return 0;
}
