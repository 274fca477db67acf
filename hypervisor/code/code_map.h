/* SPDX-License-Identifier: MIT */
/* Where the code of an ELF file is: which parts of it are executed, and where functions in them begin and end. That
 * comes from the unwind tables, and where these say nothing, from symbols and from Go's table of functions. Each is
 * read when something asks for it first. */
#ifndef HYPERVISOR_CODE_MAP_H
#define HYPERVISOR_CODE_MAP_H

#include "code/code_function.h"
#include "guest/elf_file.h"
#include "scan/code_range.h"

#define CODE_AREAS_MAX 64

/** Who says where functions are. */
enum code_source { CODE_SOURCE_EH_FRAME, CODE_SOURCE_SYMBOLS, CODE_SOURCE_GO, CODE_SOURCES };

struct code_map {
	struct elf_file elf;
	struct code_area areas[CODE_AREAS_MAX]; /**< ascending and apart in the file */
	unsigned area_count;
	bool is_raw; /**< memory, no file: there are no functions */
	bool is_read[CODE_SOURCES];
	struct code_ranges functions[CODE_SOURCES];
	uint64_t eh_frame, eh_frame_bytes; /**< address and size of the unwind tables, when they are read; 0: none */
	bool is_landing_read, is_landing_unknown;
	bool is_maker_known, is_of_ghc;
	struct code_ranges landing; /**< functions, and the addresses of what says where their landing pads are */
	char note[256];             /**< what is wrong with the tables, which then say nothing; or empty */
};

/** Reads a file, which must stay. 0, or a negative errno with one line in error[]. code_map_fini is then not needed. */
int code_map_open(struct code_map *map, const uint8_t *file, uint64_t bytes, char error[256]);

/** The same for memory of which nothing is known. */
void code_map_open_raw(struct code_map *map, const uint8_t *memory, uint64_t bytes);

/** Frees what it holds. */
void code_map_fini(struct code_map *map);

/**
 * Finds the function around an address of an area. 1: *range; 0: none, and the bytes from *gap up to the address are in
 * none, either; or -ENOMEM. *source is who knows it.
 */
int code_map_find(struct code_map *map, const struct code_area *area, uint64_t address, struct code_range *range,
                  enum code_source *source, uint64_t *gap);

/**
 * Whether what stands at an offset of an area, and no unwind table knows of, is surely none of the instructions that
 * are looked for. `in_gap`: no other source knows of it, either, and code_map_find has said so.
 */
bool code_map_denies(struct code_map *map, const struct code_area *area, uint64_t offset, bool in_gap);

/** The area that an address is in, or NULL. */
const struct code_area *code_map_area(const struct code_map *map, uint64_t address);

/** Is shown a function, which is within the area. Other than 0 ends the walk. */
typedef int code_map_visit(void *context, const struct code_area *area, const struct code_range *function);

/**
 * Shows the functions that the first source knows which knows any, in the order of their addresses; of those that
 * overlap, the first. 0, -ENOMEM, or what a visit has ended it with.
 */
int code_map_each_function(struct code_map *map, code_map_visit *visit, void *context);

/** Adds a function's landing pads to its labels. 0; -EINVAL: they cannot be known; or -ENOMEM. */
int code_map_add_landing_pads(struct code_map *map, struct code_function *function);

#endif
