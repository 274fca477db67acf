/* SPDX-License-Identifier: MIT */
/* SIGIO for the owner of a terminal when input comes: O_ASYNC and FIOASYNC on both sides of a pseudo-terminal. */
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define CHOSEN (SIGRTMIN + 1)

static sigset_t wanted;

/* Linux types what was written to a master a little later. */
static void await_input(int fd)
{
	struct pollfd pollfd = {.fd = fd, .events = POLLIN};
	poll(&pollfd, 1, -1);
}

static void tell(const char *when)
{
	siginfo_t info;
	int count = 0;
	const struct timespec soon = {.tv_nsec = 20000000};
	while (sigtimedwait(&wanted, &info, &soon) > 0 && count++ < 5)
		printf("%s: %s, code %x, band %lx, fd %s\n", when, info.si_signo == SIGIO ? "SIGIO" : "chosen",
		       (unsigned int)info.si_code, info.si_signo == SIGIO ? 0 : info.si_band,
		       info.si_signo == SIGIO || info.si_fd > 2 ? "fits" : "odd");
	if (!count)
		printf("%s: none\n", when);
}

static void take(const char *what, int fd)
{
	char text[64];
	ssize_t got = read(fd, text, sizeof(text));
	printf("%s: %zd bytes\n", what, got);
}

static void own(const char *what, int fd)
{
	int owner = fcntl(fd, F_GETOWN);
	printf("%s: owner %s\n", what, owner == getpid() ? "self" : owner ? "other" : "none");
}

static void type(int master, int terminal, const char *text)
{
	if (write(master, text, strlen(text)) > 0)
		await_input(terminal);
}

static void terminal_side(int master, int terminal)
{
	int on = 1, off = 0;
	type(master, terminal, "zero\n");
	tell("before");
	take("terminal", terminal);
	own("before", terminal);
	printf("O_ASYNC %d\n", fcntl(terminal, F_SETFL, fcntl(terminal, F_GETFL) | O_ASYNC));
	own("after", terminal);
	type(master, terminal, "one\n");
	tell("a line");
	take("terminal", terminal);
	tell("after a read");
	printf("F_SETSIG %d\n", fcntl(terminal, F_SETSIG, CHOSEN));
	type(master, terminal, "two\n");
	tell("a line, F_SETSIG");
	take("terminal", terminal);
	printf("FIOASYNC %d\n", ioctl(terminal, FIOASYNC, &off));
	type(master, terminal, "three\n");
	tell("without");
	take("terminal", terminal);
	printf("FIOASYNC %d\n", ioctl(terminal, FIOASYNC, &on));
	printf("flag %d\n", (fcntl(terminal, F_GETFL) & O_ASYNC) != 0);
	type(master, terminal, "four\n");
	tell("again");
	take("terminal", terminal);
	ioctl(terminal, FIOASYNC, &off);
}

static void master_side(int master, int terminal)
{
	printf("master: O_ASYNC %d\n", fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_ASYNC));
	own("master", master);
	if (write(terminal, "five", 4) > 0)
		await_input(master);
	tell("output");
	take("master", master);
	tell("after a read");
	printf("F_SETOWN %d\n", fcntl(master, F_SETOWN, 0));
	if (write(terminal, "six", 3) > 0)
		await_input(master);
	tell("without an owner");
	take("master", master);
}

int main(void)
{
	int master, terminal;
	struct termios settings;
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGIO);
	sigaddset(&wanted, CHOSEN);
	sigprocmask(SIG_BLOCK, &wanted, NULL);
	if (openpty(&master, &terminal, NULL, NULL, NULL))
		return 1;
	tcgetattr(terminal, &settings);
	settings.c_lflag &= (tcflag_t)~ECHO;
	tcsetattr(terminal, TCSANOW, &settings);
	terminal_side(master, terminal);
	settings.c_lflag &= (tcflag_t)~ICANON;
	tcsetattr(terminal, TCSANOW, &settings);
	printf("F_SETSIG %d\n", fcntl(terminal, F_SETSIG, 0));
	fcntl(terminal, F_SETFL, fcntl(terminal, F_GETFL) | O_ASYNC);
	type(master, terminal, "x");
	tell("a byte without ICANON");
	take("terminal", terminal);
	fcntl(terminal, F_SETFL, fcntl(terminal, F_GETFL) & ~O_ASYNC);
	master_side(master, terminal);
	return 0;
}
