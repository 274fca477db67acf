/* SPDX-License-Identifier: MIT */
/* Pseudo-terminals: both ends, modes, job control and all kinds of bytes. */
#include <asm/termbits.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/fuzz/guest/calls.h"

static void open_pair(void)
{
	char name[32];
	int number = 0, unlock = CALLS_RARELY(8);
	int master =
		calls_keep(open("/dev/ptmx", O_RDWR | O_NONBLOCK | (int)calls_flags(O_NOCTTY | O_CLOEXEC | O_ASYNC)));
	ioctl(master, TIOCSPTLCK, &unlock);
	if (CALLS_RARELY(2)) {
		calls_keep(ioctl(master, TIOCGPTPEER, O_RDWR | O_NONBLOCK | calls_flags(O_NOCTTY | O_CLOEXEC)));
		return;
	}
	ioctl(master, TIOCGPTN, &number);
	snprintf(name, sizeof(name), "/dev/pts/%d", CALLS_RARELY(8) ? (int)calls_below(20) : number);
	calls_keep(open(name, (int)(O_RDWR | calls_flags(O_NONBLOCK | O_NOCTTY | O_CLOEXEC))));
}

static void set_modes(void)
{
	struct termios2 modes;
	int fd = calls_fd();
	if (ioctl(fd, TCGETS2, &modes) < 0)
		return;
	unsigned char *bytes = (unsigned char *)&modes;
	for (unsigned i = calls_below(6); i > 0; i--)
		bytes[calls_below(sizeof(modes))] = (unsigned char)calls_random();
	modes.c_lflag ^= (unsigned)calls_flags(ICANON | ECHO | ECHOE | ECHOK | ECHONL | ECHOCTL | ECHOKE | ISIG |
	                                       IEXTEN | NOFLSH | TOSTOP | EXTPROC | FLUSHO);
	modes.c_iflag ^= (unsigned)calls_flags(ICRNL | INLCR | IGNCR | IXON | IXOFF | IXANY | ISTRIP | PARMRK | INPCK |
	                                       IUCLC | IUTF8 | IMAXBEL | BRKINT);
	modes.c_oflag ^= (unsigned)calls_flags(OPOST | ONLCR | OCRNL | ONOCR | ONLRET | OLCUC | TABDLY);
	if (CALLS_RARELY(2))
		modes.c_cc[VMIN] = (unsigned char)calls_below(4), modes.c_cc[VTIME] = (unsigned char)calls_below(2);
	ioctl(fd, (unsigned long)CALLS_ONE_OF(TCSETS2, TCSETSW2, TCSETSF2, TCSETS, TCSETSW, TCSETSF), &modes);
}

/* Bytes that the line acts on: erase, kill, word erase, end, quote, flow control, signals, tabs, UTF-8. */
static void write_keys(void)
{
	static const char keys[] =
		"ab \t\n\r\003\004\021\023\025\026\027\022\032\034\177\b\0\377\303\244\342\202\254\033";
	unsigned char *room = calls_room();
	unsigned count = calls_below(CALLS_RARELY(10) ? 9000 : 40);
	for (unsigned i = 0; i < count; i++)
		room[i] = (unsigned char)keys[calls_below(sizeof(keys))];
	write(calls_fd(), CALLS_RARELY(20) ? calls_memory(count) : room, count);
}

static void control(void)
{
	unsigned long request =
		CALLS_RARELY(3)
			? 0x5400 + calls_below(0x80)
			: (unsigned long)CALLS_ONE_OF(TIOCGWINSZ, TIOCSWINSZ, TIOCPKT, TIOCGPKT, TIOCSTI, TIOCSCTTY,
	                                              TIOCNOTTY, TIOCGPGRP, TIOCGSID, TIOCOUTQ, TIOCINQ, TCFLSH, TCXONC,
	                                              TCSBRK, TCSBRKP, TIOCEXCL, TIOCNXCL, TIOCGEXCL, TIOCGPTLCK,
	                                              TIOCSPTLCK, TIOCSIG, TIOCSETD, TIOCGETD, FIONBIO, FIOASYNC,
	                                              TIOCGPTPEER, TIOCCONS, TIOCVHANGUP);
	if (CALLS_RARELY(2))
		ioctl(calls_fd(), request, calls_memory(64));
	else
		ioctl(calls_fd(), request, calls_number());
}

static void job_control(void)
{
	pid_t group = CALLS_RARELY(4) ? (pid_t)calls_number() : getpgrp();
	switch (calls_below(6)) {
	case 0:
		setsid();
		break;
	case 1:
		setpgid(0, CALLS_RARELY(4) ? group : 0);
		break;
	case 2:
		ioctl(calls_fd(), TIOCSPGRP, &group);
		break;
	case 3:
		ioctl(calls_fd(), TIOCSCTTY, calls_below(2));
		break;
	case 4:
		calls_keep(open("/dev/tty", O_RDWR | O_NONBLOCK));
		break;
	default:
		vhangup();
		break;
	}
}

void calls_terminal(void)
{
	switch (calls_below(12)) {
	case 0:
	case 1:
		open_pair();
		break;
	case 2:
	case 3:
		set_modes();
		break;
	case 4:
	case 5:
	case 6:
		write_keys();
		break;
	case 7:
	case 8: {
		size_t size = calls_below(CALLS_RARELY(8) ? 10000 : 64);
		read(calls_fd(), calls_memory(size), size);
		break;
	}
	case 9:
	case 10:
		control();
		break;
	default:
		job_control();
		break;
	}
}
