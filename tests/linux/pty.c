/* SPDX-License-Identifier: MIT */
/* Pseudo-terminals: names and locks, the line between both ends, modes, flow control, packet mode, poll and epoll, and
 * what is left when an end is closed. */
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "tests/guest/say.h"

static int master, slave;

static void open_pair(void)
{
	char name[64];
	master = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	grantpt(master);
	unlockpt(master);
	ptsname_r(master, name, sizeof(name));
	slave = open(name, O_RDWR | O_NOCTTY);
}

static void close_pair(void)
{
	close(master);
	close(slave);
}

/* Waits until something can be read, so that the host has carried it over. */
static void await(int fd)
{
	struct pollfd pollfd = {fd, POLLIN, 0};
	poll(&pollfd, 1, 10000);
}

/* Reads once and prints the bytes. */
static void get(const char *what, int fd, size_t most)
{
	unsigned char bytes[512];
	await(fd);
	ssize_t got = read(fd, bytes, most);
	printf("%s: %zd%s%s \"", what, got, got < 0 ? " " : "", got < 0 ? errno_name(errno) : "");
	for (ssize_t i = 0; i < got; i++)
		printf(bytes[i] < ' ' || bytes[i] > '~' ? "\\%o" : "%c", bytes[i]);
	printf("\"\n");
}

static void put(int fd, const char *text)
{
	ssize_t done = write(fd, text, strlen(text));
	if (done != (ssize_t)strlen(text))
		printf("write: %zd %s\n", done, done < 0 ? errno_name(errno) : "");
}

static int events_of(int fd)
{
	struct pollfd pollfd = {fd, POLLIN | POLLOUT | POLLPRI | POLLRDNORM | POLLWRNORM, 0};
	poll(&pollfd, 1, 0);
	return pollfd.revents;
}

static void set_nonblocking(int fd, int on)
{
	fcntl(fd, F_SETFL, on ? O_NONBLOCK : 0);
}

static void names(void)
{
	struct stat by_name, by_file, master_file;
	struct statfs fs;
	char name[64] = "", link[64] = "", path[64];
	int number = -1, lock = -1, on = 1, other;
	master = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	SAY_TRUE(master >= 0);
	SAY(ioctl(master, TIOCGPTN, &number));
	SAY(ioctl(master, TIOCGPTLCK, &lock));
	printf("locked: %d\n", lock);
	snprintf(path, sizeof(path), "/dev/pts/%d", number);
	SAY(open(path, O_RDWR | O_NOCTTY));
	SAY(ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY));
	SAY(grantpt(master));
	SAY(unlockpt(master));
	SAY(ptsname_r(master, name, sizeof(name)));
	SAY_TRUE(!strcmp(name, path));
	slave = open(name, O_RDWR | O_NOCTTY);
	SAY_TRUE(slave >= 0);
	SAY_TRUE(isatty(slave) && isatty(master));
	SAY_TRUE(!ttyname_r(slave, link, sizeof(link)) && !strcmp(link, name));
	stat(name, &by_name);
	fstat(slave, &by_file);
	fstat(master, &master_file);
	SAY_TRUE(by_name.st_dev == by_file.st_dev && by_name.st_ino == by_file.st_ino);
	SAY_TRUE(by_name.st_ino == (ino_t)number + 3 && by_name.st_rdev == (136 << 8 | (dev_t)number));
	SAY_TRUE(S_ISCHR(by_name.st_mode) && by_name.st_uid == geteuid());
	printf("links %ld, size %ld\n", (long)by_name.st_nlink, (long)by_name.st_size);
	printf("master: %lx\n", (long)master_file.st_rdev);
	SAY(fstatfs(slave, &fs));
	printf("%lx\n", (long)fs.f_type);
	SAY(fcntl(slave, F_GETFL) & ~O_LARGEFILE);
	other = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY);
	SAY_TRUE(other >= 0);
	close(other);
	SAY(ioctl(master, TIOCSPTLCK, &on));
	SAY(open(name, O_RDWR | O_NOCTTY));
	SAY(ioctl(slave, TIOCGPTN, &number));
	SAY(ioctl(slave, TIOCSPTLCK, &on));
	SAY(ioctl(slave, TIOCGPTPEER, O_RDWR));
	SAY(ioctl(slave, TIOCPKT, &on));
	SAY(lseek(slave, 0, SEEK_SET));
	SAY(lseek(master, 0, SEEK_SET));
	close_pair();
	SAY(access(name, F_OK));
}

static void settings(void)
{
	struct termios termios, raw;
	struct winsize size = {0}, set = {24, 80, 640, 480};
	int number = -1;
	open_pair();
	tcgetattr(slave, &termios);
	printf("%x %x %x %x\n", termios.c_iflag & ~IUTF8, termios.c_oflag, termios.c_cflag, termios.c_lflag);
	for (int i = 0; i < 17; i++)
		printf("%d ", termios.c_cc[i]);
	printf("\n");
	raw = termios;
	cfmakeraw(&raw);
	raw.c_cflag = 0;
	SAY(tcsetattr(master, TCSANOW, &raw));
	SAY(tcgetattr(slave, &termios));
	printf("%x %x %x %x\n", termios.c_iflag, termios.c_oflag, termios.c_cflag & (CSIZE | CREAD | PARENB),
	       termios.c_lflag);
	SAY(ioctl(slave, TIOCGWINSZ, &size));
	printf("%d %d\n", size.ws_row, size.ws_col);
	SAY(ioctl(master, TIOCSWINSZ, &set));
	SAY(ioctl(slave, TIOCGWINSZ, &size));
	printf("%d %d %d %d\n", size.ws_row, size.ws_col, size.ws_xpixel, size.ws_ypixel);
	SAY(ioctl(slave, TIOCGETD, &number));
	printf("discipline %d\n", number);
	SAY(ioctl(slave, TIOCOUTQ, &number));
	printf("queued %d\n", number);
	SAY(tcsendbreak(slave, 0));
	SAY(tcdrain(slave));
	SAY(ioctl(slave, TCFLSH, 7));
	SAY(ioctl(slave, TCXONC, 7));
	SAY(ioctl(master, TIOCGPGRP, &number));
	printf("in front %d\n", number);
	SAY(ioctl(master, TIOCGSID, &number));
	SAY(ioctl(slave, TIOCGPGRP, &number));
	SAY(ioctl(slave, TIOCGSID, &number));
	SAY(ioctl(slave, TIOCNOTTY, 0));
	number = getpgrp();
	SAY(ioctl(slave, TIOCSPGRP, &number));
	SAY(ioctl(slave, TIOCGWINSZ, (void *)8));
	SAY(ioctl(slave, 0x54ff, 0));
	SAY(ioctl(master, 0x54ff, 0));
	SAY(ioctl(master, TIOCSIG, SIGKILL));
	SAY(ioctl(master, TIOCSIG, SIGINT));
	close_pair();
}

static void change(int fd, int input, int output, int local, int on)
{
	struct termios termios;
	tcgetattr(fd, &termios);
	termios.c_iflag = on ? termios.c_iflag | input : termios.c_iflag & ~input;
	termios.c_oflag = on ? termios.c_oflag | output : termios.c_oflag & ~output;
	termios.c_lflag = on ? termios.c_lflag | local : termios.c_lflag & ~local;
	tcsetattr(fd, TCSANOW, &termios);
}

static void lines(void)
{
	int count = -1;
	open_pair();
	put(master, "one\ntwo\n");
	get("a line", slave, 100);
	get("half a line", slave, 2);
	get("the rest", slave, 100);
	get("echo", master, 100);
	put(master, "erx\177ased \027word\025new\n");
	get("edited", slave, 100);
	tcflush(master, TCIFLUSH);
	put(slave, "a\nb\tc");
	get("output", master, 100);
	put(master, "end\004");
	get("without a newline", slave, 100);
	put(master, "\004");
	get("end of file", slave, 100);
	tcflush(master, TCIFLUSH);
	put(master, "lost");
	get("echo", master, 100);
	SAY(tcflush(slave, TCIFLUSH));
	put(master, "kept\n");
	get("after a flush", slave, 100);
	tcflush(master, TCIFLUSH);
	change(slave, 0, 0, ICANON | ECHO, 0);
	put(master, "raw");
	await(slave);
	ioctl(slave, FIONREAD, &count);
	printf("unread %d\n", count);
	get("raw", slave, 100);
	change(slave, 0, OPOST, 0, 0);
	put(slave, "x\ny");
	await(master);
	ioctl(master, FIONREAD, &count);
	get("not processed", master, 100);
	set_nonblocking(master, 1);
	set_nonblocking(slave, 1);
	get("nothing at the master", master, 0);
	SAY(read(master, &count, 1));
	SAY(read(slave, &count, 1));
	close_pair();
}

static void flow(void)
{
	open_pair();
	put(master, "\023");
	for (int i = 0; i < 1000 && (events_of(slave) & POLLOUT); i++)
		usleep(1000);
	SAY(events_of(slave) & POLLOUT);
	set_nonblocking(slave, 1);
	SAY(write(slave, "x", 1));
	put(master, "\021");
	for (int i = 0; i < 1000 && !(events_of(slave) & POLLOUT); i++)
		usleep(1000);
	SAY(write(slave, "y", 1));
	get("flows", master, 10);
	SAY(tcflow(slave, TCOOFF));
	SAY(write(slave, "x", 1));
	SAY(tcflow(slave, TCOON));
	SAY(write(slave, "z", 1));
	get("flows", master, 10);
	SAY(tcflow(slave, TCIOFF));
	get("asked to stop", master, 10);
	SAY(tcflow(slave, TCION));
	get("asked to go on", master, 10);
	SAY(tcflow(slave, TCOOFF));
	change(slave, IXON, 0, 0, 0);
	SAY(write(slave, "x", 1));
	SAY(tcflow(slave, TCOON));
	put(master, "a\023b\n");
	get("without IXON", slave, 10);
	close_pair();
}

static void packets(void)
{
	int on = 1, off = 0, got = -1;
	open_pair();
	SAY(ioctl(master, TIOCGPKT, &got));
	printf("%d\n", got);
	SAY(ioctl(master, TIOCPKT, &on));
	SAY(ioctl(master, TIOCGPKT, &got));
	printf("%d\n", got);
	put(slave, "data");
	get("packet", master, 10);
	SAY(tcflush(slave, TCIFLUSH));
	SAY(events_of(master) & (POLLPRI | POLLIN));
	get("packet", master, 10);
	SAY(tcflush(slave, TCIOFLUSH));
	get("packet", master, 10);
	tcflow(slave, TCOOFF);
	get("packet", master, 10);
	tcflow(slave, TCOON);
	get("packet", master, 10);
	change(slave, IXON, 0, 0, 0);
	get("packet", master, 10);
	change(slave, IXON, 0, 0, 1);
	get("packet", master, 10);
	put(slave, "long data");
	get("packet", master, 3);
	get("packet", master, 1);
	get("packet", master, 10);
	SAY(ioctl(master, TIOCPKT, &off));
	put(slave, "x");
	get("no packet", master, 10);
	close_pair();
}

static void closed_slave(void)
{
	open_pair();
	change(slave, 0, 0, ECHO, 0);
	put(slave, "last");
	close(slave);
	get("last words", master, 10);
	get("then", master, 10);
	SAY(events_of(master));
	SAY(write(master, "x\n", 2));
	slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY);
	SAY_TRUE(slave >= 0);
	get("the line that waited", slave, 10);
	put(slave, "again");
	get("more", master, 10);
	close_pair();
}

static void closed_master(void)
{
	struct termios termios;
	struct epoll_event event = {.events = EPOLLIN};
	char byte, path[32];
	int number = getpgrp(), epoll = epoll_create1(0);
	open_pair();
	epoll_ctl(epoll, EPOLL_CTL_ADD, slave, &event);
	SAY(epoll_wait(epoll, &event, 1, 0));
	put(master, "unread\n");
	close(master);
	SAY(epoll_wait(epoll, &event, 1, -1));
	printf("events %x\n", event.events);
	SAY(events_of(slave));
	SAY(read(slave, &byte, 1));
	SAY(write(slave, "x", 1));
	SAY(tcgetattr(slave, &termios));
	SAY(ioctl(slave, TIOCSPGRP, &number));
	SAY(ioctl(slave, FIONREAD, &number));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", slave);
	SAY(open(path, O_RDWR));
	SAY(fcntl(slave, F_GETFL) & O_ACCMODE);
	close(slave);
	close(epoll);
}

/* A reader and a writer that wait are woken. */
static void waiting(void)
{
	char byte = 0;
	int status;
	open_pair();
	fflush(stdout);
	if (!fork()) {
		close(master);
		long got = read(slave, &byte, 1);
		printf("reader: %ld %c\n", got, byte);
		write(slave, &byte, 1);
		got = read(slave, &byte, 1);
		SAY_TRUE(read(slave, &byte, 1) <= 0); /* EIO if the host was still closing */
		exit(0);
	}
	put(master, "x\n");
	for (int i = 0; i < 4; i++)
		get("echo, byte by byte, and what the reader writes", master, 1);
	close(master);
	wait(&status);
	close(slave);
	open_pair();
	fflush(stdout);
	if (!fork()) {
		close(master);
		change(slave, 0, OPOST, 0, 0);
		for (int i = 0; i < 1000; i++)
			write(slave, "0123456789012345678901234567890123456789012345678901234567890123456789012345678",
			      80);
		exit(0);
	}
	close(slave);
	char bytes[1000];
	ssize_t got, total = 0;
	while ((got = read(master, bytes, sizeof(bytes))) > 0)
		total += got;
	printf("all: %zd, then %zd %s\n", total, got, errno_name(errno));
	close(master);
	wait(&status);
}

static void edges(void)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};
	int epoll = epoll_create1(0), other, other_slave;
	open_pair();
	other = master, other_slave = slave;
	open_pair();
	epoll_ctl(epoll, EPOLL_CTL_ADD, master, &event);
	put(other_slave, "not here");
	get("other", other, 20);
	SAY(epoll_wait(epoll, &event, 1, 0));
	put(slave, "here");
	SAY(epoll_wait(epoll, &event, 1, -1));
	SAY(epoll_wait(epoll, &event, 1, 0));
	close_pair();
	close(other);
	close(other_slave);
	close(epoll);
}

/* VMIN and VTIME, and what waits when the mode changes. */
static void counts(void)
{
	struct termios termios;
	open_pair();
	change(slave, 0, 0, ICANON | ECHO, 0);
	tcgetattr(slave, &termios);
	termios.c_cc[VMIN] = 3;
	tcsetattr(slave, TCSANOW, &termios);
	put(master, "ab");
	SAY(events_of(slave) & POLLIN);
	put(master, "c");
	get("three", slave, 10);
	termios.c_cc[VMIN] = 0;
	termios.c_cc[VTIME] = 1;
	tcsetattr(slave, TCSANOW, &termios);
	char byte;
	SAY(read(slave, &byte, 1));
	termios.c_cc[VTIME] = 0;
	tcsetattr(slave, TCSANOW, &termios);
	SAY(read(slave, &byte, 1));
	put(master, "typed before");
	await(slave);
	change(slave, 0, 0, ICANON, 1);
	get("as a line", slave, 100);
	put(master, "half");
	usleep(20000);
	change(slave, 0, 0, ICANON, 0);
	get("as bytes", slave, 100);
	close_pair();
}

int main(void)
{
	signal(SIGHUP, SIG_IGN);
	names();
	settings();
	lines();
	flow();
	packets();
	closed_slave();
	closed_master();
	waiting();
	edges();
	counts();
	return 0;
}
