/* SPDX-License-Identifier: MIT */
/* The file network.pcapng of a recording: what was sent and received, as frames of Ethernet that are made from the
 * streams (PCAP Next Generation, draft-ietf-opsawg-pcapng). */
#ifndef HYPERVISOR_RECORD_CAPTURE_H
#define HYPERVISOR_RECORD_CAPTURE_H

#include "abi/network.h"
#include "record/record_log.h"
#include "record/record_names.h"

#define CAPTURE_LISTS 1024

struct capture_flow;

struct record_capture {
	struct record_file file;
	int64_t epoch_ns; /**< added to virtual time: nanoseconds since 1970 */
	struct capture_flow *flows[CAPTURE_LISTS];
	struct record_names names;
	uint64_t frames;
	uint64_t keys_at; /**< where room for keys is; 0: nowhere */
};

/** Takes over a descriptor of a file, which is empty or a capture, and begins a section. */
void record_capture_begin(struct record_capture *capture, int fd, int64_t epoch_ns);

/**
 * Adds the frames of a request or an event. Returns where its payload is in the file; 0: it has none.
 */
uint64_t record_capture_put(struct record_capture *capture, const struct network_record *record, const void *payload);

/** Leaves room for keys of TLS, which a reader needs before the frames. */
void record_capture_leave_room(struct record_capture *capture);

/** Puts keys of TLS, lines of NSS's key log format, into that room; what does not fit goes to the end of the file. */
void record_capture_keys(struct record_capture *capture, const char *text, size_t bytes);

/** Ends the capture with a comment. */
void record_capture_end(struct record_capture *capture, const char *comment);

/** Closes the file. */
void record_capture_close(struct record_capture *capture);

#endif
