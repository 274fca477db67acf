/* SPDX-License-Identifier: MIT */
/* The kernel log (syslog(2)). It has three lines: two of the boot, at 0, and one of the start, --uptime later. Nothing
 * is added to it later, so it is made when it is read. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/mm/frame.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/readiness.h"

#define LOG_BYTES 131072 /* kernel log of a Debian kernel, CONFIG_LOG_BUF_SHIFT 17 */
#define LINES 3
#define LINE_BYTES 512

/* Actions of syslog(2). */
#define LOG_CLOSE 0
#define LOG_OPEN 1
#define LOG_READ 2
#define LOG_READ_ALL 3
#define LOG_READ_CLEAR 4
#define LOG_CLEAR 5
#define LOG_CONSOLE_OFF 6
#define LOG_CONSOLE_ON 7
#define LOG_CONSOLE_LEVEL 8
#define LOG_SIZE_UNREAD 9
#define LOG_SIZE_BUFFER 10

static unsigned cleared;  /* lines that LOG_READ_ALL no longer has */
static size_t read_bytes; /* that LOG_READ has given */
static struct readiness_queue waiting;

/* Writes a line of the log, with its level and time. Returns its length. */
static size_t log_line(unsigned number, char *line)
{
	static struct linux_utsname name; /* too large for the stack */
	uint64_t start_us = (vclock_monotonic() - vclock_now()) / 1000;
	sys_uname(&name);
	switch (number) {
	case 0:
		return format(line, LINE_BYTES, "<5>[    0.000000] %s version %s (eremite@eremite) %s\n", name.sysname,
		              name.release, name.version);
	case 1:
		return format(line, LINE_BYTES, "<6>[    0.000000] Memory: %luK\n", frame_total_bytes() / 1024);
	default:
		return format(line, LINE_BYTES, "<6>[%5lu.%06lu] Run the first program as init process\n",
		              start_us / 1000000, start_us % 1000000);
	}
}

/* The first line of the last ones that fit. */
static unsigned first_that_fits(size_t room)
{
	static char line[LINE_BYTES];
	unsigned first = LINES;
	while (first > cleared) {
		size_t length = log_line(first - 1, line);
		if (length > room)
			break;
		room -= length;
		first--;
	}
	return first;
}

static long read_all(char *buf, size_t room, bool clears)
{
	static char line[LINE_BYTES];
	size_t bytes = 0;
	for (unsigned i = first_that_fits(room); i < LINES; i++) {
		size_t length = log_line(i, line);
		if (copy_to_user(buf + bytes, line, length))
			return -EFAULT;
		bytes += length;
	}
	if (clears)
		cleared = LINES;
	return (long)bytes;
}

static size_t log_bytes(void)
{
	static char line[LINE_BYTES];
	size_t bytes = 0;
	for (unsigned i = 0; i < LINES; i++)
		bytes += log_line(i, line);
	return bytes;
}

static bool has_unread_messages(const void *)
{
	return read_bytes < log_bytes();
}

/* Gives what no LOG_READ has given yet. */
static long read_more(char *buf, size_t room)
{
	static char line[LINE_BYTES];
	size_t at = 0, done = 0;
	while (!has_unread_messages(NULL)) {
		int error = readiness_wait(&waiting, SCHED_FOREVER, "a line of the kernel log (syslog)",
		                           has_unread_messages, NULL);
		if (error)
			return error;
	}
	for (unsigned i = 0; i < LINES && done < room; i++) {
		size_t length = log_line(i, line), skipped = read_bytes > at ? read_bytes - at : 0;
		at += length;
		if (skipped >= length)
			continue;
		size_t count = length - skipped < room - done ? length - skipped : room - done;
		if (copy_to_user(buf + done, line + skipped, count))
			return -EFAULT;
		done += count;
		read_bytes += count;
	}
	return (long)done;
}

static bool is_valid_action(int action, const char *buf, int length)
{
	if (action == LOG_READ || action == LOG_READ_ALL || action == LOG_READ_CLEAR)
		return buf && length >= 0;
	if (action == LOG_CONSOLE_LEVEL)
		return length >= 1 && length <= 8;
	return action >= LOG_CLOSE && action <= LOG_SIZE_BUFFER;
}

long sys_syslog(int action, char *buf, int length)
{
	const struct credentials *own = &process_self()->credentials;
	bool is_open = action == LOG_READ_ALL || action == LOG_SIZE_BUFFER; /* kernel.dmesg_restrict is 0 */
	if (!is_open && !credentials_may(own, CAP_SYSLOG) && !credentials_may(own, CAP_SYS_ADMIN))
		return -EPERM;
	if (!is_valid_action(action, buf, length))
		return -EINVAL;
	switch (action) {
	case LOG_READ:
		return length ? read_more(buf, (size_t)length) : 0;
	case LOG_READ_ALL:
	case LOG_READ_CLEAR:
		return length ? read_all(buf, (size_t)length, action == LOG_READ_CLEAR) : 0;
	case LOG_CLEAR:
		cleared = LINES;
		return 0;
	case LOG_SIZE_UNREAD:
		return (long)(log_bytes() - read_bytes);
	case LOG_SIZE_BUFFER:
		return LOG_BYTES;
	default:
		return 0; /* the console shows no line of the log at any level */
	}
}
