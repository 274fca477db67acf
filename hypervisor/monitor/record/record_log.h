/* SPDX-License-Identifier: MIT */
/* The file input.log of a recording (docs/recording.md): blocks, each with a check that depends on all before it. A log
 * that was cut off anywhere is a shorter log, as far as its last whole block. */
#ifndef HYPERVISOR_RECORD_LOG_H
#define HYPERVISOR_RECORD_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "abi/network.h"
#include "base/recording_files.h"

#define RECORD_MAGIC RECORDING_MARKER "2\n" /* the number is the version of the format */
#define RECORD_MAGIC_BYTES 16

enum record_kind {
	RECORD_OPTIONS = 1,  /**< what the run was given: strings, each ended by a NUL */
	RECORD_NETWORK = 2,  /**< struct record_network */
	RECORD_INPUT = 3,    /**< struct network_record of NETWORK_INPUT, and its payload */
	RECORD_FILES = 4,    /**< the files of the host that the program has read, as --files-out lists them */
	RECORD_END = 5,      /**< how the run ended, as `name value` lines */
	RECORD_REDACTED = 6, /**< struct record_redacted: what --redact replaced in the next record */
	RECORD_ADDED = 7,    /**< what a later run was given, as OPTIONS: the records that follow are its own */
	RECORD_KEYS = 8,     /**< the keys of TLS connections that the program has logged, in NSS's format */
	RECORD_DEFAULTS = 9, /**< as OPTIONS: the inputs that the run was not given, with the values that they had */
	RECORD_ABOUT = 10,   /**< what made the run, as `name value` lines */
	RECORD_MARK = 11     /**< struct record_mark: how far the run had come */
};

/** How far a run had come. What it was given until then is in the blocks before. */
struct record_mark {
	uint64_t events; /**< kernel calls and switches of threads that had returned: event_state.returned
	                    (abi/events.h) */
};

struct record_block {
	uint32_t kind, bytes; /**< enum record_kind; bytes that follow */
	uint64_t check; /**< first 8 bytes of the SHA-256 of the last block's check, this block's kind and bytes, what
	                   follows, and the XXH3-128 of the payload in the capture */
};

/** A request or an event of the network, in the order in which the guest made and saw them. */
struct record_network {
	struct network_record record;
	uint64_t payload_at; /**< where its payload is in network.pcapng; 0: it has none */
};

_Static_assert(sizeof(struct record_block) == 16, "record_block");
_Static_assert(sizeof(struct record_network) == 80, "record_network");
_Static_assert(sizeof(struct record_mark) == 8, "record_mark");

#define RECORD_PARTS 256 /**< pieces that one call writes; at most IOV_MAX */

/** A file that is only appended to. Errors are kept: `error` is a negative errno. */
struct record_file {
	int fd; /**< -1: none */
	uint8_t *buffer;
	size_t used;
	uint64_t bytes; /**< of the file, with those that were not written yet */
	int error;
	struct iovec parts[RECORD_PARTS]; /**< what was not written yet: `pending` bytes, in the buffer or lent */
	unsigned part_count;
	size_t pending;
	bool reserves;     /**< the file system may reserve space for a large file, which closing gives back */
	uint64_t reserved; /**< the end of that space; 0: none */
};

/** Takes over a descriptor of a file, and appends to it. */
void record_file_open(struct record_file *file, int fd);

/** Appends data; writes them, and what else is in the buffer; closes the file. */
void record_file_put(struct record_file *file, const void *data, size_t bytes);

/** Appends data that the caller keeps unchanged until the next record_file_flush. */
void record_file_lend(struct record_file *file, const void *data, size_t bytes);
void record_file_flush(struct record_file *file);
void record_file_close(struct record_file *file);

struct record_log {
	struct record_file file;
	uint64_t check;
};

/** Takes over a descriptor of an empty file. */
void record_log_begin(struct record_log *log, int fd);

/** Takes over a descriptor of a log, to append to it. `check` is that of its last block. */
void record_log_resume(struct record_log *log, int fd, uint64_t check);

/** Appends a block. `payload` joins the check only. */
void record_log_put(struct record_log *log, enum record_kind kind, const void *data, size_t bytes, const void *payload,
                    size_t payload_bytes);

/** The name of a request or an event (enum network_op): CONNECT. */
const char *record_log_name(uint32_t op);

/** The check of a block. */
uint64_t record_log_check(uint64_t before, uint32_t kind, const void *data, uint32_t bytes, const void *payload,
                          size_t payload_bytes);

#endif
