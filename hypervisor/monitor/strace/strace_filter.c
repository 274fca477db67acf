/* SPDX-License-Identifier: MIT */
/* Names and classes are those of strace -e trace=. */
#include "strace/strace_filter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "abi/linux_calls.h"
#include "strace/strace_argument.h"

const char *strace_filter_name(unsigned number)
{
#define NAME(number, name) [number] = #name,
	static const char *const names[LINUX_CALLS] = {LINUX_CALL_LIST(NAME)};
#undef NAME
	return number < LINUX_CALLS ? names[number] : NULL;
}

/* Classes by the types of arguments: calls with a name of a file, and calls with a descriptor. */
static bool has_type(unsigned number, const uint8_t *wanted, size_t count)
{
#define CALL(name, ...) [STRACE_CALL_##name] = {STRACE_LIST(__VA_ARGS__)},
	static const uint8_t calls[LINUX_CALLS][STRACE_ARGUMENTS] = {STRACE_CALL_LIST(CALL)};
#undef CALL
	for (unsigned i = 0; i < STRACE_ARGUMENTS; i++)
		if (memchr(wanted, calls[number][i], count))
			return true;
	return false;
}

/* Calls of the other classes, and those that the types do not tell. */
static const struct {
	const char *name, *calls;
} classes[] = {
	{"process", " fork vfork clone clone3 execve execveat exit exit_group wait4 waitid kill tkill tgkill "
                    "rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal pidfd_open "},
	{"signal", " rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigqueueinfo "
                   "rt_tgsigqueueinfo rt_sigsuspend sigaltstack kill tkill tgkill pause signalfd signalfd4 "
                   "pidfd_send_signal "},
	{"memory", " brk mmap munmap mprotect mremap msync mincore madvise mlock mlock2 munlock mlockall munlockall "
                   "shmat shmdt mbind set_mempolicy get_mempolicy migrate_pages move_pages remap_file_pages "
                   "pkey_mprotect process_madvise mseal io_setup io_destroy "},
	{"network", " socket connect accept accept4 sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown bind "
                    "listen getsockname getpeername socketpair setsockopt getsockopt sendfile "},
	{"ipc", " msgget msgsnd msgrcv msgctl semget semop semctl semtimedop shmget shmat shmctl shmdt "},
	{"desc",
         " pipe pipe2 socketpair poll ppoll select pselect6 epoll_create epoll_create1 eventfd eventfd2 memfd_create "
         "inotify_init inotify_init1 timerfd_create pidfd_open mmap perf_event_open io_uring_setup socket open "
         "creat openat openat2 userfaultfd fanotify_init "},
	{"file", " getcwd fanotify_mark name_to_handle_at open_by_handle_at quotactl utimensat futimesat "},
};

static bool is_of_class(const char *name, size_t length, unsigned number)
{
	static const uint8_t paths[] = {STRACE_ARG_PATH};
	static const uint8_t descriptors[] = {STRACE_ARG_FD, STRACE_ARG_DIRFD};
	char call[40];
	snprintf(call, sizeof(call), " %s ", strace_filter_name(number));
	for (unsigned i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strlen(classes[i].name) == length && !strncmp(classes[i].name, name, length) &&
		    strstr(classes[i].calls, call))
			return true;
	if (length == 4 && !strncmp(name, "file", 4))
		return has_type(number, paths, sizeof(paths));
	return length == 4 && !strncmp(name, "desc", 4) && has_type(number, descriptors, sizeof(descriptors));
}

/* Adds what a word names: a call, or with `%` or without it a class. Returns whether it names any. */
static bool add_word(uint64_t *wanted, const char *word, size_t length)
{
	const bool is_class = length && *word == '%';
	bool found = false;
	if (is_class) {
		word++;
		length--;
	}
	for (unsigned number = 0; number < LINUX_CALLS; number++) {
		const char *name = strace_filter_name(number);
		if (!name)
			continue;
		const bool is_named = !is_class && strlen(name) == length && !strncmp(name, word, length);
		if (!is_named && !is_of_class(word, length, number))
			continue;
		wanted[number / 64] |= 1UL << number % 64;
		found = true;
	}
	return found;
}

int strace_filter_read(struct strace_filter *filter, const char *text, size_t bytes, struct error *error)
{
	const bool is_inverse = bytes && *text == '!';
	const char *end = text + bytes;
	bool names_any = false;
	memset(filter, 0, sizeof(*filter));
	for (const char *at = text + is_inverse; at < end;) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const size_t length = (size_t)((comma ? comma : end) - at);
		const bool is_all = length == 3 && !strncmp(at, "all", 3);
		if (length == 5 && !strncmp(at, "count", 5)) {
			filter->counts = true;
		} else if (is_all) {
			memset(filter->wanted, 0xff, sizeof(filter->wanted));
			names_any = true;
		} else if (add_word(filter->wanted, at, length)) {
			names_any = true;
		} else
			return error_set(
				error, EINVAL,
				"'%.*s' is no system call; give names such as openat, the classes file, desc, process, "
				"network, memory, signal or ipc, or count",
				length < 60 ? (int)length : 60, at);
		at = comma ? comma + 1 : end;
	}
	for (unsigned i = 0; i < STRACE_CALLS / 64; i++)
		filter->wanted[i] = !names_any ? UINT64_MAX : is_inverse ? ~filter->wanted[i] : filter->wanted[i];
	return 0;
}
