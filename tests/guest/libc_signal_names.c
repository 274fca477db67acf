/* SPDX-License-Identifier: MIT */
/* Signals in words: strsignal, sigabbrev_np, sigdescr_np, psignal, psiginfo. */
#include <signal.h>
#include <unistd.h>

#include "say.h"

static const char *text_of(const char *text)
{
	return text ? text : "none";
}

int main(void)
{
	siginfo_t info = {0};
	setvbuf(stdout, NULL, _IONBF, 0);
	dup2(STDOUT_FILENO, STDERR_FILENO);
	for (int sig = -1; sig <= 66; sig++) {
		printf("%d %s, %s, %s\n", sig, strsignal(sig), text_of(sigabbrev_np(sig)), text_of(sigdescr_np(sig)));
		psignal(sig, "psignal");
		info.si_signo = sig;
		info.si_pid = 77;
		info.si_uid = 5;
		static const int sources[] = {SI_USER,  SI_QUEUE, SI_TIMER,  SI_MESGQ, SI_ASYNCIO,
		                              SI_SIGIO, SI_TKILL, SI_KERNEL, 99,       -99};
		for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
			info.si_code = sources[i];
			psiginfo(&info, "psiginfo");
		}
		for (info.si_code = 1; info.si_code < 10; info.si_code++)
			if (sig != SIGFPE || info.si_code != FPE_FLTRES) /* glibc's text has a slip */
				psiginfo(&info, NULL);
	}
	psignal(SIGTTOU, NULL);
	psignal(SIGTTOU, "");
	psiginfo(&info, "");
	return 0;
}
