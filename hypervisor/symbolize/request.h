/* SPDX-License-Identifier: MIT */
/* The protocol of eremite-symbolize. The monitor writes to its standard input, for each stack, this structure and the
 * stack's bytes, which may come from two places. The image is its descriptor 3. It answers each stack with text: the
 * symbol of `object`, if there is one, a form feed, a line for each frame, and a form feed. If CPython runs on the
 * stack, the last line is SYMBOLIZE_PYTHON with the addresses of its symbols _PyRuntime and Py_Version. */
#ifndef HYPERVISOR_SYMBOLIZE_REQUEST_H
#define HYPERVISOR_SYMBOLIZE_REQUEST_H

#include <stdint.h>

#define SYMBOLIZE_MAGIC 0x32626d7973657265UL /* "eresymb2" */
#define SYMBOLIZE_MAGIC_TYPED \
	0x33626d7973657265UL /* "eresymb3": SYMBOLIZE_PLAIN follows the symbol of a variable whose type is plain */
#define SYMBOLIZE_PLAIN "\n  #! plain"
#define SYMBOLIZE_PYTHON "  #@ "
#define SYMBOLIZE_END '\f'
#define SYMBOLIZE_REGISTERS 17
#define SYMBOLIZE_RBP 6
#define SYMBOLIZE_RSP 7
#define SYMBOLIZE_RIP 16
#define SYMBOLIZE_STACK_MAX 0x100000UL
#define SYMBOLIZE_FRAMES_MAX 64

struct symbolize_request {
	uint64_t magic;
	uint64_t registers[SYMBOLIZE_REGISTERS]; /**< as in struct fault_report */
	uint64_t object;                         /**< address to name; 0: none */
	uint64_t stack_address;                  /**< virtual address of the first byte that follows */
	uint64_t stack_bytes;                    /**< at most SYMBOLIZE_STACK_MAX */
	uint64_t next_address; /**< address of the second part of the stack, whose bytes follow those of the first */
	uint64_t next_bytes;   /**< with stack_bytes at most SYMBOLIZE_STACK_MAX */
};

/* Descriptor 3 for a Linux program: this structure, `count` of struct symbolize_module, and the contents of the files,
 * each starting on a page of its own. A module without a path is code that the program made at run time. */
#define SYMBOLIZE_MODULES_MAGIC 0x31646f6d7973656cUL /* "lesymod1" */
#define SYMBOLIZE_MODULES_MAX 512

/* At the end of descriptor 3, if an image's symbols are compressed: `image_bytes` of the image without them come first,
 * then the gzip-compressed (RFC 1952) rest of the image's file, then this structure. */
#define SYMBOLIZE_SYMBOLS_MAGIC 0x316d797365726568UL /* "heresym1" */

struct symbolize_symbols {
	uint64_t image_bytes;
	uint64_t magic;
};

struct symbolize_modules {
	uint64_t magic;
	uint64_t count;
};

struct symbolize_module {
	uint64_t start, end; /**< addresses where a part of the file is executable */
	uint64_t offset;     /**< offset of that part in the file */
	uint64_t content_at; /**< where the contents of the whole file are */
	uint64_t content_bytes;
	char path[216]; /**< as the program sees it, NUL-terminated */
};

_Static_assert(sizeof(struct symbolize_symbols) == 16, "symbolize_symbols");
_Static_assert(sizeof(struct symbolize_module) == 256, "symbolize_module");
_Static_assert(sizeof(struct symbolize_request) == 184, "symbolize_request");

#endif
