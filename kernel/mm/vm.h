/* SPDX-License-Identifier: MIT */
/* The address space: which ranges are mapped, how, and to what. mmap(2) semantics. Anonymous memory is populated when
 * it becomes accessible, never at a fault (but see personality.memory_is_lazy); pages of files are mapped when they are
 * touched. */
#ifndef KERNEL_MM_VM_H
#define KERNEL_MM_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/layout.h"

/* Protection, with the values of mmap(2). */
#define VM_READ 1
#define VM_WRITE 2
#define VM_EXEC 4

/** Maximum number of mappings, the default of Linux's vm.max_map_count. */
#define VM_MAPPINGS_MAX 65530

struct vm_backing;

/** The access for which a page of an object is needed. */
enum vm_access {
	VM_PEEK, /**< to read, and only if nothing has to be allocated */
	VM_LOAD, /**< to read */
	VM_STORE /**< to write, in the object itself */
};

/** What an object (a file) does for its mappings. */
struct vm_object_ops {
	/** Finds the object's page by number: its guest-physical address, and in *own whether it may be written to as
	 * the object's. Returns 0; -ENXIO beyond the object's end; -EAGAIN from VM_PEEK; -ENOMEM. The page stays the
	 * object's until vm_zap. */
	int (*page)(void *object, uint64_t page, enum vm_access access, uint64_t *physical, bool *own);
	/** Returns the guest-physical address of the object's pages [page, page + 512), if it is aligned to 2 MiB, the
	 * pages follow each other, and they do not change until vm_zap. Otherwise returns 0. */
	uint64_t (*block)(void *object, uint64_t page);
	/** Takes and drops references to the object and its keeper. Each mapping holds one. */
	void (*get)(const struct vm_backing *backing);
	void (*put)(const struct vm_backing *backing);
};

/** Where the pages of a mapping come from. ops NULL: anonymous memory, zero at first. */
struct vm_backing {
	const struct vm_object_ops *ops;
	void *object;
	uint64_t page;  /**< of the object, at the mapping's start */
	bool shared;    /**< writes go to the object, not into a copy */
	bool may_write; /**< shared: mprotect(2) may allow writing */
	void *keeper;   /**< also kept as long as the mapping: the file through which the object was opened */
};

/** Starts with an empty map. No mapping may overlap the image, which contains the kernel. */
void vm_init(void);

/** The lowest address that can be mapped, as Linux's vm.mmap_min_addr. */
#define VM_ADDRESS_MIN 0x10000UL

/** End of the addresses of programs: Linux's TASK_SIZE with page tables of four levels. */
#define VM_ADDRESS_END 0x7ffffffff000UL

/** Whether programs may have mappings in the range: not in the image, the direct map, an engine's range, or the first
 * 64 KiB. */
bool vm_is_allowed(uint64_t address, uint64_t bytes);

/** Whether programs may have mappings without rights in the range. Such mappings show nothing, so they may contain an
 * engine's addresses. */
bool vm_is_reservable(uint64_t address, uint64_t bytes);

/** Maps fresh zeroed memory at exactly [address, address + bytes): whole pages that are unmapped. Returns 0 or
 * -ENOMEM. */
int vm_map(uint64_t address, uint64_t bytes, int prot);

/** Maps an object there, which gets a reference. Populates nothing. Returns 0 or -ENOMEM. */
int vm_map_object(uint64_t address, uint64_t bytes, int prot, const struct vm_backing *backing);

/** Variants of vm_map_object, vm_unmap, vm_protect and vm_discard without what a personality adds
 * (kernel/personality.h). Only personalities call them. */
int vm_map_object_plain(uint64_t address, uint64_t bytes, int prot, const struct vm_backing *backing);
int vm_unmap_plain(uint64_t address, uint64_t bytes);
int vm_protect_plain(uint64_t address, uint64_t bytes, int prot);
void vm_discard_plain(uint64_t address, uint64_t bytes);

/** Whether an object was ever mapped shared, so that its contents may have several addresses. */
extern bool vm_was_shared;

/** Unmaps all mappings in [address, address + bytes). Returns 0, or -ENOMEM when a page cannot be split. */
int vm_unmap(uint64_t address, uint64_t bytes);

/** Changes the protection of a range. On an error the part before it is changed, as on Linux. -ENOMEM: there is a hole,
 * or a page cannot be allocated or split. -EACCES: a shared mapping must not be written to or executed. */
int vm_protect(uint64_t address, uint64_t bytes, int prot);

/** Properties of a mapping besides its protection. */
enum vm_hint {
	VM_FORK_WIPES = 1, /**< empty in a forked process (madvise(2)) */
	VM_FORK_DROPS = 2, /**< absent in a forked process */
	VM_LITTLE = 4,     /**< sparsely used: it gets no large pages */
	VM_GROWS_DOWN = 8, /**< an access below it extends it (MAP_GROWSDOWN) */
};

/** Free bytes below a mapping that grows down: no other is placed there, and it does not grow closer to another that is
 * accessible (Linux's stack_guard_gap). */
#define VM_GROW_GUARD 0x100000UL

/** Extends the mapping that is the next above an unmapped address, and grows down, to `start`, a page in the hole below
 * it. Returns 0 or -ENOMEM. */
int vm_grow_down(uint64_t start);

/** The hints of the mapping at an address; 0 when nothing is mapped. */
unsigned vm_hints(uint64_t address);

/** Sets and clears bits of enum vm_hint in the mappings of a range. 0 or -ENOMEM. */
int vm_set_hints(uint64_t address, uint64_t bytes, unsigned set, unsigned clear);

/** The lowest free range of this size in [low, high), or 0. From 2 MiB on it is aligned to 2 MiB. */
uint64_t vm_find_gap(uint64_t bytes, uint64_t low, uint64_t high);

/** The highest free range of this size in [low, high) in which programs may have mappings, or 0. */
uint64_t vm_find_gap_below(uint64_t bytes, uint64_t low, uint64_t high);

/** Whether all of [address, address + bytes) is unmapped. */
bool vm_is_free(uint64_t address, uint64_t bytes);

/** Whether a range is unmapped, and is not in the guard of a mapping that grows down. */
bool vm_is_placeable(uint64_t address, uint64_t bytes);

/** Protection of the mapping at an address; 0 when nothing is mapped. */
int vm_protection(uint64_t address);

/** Counts the bytes, at most `bytes`, from an address to the first that is not mapped with all of these rights. */
uint64_t vm_reach(uint64_t address, uint64_t bytes, int rights);

/** The object mapped at an address; `page` is the object's page at that address. NULL when nothing is mapped. */
const struct vm_backing *vm_backing_at(uint64_t address, struct vm_backing *backing);

/** Whether all of the range is mapped. */
bool vm_is_mapped(uint64_t address, uint64_t bytes);

/** The end of the mapping at an address; the address itself when nothing is mapped. */
uint64_t vm_mapping_end(uint64_t address);

/** The start of the first mapping after an unmapped address; limit if there is none before it. */
uint64_t vm_next_mapping(uint64_t address, uint64_t limit);

/** Bytes mapped in [low, high). *writable, if not NULL, receives how many of them are private and writable and do not
 * grow down. */
uint64_t vm_mapped_bytes(uint64_t low, uint64_t high, uint64_t *writable);

/** Moves a mapping's pages to a free range, for mremap. Returns 0 or -ENOMEM; the old range is unmapped. */
int vm_move(uint64_t from, uint64_t to, uint64_t bytes);

/** Resets whole mapped pages to their initial contents (MADV_DONTNEED): zero, or the object's. */
void vm_discard(uint64_t address, uint64_t bytes);

/** Whether the page at a mapped address is in memory, for mincore(2). */
bool vm_is_resident(uint64_t address);

/** Results of vm_fault. */
enum vm_fault {
	VM_FAULT_DONE,     /**< the page is there now: repeat the access */
	VM_FAULT_UNMAPPED, /**< the address is not mapped */
	VM_FAULT_DENIED,   /**< the protection forbids it */
	VM_FAULT_BEYOND,   /**< the page is beyond the end of the object */
	VM_FAULT_NO_MEMORY,
};

/** Handles an access that faulted: want is VM_READ, VM_WRITE or VM_EXEC. */
enum vm_fault vm_fault(uint64_t address, int want);

/** Maps the first pages of a new mapping of a program's file, as far as they are in memory, or all of a small one
 * without a file: they are touched soon, and each fault takes longer. Writable private pages get a copy, also the last
 * one. Code was searched before. */
void vm_touch(uint64_t address, uint64_t bytes);

/** Maps what has become accessible behind memory that is in use, if it is small: a heap that grows is touched there. */
void vm_touch_growth(uint64_t address, uint64_t bytes);

/** Maps the objects' pages in [address, address + bytes), all mapped, as if each was touched. Returns VM_FAULT_DONE or
 * the first failure. */
enum vm_fault vm_populate(uint64_t address, uint64_t bytes, int want);

/** Gives private mappings a copy of each page of a range, whatever their protection, which fixes their contents.
 * Returns 0 or -ENOMEM. */
int vm_detach(uint64_t address, uint64_t bytes);

/** Called before an object's pages [first, end) change their memory: removes them from all mappings until the next
 * fault. With `copies`, private copies are dropped too, as when a file is truncated. */
void vm_zap(const void *object, uint64_t first, uint64_t end, bool copies);

/** Does the work of vm_zap for the other address spaces; NULL: there are none. */
extern void (*vm_zap_elsewhere)(const void *object, uint64_t first, uint64_t end, bool copies);

#endif
