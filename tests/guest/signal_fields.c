/* SPDX-License-Identifier: MIT */
/* What a handler is told: siginfo of each kind of signal, the interrupted mask, and the old action. */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "say.h"

static void show(int sig, siginfo_t *info, void *context)
{
	const char *code = info->si_code == SI_USER     ? "SI_USER"
	                   : info->si_code == SI_TKILL  ? "SI_TKILL"
	                   : info->si_code == SI_KERNEL ? "SI_KERNEL"
	                                                : "another";
	printf("signal %d: si_signo %d, si_code %s, si_errno %d", sig, info->si_signo, code, info->si_errno);
	if (info->si_code == SI_USER || info->si_code == SI_TKILL)
		printf(", si_pid %s, si_uid %s", info->si_pid == getpid() ? "own" : "OTHER",
		       info->si_uid == getuid() ? "own" : "OTHER");
	printf(", context %s\n", context ? "given" : "MISSING");
}

static void plain(int sig)
{
	printf("plain handler of %d\n", sig);
}

static void show_action(const char *what, int sig)
{
	struct sigaction action;
	sigaction(sig, NULL, &action);
	printf("%s: %s%s%s%s%s, masks", what,
	       action.sa_flags & SA_SIGINFO   ? "three arguments"
	       : action.sa_handler == SIG_DFL ? "default"
	       : action.sa_handler == SIG_IGN ? "ignored"
	                                      : "one argument",
	       action.sa_flags & SA_RESTART ? ", restart" : "", action.sa_flags & SA_NODEFER ? ", nodefer" : "",
	       action.sa_flags & SA_RESETHAND ? ", resethand" : "", action.sa_flags & SA_ONSTACK ? ", onstack" : "");
	for (int i = 1; i < 32; i++)
		if (sigismember(&action.sa_mask, i))
			printf(" %d", i);
	putchar('\n');
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = show, .sa_flags = SA_SIGINFO};
	static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGUSR1, SIGUSR2,
	                              SIGPIPE, SIGTERM, SIGCHLD, SIGALRM, SIGURG};
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		SAY(sigaction(signals[i], &action, NULL));
		SAY(kill(getpid(), signals[i]));
		SAY(raise(signals[i]));
	}
	struct itimerval timer = {.it_value = {0, 1000}};
	SAY(setitimer(ITIMER_REAL, &timer, NULL));
	SAY(pause());

	show_action("SIGUSR1", SIGUSR1);
	show_action("SIGWINCH", SIGWINCH);
	sigaddset(&action.sa_mask, SIGHUP);
	sigaddset(&action.sa_mask, SIGTERM);
	action.sa_flags |= SA_RESTART | SA_NODEFER | SA_ONSTACK;
	SAY(sigaction(SIGUSR1, &action, NULL));
	show_action("SIGUSR1", SIGUSR1);
	SAY_TRUE(signal(SIGUSR2, plain) != SIG_ERR);
	SAY(raise(SIGUSR2));
	SAY_TRUE(signal(SIGUSR2, SIG_IGN) == plain);
	SAY(raise(SIGUSR2));
	SAY_TRUE(signal(SIGUSR2, SIG_DFL) == SIG_IGN);

	SAY(sigaction(SIGKILL, &action, NULL));
	SAY(sigaction(SIGSTOP, &action, NULL));
	SAY(sigaction(0, &action, NULL));
	SAY(sigaction(1000, &action, NULL));
	SAY_TRUE(signal(SIGKILL, plain) == SIG_ERR);
	SAY(kill(getpid(), 0));
	SAY(kill(getpid(), 1000));
	SAY(kill(999999, 0));
	SAY(raise(1000));
	SAY(raise(SIGCONT));
	SAY(raise(SIGWINCH));
	return 0;
}
