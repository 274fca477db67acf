/* SPDX-License-Identifier: MIT */
/* Answers DOORBELL_CODE: what the kernel must patch in a file that it maps executable, or in memory. */
#ifndef HYPERVISOR_CODE_SERVICE_H
#define HYPERVISOR_CODE_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "code/code_scan.h"
#include "code/code_shared.h"
#include "code/service/code_sealed.h"
#include "guest/guest_memory.h"

/** The result of a request for which the guest had not enough room: it asks again with more. */
struct code_answer {
	uint64_t pieces, piece_count, bytes; /**< of the request and its file; all zero: no answer is kept */
	struct code_scan scan;
};

/** What a run keeps of the files that it was asked about. */
struct code_known {
	const struct code_sealed *sealed; /**< the results of a sealed image, which precede all others; NULL: none */
	struct code_sealed *noted;        /**< takes all results of files; NULL: nobody wants them */
	bool is_sampled;                  /**< a file may have more accesses than are decision points */
	struct code_shared_uses uses;     /**< the files of a list that were scanned, if the points are a list */
	struct code_answer again;
};

/**
 * Serves the struct code_request (abi/code.h) at an address, with the wanted decision points. Returns the number of
 * patches, of which it writes as many as there is room for. Returns -ENOEXEC if the file is not an x86-64 ELF file, or
 * -EFBIG if it is larger than CODE_SCAN_BYTES_MAX or hostile; the kernel handles these. If *error is not empty
 * afterwards, the run cannot go on: the request is malformed (-EFAULT, -EINVAL), the sealed result does not fit the
 * file (-EUCLEAN), or the host lacks something.
 */
int64_t code_service_answer(const struct guest_memory *memory, gpa_t request, const struct code_points *points,
                            struct code_known *known, struct error *error);

/** Frees what the answers have left in the structure; it does not free what was put into it. */
void code_service_fini(struct code_known *known);

/** Sets whether the first analysis of a large file is announced on standard error, once per process. */
void code_service_say_slow(bool announce);

#endif
