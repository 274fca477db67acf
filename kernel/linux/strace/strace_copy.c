/* SPDX-License-Identifier: MIT */
/* Which memory is copied is in abi/strace_calls.h. A copy may be shorter than that, or missing: the monitor then shows
 * an address. No variable changes. */
#include "kernel/linux/strace/strace_copy.h"

#include "abi/linux.h"
#include "abi/linux_calls.h"
#include "abi/linux_socket.h"
#include "abi/strace_calls.h"
#include "kernel/lib/string.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/space.h"
#include "kernel/mm/vm.h"

#define IOVECS_MAX 16
#define MESSAGES_MAX 8
#define POINTERS_MAX 1024

struct type {
	uint8_t capture; /* enum strace_capture */
	int8_t count;
	uint16_t bytes;
};

#define TYPE(TYPE, what, bytes, count) {STRACE_CAPTURE_##what, count, bytes},
static const struct type types[] = {STRACE_TYPES(TYPE)};
#undef TYPE

#define NUMBER(number, name) CALL_##name = (number),
enum { LINUX_CALL_LIST(NUMBER) };
#undef NUMBER

#define CALL(name, ...) [CALL_##name] = {STRACE_LIST(__VA_ARGS__)},
static const uint8_t calls[LINUX_CALLS][STRACE_ARGUMENTS] = {STRACE_CALL_LIST(CALL)};
#undef CALL

static uint64_t less(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The number of bytes from an address on that can be read, at most `bytes`. */
static uint64_t mapped_bytes(uint64_t address, uint64_t bytes)
{
	uint64_t at = address;
	const uint64_t end = bytes < VM_ADDRESS_END - address ? address + bytes : VM_ADDRESS_END;
	if (address >= VM_ADDRESS_END)
		return 0;
	while (at < end) {
		bool large;
		const uint64_t *entry = pagetable_entry_of(space_current->top, at, &large);
		if (!entry || !(*entry & PTE_PRESENT))
			break;
		at = (at | ((large ? BLOCK_SIZE : PAGE_SIZE) - 1)) + 1;
	}
	return less(at, end) - address;
}

static struct strace_piece *next_piece(const struct strace_writer *writer)
{
	return (struct strace_piece *)((uint8_t *)writer->record + writer->record->bytes);
}

/* Bytes that fit into the record as one more piece. */
static uint64_t room(const struct strace_writer *writer)
{
	const uint64_t used = writer->record->bytes + sizeof(struct strace_piece);
	return used < STRACE_RECORD_MAX ? STRACE_RECORD_MAX - used : 0;
}

/* Ends a piece whose bytes are in place. */
static void close_piece(struct strace_writer *writer, uint64_t address, uint64_t bytes)
{
	*next_piece(writer) = (struct strace_piece){address, bytes};
	writer->record->bytes += (uint32_t)(sizeof(struct strace_piece) + ((bytes + 7) & ~7UL));
}

static void copy_bytes(struct strace_writer *writer, uint64_t address, uint64_t bytes)
{
	const uint64_t mapped = address ? mapped_bytes(address, bytes) : bytes;
	writer->late |= mapped < bytes;
	const uint64_t copied = address ? less(mapped, room(writer)) : 0;
	if (!copied)
		return;
	memcpy(next_piece(writer) + 1, (const void *)address, copied);
	close_piece(writer, address, copied);
}

void strace_copy_kernel(struct strace_writer *writer, uint64_t address, const void *from, uint64_t bytes)
{
	if (bytes > room(writer))
		return;
	memcpy(next_piece(writer) + 1, from, bytes);
	close_piece(writer, address, bytes);
}

/* Copies a string with its NUL, as far as it is mapped. */
static void copy_string(struct strace_writer *writer, uint64_t address)
{
	const uint64_t most = less(LINUX_PATH_MAX, room(writer));
	uint64_t bytes = 0;
	while (address && bytes < most) {
		const uint64_t part = less(PAGE_SIZE - (address + bytes) % PAGE_SIZE, most - bytes);
		if (!mapped_bytes(address + bytes, part)) {
			writer->late = true;
			break;
		}
		const uint64_t length = strnlen((const char *)address + bytes, part);
		bytes += length;
		if (length < part) {
			bytes++;
			break;
		}
	}
	if (!bytes)
		return;
	memcpy(next_piece(writer) + 1, (const void *)address, bytes);
	close_piece(writer, address, bytes);
}

/* Reads a value of the program. Returns whether it is mapped. */
static bool load_value(struct strace_writer *writer, uint64_t address, void *to, uint64_t bytes)
{
	if (!address || mapped_bytes(address, bytes) < bytes) {
		writer->late |= address != 0;
		return false;
	}
	memcpy(to, (const void *)address, bytes);
	return true;
}

/* Copies pointers up to NULL, and with `strings` the first strings that they lead to. */
static void copy_pointers(struct strace_writer *writer, uint64_t address, bool strings)
{
	uint64_t count = 0, pointer = 1;
	while (pointer && count < POINTERS_MAX && load_value(writer, address + 8 * count, &pointer, 8))
		count++;
	copy_bytes(writer, address, 8 * count);
	for (uint64_t i = 0; strings && i < count && i < STRACE_STRINGS; i++)
		if (load_value(writer, address + 8 * i, &pointer, 8))
			copy_string(writer, pointer);
}

/* Copies an array of struct iovec, and the beginnings of the buffers that hold the first `most` bytes. */
static void copy_vector(struct strace_writer *writer, uint64_t address, uint64_t count, uint64_t most)
{
	struct linux_iovec part;
	count = less(count, IOVECS_MAX);
	copy_bytes(writer, address, count * sizeof(part));
	for (uint64_t i = 0; i < count && most; i++) {
		if (!load_value(writer, address + i * sizeof(part), &part, sizeof(part)))
			return;
		const uint64_t bytes = less(part.iov_len, most);
		copy_bytes(writer, (uint64_t)part.iov_base, less(bytes, STRACE_TEXT_BYTES));
		most -= bytes;
	}
}

static void copy_message(struct strace_writer *writer, uint64_t address, uint64_t most)
{
	struct linux_msghdr message;
	copy_bytes(writer, address, sizeof(message));
	if (!load_value(writer, address, &message, sizeof(message)))
		return;
	copy_bytes(writer, message.msg_name, less((uint32_t)message.msg_namelen, STRACE_STRUCT_BYTES));
	copy_vector(writer, message.msg_iov, message.msg_iovlen, most);
	copy_bytes(writer, message.msg_control, less(message.msg_controllen, 256));
}

static void copy_messages(struct strace_writer *writer, uint64_t address, uint64_t count)
{
	for (uint64_t i = 0; i < count && i < MESSAGES_MAX; i++) {
		const uint64_t at = address + i * sizeof(struct linux_mmsghdr);
		copy_message(writer, at, UINT64_MAX);
		copy_bytes(writer, at, sizeof(struct linux_mmsghdr));
	}
}

static void copy_named(struct strace_writer *writer, uint64_t address, uint64_t length_at)
{
	uint32_t length;
	if (load_value(writer, length_at, &length, sizeof(length)))
		copy_bytes(writer, address, less(length, STRACE_STRUCT_BYTES));
}

static uint64_t array_bytes(const struct type *type, uint64_t count)
{
	const uint64_t most = type->bytes == 1 ? STRACE_STRUCT_BYTES : STRACE_ARRAY_BYTES / type->bytes;
	return less((uint32_t)count, most) * type->bytes;
}

/* Copies what is to be copied when the call begins. */
static void copy_at_begin(struct strace_writer *writer, const struct type *type, const uint64_t *at, uint64_t first)
{
	const uint64_t count = type->count ? at[type->count] : 1;
	switch (type->capture) {
	case STRACE_CAPTURE_string:
		copy_string(writer, *at);
		break;
	case STRACE_CAPTURE_text:
		copy_bytes(writer, *at, less(count, STRACE_TEXT_BYTES));
		break;
	case STRACE_CAPTURE_in:
	case STRACE_CAPTURE_both:
		copy_bytes(writer, *at, array_bytes(type, count));
		break;
	case STRACE_CAPTURE_bits:
		copy_bytes(writer, *at, less(((uint32_t)first + 63) / 64 * 8, 128));
		break;
	case STRACE_CAPTURE_strings:
	case STRACE_CAPTURE_pointers:
		copy_pointers(writer, *at, type->capture == STRACE_CAPTURE_strings);
		break;
	case STRACE_CAPTURE_written:
		copy_vector(writer, *at, count, UINT64_MAX);
		break;
	case STRACE_CAPTURE_sent:
		copy_message(writer, *at, UINT64_MAX);
		break;
	case STRACE_CAPTURE_received:
		copy_bytes(writer, *at, sizeof(struct linux_msghdr));
		break;
	case STRACE_CAPTURE_all_sent:
		copy_messages(writer, *at, count);
		break;
	}
}

/* Copies what is to be copied when the call has succeeded. */
static void copy_at_end(struct strace_writer *writer, const struct type *type, const uint64_t *at, uint64_t first,
                        uint64_t result)
{
	switch (type->capture) {
	case STRACE_CAPTURE_out: {
		const uint64_t count = type->count ? at[type->count] : 1;
		copy_bytes(writer, *at, array_bytes(type, count));
		break;
	}
	case STRACE_CAPTURE_both:
	case STRACE_CAPTURE_bits:
		copy_at_begin(writer, type, at, first);
		break;
	case STRACE_CAPTURE_read:
		copy_bytes(writer, *at, less(result, type->bytes));
		break;
	case STRACE_CAPTURE_filled:
		copy_vector(writer, *at, at[type->count], result);
		break;
	case STRACE_CAPTURE_received:
		copy_message(writer, *at, result);
		break;
	case STRACE_CAPTURE_all_sent:
	case STRACE_CAPTURE_all_received:
		copy_messages(writer, *at, result);
		break;
	case STRACE_CAPTURE_named:
		copy_named(writer, *at, at[type->count]);
		break;
	}
}

static bool is_of_begin(unsigned capture)
{
	return capture == STRACE_CAPTURE_string || capture == STRACE_CAPTURE_text || capture == STRACE_CAPTURE_in ||
	       capture == STRACE_CAPTURE_both || capture == STRACE_CAPTURE_bits || capture == STRACE_CAPTURE_strings ||
	       capture == STRACE_CAPTURE_pointers || capture == STRACE_CAPTURE_written ||
	       capture == STRACE_CAPTURE_sent || capture == STRACE_CAPTURE_all_sent;
}

unsigned strace_copy_arguments(struct strace_writer *writer, const uint64_t *arguments, enum strace_moment moment,
                               long result, unsigned only)
{
	const unsigned number = writer->record->call;
	unsigned late = 0;
	for (unsigned i = 0; number < LINUX_CALLS && i < STRACE_ARGUMENTS; i++) {
		const struct type *type = &types[calls[number][i]];
		if (type->capture == STRACE_CAPTURE_none || !(only >> i & 1))
			continue;
		writer->late = false;
		if (moment == STRACE_AT_BEGIN)
			copy_at_begin(writer, type, &arguments[i], arguments[0]);
		else if (result >= 0)
			copy_at_end(writer, type, &arguments[i], arguments[0], (uint64_t)result);
		else if (type->capture == STRACE_CAPTURE_failed)
			copy_bytes(writer, arguments[i], type->bytes);
		if (writer->late && is_of_begin(type->capture))
			late |= 1U << i;
	}
	return late;
}
