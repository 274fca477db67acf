/* SPDX-License-Identifier: MIT */
/* Takes an answer that is already there, or sends the request. Which of the two happens depends on earlier runs, so it
 * must leave no trace: all of it is done on the policies' stack, and the data about the answers are in memory that no
 * digest covers. */
#include "kernel/linux/files/host_ahead.h"

#include <stdbool.h>
#include <stddef.h>

#include "kernel/arch/direct_map.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/linux/files/host_request.h"
#include "kernel/mm/frame.h"

#define SPINS 10000 /* iterations of `pause`; together they take as long as a few doorbells */

static struct host_file_ahead *ahead; /* NULL: no answers in advance */

/* Answers in advance are not restored when a guest makes tries, which so take none. */
static bool has_ahead(void)
{
	return ahead && !doorbell_writes;
}

void host_ahead_init(const struct boot_info *boot)
{
	ahead = boot->host_ahead ? phys_to_virt(boot->host_ahead) : NULL;
}

static uint64_t aligned(uint64_t bytes)
{
	return (bytes + HOST_FILE_AHEAD_ALIGN - 1) & ~(HOST_FILE_AHEAD_ALIGN - 1);
}

/* Waits for an entry that is being prepared. */
static void await_entry(void)
{
	for (unsigned i = 0; i < SPINS; i++) {
		if (ahead->taken != __atomic_load_n(&ahead->count, __ATOMIC_ACQUIRE) ||
		    !__atomic_load_n(&ahead->preparing, __ATOMIC_ACQUIRE))
			return;
		__builtin_ia32_pause();
	}
}

/* The next entry, which cannot be revoked until end_taking. */
static const struct host_file_ahead_entry *begin_taking(void)
{
	if (!has_ahead())
		return NULL;
	await_entry();
	__atomic_store_n(&ahead->taking, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&ahead->revoked, __ATOMIC_SEQ_CST) ||
	    ahead->taken == __atomic_load_n(&ahead->count, __ATOMIC_ACQUIRE))
		return NULL;
	return (const void *)((uint8_t *)ahead + ahead->next);
}

static void end_taking(void)
{
	if (has_ahead())
		__atomic_store_n(&ahead->taking, 0, __ATOMIC_RELEASE);
}

/* The part of a request that is not in its numeric fields: the name, or the names in the buffer. */
static const void *request_key(const struct host_file_request *request, size_t *bytes)
{
	*bytes = 0;
	if (request->op == HOST_FILE_LOOK) {
		*bytes = strlen(request->name) + 1;
		return request->name;
	}
	if (request->op == HOST_FILE_LOOK_MANY)
		*bytes = request->buffer_bytes;
	return phys_to_virt(request->buffer);
}

/* The size of the answer's buffer. The answer of HOST_FILE_LOOK_MANY may be longer than the names that it replaces. */
static uint64_t room_of(const struct host_file_request *request)
{
	return request->op == HOST_FILE_LOOK_MANY ? HOST_FILE_LOOK_BYTES : request->buffer_bytes;
}

static bool is_answer(const struct host_file_ahead_entry *entry, const struct host_file_request *request)
{
	size_t bytes;
	const void *key = request_key(request, &bytes);
	return entry->op == request->op && entry->handle == request->handle && entry->offset == request->offset &&
	       entry->key_bytes == bytes && !memcmp(entry + 1, key, bytes) &&
	       (entry->op == HOST_FILE_LOAD || entry->data_bytes <= room_of(request));
}

static void fill_pieces(const struct host_file_request *request, const uint8_t *data, uint64_t bytes)
{
	const struct host_file_piece *piece = phys_to_virt(request->buffer);
	for (; bytes; piece++) {
		assert(piece->bytes <= bytes);
		memcpy(phys_to_virt(piece->address), data, piece->bytes);
		data += piece->bytes;
		bytes -= piece->bytes;
	}
}

static int64_t take_answer(const struct host_file_ahead_entry *entry, struct host_file_request *request)
{
	const uint8_t *data = (const uint8_t *)(entry + 1) + aligned(entry->key_bytes);
	if (entry->op == HOST_FILE_LOAD)
		fill_pieces(request, data, entry->data_bytes);
	else
		memcpy(phys_to_virt(request->buffer), data, entry->data_bytes);
	if (host_file_is_list(entry->op))
		request->attributes = (struct host_file_attributes){.size = entry->listed};
	ahead->taken++;
	ahead->next += sizeof(*entry) + aligned(entry->key_bytes) + aligned(entry->data_bytes);
	return entry->answer;
}

/* Tells of the memory that the monitor is about to write to. */
static void tell_written(const struct host_file_request *request)
{
	const struct host_file_piece *pieces = phys_to_virt(request->buffer);
	doorbell_writes(virt_to_phys(request), sizeof(*request));
	if (request->op != HOST_FILE_LOAD)
		doorbell_writes(request->buffer, room_of(request));
	for (uint64_t i = 0; request->op == HOST_FILE_LOAD && i < request->buffer_bytes / sizeof(*pieces); i++)
		doorbell_writes(pieces[i].address, pieces[i].bytes);
}

int64_t host_ahead_ask(enum host_file_op op, uint32_t handle, uint64_t buffer, uint64_t bytes)
{
	struct host_file_request *request = host_request;
	int64_t answer;
	request->op = op;
	request->handle = handle;
	request->buffer = buffer;
	request->buffer_bytes = bytes;
	do {
		const struct host_file_ahead_entry *entry = begin_taking();
		bool taken = entry && entry->answer != HOST_FILE_AGAIN && is_answer(entry, request);
		if (taken)
			answer = take_answer(entry, request);
		end_taking();
		if (!taken && doorbell_writes)
			tell_written(request);
		if (!taken)
			answer = doorbell_ring(DOORBELL_HOST_FILE, virt_to_phys(request), 0);
	} while (answer == HOST_FILE_AGAIN);
	return answer;
}

/* The byte that has the bit of an object, or NULL if there is none. */
static uint8_t *unused_byte(uint32_t handle)
{
	uint64_t page = has_ahead() ? ahead->unused[handle / HOST_FILE_UNUSED_HANDLES] : 0;
	return page ? (uint8_t *)phys_to_virt(page) + handle % HOST_FILE_UNUSED_HANDLES / 8 : NULL;
}

void host_ahead_unused(uint32_t handle)
{
	uint64_t *page = has_ahead() ? &ahead->unused[handle / HOST_FILE_UNUSED_HANDLES] : NULL;
	if (page && !*page)
		*page = frame_alloc();
	uint8_t *byte = unused_byte(handle);
	if (byte)
		*byte |= (uint8_t)(1 << handle % 8);
}

void host_ahead_used(uint32_t handle)
{
	uint8_t *byte = unused_byte(handle);
	if (byte)
		*byte &= (uint8_t) ~(1 << handle % 8);
}
