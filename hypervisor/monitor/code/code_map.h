/* SPDX-License-Identifier: MIT */
/* Where the code of an ELF file is: its executable parts, and the start and end of functions in them. These come from
 * the unwind tables or, where these have nothing, from symbols and from Go's table of functions. Each source is read on
 * its first use. */
#ifndef HYPERVISOR_CODE_MAP_H
#define HYPERVISOR_CODE_MAP_H

#include "base/error.h"
#include "code/code_function.h"
#include "guest/elf_file.h"
#include "scan/code_range.h"

#define CODE_AREAS_MAX 64

/** Sources that say where functions are. */
enum code_source { CODE_SOURCE_EH_FRAME, CODE_SOURCE_SYMBOLS, CODE_SOURCE_GO, CODE_SOURCES };

struct code_map {
	struct elf_file elf;
	struct code_area areas[CODE_AREAS_MAX]; /**< in ascending file order, without overlaps */
	unsigned area_count;
	bool is_raw; /**< memory instead of a file: no functions are known */
	bool is_read[CODE_SOURCES];
	struct code_ranges functions[CODE_SOURCES];
	struct code_ranges joined; /**< those of the first source that has any, and Go's, after code_map_join_go */
	uint64_t eh_frame, eh_frame_bytes; /**< address and size of the unwind tables, once read; 0: none */
	bool is_landing_read, is_landing_unknown;
	bool is_maker_known, is_of_ghc;
	struct code_ranges landing; /**< addresses of functions, and of the data that lists their landing pads */
	struct error note;          /**< what is wrong with the tables, which are then ignored; or empty */
};

/**
 * Reads a file, whose memory must stay valid. Returns 0, or a negative errno with one line in *error; code_map_fini is
 * then not needed.
 */
int code_map_open(struct code_map *map, const uint8_t *file, uint64_t bytes, struct error *error);

/** Makes a map of memory of which nothing is known. */
void code_map_open_raw(struct code_map *map, const uint8_t *memory, uint64_t bytes);

/** Reads everything that code_map_find and code_map_each_function need, so that several threads may call them. Returns
 * 0 or -ENOMEM. */
int code_map_read(struct code_map *map);

/**
 * Lets code_map_each_function and code_map_each_rest know the functions of Go's own table, too, where the first source
 * has some that the table does not name: those written in C of a Go program. Returns 0 or -ENOMEM.
 */
int code_map_join_go(struct code_map *map);

/** Frees the memory of a map. */
void code_map_fini(struct code_map *map);

/**
 * Finds the function around an address of an area. Returns 1 and sets *range and *source. Returns 0 if no source knows
 * one; the bytes from *gap up to the address are then in no function either. Or returns -ENOMEM.
 */
int code_map_find(struct code_map *map, const struct code_area *area, uint64_t address, struct code_range *range,
                  enum code_source *source, uint64_t *gap);

/**
 * Whether the bytes at an offset of an area, in no function of the unwind tables, are certainly not one of the wanted
 * instructions. `in_gap`: code_map_find has found that no other source has a function there either.
 */
bool code_map_denies(struct code_map *map, const struct code_area *area, uint64_t offset, bool in_gap);

/** Returns the area that contains an address, or NULL. */
const struct code_area *code_map_area(const struct code_map *map, uint64_t address);

/** Called with each function, which is within the area. A result other than 0 ends the walk. */
typedef int code_map_visit(void *context, const struct code_area *area, const struct code_range *function);

/**
 * Visits the functions of the first source that has any, in ascending order of addresses; of overlapping functions,
 * only the first. Returns 0, -ENOMEM, or the result that ended the walk.
 */
int code_map_each_function(struct code_map *map, code_map_visit *visit, void *context);

/** Visits what code_map_each_function leaves out: code in no function, and functions that overlap earlier ones. */
int code_map_each_rest(struct code_map *map, code_map_visit *visit, void *context);

/** Adds a function's landing pads to its labels. Returns 0, -EINVAL if they cannot be known, or -ENOMEM. */
int code_map_add_landing_pads(struct code_map *map, struct code_function *function);

#endif
