/* SPDX-License-Identifier: MIT */
/* The login user and session of a process in /proc: set once without rights, as pam_loginuid(8) does for cron and sshd,
 * kept by execve(2), inherited, and one's own only. A host may lack them, or have set them for this test. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define CAPABILITIES_VERSION 0x20080522U

static const char *slurp(const char *path)
{
	static char text[64];
	int fd = open(path, O_RDONLY);
	ssize_t bytes = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	text[bytes < 0 ? 0 : bytes] = 0;
	close(fd);
	return text;
}

static uint32_t session(void)
{
	return (uint32_t)strtoul(slurp("/proc/self/sessionid"), NULL, 10);
}

static const char *put(const char *path, const char *text)
{
	int fd = open(path, O_RDWR | O_NOFOLLOW);
	assert(fd >= 0);
	ssize_t bytes = write(fd, text, strlen(text));
	int error = errno;
	close(fd);
	return bytes == (ssize_t)strlen(text) ? "written" : strerrorname_np(error);
}

static void drop_capabilities(void)
{
	uint32_t header[2] = {CAPABILITIES_VERSION, 0}, none[6] = {0};
	assert(!syscall(SYS_capset, header, none));
}

static int wait_for_child(void)
{
	int status;
	assert(wait(&status) > 0);
	return status;
}

/* What the program must print, also natively. */
static void check(void)
{
	static const char *const bad[] = {"x", "-1", "4294967296", "1x"};
	char other[40];
	drop_capabilities();
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert(strcmp(put("/proc/self/loginuid", bad[i]), "written"));
	snprintf(other, sizeof(other), "/proc/%d/loginuid", getpid());
	assert(session() == UINT32_MAX);
	if (!fork()) {
		assert(open(other, O_WRONLY) < 0 || !strcmp(put(other, "5"), "EPERM"));
		_exit(0);
	}
	assert(!wait_for_child());
	assert(!strcmp(put("/proc/self/loginuid", "1000\n"), "written"));
	assert(!strcmp(slurp("/proc/self/loginuid"), "1000"));
	assert(!strcmp(put("/proc/self/loginuid", "1001"), "EPERM"));
	uint32_t first = session();
	assert(first != UINT32_MAX);
	if (!fork()) {
		assert(session() == first);
		execl("/proc/self/exe", "any", "child", NULL);
	}
	assert(!wait_for_child());
}

int main(int argc, char **argv)
{
	struct utsname name;
	const bool is_guest = !uname(&name) && strstr(name.release, "eremite");
	(void)argv;
	if (argc > 1) {
		assert(!strcmp(slurp("/proc/self/loginuid"), "1000") && session() != UINT32_MAX);
		return 0;
	}
	if (is_guest || !strcmp(slurp("/proc/self/loginuid"), "4294967295"))
		check();
	printf("once, inherited\n");
	return 0;
}
