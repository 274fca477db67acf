/* SPDX-License-Identifier: MIT */
/* Strings, buffers, and arrays of them. */
#include <ctype.h>
#include <string.h>
#include <sys/uio.h>

#include "strace/strace_argument.h"

bool strace_load_in(const struct strace_argument *a, uint64_t address, void *to, size_t bytes)
{
	const void *from = address ? strace_call_in(a->call, address, bytes) : NULL;
	if (from)
		memcpy(to, from, bytes);
	return from;
}

bool strace_load_out(const struct strace_argument *a, uint64_t address, void *to, size_t bytes)
{
	const void *from = address ? strace_call_out(a->call, address, bytes) : NULL;
	if (from)
		memcpy(to, from, bytes);
	return from;
}

void strace_show_address(struct strace_out *out, uint64_t address)
{
	if (address)
		strace_out_format(out, "%#lx", address);
	else
		strace_out_text(out, "NULL");
}

/* Shows a byte as in a string of C. An octal escape has three digits if a digit follows. */
static void show_byte(struct strace_out *out, unsigned char byte, bool before_digit)
{
	static const char plain[] = "\a\b\t\n\v\f\r\"\\", letters[] = "abtnvfr\"\\";
	const char *found = byte > '\b' || byte == '"' ? memchr(plain + 2, byte, sizeof(plain) - 3) : NULL;
	if (found)
		strace_out_format(out, "\\%c", letters[found - plain]);
	else if (byte >= ' ' && byte < 0x7f)
		strace_out_bytes(out, (const char *)&byte, 1);
	else
		strace_out_format(out, before_digit ? "\\%03o" : "\\%o", byte);
}

static void show_bytes(struct strace_out *out, const char *from, size_t bytes)
{
	strace_out_text(out, "\"");
	for (size_t i = 0; i < bytes; i++) {
		const bool before_digit = i + 1 < bytes && from[i + 1] >= '0' && from[i + 1] <= '7';
		show_byte(out, (unsigned char)from[i], before_digit);
	}
	strace_out_text(out, "\"");
}

void strace_show_text(struct strace_out *out, const char *from, size_t known, uint64_t bytes)
{
	const size_t shown = known < STRACE_TEXT_BYTES ? known : STRACE_TEXT_BYTES;
	show_bytes(out, from, shown);
	if (shown < bytes)
		strace_out_text(out, "...");
}

void strace_show_string(struct strace_out *out, const char *from, size_t known)
{
	const size_t length = strnlen(from, known);
	show_bytes(out, from, length);
	if (length == known)
		strace_out_text(out, "...");
}

void strace_show_PATH(const struct strace_argument *a)
{
	size_t bytes = SIZE_MAX;
	const char *text = a->value ? strace_call_text_in(a->call, a->value, &bytes) : NULL;
	if (text)
		strace_show_string(a->out, text, bytes);
	else
		strace_show_address(a->out, a->value);
}

void strace_show_STRING(const struct strace_argument *a)
{
	strace_show_PATH(a);
}

void strace_show_TEXT(const struct strace_argument *a)
{
	const uint64_t wanted = strace_other(a, 1);
	size_t bytes = wanted;
	const char *text = a->value && wanted ? strace_call_text_in(a->call, a->value, &bytes) : NULL;
	if (text)
		strace_show_text(a->out, text, bytes, wanted);
	else if (a->value && !wanted)
		strace_out_text(a->out, "\"\"");
	else
		strace_show_address(a->out, a->value);
}

/* Random bytes, which strace(1) shows as such. */
static void show_random(struct strace_out *out, const char *from, size_t known, uint64_t bytes)
{
	const size_t shown = known < STRACE_TEXT_BYTES ? known : STRACE_TEXT_BYTES;
	strace_out_text(out, "\"");
	for (size_t i = 0; i < shown; i++)
		strace_out_format(out, "\\x%02x", (unsigned char)from[i]);
	strace_out_text(out, shown < bytes ? "\"..." : "\"");
}

void strace_show_TEXT_OUT(const struct strace_argument *a)
{
	size_t bytes = a->call->result > 0 ? (size_t)a->call->result : 0;
	const char *text = bytes ? strace_call_text_out(a->call, a->value, &bytes) : NULL;
	if (text && a->call->number == STRACE_CALL_getrandom)
		show_random(a->out, text, bytes, (uint64_t)a->call->result);
	else if (text)
		strace_show_text(a->out, text, bytes, (uint64_t)a->call->result);
	else if (a->value && a->call->result == 0)
		strace_out_text(a->out, "\"\"");
	else
		strace_show_address(a->out, a->value);
}

/* The name that getcwd(2) has stored, with its NUL, which is shown in full; or the target that readlink(2) has. */
void strace_show_LINK(const struct strace_argument *a)
{
	size_t bytes = a->call->result > 0 ? (size_t)a->call->result : 0;
	const char *text = bytes ? strace_call_text_out(a->call, a->value, &bytes) : NULL;
	if (text && a->call->number == STRACE_CALL_getcwd)
		show_bytes(a->out, text, strnlen(text, bytes));
	else if (text)
		strace_show_text(a->out, text, bytes, bytes);
	else
		strace_show_address(a->out, a->value);
}

/* The number of pointers before NULL that are known; *ends: whether NULL is. */
static size_t count_pointers(const struct strace_argument *a, bool *ends)
{
	uint64_t pointer;
	size_t count = 0;
	while (strace_load_in(a, a->value + 8 * count, &pointer, 8) && pointer)
		count++;
	*ends = strace_call_in(a->call, a->value + 8 * count, 8);
	return count;
}

static void show_array_string(const struct strace_argument *a, uint64_t address)
{
	size_t bytes = SIZE_MAX;
	const char *text = strace_call_text_in(a->call, address, &bytes);
	if (text)
		strace_show_text(a->out, text, strnlen(text, bytes), strnlen(text, bytes));
	else
		strace_show_address(a->out, address);
}

void strace_show_ARGV(const struct strace_argument *a)
{
	bool ends;
	uint64_t pointer = 0;
	const size_t count = a->value ? count_pointers(a, &ends) : 0;
	if (!a->value || (!count && !ends)) {
		strace_show_address(a->out, a->value);
		return;
	}
	strace_out_text(a->out, "[");
	for (size_t i = 0; i < count && i < STRACE_STRINGS; i++) {
		strace_out_text(a->out, i ? ", " : "");
		strace_load_in(a, a->value + 8 * i, &pointer, 8);
		show_array_string(a, pointer);
	}
	strace_out_text(a->out, count > STRACE_STRINGS || !ends ? ", ...]" : "]");
}

void strace_show_ENVP(const struct strace_argument *a)
{
	bool ends;
	const size_t count = a->value ? count_pointers(a, &ends) : 0;
	strace_show_address(a->out, a->value);
	if (a->value)
		strace_out_format(a->out, " /* %zu var%s%s */", count, count == 1 ? "" : "s",
		                  ends ? "" : ", unterminated");
}

/* Shows an array of struct iovec, whose buffers have `most` bytes of data in all. */
static void show_vector(const struct strace_argument *a, uint64_t address, uint64_t count, uint64_t most, bool is_out)
{
	struct iovec part;
	bool is_known = address && (is_out ? strace_load_out : strace_load_in)(a, address, &part, sizeof(part));
	if (!is_known && count) {
		strace_show_address(a->out, address);
		return;
	}
	strace_out_text(a->out, "[");
	for (uint64_t i = 0; i < count && i < STRACE_TEXT_BYTES && is_known; i++) {
		const uint64_t bytes = part.iov_len < most ? part.iov_len : most;
		size_t known = bytes;
		const char *text =
			(is_out ? strace_call_text_out : strace_call_text_in)(a->call, (uint64_t)part.iov_base, &known);
		strace_out_text(a->out, i ? ", {iov_base=" : "{iov_base=");
		if (text && bytes)
			strace_show_text(a->out, text, known, bytes);
		else if (!bytes && part.iov_base)
			strace_out_text(a->out, "\"\"");
		else
			strace_show_address(a->out, (uint64_t)part.iov_base);
		strace_out_format(a->out, ", iov_len=%zu}", part.iov_len);
		most -= bytes;
		is_known = (is_out ? strace_load_out : strace_load_in)(a, address + (i + 1) * sizeof(part), &part,
		                                                       sizeof(part));
		if (!is_known && i + 1 < count)
			strace_out_text(a->out, ", ...");
	}
	strace_out_text(a->out, "]");
}

void strace_show_IOV(const struct strace_argument *a)
{
	show_vector(a, a->value, strace_other(a, 1), UINT64_MAX, false);
}

void strace_show_IOV_OUT(const struct strace_argument *a)
{
	if (a->call->result < 0)
		strace_show_address(a->out, a->value);
	else
		show_vector(a, a->value, strace_other(a, 1), (uint64_t)a->call->result, true);
}

#define NAME_LENGTH_AT 8 /* in struct msghdr */

/* The length of a name; of one that is received, also the room that there was. */
static void show_name_length(const struct strace_argument *a, uint64_t message, int32_t length, bool is_out)
{
	int32_t room;
	if (is_out && strace_load_in(a, message + NAME_LENGTH_AT, &room, sizeof(room)) && room != length)
		strace_out_format(a->out, "%d => ", room);
	strace_out_format(a->out, "%d", length);
}

static void show_control(const struct strace_argument *a, uint64_t address, uint64_t bytes, bool is_out)
{
	size_t known = bytes;
	const char *control = (is_out ? strace_call_text_out : strace_call_text_in)(a->call, address, &known);
	if (control && known == bytes)
		strace_show_control(a->out, control, known);
	else
		strace_show_address(a->out, address);
}

/* Shows a struct msghdr with `most` bytes of data. */
static void show_message(const struct strace_argument *a, uint64_t address, uint64_t most, bool is_out)
{
	struct {
		uint64_t name;
		int32_t name_bytes, pad;
		uint64_t iov, iov_count, control, control_bytes;
		uint32_t flags, pad2;
	} head;
	struct strace_out *out = a->out;
	if (!address || !(is_out ? strace_load_out : strace_load_in)(a, address, &head, sizeof(head))) {
		strace_show_address(out, address);
		return;
	}
	size_t name_bytes = head.name_bytes > 0 ? (size_t)head.name_bytes : 0;
	const char *name =
		head.name ? (is_out ? strace_call_text_out : strace_call_text_in)(a->call, head.name, &name_bytes)
			  : NULL;
	strace_out_text(out, "{msg_name=");
	if (name && name_bytes)
		strace_show_socket_name(out, (const uint8_t *)name, name_bytes);
	else
		strace_show_address(out, head.name);
	strace_out_text(out, ", msg_namelen=");
	show_name_length(a, address, head.name_bytes, is_out);
	strace_out_text(out, ", msg_iov=");
	show_vector(a, head.iov, head.iov_count, most, is_out);
	strace_out_format(out, ", msg_iovlen=%lu, ", head.iov_count);
	if (head.control_bytes) {
		strace_out_text(out, "msg_control=");
		show_control(a, head.control, head.control_bytes, is_out);
		strace_out_text(out, ", ");
	}
	strace_out_format(out, "msg_controllen=%lu, msg_flags=", head.control_bytes);
	strace_names_flags(out, STRACE_NAMES_msg, head.flags);
	strace_out_text(out, "}");
}

void strace_show_MSG(const struct strace_argument *a)
{
	show_message(a, a->value, UINT64_MAX, false);
}

void strace_show_MSG_OUT(const struct strace_argument *a)
{
	int32_t room;
	if (a->call->result >= 0)
		show_message(a, a->value, (uint64_t)a->call->result, true);
	else if (a->value && strace_load_in(a, a->value + NAME_LENGTH_AT, &room, sizeof(room)))
		strace_out_format(a->out, "{msg_namelen=%d}", room);
	else
		strace_show_address(a->out, a->value);
}

/* Shows an array of struct mmsghdr, of which `count` are sent or received. */
static void show_messages(const struct strace_argument *a, uint64_t count, bool is_out)
{
	strace_out_text(a->out, "[");
	for (uint64_t i = 0; i < count && i < 8; i++) {
		uint32_t length = 0;
		const uint64_t at = a->value + 64 * i;
		const bool is_known = strace_load_out(a, at + 56, &length, sizeof(length));
		strace_out_text(a->out, i ? ", {msg_hdr=" : "{msg_hdr=");
		show_message(a, at, is_out && is_known ? length : UINT64_MAX, is_out);
		if (is_known)
			strace_out_format(a->out, ", msg_len=%u", length);
		strace_out_text(a->out, "}");
	}
	strace_out_text(a->out, count > 8 ? ", ...]" : "]");
}

void strace_show_MMSG(const struct strace_argument *a)
{
	show_messages(a, strace_other(a, 1), false);
}

void strace_show_MMSG_OUT(const struct strace_argument *a)
{
	if (a->call->result < 0)
		strace_show_address(a->out, a->value);
	else
		show_messages(a, (uint64_t)a->call->result, true);
}
