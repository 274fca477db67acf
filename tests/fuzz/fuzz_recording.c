/* SPDX-License-Identifier: MIT */
/* A recording that somebody has made or edited: a log of any blocks, whose checks are made right, so that what they
 * hold is read, too; and a capture. A guest requests anything meanwhile. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/error.h"
#include "net/net_state.h"
#include "record/record_log.h"
#include "record/recording.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/fakes/folder.h"

static char dir[64];

static void remove_dir(void)
{
	folder_remove(dir);
}

static void write_file(const char *name, const void *data, size_t size)
{
	char path[96];
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

/* Makes the checks of whole blocks right; that of a record with a payload stays wrong now and then. */
static void repair(uint8_t *log, size_t size, const uint8_t *capture, size_t capture_size)
{
	uint64_t check = 0;
	for (size_t at = RECORD_MAGIC_BYTES; at + sizeof(struct record_block) <= size;) {
		struct record_block block;
		struct record_network entry = {0};
		memcpy(&block, log + at, sizeof(block));
		uint8_t *data = log + at + sizeof(block);
		if (block.bytes > size - at - sizeof(block))
			return;
		if (block.kind == RECORD_NETWORK && block.bytes == sizeof(entry))
			memcpy(&entry, data, sizeof(entry));
		bool has = entry.payload_at && entry.payload_at < capture_size &&
		           entry.record.bytes <= capture_size - entry.payload_at;
		check = block.check =
			record_log_check(check, block.kind, data, block.bytes, has ? capture + entry.payload_at : NULL,
		                         has ? entry.record.bytes : 0);
		memcpy(log + at, &block, sizeof(block));
		at += sizeof(block) + block.bytes;
	}
}

static bool is_stopped(void)
{
	return true;
}

/* Replays it to a guest that takes all events, and makes requests of its own. */
static void replay_all(struct replay *replay, struct fuzz_input *input, bool has_peers, enum net_miss miss)
{
	struct error error;
	const struct net_config config = {.files_max = 1024,
	                                  .has_route = true,
	                                  .replay = replay,
	                                  .has_peers = has_peers,
	                                  .miss = miss,
	                                  .rules.allows = true}; /* nothing is: what is passed on opens no socket */
	struct network_address forbidden[STATS_OUTSIDE];
	struct net_misses misses;
	struct net *net;
	uint64_t head = 0;
	if (net_open(&net, &config, 64UL << 20, host_memory_anonymous, &error)) {
		if (!has_peers)
			abort();
		net_close(net, is_stopped, forbidden, &misses);
		return;
	}
	for (unsigned turn = 0; turn < 32 && net->end == NET_GOES_ON; turn++) {
		struct network_record record = {.op = 1 + (uint32_t)fuzz_number(input, 1) % 10};
		uint8_t *at = net->memory.base + NETWORK_REQUESTS_AT + head;
		if (has_peers) { /* requests of few connections and peers, with something in them */
			record.flow = fuzz_number(input, 1) % 4 + (fuzz_number(input, 1) & 1 ? NETWORK_INCOMING : 0);
			record.remote.port = (uint16_t)(fuzz_number(input, 1) & 1 ? 53 : 80);
			record.bytes = record.op == NETWORK_SEND || record.op == NETWORK_DATAGRAM ? 64 : 0;
			fuzz_take(input, at + sizeof(record), record.bytes < input->left ? record.bytes : input->left);
		}
		memcpy(at, &record, sizeof(record));
		uint64_t choice = fuzz_number(input, 1);
		if (choice & 1)
			net->area->requests_head = head += NETWORK_RECORD_BYTES(record.bytes);
		if (choice & 2)
			net->area->expected_tail = choice & 4 ? net->area->expected_head : choice;
		net->area->events_tail = net->events_head;
		net_wait(net, turn, 0, is_stopped);
		net_turn(net);
	}
	net_close(net, is_stopped, forbidden, &misses);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t log[RECORD_MAGIC_BYTES + 0x10000];
	struct fuzz_input input = fuzz_begin(data, size);
	struct replay replay;
	struct replay_block block;
	struct error error;
	size_t bytes = fuzz_number(&input, 2), offset = RECORD_MAGIC_BYTES;
	if (!dir[0]) {
		if (!folder_make(dir))
			abort();
		atexit(remove_dir);
	}
	bytes = bytes < input.left ? bytes : input.left;
	memcpy(log, RECORD_MAGIC, RECORD_MAGIC_BYTES);
	fuzz_take(&input, log + RECORD_MAGIC_BYTES, bytes);
	const uint8_t *capture = data + size - input.left;
	repair(log, RECORD_MAGIC_BYTES + bytes, capture, input.left);
	write_file(RECORDING_LOG, log, RECORD_MAGIC_BYTES + bytes);
	write_file(RECORDING_CAPTURE, capture, input.left);
	if (!replay_open(&replay, dir, &error)) {
		replay_find(&replay, RECORD_END, &block);
		while (replay_find_from(&replay, &offset, RECORD_FILES, &block))
			;
		struct fuzz_input again = input, passing = input;
		replay_all(&replay, &input, false, NET_MISS_STOPS);
		replay_all(&replay, &again, true, NET_MISS_STOPS);
		replay_all(&replay, &passing, true, NET_MISS_PASSES);
	}
	replay_close(&replay);
	return 0;
}
