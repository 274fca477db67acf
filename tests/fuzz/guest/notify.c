/* SPDX-License-Identifier: MIT */
/* inotify: watches that come and go while files do, and readers of too little. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/guest/calls.h"

static void change_files(void)
{
	char from[64], to[64];
	calls_path(from);
	calls_path(to);
	switch (calls_below(14)) {
	case 0:
	case 1:
		calls_keep(open(from, (int)(O_CREAT | O_RDWR | calls_flags(O_TRUNC | O_EXCL | O_APPEND | O_CLOEXEC)),
		                0644));
		break;
	case 2:
	case 3:
		renameat2(AT_FDCWD, from, AT_FDCWD, to, CALLS_RARELY(3) ? (unsigned)calls_flags(7) : 0);
		break;
	case 4:
		unlink(from);
		break;
	case 5:
		mkdir(from, 0755);
		break;
	case 6:
		rmdir(from);
		break;
	case 7:
		link(from, to);
		break;
	case 8:
		symlink(to, from);
		break;
	case 9:
		truncate(from, (long)calls_below(10000));
		break;
	case 10:
		chmod(from, calls_below(0777) | 0600);
		break;
	case 11:
		utimensat(AT_FDCWD, from, NULL, (int)calls_flags(AT_SYMLINK_NOFOLLOW));
		break;
	case 12:
		mkdir("d", 0755);
		break;
	default:
		write(calls_fd(), from, calls_below(60));
		break;
	}
}

static void watch(void)
{
	char path[64];
	const char *place =
		CALLS_RARELY(3) ? (const char *)(CALLS_RARELY(8) ? calls_memory(16) : ".") : calls_path(path);
	if (CALLS_RARELY(16))
		place = CALLS_RARELY(2) ? "/proc/self" : "/dev/pts";
	uint32_t mask = (uint32_t)calls_flags(IN_ALL_EVENTS | IN_ONESHOT | IN_MASK_ADD | IN_MASK_CREATE | IN_ONLYDIR |
	                                      IN_DONT_FOLLOW | IN_EXCL_UNLINK);
	inotify_add_watch(calls_fd(), place, CALLS_RARELY(3) ? mask : mask | IN_ALL_EVENTS);
}

void calls_notify(void)
{
	size_t size = CALLS_RARELY(4) ? calls_below(40) : calls_below(5000);
	int waiting;
	switch (calls_below(12)) {
	case 0:
		calls_keep(inotify_init1((int)(IN_NONBLOCK | calls_flags(IN_CLOEXEC))));
		break;
	case 1:
	case 2:
	case 3:
		watch();
		break;
	case 4:
		inotify_rm_watch(calls_fd(), CALLS_RARELY(4) ? (int)calls_number() : (int)calls_below(12));
		break;
	case 5:
		read(calls_fd(), calls_memory(size), size);
		break;
	case 6:
		ioctl(calls_fd(), FIONREAD, CALLS_RARELY(8) ? calls_memory(4) : &waiting);
		break;
	default:
		change_files();
		break;
	}
}
