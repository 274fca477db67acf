/* SPDX-License-Identifier: MIT */
/* Terminals: isatty, termios(3) and ioctl(2). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "abi/linux.h"
#include "libc-port/src/kernel.h"

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	va_start(args, request);
	void *arg = va_arg(args, void *);
	va_end(args);
	return (int)kernel_result(kcall_ioctl(fd, request, arg));
}

int isatty(int fd)
{
	struct linux_termios termios;
	return kernel_result(kcall_ioctl(fd, TCGETS, &termios)) == 0;
}

int tcgetattr(int fd, struct termios *termios)
{
	struct linux_termios from;
	if (kernel_result(kcall_ioctl(fd, TCGETS, &from)) < 0)
		return -1;
	memset(termios, 0, sizeof(*termios));
	memcpy(termios, &from, sizeof(from));
	termios->c_ispeed = termios->c_ospeed = from.c_cflag & 0010017;
	return 0;
}

int tcsetattr(int fd, int action, const struct termios *termios)
{
	struct linux_termios to;
	if (action < TCSANOW || action > TCSAFLUSH)
		return kernel_refuse(EINVAL);
	memcpy(&to, termios, sizeof(to));
	return (int)kernel_result(kcall_ioctl(fd, TCSETS + (unsigned long)action, &to));
}

int tcsendbreak(int fd, int)
{
	return (int)kernel_result(kcall_ioctl(fd, TCSBRK, NULL));
}

int tcdrain(int fd)
{
	return (int)kernel_result(kcall_ioctl(fd, TCSBRK, (void *)1));
}

int tcflush(int fd, int queue)
{
	return (int)kernel_result(kcall_ioctl(fd, TCFLSH, (void *)(long)queue));
}

int tcflow(int fd, int action)
{
	return (int)kernel_result(kcall_ioctl(fd, TCXONC, (void *)(long)action));
}

pid_t tcgetsid(int fd)
{
	int session;
	return ioctl(fd, TIOCGSID, &session) < 0 ? -1 : session;
}

pid_t tcgetpgrp(int fd)
{
	int group;
	return ioctl(fd, TIOCGPGRP, &group) < 0 ? -1 : group;
}

int tcsetpgrp(int fd, pid_t group)
{
	return ioctl(fd, TIOCSPGRP, &group);
}

speed_t cfgetispeed(const struct termios *termios)
{
	return termios->c_ispeed;
}

speed_t cfgetospeed(const struct termios *termios)
{
	return termios->c_ospeed;
}

int cfsetispeed(struct termios *termios, speed_t speed)
{
	termios->c_ispeed = speed;
	return 0;
}

int cfsetospeed(struct termios *termios, speed_t speed)
{
	if (speed & ~0010017U)
		return kernel_refuse(EINVAL);
	termios->c_ospeed = speed;
	termios->c_cflag = (termios->c_cflag & ~0010017U) | speed;
	return 0;
}

int cfsetspeed(struct termios *termios, speed_t speed)
{
	return cfsetospeed(termios, speed) < 0 ? -1 : cfsetispeed(termios, speed);
}

void cfmakeraw(struct termios *termios)
{
	termios->c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
	termios->c_oflag &= ~(tcflag_t)OPOST;
	termios->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	termios->c_cflag = (termios->c_cflag & ~(tcflag_t)(CSIZE | PARENB)) | CS8;
	termios->c_cc[VMIN] = 1;
	termios->c_cc[VTIME] = 0;
}

/* The only terminal is the console. Returns the error number. */
int ttyname_r(int fd, char *buf, size_t size)
{
	static const char name[] = "/dev/console";
	if (!isatty(fd))
		return errno;
	if (size < sizeof(name))
		return ERANGE;
	memcpy(buf, name, sizeof(name));
	return 0;
}

char *ttyname(int fd)
{
	static char name[16];
	int error = ttyname_r(fd, name, sizeof(name));
	return error ? kernel_refuse(error), NULL : name;
}

char *ctermid(char *buf)
{
	static char own[L_ctermid];
	return strcpy(buf ? buf : own, "/dev/tty");
}

/* Reads a line from standard input, without echo on a terminal. */
char *getpass(const char *prompt)
{
	static char line[256];
	struct termios before, quiet;
	int terminal = tcgetattr(STDIN_FILENO, &before) == 0;
	if (terminal) {
		quiet = before;
		quiet.c_lflag &= ~(tcflag_t)(ECHO | ISIG);
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
	}
	fputs(prompt, stderr);
	char *got = fgets(line, sizeof(line), stdin);
	if (got)
		line[strcspn(line, "\n")] = 0;
	if (terminal) {
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
		fputc('\n', stderr);
	}
	return got;
}
