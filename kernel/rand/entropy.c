/* SPDX-License-Identifier: MIT */
/* Entropy streams: ChaCha20 with the consumer as nonce. Each block is used byte by byte. The key of a consumer and of
 * the first process is the seed; that of another process is a block of its parent's key, with a nonce that no consumer
 * has. A key therefore never appears in a stream, and two places in the tree of processes have different keys. */
#include "kernel/rand/entropy.h"

#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/rand/chacha20.h"

#define NONCE_CHILD 0x646c696863UL /* "child"; the counter is the number of the child */
#define NONCE_EXECUTE 0x63657865UL /* "exec" */

static struct entropy_stream streams[ENTROPY_CONSUMERS]; /* those of processes are unused */

static struct entropy_stream *stream_of(struct entropy_process *process, enum entropy_consumer consumer)
{
	assert(consumer < ENTROPY_CONSUMERS);
	switch (consumer) {
	case ENTROPY_PROGRAM:
		return &process->program;
	case ENTROPY_LAYOUT:
		return &process->layout;
	default:
		return &streams[consumer];
	}
}

static void restart_stream(struct entropy_stream *stream)
{
	stream->counter = 0;
	stream->used = CHACHA20_BLOCK_BYTES;
}

void entropy_seed(struct entropy_process *process, enum entropy_consumer consumer, uint64_t seed)
{
	static const uint32_t label[6] = {0x6d657245, 0x20657469, 0x72746e65, 0x2079706f, 0x65727473, 0x00316d61};
	struct entropy_stream *stream = stream_of(process, consumer);
	stream->key[0] = (uint32_t)seed;
	stream->key[1] = (uint32_t)(seed >> 32);
	memcpy(&stream->key[2], label, sizeof(label));
	restart_stream(stream);
}

void entropy_init(struct entropy_process *first, uint64_t seed)
{
	for (unsigned i = 0; i < ENTROPY_CONSUMERS; i++)
		entropy_seed(first, (enum entropy_consumer)i, seed);
}

void entropy_draw(struct entropy_process *process, enum entropy_consumer consumer, void *to, size_t bytes)
{
	struct entropy_stream *stream = stream_of(process, consumer);
	uint8_t *out = to;
	while (bytes) {
		if (stream->used == CHACHA20_BLOCK_BYTES) {
			chacha20_block(stream->key, stream->counter++, consumer, stream->block);
			stream->used = 0;
		}
		size_t take = CHACHA20_BLOCK_BYTES - stream->used;
		if (take > bytes)
			take = bytes;
		memcpy(out, stream->block + stream->used, take);
		stream->used += (unsigned)take;
		out += take;
		bytes -= take;
	}
}

/* Keys a stream from another one's key, which may be its own. */
static void derive_stream(struct entropy_stream *stream, const struct entropy_stream *from, uint64_t number,
                          uint64_t nonce)
{
	uint8_t block[CHACHA20_BLOCK_BYTES];
	chacha20_block(from->key, number, nonce, block);
	memcpy(stream->key, block, sizeof(stream->key));
	restart_stream(stream);
}

void entropy_fork(struct entropy_process *child, struct entropy_process *parent)
{
	uint64_t number = ++parent->children;
	derive_stream(&child->program, &parent->program, number, NONCE_CHILD);
	derive_stream(&child->layout, &parent->layout, number, NONCE_CHILD);
	child->children = 0;
}

void entropy_execute(struct entropy_process *process)
{
	derive_stream(&process->program, &process->program, 0, NONCE_EXECUTE);
	derive_stream(&process->layout, &process->layout, 0, NONCE_EXECUTE);
	process->children = 0;
}
