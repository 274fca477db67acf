/* SPDX-License-Identifier: MIT */
/* The address space: which ranges are mapped, how, and onto what. mmap(2) semantics; anonymous memory is populated when
 * it becomes accessible, never at a fault, and pages of files when they are touched. */
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

/** At most this many mappings at once, as Linux's vm.max_map_count has it. */
#define VM_MAPPINGS_MAX 65530

struct vm_backing;

/** How a page of an object is needed. */
enum vm_access {
	VM_PEEK, /**< to read, and only if nothing has to be allocated */
	VM_LOAD, /**< to read */
	VM_STORE /**< to write, in the object itself */
};

/** What an object (a file) does for the mappings of it. */
struct vm_object_ops {
	/**
	 * The guest-physical address of the object's page by number, and in *own whether the object may be written to
	 * there. 0; -ENXIO behind the object's end; -EAGAIN from VM_PEEK; -ENOMEM. The page stays the object's until
	 * vm_zap.
	 */
	int (*page)(void *object, uint64_t page, enum vm_access access, uint64_t *physical, bool *own);
	/** Takes and gives back references to the object and its keeper; each mapping has one. */
	void (*get)(const struct vm_backing *backing);
	void (*put)(const struct vm_backing *backing);
};

/** Where the pages of a mapping come from. With ops NULL: nowhere, they are zero at first. */
struct vm_backing {
	const struct vm_object_ops *ops;
	void *object;
	uint64_t page;  /**< of the object, at the mapping's start */
	bool shared;    /**< what is written goes to the object, not into a copy */
	bool may_write; /**< shared: mprotect(2) may allow writing */
	void *keeper;   /**< what is there as long as the mapping, as well: the file that the object was opened as */
};

/** Anonymous memory gets its pages when it is touched, as far as there are any then. Native images have it at once. */
extern bool vm_is_lazy;

/** Starts with an empty map. No mapping may lie where the image is, with the kernel in it. */
void vm_init(void);

/** Below it nothing can be mapped: Linux's vm.mmap_min_addr. */
#define VM_ADDRESS_MIN 0x10000UL

/** Whether programs may have mappings there: neither image nor direct map, nor an engine's, nor the first 64 KiB. */
bool vm_is_allowed(uint64_t address, uint64_t bytes);

/** Whether they may have mappings without rights there, which show nothing: an engine's addresses may be in them. */
bool vm_is_reservable(uint64_t address, uint64_t bytes);

/** Maps fresh zeroed memory at exactly [address, address + bytes), whole pages, now unmapped. 0 or -ENOMEM. */
int vm_map(uint64_t address, uint64_t bytes, int prot);

/** The same onto an object, which gets a reference. Nothing is populated. 0 or -ENOMEM. */
int vm_map_object(uint64_t address, uint64_t bytes, int prot, const struct vm_backing *backing);

/** This and the other two alike, but that none of what the object has is made of the run's seed, as it is for Linux
 * programs (kernel/linux/patch/constant_seeds.h). */
int vm_map_object_plain(uint64_t address, uint64_t bytes, int prot, const struct vm_backing *backing);
int vm_protect_plain(uint64_t address, uint64_t bytes, int prot);
void vm_discard_plain(uint64_t address, uint64_t bytes);

/** Whether an object was ever mapped shared: what it shows may have several addresses. */
extern bool vm_was_shared;

/** Unmaps whatever is mapped in [address, address + bytes). 0, or -ENOMEM when a page cannot be split. */
int vm_unmap(uint64_t address, uint64_t bytes);

/** The same without a look at how much there is, which vm_unmap takes for Linux programs. */
int vm_unmap_unmeasured(uint64_t address, uint64_t bytes);

/** Changes the protection of a range. As on Linux, up to the place of an error it is changed: -ENOMEM when there is a
 * hole, or a page cannot be had or split; -EACCES when a shared mapping must not be written to or executed. */
int vm_protect(uint64_t address, uint64_t bytes, int prot);

/** What is said of a mapping beside its protection. */
enum vm_hint {
	VM_FORK_WIPES = 1, /**< empty in a process that is made of this one (madvise(2)) */
	VM_FORK_DROPS = 2, /**< not there at all in such a process */
	VM_LITTLE = 4,     /**< little of it is touched: it gets no large pages */
};

/** Those of the mapping at an address; 0 when there is none. */
unsigned vm_hints(uint64_t address);

/** Sets and clears bits of enum vm_hint in the mappings of a range. 0 or -ENOMEM. */
int vm_set_hints(uint64_t address, uint64_t bytes, unsigned set, unsigned clear);

/** The lowest free range of this many bytes in [low, high), or 0. From 2 MiB on it is aligned to 2 MiB. */
uint64_t vm_find_gap(uint64_t bytes, uint64_t low, uint64_t high);

/** The highest free range of this many bytes in [low, high), or 0, which programs may have mappings in. */
uint64_t vm_find_gap_below(uint64_t bytes, uint64_t low, uint64_t high);

/** Whether all of [address, address + bytes) is unmapped. */
bool vm_is_free(uint64_t address, uint64_t bytes);

/** Protection of the mapping at an address; 0 when there is none. */
int vm_protection(uint64_t address);

/** How many of so many bytes from an address on are mapped with all of these rights, up to the first that is not. */
uint64_t vm_reach(uint64_t address, uint64_t bytes, int rights);

/** What the mapping at an address shows there, page being that of the address; NULL when nothing is mapped. */
const struct vm_backing *vm_backing_at(uint64_t address, struct vm_backing *backing);

/** Whether all of it is mapped. */
bool vm_is_mapped(uint64_t address, uint64_t bytes);

/** Where the mapping at an address ends; the address itself when there is none. */
uint64_t vm_mapping_end(uint64_t address);

/** Where the first mapping behind an address that is not mapped begins; limit if there is none before it. */
uint64_t vm_next_mapping(uint64_t address, uint64_t limit);

/** Bytes mapped in [low, high), and in *writable, if not NULL, those of them that are private and writable. */
uint64_t vm_mapped_bytes(uint64_t low, uint64_t high, uint64_t *writable);

/**
 * Moves a mapping's pages to a free range, for mremap. 0 or -ENOMEM; the old range is unmapped.
 */
int vm_move(uint64_t from, uint64_t to, uint64_t bytes);

/** Makes whole mapped pages as if they had just been mapped (MADV_DONTNEED): zero, or what the object has. */
void vm_discard(uint64_t address, uint64_t bytes);

/** Whether the page at a mapped address is in memory, for mincore(2). */
bool vm_is_resident(uint64_t address);

/** What vm_fault found. */
enum vm_fault {
	VM_FAULT_DONE,     /**< the page is there now: repeat the access */
	VM_FAULT_UNMAPPED, /**< nothing is mapped */
	VM_FAULT_DENIED,   /**< the protection forbids it */
	VM_FAULT_BEYOND,   /**< behind the end of the object */
	VM_FAULT_NO_MEMORY,
};

/** Handles an access that faulted: want is VM_READ, VM_WRITE or VM_EXEC. */
enum vm_fault vm_fault(uint64_t address, int want);

/** Has the first pages of what was just mapped and is a part of a program's file, as far as they are in memory: they
 * are all touched soon, and each fault takes longer. A private copy is made of what may be written to. */
void vm_touch(uint64_t address, uint64_t bytes);

/** Has the objects' pages in [address, address + bytes), all mapped, as touching each would. VM_FAULT_DONE or the
 * first failure. */
enum vm_fault vm_populate(uint64_t address, uint64_t bytes, int want);

/** Gives private mappings copies of all pages of a range, whatever their protection: what they hold is then fixed.
 * 0 or -ENOMEM. */
int vm_detach(uint64_t address, uint64_t bytes);

/**
 * An object's pages [first, end) are about to change their memory: no mapping shows them afterwards, until the next
 * fault. With `copies`, private copies of them are lost too, as when a file is cut.
 */
void vm_zap(const void *object, uint64_t first, uint64_t end, bool copies);

/** Does the same for the other address spaces, where there are any; NULL: there are none. */
extern void (*vm_zap_elsewhere)(const void *object, uint64_t first, uint64_t end, bool copies);

#endif
