/* SPDX-License-Identifier: MIT */
/* The exec family (exec(3)): searches for a program and asks the kernel to execute it. Replaces newlib's, whose execvp
 * copies paths into a buffer without checking their length. */
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"

KERNEL_FUNCTION(int, execve, (const char *path, char *const argv[], char *const envp[]), (path, argv, envp))

int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

int fexecve(int fd, char *const argv[], char *const envp[])
{
	if (fd < 0 || !argv || !envp)
		return kernel_refuse(EINVAL);
	return (int)kernel_result(kcall_execveat(fd, "", argv, envp, AT_EMPTY_PATH));
}

KERNEL_FUNCTION(int, execveat, (int dirfd, const char *path, char *const argv[], char *const envp[], int flags),
                (dirfd, path, argv, envp, flags))

/* Whether the search continues in the next folder after this error. */
static bool goes_on(int error)
{
	return error == EACCES || error == ENOENT || error == ENOTDIR || error == ENODEV || error == ESTALE ||
	       error == ETIMEDOUT;
}

int execvpe(const char *file, char *const argv[], char *const envp[])
{
	char path[PATH_MAX + NAME_MAX + 2];
	size_t length = strlen(file);
	bool denied = false;
	if (!length)
		return kernel_refuse(ENOENT);
	if (strchr(file, '/'))
		return execve(file, argv, envp);
	if (length > NAME_MAX)
		return kernel_refuse(ENAMETOOLONG);
	const char *folder = getenv("PATH"), *end;
	if (!folder)
		folder = "/bin:/usr/bin";
	for (;; folder = end + 1) {
		end = strchrnul(folder, ':');
		size_t folder_length = (size_t)(end - folder);
		if (folder_length < PATH_MAX) {
			memcpy(path, folder, folder_length);
			path[folder_length] = '/';
			memcpy(path + folder_length + (folder_length > 0), file, length + 1);
			execve(path, argv, envp);
			if (!goes_on(errno))
				return -1;
			denied |= errno == EACCES;
		}
		if (!*end)
			break;
	}
	if (denied)
		errno = EACCES;
	return -1;
}

int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

/* Counts the arguments of a list, which ends with a null pointer. */
static size_t count_list(const char *first, va_list args)
{
	size_t count = 0;
	for (const char *arg = first; arg; arg = va_arg(args, char *))
		count++;
	return count;
}

/* Copies the arguments and a null pointer to argv[]. */
static void collect_list(char **argv, const char *first, size_t count, va_list args)
{
	argv[0] = (char *)(unsigned long)first;
	for (size_t i = 0; i < count; i++)
		argv[i + 1] = va_arg(args, char *);
}

int execl(const char *path, const char *arg, ...)
{
	va_list args;
	va_start(args, arg);
	size_t count = count_list(arg, args);
	va_end(args);
	char *argv[count + 1];
	va_start(args, arg);
	collect_list(argv, arg, count, args);
	va_end(args);
	return execv(path, argv);
}

int execlp(const char *file, const char *arg, ...)
{
	va_list args;
	va_start(args, arg);
	size_t count = count_list(arg, args);
	va_end(args);
	char *argv[count + 1];
	va_start(args, arg);
	collect_list(argv, arg, count, args);
	va_end(args);
	return execvp(file, argv);
}

int execle(const char *path, const char *arg, ...)
{
	va_list args;
	va_start(args, arg);
	size_t count = count_list(arg, args);
	va_end(args);
	char *argv[count + 1];
	va_start(args, arg);
	collect_list(argv, arg, count, args);
	char *const *envp = va_arg(args, char *const *);
	va_end(args);
	return execve(path, argv, envp);
}
