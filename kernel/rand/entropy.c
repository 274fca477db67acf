/* SPDX-License-Identifier: MIT */
/* Entropy streams: ChaCha20 with the seed as key and the consumer as nonce. Each block is used byte by byte. */
#include "kernel/rand/entropy.h"

#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/rand/chacha20.h"

struct stream {
	uint32_t key[CHACHA20_KEY_WORDS];
	uint64_t counter;
	uint8_t block[CHACHA20_BLOCK_BYTES];
	unsigned used; /* bytes of the block already drawn */
};

static struct stream streams[ENTROPY_CONSUMERS];

void entropy_seed(enum entropy_consumer consumer, uint64_t seed)
{
	static const uint32_t label[6] = {0x6d657245, 0x20657469, 0x72746e65, 0x2079706f, 0x65727473, 0x00316d61};
	struct stream *stream = &streams[consumer];
	stream->key[0] = (uint32_t)seed;
	stream->key[1] = (uint32_t)(seed >> 32);
	memcpy(&stream->key[2], label, sizeof(label));
	stream->counter = 0;
	stream->used = CHACHA20_BLOCK_BYTES;
}

void entropy_init(uint64_t seed)
{
	for (unsigned i = 0; i < ENTROPY_CONSUMERS; i++)
		entropy_seed((enum entropy_consumer)i, seed);
}

void entropy_draw(enum entropy_consumer consumer, void *to, size_t bytes)
{
	assert(consumer < ENTROPY_CONSUMERS);
	struct stream *stream = &streams[consumer];
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
