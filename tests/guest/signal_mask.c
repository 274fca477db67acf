/* SPDX-License-Identifier: MIT */
/* Blocked signals stay pending, once each, and are delivered in the order of their numbers when they are let through.
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "say.h"

static int depth, nested; /* nested: how often the handler has raised more */

static void show_set(const char *what, const sigset_t *set)
{
	printf("%s:", what);
	for (int i = 1; i < 32; i++)
		if (sigismember(set, i))
			printf(" %d", i);
	putchar('\n');
}

static void show_mask(const char *what)
{
	sigset_t set;
	sigprocmask(SIG_SETMASK, NULL, &set);
	show_set(what, &set);
}

static void show_pending(void)
{
	sigset_t set;
	sigpending(&set);
	show_set("pending", &set);
}

static void handler(int sig)
{
	printf("%*shandler of %d, depth %d\n", depth * 2, "", sig, depth);
	depth++;
	show_mask("  masked");
	if (sig == SIGUSR1 && nested++ == 0) {
		raise(SIGUSR1); /* waits for the end of this one */
		raise(SIGUSR2); /* at once, unless sa_mask holds it */
	}
	depth--;
}

static void set_handler(int sig, int flags, int masked)
{
	nested = 0;
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	if (masked)
		sigaddset(&action.sa_mask, masked);
	sigaction(sig, &action, NULL);
}

int main(void)
{
	sigset_t set, old;
	set_handler(SIGUSR1, 0, 0);
	set_handler(SIGUSR2, 0, 0);
	set_handler(SIGHUP, 0, 0);
	set_handler(SIGTERM, 0, 0);
	show_mask("at the start");
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGKILL);
	SAY(sigprocmask(SIG_BLOCK, &set, &old));
	show_set("before", &old);
	show_mask("now");
	for (int i = 0; i < 3; i++) {
		raise(SIGTERM);
		raise(SIGHUP);
	}
	show_pending();
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	SAY(sigprocmask(SIG_UNBLOCK, &set, NULL));
	show_pending();
	signal(SIGHUP, SIG_IGN);
	puts("ignored while it is pending:");
	show_pending();
	set_handler(SIGHUP, 0, 0);
	SAY(sigprocmask(SIG_SETMASK, &old, NULL));
	show_pending();

	puts("several at once, each interrupted by the next:");
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGTERM);
	raise(SIGHUP);
	raise(SIGUSR2);
	SAY(sigprocmask(SIG_SETMASK, &old, NULL));

	puts("raised in the handler:");
	raise(SIGUSR1);
	puts("with the other one in sa_mask:");
	set_handler(SIGUSR1, 0, SIGUSR2);
	raise(SIGUSR1);
	puts("SA_NODEFER:");
	set_handler(SIGUSR1, SA_NODEFER, 0);
	raise(SIGUSR1);
	puts("SA_RESETHAND:");
	set_handler(SIGUSR2, SA_RESETHAND, 0);
	raise(SIGUSR2);
	SAY_TRUE(signal(SIGUSR2, SIG_IGN) == SIG_DFL);
	show_mask("at the end");
	SAY(sigprocmask(99, &set, NULL));
	SAY(sigprocmask(99, NULL, NULL));
	return 0;
}
