/* SPDX-License-Identifier: MIT */
/* Makes system calls that are not implemented: with "tried", those that programs try; else one with a name, one
 * without, and one behind all numbers. */
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EPOLL_CTL_OLD 214

static void call(long number)
{
	errno = 0;
	long result = syscall(number, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66);
	printf("%ld: %ld %d\n", number, result, errno == ENOSYS);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		call(SYS_io_uring_setup);
		call(EPOLL_CTL_OLD);
		call(SYS_mq_open);
		call(EPOLL_CTL_OLD);
		return 0;
	}
	call(SYS_kexec_load);
	call(399);
	call(1000000);
	return 0;
}
