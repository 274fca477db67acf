/* SPDX-License-Identifier: MIT */
/* Structures of files, time and resources. A structure whose memory is not known is shown as its address. */
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <sys/times.h>
#include <sys/utsname.h>

#include "strace/strace_argument.h"

typedef bool load(const struct strace_argument *a, uint64_t address, void *to, size_t bytes);

/* Loads the argument's structure, or shows its address. */
static bool take_struct(const struct strace_argument *a, load *from, void *to, size_t bytes)
{
	if (from(a, a->value, to, bytes))
		return true;
	strace_show_address(a->out, a->value);
	return false;
}

/* --- files --- */

void strace_show_STAT(const struct strace_argument *a)
{
	struct stat stat;
	if (!take_struct(a, strace_load_out, &stat, sizeof(stat)))
		return;
	strace_out_text(a->out, "{st_mode=");
	strace_show_file_mode(a->out, stat.st_mode, true);
	if (S_ISCHR(stat.st_mode) || S_ISBLK(stat.st_mode))
		strace_out_format(a->out, ", st_rdev=makedev(%#x, %#x), ...}", major(stat.st_rdev),
		                  minor(stat.st_rdev));
	else
		strace_out_format(a->out, ", st_size=%ld, ...}", stat.st_size);
}

void strace_show_STATX(const struct strace_argument *a)
{
	struct statx stat;
	if (!take_struct(a, strace_load_out, &stat, sizeof(stat)))
		return;
	strace_out_text(a->out, "{stx_mask=");
	strace_names_flags(a->out, STRACE_NAMES_statx_mask, stat.stx_mask);
	strace_out_text(a->out, ", stx_attributes=");
	strace_names_flags(a->out, STRACE_NAMES_statx_attributes, stat.stx_attributes);
	strace_out_text(a->out, ", stx_mode=");
	strace_show_file_mode(a->out, stat.stx_mode, true);
	strace_out_format(a->out, ", stx_size=%llu, ...}", stat.stx_size);
}

void strace_show_STATFS(const struct strace_argument *a)
{
	struct statfs stat;
	if (!take_struct(a, strace_load_out, &stat, sizeof(stat)))
		return;
	strace_out_text(a->out, "{f_type=");
	strace_names_one(a->out, STRACE_NAMES_statfs_type, (uint64_t)stat.f_type);
	strace_out_format(a->out,
	                  ", f_bsize=%ld, f_blocks=%lu, f_bfree=%lu, f_bavail=%lu, f_files=%lu, f_ffree=%lu, "
	                  "f_fsid={val=[%#x, %#x]}, f_namelen=%ld, f_frsize=%ld, f_flags=",
	                  stat.f_bsize, stat.f_blocks, stat.f_bfree, stat.f_bavail, stat.f_files, stat.f_ffree,
	                  (unsigned)stat.f_fsid.__val[0], (unsigned)stat.f_fsid.__val[1], stat.f_namelen,
	                  stat.f_frsize);
	strace_names_flags(a->out, STRACE_NAMES_statfs_flags, (uint64_t)stat.f_flags);
	strace_out_text(a->out, "}");
}

static uint64_t value_in(const struct strace_argument *a, size_t bytes, bool is_out, bool *known)
{
	uint64_t value = 0;
	*known = (is_out ? strace_load_out : strace_load_in)(a, a->value, &value, bytes);
	return value;
}

/* A number that the call reads and replaces: [0] => [8192]. */
void strace_show_OFFSET(const struct strace_argument *a)
{
	bool before, after;
	const uint64_t old = value_in(a, 8, false, &before), now = value_in(a, 8, true, &after);
	if (!before) {
		strace_show_address(a->out, a->value);
		return;
	}
	strace_out_format(a->out, "[%ld]", old);
	if (after && old != now)
		strace_out_format(a->out, " => [%ld]", now);
}

void strace_show_LENGTH(const struct strace_argument *a)
{
	bool before, after;
	const uint64_t old = value_in(a, 4, false, &before), now = value_in(a, 4, true, &after);
	if (!before)
		strace_show_address(a->out, a->value);
	else if (after && old != now)
		strace_out_format(a->out, "[%d => %d]", (int)old, (int)now);
	else
		strace_out_format(a->out, "[%d]", (int)old);
}

/* Numbers that the call stores. */
static void show_stored(const struct strace_argument *a, size_t bytes, const char *format)
{
	bool known;
	const uint64_t value = value_in(a, bytes, true, &known);
	if (known)
		strace_out_format(a->out, bytes == 8 ? "[%#lx]" : format, bytes == 8 ? value : (uint32_t)value);
	else
		strace_show_address(a->out, a->value);
}

void strace_show_INT_OUT(const struct strace_argument *a)
{
	show_stored(a, 4, "[%d]");
}

void strace_show_UINT_OUT(const struct strace_argument *a)
{
	show_stored(a, 4, "[%u]");
}

void strace_show_PTR_OUT(const struct strace_argument *a)
{
	show_stored(a, 8, NULL);
}

void strace_show_LONG_OUT(const struct strace_argument *a)
{
	bool known;
	const uint64_t value = value_in(a, 8, true, &known);
	if (known)
		strace_out_format(a->out, "[%ld]", value);
	else
		strace_show_address(a->out, a->value);
}

/* Descriptors of pipe(2) and socketpair(2). */
void strace_show_FDS(const struct strace_argument *a)
{
	int fds[2];
	if (take_struct(a, strace_load_out, fds, sizeof(fds)))
		strace_out_format(a->out, "[%d, %d]", fds[0], fds[1]);
}

void strace_show_DIRENTS(const struct strace_argument *a)
{
	strace_show_address(a->out, a->value);
}

void strace_show_VECTOR(const struct strace_argument *a)
{
	strace_show_address(a->out, a->value);
}

/* --- time --- */

void strace_show_time(struct strace_out *out, const int64_t time[2], const char *fraction)
{
	strace_out_format(out, "{tv_sec=%ld, %s=%ld}", time[0], fraction, time[1]);
}

static void show_time(const struct strace_argument *a, load *from, const char *fraction)
{
	int64_t time[2];
	if (take_struct(a, from, time, sizeof(time)))
		strace_show_time(a->out, time, fraction);
}

void strace_show_TIME(const struct strace_argument *a)
{
	show_time(a, strace_load_in, "tv_nsec");
}

/* Operations of futex(2) that have a number in the place of a timeout: REQUEUE, CMP_REQUEUE, WAKE_OP, CMP_REQUEUE_PI.
 */
#define FUTEX_WITH_NUMBER (1U << 3 | 1U << 4 | 1U << 5 | 1U << 12)

void strace_show_TIME_FUTEX(const struct strace_argument *a)
{
	if (FUTEX_WITH_NUMBER >> (strace_other(a, -2) & 31) & 1)
		strace_out_format(a->out, "%u", (uint32_t)a->value);
	else
		show_time(a, strace_load_in, "tv_nsec");
}

void strace_show_TIME_OUT(const struct strace_argument *a)
{
	show_time(a, strace_load_out, "tv_nsec");
}

void strace_show_TIME_LEFT(const struct strace_argument *a)
{
	show_time(a, strace_load_out, "tv_nsec");
}

void strace_show_TIMEVAL(const struct strace_argument *a)
{
	show_time(a, strace_load_in, "tv_usec");
}

void strace_show_TIMEVAL_OUT(const struct strace_argument *a)
{
	show_time(a, strace_load_out, "tv_usec");
}

void strace_show_SELECT_TIME(const struct strace_argument *a)
{
	show_time(a, strace_load_in, a->call->number == STRACE_CALL_select ? "tv_usec" : "tv_nsec");
}

#define UTIME_IS_NOW 0x3fffffffL
#define UTIME_IS_OMITTED 0x3ffffffeL

#define DAY_S 86400L
#define LAST_S 253402300799L /* of the year 9999 */

/* Shows a time since 1970 as a date, with `digits` digits of the second that its fraction has. The C library would look
 * for the time zone, which a confined monitor cannot. */
static void show_date(struct strace_out *out, const int64_t time[2], int digits)
{
	static const uint16_t before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	int64_t days = time[0] / DAY_S, year = 1970;
	const int64_t second = time[0] % DAY_S;
	unsigned month = 11, leap = 0;
	if (time[0] < 0 || time[0] > LAST_S || time[1] < 0 || time[1] > 999999999)
		return;
	for (;; year++) {
		leap = year % 4 == 0 && (year % 100 || year % 400 == 0);
		if (days < 365 + leap)
			break;
		days -= 365 + leap;
	}
	while (days < before[month] + (month > 1 ? leap : 0))
		month--;
	days -= before[month] + (month > 1 ? leap : 0);
	strace_out_format(out, " /* %ld-%02u-%02ldT%02ld:%02ld:%02ld", year, month + 1, days + 1, second / 3600,
	                  second / 60 % 60, second % 60);
	if (time[1])
		strace_out_format(out, ".%0*ld", digits, time[1]);
	strace_out_text(out, "+0000 */");
}

/* Access and modification time of utimensat(2). */
void strace_show_TIMES(const struct strace_argument *a)
{
	int64_t times[2][2];
	if (!take_struct(a, strace_load_in, times, sizeof(times)))
		return;
	for (unsigned i = 0; i < 2; i++) {
		strace_out_text(a->out, i ? ", " : "[");
		if (times[i][1] == UTIME_IS_NOW || times[i][1] == UTIME_IS_OMITTED)
			strace_out_text(a->out, times[i][1] == UTIME_IS_NOW ? "UTIME_NOW" : "UTIME_OMIT");
		else {
			strace_show_time(a->out, times[i], "tv_nsec");
			show_date(a->out, times[i], 9);
		}
	}
	strace_out_text(a->out, "]");
}

static void show_pair(const struct strace_argument *a, load *from, const char *const words[3], const char *fraction)
{
	int64_t times[2][2];
	if (!take_struct(a, from, times, sizeof(times)))
		return;
	for (unsigned i = 0; i < 2; i++) {
		strace_out_text(a->out, words[i]);
		strace_show_time(a->out, times[i], fraction);
	}
	strace_out_text(a->out, words[2]);
}

static const char *const interval[] = {"{it_interval=", ", it_value=", "}"};

/* Access and modification time of utimes(2). */
void strace_show_TIMEVALS(const struct strace_argument *a)
{
	int64_t times[2][2];
	if (!take_struct(a, strace_load_in, times, sizeof(times)))
		return;
	for (unsigned i = 0; i < 2; i++) {
		strace_out_text(a->out, i ? ", " : "[");
		strace_show_time(a->out, times[i], "tv_usec");
		show_date(a->out, times[i], 6);
	}
	strace_out_text(a->out, "]");
}

void strace_show_ITIMERVAL(const struct strace_argument *a)
{
	show_pair(a, strace_load_in, interval, "tv_usec");
}

void strace_show_ITIMERVAL_OUT(const struct strace_argument *a)
{
	show_pair(a, strace_load_out, interval, "tv_usec");
}

void strace_show_ITIMERSPEC(const struct strace_argument *a)
{
	show_pair(a, strace_load_in, interval, "tv_nsec");
}

void strace_show_ITIMERSPEC_OUT(const struct strace_argument *a)
{
	show_pair(a, strace_load_out, interval, "tv_nsec");
}

void strace_show_UTIMBUF(const struct strace_argument *a)
{
	int64_t times[2];
	if (!take_struct(a, strace_load_in, times, sizeof(times)))
		return;
	for (unsigned i = 0; i < 2; i++) {
		const int64_t time[2] = {times[i], 0};
		strace_out_format(a->out, i ? ", modtime=%ld" : "{actime=%ld", times[i]);
		show_date(a->out, time, 0);
	}
	strace_out_text(a->out, "}");
}

void strace_show_TMS(const struct strace_argument *a)
{
	struct tms tms;
	if (take_struct(a, strace_load_out, &tms, sizeof(tms)))
		strace_out_format(a->out, "{tms_utime=%ld, tms_stime=%ld, tms_cutime=%ld, tms_cstime=%ld}",
		                  tms.tms_utime, tms.tms_stime, tms.tms_cutime, tms.tms_cstime);
}

/* --- resources --- */

static void show_limit(struct strace_out *out, uint64_t limit)
{
	if (limit == UINT64_MAX)
		strace_out_text(out, "RLIM64_INFINITY");
	else if (limit > 1024 && limit % 1024 == 0)
		strace_out_format(out, "%lu*1024", limit / 1024);
	else
		strace_out_format(out, "%lu", limit);
}

static void show_limits(const struct strace_argument *a, load *from)
{
	uint64_t limit[2];
	if (!take_struct(a, from, limit, sizeof(limit)))
		return;
	strace_out_text(a->out, "{rlim_cur=");
	show_limit(a->out, limit[0]);
	strace_out_text(a->out, ", rlim_max=");
	show_limit(a->out, limit[1]);
	strace_out_text(a->out, "}");
}

void strace_show_RLIMIT(const struct strace_argument *a)
{
	show_limits(a, strace_load_in);
}

void strace_show_RLIMIT_OUT(const struct strace_argument *a)
{
	show_limits(a, strace_load_out);
}

void strace_show_RUSAGE(const struct strace_argument *a)
{
	int64_t times[2][2];
	if (!take_struct(a, strace_load_out, times, sizeof(times)))
		return;
	strace_out_text(a->out, "{ru_utime=");
	strace_show_time(a->out, times[0], "tv_usec");
	strace_out_text(a->out, ", ru_stime=");
	strace_show_time(a->out, times[1], "tv_usec");
	strace_out_text(a->out, ", ...}");
}

void strace_show_UTSNAME(const struct strace_argument *a)
{
	struct utsname name;
	if (!take_struct(a, strace_load_out, &name, sizeof(name)))
		return;
	strace_out_text(a->out, "{sysname=");
	strace_show_string(a->out, name.sysname, sizeof(name.sysname));
	strace_out_text(a->out, ", nodename=");
	strace_show_string(a->out, name.nodename, sizeof(name.nodename));
	strace_out_text(a->out, ", ...}");
}

void strace_show_SYSINFO(const struct strace_argument *a)
{
	struct sysinfo info;
	if (take_struct(a, strace_load_out, &info, sizeof(info)))
		strace_out_format(a->out,
		                  "{uptime=%ld, loads=[%lu, %lu, %lu], totalram=%lu, freeram=%lu, sharedram=%lu, "
		                  "bufferram=%lu, totalswap=%lu, freeswap=%lu, procs=%u, totalhigh=%lu, freehigh=%lu, "
		                  "mem_unit=%u}",
		                  info.uptime, info.loads[0], info.loads[1], info.loads[2], info.totalram, info.freeram,
		                  info.sharedram, info.bufferram, info.totalswap, info.freeswap, info.procs,
		                  info.totalhigh, info.freehigh, info.mem_unit);
}

static void show_priority(const struct strace_argument *a, load *from)
{
	int32_t priority;
	if (take_struct(a, from, &priority, sizeof(priority)))
		strace_out_format(a->out, "[%d]", priority);
}

void strace_show_PRIORITY(const struct strace_argument *a)
{
	show_priority(a, strace_load_in);
}

void strace_show_PRIORITY_OUT(const struct strace_argument *a)
{
	show_priority(a, strace_load_out);
}

/* A mask of processors: [0 1 2]. */
static void show_processors(const struct strace_argument *a, load *from, uint64_t bytes)
{
	uint8_t mask[STRACE_STRUCT_BYTES] = {0};
	const char *between = "[";
	if (bytes > sizeof(mask))
		bytes = sizeof(mask);
	if (!take_struct(a, from, mask, bytes))
		return;
	for (uint64_t i = 0; i < 8 * bytes; i++)
		if (mask[i / 8] >> i % 8 & 1) {
			strace_out_format(a->out, "%s%lu", between, i);
			between = " ";
		}
	strace_out_text(a->out, *between == '[' ? "[]" : "]");
}

void strace_show_CPUS(const struct strace_argument *a)
{
	show_processors(a, strace_load_in, strace_other(a, -1));
}

void strace_show_CPUS_OUT(const struct strace_argument *a)
{
	show_processors(a, strace_load_out, a->call->result > 0 ? (uint64_t)a->call->result : 0);
}

static void show_groups(const struct strace_argument *a, load *from, uint64_t count)
{
	uint32_t group;
	if (!a->value || (!from(a, a->value, &group, sizeof(group)) && count)) {
		strace_show_address(a->out, a->value);
		return;
	}
	strace_out_text(a->out, "[");
	for (uint64_t i = 0; i < count; i++) {
		if (i == STRACE_TEXT_BYTES || !from(a, a->value + 4 * i, &group, sizeof(group))) {
			strace_out_text(a->out, ", ...");
			break;
		}
		strace_out_format(a->out, "%s%u", i ? ", " : "", group);
	}
	strace_out_text(a->out, "]");
}

void strace_show_GROUPS(const struct strace_argument *a)
{
	show_groups(a, strace_load_in, (uint32_t)strace_other(a, -1));
}

void strace_show_GROUPS_OUT(const struct strace_argument *a)
{
	show_groups(a, strace_load_out, a->call->result > 0 ? (uint64_t)a->call->result : 0);
}

void strace_show_OPEN_HOW(const struct strace_argument *a)
{
	uint64_t how[3];
	if (!take_struct(a, strace_load_in, how, sizeof(how)))
		return;
	const struct strace_argument flags = {a->out, a->call, a->index, how[0]};
	strace_out_text(a->out, "{flags=");
	strace_show_OPEN(&flags);
	if (how[1])
		strace_out_format(a->out, ", mode=%#03lo", how[1]);
	strace_out_text(a->out, ", resolve=");
	strace_names_flags(a->out, STRACE_NAMES_resolve, how[2]);
	strace_out_text(a->out, "}");
}

/* A System V message of `bytes` bytes. */
static void show_message(const struct strace_argument *a, load *from, uint64_t bytes)
{
	int64_t type;
	size_t known = bytes < STRACE_TEXT_BYTES ? bytes : STRACE_TEXT_BYTES;
	if (!take_struct(a, from, &type, sizeof(type)))
		return;
	const char *text = from == strace_load_in ? strace_call_text_in(a->call, a->value + sizeof(type), &known)
	                                          : strace_call_text_out(a->call, a->value + sizeof(type), &known);
	strace_out_format(a->out, "{mtype=%ld, mtext=", type);
	strace_show_text(a->out, text ? text : "", text ? known : 0, bytes);
	strace_out_text(a->out, "}");
}

void strace_show_MSGBUF(const struct strace_argument *a)
{
	show_message(a, strace_load_in, strace_other(a, 1));
}

void strace_show_MSGBUF_OUT(const struct strace_argument *a)
{
	if (a->call->result < 0)
		strace_show_address(a->out, a->value);
	else
		show_message(a, strace_load_out, strace_other(a, 1));
}
