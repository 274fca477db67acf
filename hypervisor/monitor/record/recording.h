/* SPDX-License-Identifier: MIT */
/* A recording: a directory with what came from outside a run, input.log and network.pcapng, and with the kernel that
 * ran it (docs/recording.md). */
#ifndef HYPERVISOR_RECORDING_H
#define HYPERVISOR_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/network.h"
#include "base/error.h"
#include "base/recording_files.h"

/* --- writing --- */

struct recording;

/**
 * Makes the directory, if it does not exist, with a new recording, and writes the options of the run: `count` strings.
 * Returns 0, or a negative errno with one line in *error.
 */
int recording_create(struct recording **recording, const char *dir, char **options, unsigned count, int64_t epoch_ns,
                     struct error *error);

/**
 * Copies the first bytes of the kernel into a new recording, so that a later version can replay it. If that fails,
 * removes the recording. Returns 0, or a negative errno with one line in *error.
 */
int recording_add_kernel(const char *dir, const char *kernel, uint64_t bytes, struct error *error);

/** Makes a recording in memory, for --verify. Returns 0, or a negative errno with one line in *error. */
int recording_create_in_memory(struct recording **recording, int64_t epoch_ns, struct error *error);

/** Adds the defaults of the run, `count` options, and what made it, lines. Called before anything else is added. */
void recording_about(struct recording *recording, char **defaults, unsigned count, const char *about);

struct replay;

/**
 * Copies a recording into two empty files, whose descriptors it takes over, to add what a later run lacks there; writes
 * the options of that run. Returns 0, or a negative errno with one line in *error.
 */
int recording_create_grown(struct recording **recording, const struct replay *replay, int log, int capture,
                           char **options, unsigned count, int64_t epoch_ns, struct error *error);

struct redact;
struct redact_counts;

/**
 * Replaces, from now on, all that the expressions match. Takes over `redact`, also on an error. Called before anything
 * is added. Returns 0 or -ENOMEM.
 */
int recording_redact(struct recording *recording, struct redact *redact);

/** Counts of what was replaced; valid after recording_stop. Zeros without recording_redact. */
struct redact_counts recording_redacted(const struct recording *recording);

/** Descriptors that stay open when the monitor is confined. */
void recording_descriptors(const struct recording *recording, int fds[2]);

/** Adds a request or an event of the network or of standard input, with its payload. */
void recording_network(struct recording *recording, const struct network_record *record, const void *payload);

struct record_mark;

/** Adds how far the run has come, at the latest in a millisecond; what it was given until then has been added. With
 * recording_redact nothing is added, because what waits there comes later. */
void recording_mark(struct recording *recording, const struct record_mark *mark);

/** Writes all that was added. Returns 0, or the first error of the recording: a negative errno. */
int recording_flush(struct recording *recording);

/**
 * Starts the thread that writes, within about a millisecond, what is added; without it, recording_flush does. Returns 0
 * or a negative errno. recording_stop writes the rest and ends the thread; it returns as recording_flush.
 */
int recording_start(struct recording *recording);
int recording_stop(struct recording *recording);

/** The first error of the thread, a negative errno, or 0. */
int recording_error(struct recording *recording);

/** Leaves room for keys of TLS in the capture. Called before anything is added. recording_keys adds them, lines of
 * NSS's key log format, after recording_stop. */
void recording_leave_room(struct recording *recording);
void recording_keys(struct recording *recording, const char *text, size_t bytes);

/** Adds how the run ended, and goes on. */
void recording_end(struct recording *recording, const char *end);

/** Adds the list of files and how the run ended, and closes the recording. Returns 0 or a negative errno. Accepts
 * NULL. */
int recording_close(struct recording *recording, const char *files, size_t files_bytes, const char *end);

/* --- reading --- */

/** A recording that is being read. */
struct replay {
	char *dir;
	uint8_t *log;
	size_t bytes, at; /* of the log; the next block */
	uint64_t check;
	int capture;     /* network.pcapng */
	bool is_checked; /* all blocks were read once, and their checks are right */
	struct {
		uint8_t *data;
		uint64_t at;
		size_t bytes;
	} window;       /* a part of the capture */
	char **options; /* what the recorded run was given */
	unsigned option_count;
	char **defaults; /* the values of inputs that it was not given */
	unsigned default_count;
	struct {                    /* of a recording of --redact */
		bool is, was_given; /* it is one; the guest was given a byte that was replaced */
		bool is_input;      /* of standard input */
		uint32_t flow;      /* the first such byte: of this connection, 0: a datagram or standard input */
		uint64_t at;        /* at this byte of what came */
	} redacted;
	struct error error; /* why a block could not be read */
};

/** A block. */
struct replay_block {
	uint32_t kind, bytes;
	const uint8_t *data;
};

/** Opens a recording and reads its options. Returns 0, or a negative errno with one line in *error. */
int replay_open(struct replay *replay, const char *dir, struct error *error);
void replay_close(struct replay *replay);

/** Opens a recording by the descriptors of its log and its capture, and owns them. `name` is for messages. */
int replay_open_files(struct replay *replay, const char *name, int log, int capture, struct error *error);

/** Opens a recording in memory, which must be complete. */
int replay_open_in_memory(struct replay *replay, const struct recording *recording, struct error *error);

/** Reads the next block. One of RECORD_NETWORK or RECORD_INPUT begins with a struct network_record; of RECORD_INPUT,
 * its payload follows. Returns 1; 0 at the end of the recording, which may have been cut off; or -EBADMSG with
 * replay->error. */
int replay_next(struct replay *replay, struct replay_block *block);

/** Where a recording that was cut off ends: struct record_mark.events of its last mark, if it has no event behind it;
 * otherwise, and of a recording that was not cut off, 0. */
uint64_t replay_last_mark(const struct replay *replay);

struct record_network;

/** Copies the payload of a record, of at most NETWORK_PAYLOAD_MAX bytes. Returns 0, or -EBADMSG with replay->error. */
int replay_payload(struct replay *replay, const struct record_network *entry, uint8_t *to);

/**
 * Notes that the guest is given a record in which bytes were replaced: `redacted` is the data of the block before it,
 * or NULL. Returns whether one of them is the first that the guest was given.
 */
bool replay_note_given(struct replay *replay, const uint8_t *redacted);

/** Puts `sent` into those of `recorded` that were replaced, so that they compare as equal. Both begin at an offset of
 * the record's payload. `redacted` is the data of the block before the record, or NULL. */
void replay_fill_redacted(const uint8_t *redacted, uint8_t *recorded, const uint8_t *sent, uint32_t offset,
                          uint32_t bytes);

/** The first block of a kind, without moving on; false: the recording has none. */
bool replay_find(const struct replay *replay, uint32_t kind, struct replay_block *block);

/** Copies the value of a line of RECORD_ABOUT. Returns false, with an empty text, if the recording does not have it. */
bool replay_about(const struct replay *replay, const char *name, char value[128]);

/** The next block of a kind from an offset in the log on, which moves behind it. The first is at RECORD_MAGIC_BYTES. */
bool replay_find_from(const struct replay *replay, size_t *at, uint32_t kind, struct replay_block *block);

/** Starts from the beginning again, after the options. */
void replay_rewind(struct replay *replay);

#endif
