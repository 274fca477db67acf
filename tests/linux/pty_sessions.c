/* SPDX-License-Identifier: MIT */
/* Controlling terminals: who gets one and loses it, /dev/tty, process groups in front and behind, keys that make
 * signals, window sizes, and what a hang-up does to a session. */
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "tests/guest/say.h"

static int master, to_parent[2], to_child[2];
static char name[64];

static volatile sig_atomic_t last_signal;

static void note(int sig)
{
	last_signal = sig;
}

/* A child that does not outlive the test if something hangs. */
static pid_t spawn(void)
{
	pid_t child = fork();
	if (!child)
		alarm(30);
	return child;
}

/* Two processes take turns, so that output has one order. */
static void go(int fd)
{
	write(fd, "", 1);
}

static void turn(int fd)
{
	char byte;
	while (read(fd, &byte, 1) < 0)
		;
}

static void wait_for_signal(void)
{
	sigset_t none;
	sigemptyset(&none);
	while (!last_signal)
		sigsuspend(&none);
	printf("signal: %s\n", strsignal(last_signal));
	last_signal = 0;
}

/* Handles signals only inside wait_for_signal. */
static void handle(int sig)
{
	sigset_t set;
	const struct sigaction action = {.sa_handler = note};
	sigaction(sig, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void tell(const char *what, pid_t child, int options)
{
	int status = 0;
	pid_t told = waitpid(child, &status, options);
	printf("%s: ", what);
	if (told != child)
		printf("%s\n", told ? errno_name(errno) : "nothing");
	else if (WIFSTOPPED(status))
		printf("stopped by %s\n", strsignal(WSTOPSIG(status)));
	else if (WIFSIGNALED(status))
		printf("died of %s\n", strsignal(WTERMSIG(status)));
	else if (WIFCONTINUED(status))
		printf("goes on\n");
	else
		printf("exited with %d\n", WEXITSTATUS(status));
}

static void new_master(void)
{
	master = posix_openpt(O_RDWR | O_NOCTTY);
	grantpt(master);
	unlockpt(master);
	ptsname_r(master, name, sizeof(name));
	pipe(to_parent);
	pipe(to_child);
}

/* Runs a body as the leader of a session without a terminal. */
static pid_t start(void (*body)(void))
{
	fflush(stdout);
	pid_t child = spawn();
	if (!child) {
		setsid();
		body();
		fflush(stdout);
		_exit(0);
	}
	return child;
}

static void run(const char *what, void (*body)(void))
{
	printf("--- %s\n", what);
	new_master();
	tell("it", start(body), 0);
	close(master);
}

static long tty_number(void)
{
	int number = -1, front = -2;
	FILE *from = fopen("/proc/self/stat", "r");
	fscanf(from, "%*d (%*[^)]) %*c %*d %*d %*d %d %d", &number, &front);
	fclose(from);
	return number ? front : number;
}

static void acquires(void)
{
	int number, got = -1, fd;
	SAY(open("/dev/tty", O_RDWR));
	SAY(tty_number());
	fd = open(name, O_RDWR | O_NOCTTY);
	SAY(ioctl(fd, TIOCGPGRP, &got));
	SAY(ioctl(fd, TIOCGSID, &got));
	SAY(tcgetsid(fd));
	SAY_TRUE(open("/dev/tty", O_RDWR) < 0);
	SAY(ioctl(fd, TIOCSCTTY, 0));
	SAY(ioctl(fd, TIOCSCTTY, 0));
	SAY_TRUE(tcgetpgrp(fd) == getpid() && tcgetsid(fd) == getpid() && tcgetpgrp(master) == getpid());
	SAY_TRUE(tcgetsid(master) == getpid());
	SAY_TRUE(tty_number() == getpid());
	number = open("/dev/tty", O_RDWR);
	SAY_TRUE(number >= 0 && isatty(number));
	struct stat st;
	fstat(number, &st);
	printf("%lx\n", (long)st.st_rdev);
	char which[64] = "";
	SAY(ttyname_r(number, which, sizeof(which)));
	printf("%s\n", which);
	got = 0x7ffffff;
	SAY(ioctl(fd, TIOCSPGRP, &got));
	got = -1;
	SAY(ioctl(fd, TIOCSPGRP, &got));
	got = getppid();
	SAY(ioctl(fd, TIOCSPGRP, &got));
	int other = posix_openpt(O_RDWR);
	SAY(ioctl(other, TIOCSCTTY, 0));
	signal(SIGHUP, SIG_IGN);
	SAY(ioctl(number, TIOCNOTTY, 0));
	SAY(open("/dev/tty", O_RDWR));
	SAY_TRUE(tcgetsid(fd) == -1);
	SAY_TRUE(open(name, O_WRONLY) >= 0);
	SAY(open("/dev/tty", O_RDWR));
	SAY_TRUE(open(name, O_RDWR) >= 0);
	SAY_TRUE(open("/dev/tty", O_RDWR) >= 0);
	fflush(stdout);
	pid_t child = spawn();
	if (!child) {
		SAY_TRUE(open("/dev/tty", O_RDWR) >= 0);
		SAY(ioctl(fd, TIOCNOTTY, 0));
		SAY_TRUE(open("/dev/tty", O_RDWR) >= 0);
		SAY(ioctl(fd, TIOCSCTTY, 0));
		setsid();
		SAY(ioctl(fd, TIOCSCTTY, 0));
		SAY_TRUE(open("/dev/tty", O_RDWR) >= 0);
		fflush(stdout);
		_exit(0);
	}
	tell("child", child, 0);
	SAY_TRUE(open("/dev/tty", O_RDWR) >= 0);
}

static void in_group(void)
{
	setpgid(0, 0);
	go(to_parent[1]);
	turn(to_child[0]);
}

static void controls_jobs(void)
{
	char bytes[10];
	int fd = open(name, O_RDWR);
	struct termios termios;
	fflush(stdout);
	pid_t child = spawn();
	if (!child) {
		in_group();
		ssize_t got = read(fd, bytes, sizeof(bytes));
		go(to_parent[1]);
		turn(to_child[0]);
		printf("read %zd\n", got);
		tcgetattr(fd, &termios);
		SAY(write(fd, "x", 1));
		signal(SIGTTIN, SIG_IGN);
		signal(SIGTTOU, SIG_IGN);
		SAY(read(fd, bytes, 1));
		SAY(tcsetattr(fd, TCSANOW, &termios));
		SAY(tcsetpgrp(fd, getpid()));
		fflush(stdout);
		go(to_parent[1]);
		turn(to_child[0]);
		_exit(3);
	}
	turn(to_parent[0]);
	go(to_child[1]);
	tell("reads", child, WUNTRACED);
	SAY(tcsetpgrp(fd, child));
	write(master, "in\n", 3);
	kill(-child, SIGCONT);
	tell("after SIGCONT", child, WCONTINUED);
	/* it has read in front; now it is behind */
	signal(SIGTTOU, SIG_IGN);
	turn(to_parent[0]);
	SAY(tcsetpgrp(fd, getpid()));
	go(to_child[1]);
	turn(to_parent[0]);
	SAY_TRUE(tcgetpgrp(fd) == child);
	SAY(tcsetpgrp(fd, getpid()));
	SAY_TRUE(tcgetpgrp(fd) == getpid());
	go(to_child[1]);
	tell("child", child, 0);
}

static void stops_when_writing(void)
{
	struct termios termios;
	int fd = open(name, O_RDWR);
	tcgetattr(fd, &termios);
	termios.c_lflag |= TOSTOP;
	tcsetattr(fd, TCSANOW, &termios);
	fflush(stdout);
	pid_t child = spawn();
	if (!child) {
		in_group();
		SAY(write(fd, "x", 1));
		fflush(stdout);
		_exit(4);
	}
	turn(to_parent[0]);
	go(to_child[1]);
	tell("writes", child, WUNTRACED);
	SAY(tcsetpgrp(fd, child));
	kill(-child, SIGCONT);
	tell("child", child, 0);
	/* the group in front has gone */
	SAY(write(fd, "", 0));
	signal(SIGTTOU, SIG_IGN);
	SAY(tcsetpgrp(fd, getpid()));
}

static void is_orphan(void)
{
	int fd = open(name, O_RDWR);
	fflush(stdout);
	pid_t child = spawn();
	if (!child) {
		in_group();
		pid_t grandchild = spawn();
		if (!grandchild) {
			char byte;
			turn(to_child[0]);
			SAY(read(fd, &byte, 1));
			SAY(tcsetpgrp(fd, getpgrp()));
			fflush(stdout);
			go(to_parent[1]);
		}
		_exit(0);
	}
	turn(to_parent[0]);
	go(to_child[1]);
	tell("child", child, 0);
	go(to_child[1]);
	turn(to_parent[0]);
}

static void gets_signals(void)
{
	struct winsize size = {.ws_row = 30, .ws_col = 100};
	const int signals[] = {SIGINT, SIGQUIT, SIGTSTP, SIGWINCH};
	int fd = open(name, O_RDWR);
	for (int i = 0; i < 4; i++)
		handle(signals[i]);
	write(master, "\003", 1);
	wait_for_signal();
	write(master, "\034", 1);
	wait_for_signal();
	write(master, "\032", 1);
	wait_for_signal();
	ioctl(master, TIOCSWINSZ, &size);
	wait_for_signal();
	ioctl(fd, TIOCSWINSZ, &size);
	ioctl(master, TIOCSIG, SIGINT);
	wait_for_signal();
	fflush(stdout);
	pid_t child = spawn();
	if (!child) {
		in_group();
		wait_for_signal();
		fflush(stdout);
		_exit(5);
	}
	turn(to_parent[0]);
	tcsetpgrp(fd, child);
	go(to_child[1]);
	write(master, "\003", 1);
	tell("only the group in front", child, 0);
	SAY(last_signal);
}

static void hears_hang_up(void)
{
	int fd = open(name, O_RDWR);
	char byte;
	handle(SIGHUP);
	handle(SIGCONT);
	go(to_parent[1]);
	sigset_t none;
	sigemptyset(&none);
	while (!last_signal)
		sigsuspend(&none);
	SAY(read(fd, &byte, 1));
	SAY(write(fd, &byte, 1));
	SAY(open("/dev/tty", O_RDWR));
	SAY(tty_number());
}

static void leaves_a_group(void)
{
	int fd = open(name, O_RDWR);
	fflush(stdout);
	pid_t child = spawn();
	if (!child) {
		handle(SIGHUP);
		in_group();
		wait_for_signal();
		SAY(open("/dev/tty", O_RDWR));
		SAY_TRUE(write(fd, "still open\n", 11) == 11);
		fflush(stdout);
		go(to_parent[1]);
		_exit(0);
	}
	turn(to_parent[0]);
	SAY(tcsetpgrp(fd, child));
	go(to_child[1]);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	alarm(60);
	run("a terminal is acquired and given up", acquires);
	run("a group behind stops when it reads", controls_jobs);
	run("a group behind stops when it writes (TOSTOP)", stops_when_writing);
	run("an orphaned group gets errors", is_orphan);
	run("keys and sizes send signals", gets_signals);
	printf("--- the master is closed\n");
	new_master();
	pid_t leader = spawn();
	if (!leader) {
		close(master);
		setsid();
		hears_hang_up();
		fflush(stdout);
		_exit(0);
	}
	turn(to_parent[0]);
	close(master);
	tell("leader", leader, 0);
	printf("--- the leader ends\n");
	new_master();
	leader = start(leaves_a_group);
	waitpid(leader, NULL, 0);
	turn(to_parent[0]);
	char bytes[100];
	ssize_t got = read(master, bytes, sizeof(bytes));
	printf("%.*s", (int)got, bytes);
	got = read(master, bytes, sizeof(bytes));
	printf("%zd %s\n", got, errno_name(errno));
	return 0;
}
