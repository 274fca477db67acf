/* SPDX-License-Identifier: MIT */
/* What the functions that show arguments share. One function for each type of abi/strace_calls.h. */
#ifndef HYPERVISOR_STRACE_ARGUMENT_H
#define HYPERVISOR_STRACE_ARGUMENT_H

#include "abi/linux_calls.h"
#include "abi/strace_calls.h"
#include "strace/strace_call.h"
#include "strace/strace_names.h"
#include "strace/strace_out.h"

/** An argument of a call. Its memory is known, as far as the guest has it. */
struct strace_argument {
	struct strace_out *out;
	const struct strace_call *call;
	unsigned index;
	uint64_t value;
};

#define STRACE_NUMBER(number, name) STRACE_CALL_##name = (number),
/** STRACE_CALL_read etc. */
enum { LINUX_CALL_LIST(STRACE_NUMBER) };
#undef STRACE_NUMBER

#define STRACE_SHOWS(TYPE, ...) void strace_show_##TYPE(const struct strace_argument *a);
/** strace_show_FD() etc. */
STRACE_TYPES(STRACE_SHOWS)
#undef STRACE_SHOWS

/** Another argument of the same call. */
static inline uint64_t strace_other(const struct strace_argument *a, int distance)
{
	return a->call->arguments[a->index + (unsigned)distance];
}

/** Memory of the call at an address, at its beginning or end: copied to `to`. Returns whether it is known. */
bool strace_load_in(const struct strace_argument *a, uint64_t address, void *to, size_t bytes);
bool strace_load_out(const struct strace_argument *a, uint64_t address, void *to, size_t bytes);

/** Shows an address, or NULL. */
void strace_show_address(struct strace_out *out, uint64_t address);

/** Shows bytes as a string with escapes, cut at STRACE_TEXT_BYTES; there were `bytes` of them, of which `known` are
 * known. */
void strace_show_text(struct strace_out *out, const char *from, size_t known, uint64_t bytes);

/** Shows a string that ends with NUL, in full. */
void strace_show_string(struct strace_out *out, const char *from, size_t known);

/** Shows a mode with its file type. */
void strace_show_file_mode(struct strace_out *out, uint32_t mode, bool has_type);

/** Shows {tv_sec=1, tv_nsec=0}, or with tv_usec. */
void strace_show_time(struct strace_out *out, const int64_t time[2], const char *fraction);

/** Shows what clone3(2) has stored. */
void strace_show_cloned(const struct strace_argument *a);

/** Shows control messages of sendmsg(2) and recvmsg(2). */
void strace_show_control(struct strace_out *out, const char *from, size_t bytes);

/** Shows what personality(2) takes and returns. */
void strace_show_personality(struct strace_out *out, uint32_t value);

/** Shows a set of signals. */
void strace_show_set(struct strace_out *out, uint64_t set);

/** Shows the descriptors that are ready after poll(2), or those in a set of select(2). */
void strace_show_poll_result(const struct strace_argument *a);
void strace_show_bits_result(const struct strace_argument *a);

/** Shows a struct sockaddr of `bytes` bytes. */
void strace_show_socket_name(struct strace_out *out, const uint8_t *name, size_t bytes);

#endif
