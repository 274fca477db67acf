/* SPDX-License-Identifier: MIT */
/* The packets are untrusted: sizes and addresses are checked here or by the guest's kernel, which does with the program
 * only what the program could do itself. */
#include "debug/remote.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/remote_go.h"
#include "debug/remote_registers.h"

#define READ_MAX (PACKET_MAX / 2 - 16)
#define EXIT_DIGITS "65786974" /* "exit" of `monitor exit` */

/* --- replies --- */

static int64_t request(struct debug *debug, struct debug_request what, void *data)
{
	return debug->target->request(debug->target->context, &what, data);
}

void remote_add(struct debug *debug, const char *format, ...)
{
	const size_t room = sizeof(debug->reply) - debug->reply_bytes;
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(debug->reply + debug->reply_bytes, room, format, arguments);
	va_end(arguments);
	if (length > 0)
		debug->reply_bytes += (size_t)length < room ? (size_t)length : room - 1;
}

void remote_add_hex(struct debug *debug, const void *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *from = bytes;
	for (size_t i = 0; i < count && debug->reply_bytes + 2 < sizeof(debug->reply); i++) {
		debug->reply[debug->reply_bytes++] = digits[from[i] >> 4];
		debug->reply[debug->reply_bytes++] = digits[from[i] & 0xf];
	}
}

static void reply_error(struct debug *debug, int64_t error)
{
	debug->reply_bytes = 0;
	remote_add(debug, "E%02x", (unsigned)-error & 0xff);
}

void remote_reply_result(struct debug *debug, int64_t result)
{
	if (result < 0)
		reply_error(debug, result);
	else
		remote_add(debug, "OK");
}

/* gdb has numbers of signals of its own (include/gdb/signals.def). */
unsigned remote_signal(unsigned sig)
{
	static const uint8_t numbers[32] = {0,  1,  2,  3,  4,  5,  6,  10, 8,  9,  30, 11, 31, 13, 14, 15,
	                                    54, 20, 19, 17, 18, 21, 22, 16, 24, 25, 26, 27, 28, 23, 32, 12};
	if (sig < 32)
		return numbers[sig];
	return sig == 32 ? 77 : sig < 64 ? sig + 12 : 78;
}

static void add_thread(struct debug *debug, uint32_t tid)
{
	if (debug->is_multiprocess)
		remote_add(debug, "p%x.%x", REMOTE_PROCESS, tid);
	else
		remote_add(debug, "%x", tid);
}

#define AT_EXECFN 31

/* The name of the program that is executed, from the auxiliary vector. */
static void add_program(struct debug *debug)
{
	static uint8_t data[DEBUG_DATA_BYTES];
	char name[1024];
	uint64_t entry[2];
	const int64_t bytes = request(debug, (struct debug_request){.op = DEBUG_AUXILIARY}, data);
	for (int64_t at = 0; at + (int64_t)sizeof(entry) <= bytes; at += sizeof(entry)) {
		memcpy(entry, data + at, sizeof(entry));
		if (entry[0] != AT_EXECFN)
			continue;
		const int64_t got = debug->target->read(debug->target->context, entry[1], name, sizeof(name));
		remote_add(debug, "exec:");
		remote_add_hex(debug, name, got > 0 ? strnlen(name, (size_t)got) : 0);
		remote_add(debug, ";");
	}
}

/* The signal that gdb gives as the reason of a stop. 0: gdb gives none, and says only that the program has stopped. */
static unsigned signal_of(const struct debug_stop *stop)
{
	switch (stop->reason) {
	case DEBUG_AT_SIGNAL:
		return stop->signal;
	case DEBUG_AT_INTERRUPT:
		return SIGINT;
	case DEBUG_AT_PLACE:
	case DEBUG_AT_DEADLOCK:
		return 0;
	default:
		return SIGTRAP;
	}
}

void remote_reply_stop(struct debug *debug)
{
	const struct debug_stop *stop = &debug->stop;
	debug->reply_bytes = 0;
	remote_add(debug, "T%02xthread:", debug->is_restarted ? 0 : remote_signal(signal_of(stop)));
	add_thread(debug, stop->tid);
	remote_add(debug, ";");
	if (stop->reason == DEBUG_AT_WATCH)
		remote_add(debug, "%swatch:%" PRIx64 ";",
		           stop->signal == DEBUG_WATCH_READS      ? "r"
		           : stop->signal == DEBUG_WATCH_ACCESSES ? "a"
		                                                  : "",
		           stop->watched);
	if (stop->reason == DEBUG_AT_CALL || stop->reason == DEBUG_AT_RETURN)
		remote_add(debug, "syscall_%s:%" PRIx64 ";", stop->reason == DEBUG_AT_CALL ? "entry" : "return",
		           stop->call);
	if (stop->reason == DEBUG_AT_FORK || stop->reason == DEBUG_AT_VFORK)
		remote_add(debug, "%s:p%" PRIx64 ".%" PRIx64 ";", stop->reason == DEBUG_AT_FORK ? "fork" : "vfork",
		           stop->child, stop->child);
	if (stop->reason == DEBUG_AT_VFORK_DONE)
		remote_add(debug, "vforkdone:;");
	if (stop->reason == DEBUG_AT_EXEC && debug->has_exec)
		add_program(debug);
	if (stop->reason == DEBUG_AT_BREAKPOINT && debug->has_swbreak)
		remote_add(debug, "swbreak:;");
}

void remote_reply_end(struct debug *debug, bool by_signal, int status)
{
	debug->reply_bytes = 0;
	remote_add(debug, "%c%02x", by_signal ? 'X' : 'W',
	           by_signal ? remote_signal((unsigned)status) : (unsigned)status & 0xff);
	if (debug->is_multiprocess)
		remote_add(debug, ";process:%x", REMOTE_PROCESS);
}

/* --- reading packets --- */

const char *remote_thread(const char *text, uint32_t *tid)
{
	char *end;
	if (*text == 'p') {
		text++;
		strtol(text, &end, 16);
		if (end == text)
			return NULL;
		if (*end != '.') { /* all threads of the process */
			*tid = 0;
			return end;
		}
		text = end + 1;
	}
	const long number = strtol(text, &end, 16);
	*tid = number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
	return end == text ? NULL : end;
}

const char *remote_range(const char *text, uint64_t *address, uint64_t *bytes)
{
	char *end;
	*address = strtoull(text, &end, 16);
	if (end == text || *end != ',')
		return NULL;
	text = end + 1;
	*bytes = strtoull(text, &end, 16);
	return end == text ? NULL : end;
}

/* Reads hexadecimal digits. Returns the bytes, or -1. */
static long read_hex(const char *text, uint8_t *to, size_t room)
{
	size_t count = 0;
	for (; packet_digit(text[0]) >= 0 && packet_digit(text[1]) >= 0; text += 2) {
		if (count == room)
			return -1;
		to[count++] = (uint8_t)(packet_digit(text[0]) << 4 | packet_digit(text[1]));
	}
	return *text ? -1 : (long)count;
}

/* --- registers --- */

int remote_read_registers(struct debug *debug, uint32_t tid, struct remote_registers *registers)
{
	uint8_t data[DEBUG_DATA_BYTES];
	memset(registers, 0, sizeof(*registers));
	int64_t result = request(debug, (struct debug_request){.op = DEBUG_REGISTERS, .tid = tid}, data);
	if (result < 0)
		return (int)result;
	memcpy(&registers->general, data, sizeof(registers->general));
	result = request(debug, (struct debug_request){.op = DEBUG_VECTOR, .tid = tid}, registers->vector);
	registers->has_avx = result > 512;
	return result < 0 ? (int)result : 0;
}

static uint32_t chosen_thread(const struct debug *debug)
{
	return debug->chosen ? debug->chosen : debug->stop.tid;
}

static void read_all_registers(struct debug *debug)
{
	static struct remote_registers registers;
	size_t bytes;
	const int error = remote_read_registers(debug, chosen_thread(debug), &registers);
	if (error) {
		reply_error(debug, error);
		return;
	}
	for (unsigned i = 0; i < remote_registers_count(registers.has_avx); i++) {
		const void *at = remote_registers_find(&registers, i, &bytes);
		remote_add_hex(debug, at, bytes);
	}
}

static void read_register(struct debug *debug, const char *text)
{
	static struct remote_registers registers;
	size_t bytes;
	const int error = remote_read_registers(debug, chosen_thread(debug), &registers);
	const void *at = remote_registers_find(&registers, (unsigned)strtoul(text, NULL, 16), &bytes);
	if (error || !at)
		reply_error(debug, error ? error : -EINVAL);
	else
		remote_add_hex(debug, at, bytes);
}

static void write_registers(struct debug *debug, struct remote_registers *registers)
{
	uint8_t data[DEBUG_DATA_BYTES];
	memcpy(data, &registers->general, sizeof(registers->general));
	const int64_t result =
		request(debug, (struct debug_request){.op = DEBUG_SET_REGISTERS, .tid = chosen_thread(debug)}, data);
	debug->has_changed |= result >= 0;
	remote_reply_result(debug, result);
}

static void write_vector(struct debug *debug, struct remote_registers *registers)
{
	const int64_t result = request(
		debug, (struct debug_request){.op = DEBUG_SET_VECTOR, .tid = chosen_thread(debug)}, registers->vector);
	debug->has_changed |= result >= 0;
	remote_reply_result(debug, result);
}

/* "NUMBER=DIGITS". A value that the register has already is no change. */
static void write_register(struct debug *debug, const char *text)
{
	static struct remote_registers registers;
	char *end;
	uint8_t value[64];
	size_t bytes;
	const unsigned number = (unsigned)strtoul(text, &end, 16);
	const int error = remote_read_registers(debug, chosen_thread(debug), &registers);
	void *at = remote_registers_find(&registers, number, &bytes);
	if (error || !at || *end != '=' || read_hex(end + 1, value, sizeof(value)) != (long)bytes) {
		reply_error(debug, error ? error : -EINVAL);
	} else if (!memcmp(at, value, bytes)) {
		remote_add(debug, "OK");
	} else if (remote_registers_is_vector(number)) {
		memcpy(at, value, bytes);
		write_vector(debug, &registers);
	} else if (!remote_registers_may_change(number)) {
		reply_error(debug, -EINVAL);
	} else {
		memcpy(at, value, bytes);
		write_registers(debug, &registers);
	}
}

/* Only the general registers change. */
static void write_all_registers(struct debug *debug, const char *text)
{
	static struct remote_registers registers;
	static uint8_t values[PACKET_MAX / 2];
	const long given = read_hex(text, values, sizeof(values));
	const int error = remote_read_registers(debug, chosen_thread(debug), &registers);
	long at = 0;
	size_t bytes;
	for (unsigned i = 0; !error && remote_registers_may_change(i); i++, at += (long)bytes) {
		void *place = remote_registers_find(&registers, i, &bytes);
		if (at + (long)bytes <= given)
			memcpy(place, values + at, bytes);
	}
	if (error || given < 0)
		reply_error(debug, error ? error : -EINVAL);
	else
		write_registers(debug, &registers);
}

/* --- memory --- */

static void read_memory(struct debug *debug, const char *text)
{
	static uint8_t data[READ_MAX];
	uint64_t address, bytes;
	if (!remote_range(text, &address, &bytes)) {
		reply_error(debug, -EINVAL);
		return;
	}
	const int64_t got =
		debug->target->read(debug->target->context, address, data, bytes < sizeof(data) ? bytes : sizeof(data));
	if (got < 0)
		reply_error(debug, got);
	else
		remote_add_hex(debug, data, (size_t)got);
}

static void write_memory(struct debug *debug, uint64_t address, const uint8_t *from, uint64_t bytes)
{
	int64_t result = 0;
	for (uint64_t at = 0, part; result >= 0 && at < bytes; at += part) {
		uint8_t data[DEBUG_DATA_BYTES];
		part = bytes - at < sizeof(data) ? bytes - at : sizeof(data);
		memcpy(data, from + at, part);
		result = request(
			debug, (struct debug_request){.op = DEBUG_WRITE, .address = address + at, .bytes = part}, data);
		debug->has_changed |= result >= 0;
	}
	remote_reply_result(debug, result);
}

static void write_memory_hex(struct debug *debug, const char *text)
{
	static uint8_t data[PACKET_MAX / 2];
	uint64_t address, bytes;
	const char *rest = remote_range(text, &address, &bytes);
	const long given = rest && *rest == ':' ? read_hex(rest + 1, data, sizeof(data)) : -1;
	if (given < 0 || (uint64_t)given != bytes)
		reply_error(debug, -EINVAL);
	else
		write_memory(debug, address, data, bytes);
}

static void write_memory_binary(struct debug *debug, const char *text)
{
	uint64_t address, bytes;
	const char *rest = remote_range(text, &address, &bytes);
	const char *end = debug->reader.data + debug->reader.bytes;
	if (!rest || *rest != ':' || (uint64_t)(end - rest - 1) != bytes)
		reply_error(debug, -EINVAL);
	else
		write_memory(debug, address, (const uint8_t *)rest + 1, bytes);
}

/* --- leaving --- */

/* Whether the number of a process is that of another one than the first. */
static bool is_other_process(const char *number)
{
	char *end;
	const unsigned long process = strtoul(number, &end, 16);
	return end != number && process != REMOTE_PROCESS;
}

/* Leaves the program, or kills it. Of a child, which is not debugged, gdb only thinks that it is there. */
static bool leave(struct debug *debug, enum debug_verdict verdict)
{
	const char *process = strchr(debug->reader.data, ';');
	if (process && is_other_process(process + 1)) {
		remote_add(debug, "OK");
		return false;
	}
	debug->verdict = verdict;
	debug->restarts = false;
	if (*debug->reader.data != 'k')
		remote_add(debug, "OK");
	return true;
}

static bool handle_v(struct debug *debug, const char *packet)
{
	if (!strcmp(packet, "vCont?"))
		remote_add(debug, "vCont;c;C;s;S;r");
	else if (!strncmp(packet, "vCont;", 6))
		return remote_go_by(debug, packet + 5);
	else if (!strncmp(packet, "vFile:", 6))
		remote_file(debug);
	else if (!strncmp(packet, "vKill;", 6))
		return leave(debug, DEBUG_KILLED);
	return false;
}

static void choose_thread(struct debug *debug, const char *text)
{
	uint32_t tid;
	if (!*text || !remote_thread(text + 1, &tid)) {
		reply_error(debug, -EINVAL);
		return;
	}
	if (*text == 'g') {
		debug->chosen = tid;
		debug->is_other = text[1] == 'p' && text[2] != '-' && text[2] != '0' && is_other_process(text + 2);
	}
	remote_add(debug, "OK");
}

static void is_alive(struct debug *debug, const char *text)
{
	uint32_t tid;
	uint8_t data[DEBUG_DATA_BYTES];
	const bool is_damaged = !remote_thread(text, &tid);
	remote_reply_result(
		debug,
		is_damaged ? -EINVAL : request(debug, (struct debug_request){.op = DEBUG_REGISTERS, .tid = tid}, data));
}

/* gdb takes breakpoints out of a child before it leaves the child. */
static void handle_other(struct debug *debug, char packet)
{
	remote_reply_result(debug, packet == 'z' ? 0 : -ESRCH);
}

bool remote_handle(struct debug *debug)
{
	const char *packet = debug->reader.data;
	debug->reply_bytes = 0;
	if (debug->is_other && *packet && strchr("gGpPmMXzZ", *packet)) {
		handle_other(debug, *packet);
		return false;
	}
	switch (*packet) {
	case '?':
		remote_reply_stop(debug);
		return false;
	case 'g':
		read_all_registers(debug);
		return false;
	case 'G':
		write_all_registers(debug, packet + 1);
		return false;
	case 'p':
		read_register(debug, packet + 1);
		return false;
	case 'P':
		write_register(debug, packet + 1);
		return false;
	case 'm':
		read_memory(debug, packet + 1);
		return false;
	case 'M':
		write_memory_hex(debug, packet + 1);
		return false;
	case 'X':
		write_memory_binary(debug, packet + 1);
		return false;
	case 'Z':
		remote_breakpoint(debug, packet + 1, true);
		return false;
	case 'z':
		remote_breakpoint(debug, packet + 1, false);
		return false;
	case 'H':
		choose_thread(debug, packet + 1);
		return false;
	case 'T':
		is_alive(debug, packet + 1);
		return false;
	case 'c':
	case 'C':
		return remote_go_with(debug, (unsigned)strtoul(packet + 1, NULL, 16),
		                      (struct debug_request){.op = DEBUG_CONTINUE});
	case 's':
	case 'S':
		return remote_go_with(debug, (unsigned)strtoul(packet + 1, NULL, 16),
		                      (struct debug_request){.op = DEBUG_STEP});
	case 'D':
		return leave(debug, DEBUG_LEFT);
	case 'k':
		return leave(debug, DEBUG_KILLED);
	case 'v':
		return handle_v(debug, packet);
	case 'q':
	case 'Q':
		if (!strcmp(packet, "qRcmd," EXIT_DIGITS)) /* gdbserver's way to end with the program */
			return leave(debug, DEBUG_KILLED);
		remote_query(debug);
		return false;
	default:
		return false;
	}
}
