/* SPDX-License-Identifier: MIT */
/* Addresses in the view are kernel addresses: linked addresses of the image, or in the direct map. */
#include "guest/linux_view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/code.h"
#include "abi/thread.h"
#include "base/write_all.h"
#include "guest/guest_virtual.h"
#include "symbolize/request.h"

#define MAPPINGS_MAX 65530
#define FILES_MAX 4096
#define CONTENT_MAX 0x10000000UL /* limit of all contents together; further files get a name only */
#define JUMP 0xe9
#define JUMP_BYTES 5
#define CALL_BYTES 13 /* bytes of a stub before the place where it continues */
#define POINT_MAX 192 /* bytes of a decision point's stub */
#define MOVED_MAX 48  /* bytes of instructions between a system call and the jump back (kernel/linux/patch/stub.c) */

/* The memory with the kernel's own data. */
struct kernel {
	const struct guest_memory *memory;
	const struct image *image;
};

static int read_kernel_memory(const struct kernel *kernel, uint64_t address, void *to, uint64_t bytes)
{
	gpa_t from = address >= LAYOUT_DIRECT_MAP ? gpa(address - LAYOUT_DIRECT_MAP)
	                                          : image_physical(kernel->image, address);
	return guest_memory_read(kernel->memory, from, to, bytes);
}

bool linux_view_read(struct linux_view *view, const struct guest_memory *memory)
{
	return !guest_memory_read(memory, gpa(LAYOUT_LINUX_VIEW), view, sizeof(*view)) &&
	       view->magic == LINUX_VIEW_MAGIC;
}

struct guest_memory linux_view_memory(const struct linux_view *view, const struct guest_memory *memory)
{
	struct guest_memory seen = *memory;
	seen.tables = view->tables & ~0xfffUL;
	return seen;
}

bool linux_view_fs_base(const struct linux_view *view, const struct guest_memory *memory, const struct image *image,
                        uint64_t *base)
{
	const struct kernel kernel = {memory, image};
	uint64_t thread;
	return !read_kernel_memory(&kernel, view->current, &thread, sizeof(thread)) &&
	       !read_kernel_memory(&kernel, thread + view->fs_base_at, base, sizeof(*base));
}

/* --- other threads --- */

/* Counts one thread. Returns false if it cannot be read. */
static bool count_other(const struct linux_view *view, const struct kernel *kernel, uint64_t thread,
                        struct linux_others *others)
{
	uint32_t state;
	uint64_t deadline;
	if (read_kernel_memory(kernel, thread + view->state_at, &state, sizeof(state)) ||
	    read_kernel_memory(kernel, thread + view->deadline_at, &deadline, sizeof(deadline)))
		return false;
	others->ready += state == VIEW_READY;
	others->timed += state == VIEW_WAITING && deadline != UINT64_MAX;
	return true;
}

bool linux_view_others(const struct linux_view *view, const struct guest_memory *memory, const struct image *image,
                       struct linux_others *others)
{
	const struct kernel kernel = {memory, image};
	const uint64_t ways[2] = {view->before_at, view->after_at};
	uint64_t self, timer;
	unsigned count = 0;
	*others = (struct linux_others){0};
	if (read_kernel_memory(&kernel, view->current, &self, sizeof(self)) ||
	    read_kernel_memory(&kernel, view->timer, &timer, sizeof(timer)))
		return false;
	others->has_timer = timer != UINT64_MAX;
	for (int way = 0; way < 2; way++)
		for (uint64_t at = self;;) {
			if (read_kernel_memory(&kernel, at + ways[way], &at, sizeof(at)) || ++count > THREADS_MAX)
				return false;
			if (!at)
				break;
			if (!count_other(view, &kernel, at, others))
				return false;
		}
	return true;
}

/* --- registers --- */

/* Reads the frame of a thread that asks the policy at the stub of a decision point: it is on the policies' stack
 * (kernel/linux/entry/entry.S). Returns whether the thread does. */
static bool read_asking(const struct kernel *kernel, uint64_t rsp, struct view_frame *f)
{
	const uint64_t top = LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP, user = top - sizeof(uint64_t);
	uint64_t user_rsp;
	return rsp < top && rsp >= top - LAYOUT_SCHED_STACK_BYTES &&
	       !read_kernel_memory(kernel, user, &user_rsp, sizeof(user_rsp)) &&
	       !read_kernel_memory(kernel, user - 2 * sizeof(uint64_t) - sizeof(*f), f, sizeof(*f)) &&
	       (f->cs & 3) == 3 && f->rsp == user_rsp;
}

static void enter_frame(const struct linux_view *view, const struct kernel *kernel, uint64_t registers[17])
{
	uint64_t thread, top;
	struct view_frame f;
	if (read_asking(kernel, registers[SYMBOLIZE_RSP], &f))
		top = 0;
	else if (read_kernel_memory(kernel, view->current, &thread, sizeof(thread)) ||
	         read_kernel_memory(kernel, thread + view->stack_at, &top, sizeof(top)) ||
	         read_kernel_memory(kernel, top - sizeof(f), &f, sizeof(f)))
		return;
	const uint64_t all[17] = {f.rax, f.rdx, f.rcx, f.rbx, f.rsi, f.rdi, f.rbp, f.rsp, f.r8,
	                          f.r9,  f.r10, f.r11, f.r12, f.r13, f.r14, f.r15, f.rip};
	memcpy(registers, all, sizeof(all));
}

/* Copies the list of a process's mappings, for the caller to free. */
static struct view_mapping *read_mappings(const struct linux_view *view, const struct kernel *kernel, uint64_t *count)
{
	struct view_mappings head;
	if (read_kernel_memory(kernel, view->mappings, &head, sizeof(head)) || !head.count || head.count > MAPPINGS_MAX)
		return NULL;
	struct view_mapping *list = malloc(head.count * sizeof(*list));
	if (list && read_kernel_memory(kernel, head.list, list, head.count * sizeof(*list))) {
		free(list);
		list = NULL;
	}
	*count = head.count;
	return list;
}

/* Whether an address is in executable memory mapped from a file. */
static bool is_in_file(const struct view_mapping *list, uint64_t count, uint64_t address)
{
	for (uint64_t i = 0; i < count; i++)
		if (address >= list[i].start && address < list[i].end)
			return list[i].ops && (list[i].rights & VIEW_EXECUTABLE);
	return false;
}

int linux_view_made(const struct linux_view *view, const struct guest_memory *memory, const struct image *image,
                    const uint64_t *addresses, unsigned count, bool *made)
{
	const struct kernel kernel = {memory, image};
	uint64_t mappings = 0;
	struct view_mapping *list = read_mappings(view, &kernel, &mappings);
	if (!list)
		return -1;
	for (unsigned i = 0; i < count; i++)
		made[i] = !is_in_file(list, mappings, addresses[i]);
	free(list);
	return 0;
}

/* Converts an address in the stub of a decision point to the original address of the instruction that was moved there.
 * The jump back is followed by the entry to the kernel and by the description of the point. */
static uint64_t leave_point(const struct guest_memory *seen, const struct view_mapping *list, uint64_t count,
                            uint64_t address)
{
	static const uint8_t lea[] = {0x48, 0x8d, 0x0d}, jump[] = {0xff, 0x24, 0x25};
	const unsigned to_jump = JUMP_BYTES + sizeof(lea) + 4, to_point = to_jump + sizeof(jump) + 4;
	uint8_t code[POINT_MAX];
	uint64_t go_on; /* address of the instruction in the stub: the first field of struct stub_point
	                   (kernel/linux/patch/stub.h) */
	uint64_t bytes = guest_virtual_read_some(seen, address, code, sizeof(code));
	for (uint64_t i = 0; i + to_point + sizeof(go_on) <= bytes; i++) {
		int32_t distance;
		if (code[i] != JUMP || memcmp(code + i + JUMP_BYTES, lea, sizeof(lea)) ||
		    memcmp(code + i + to_jump, jump, sizeof(jump)))
			continue;
		memcpy(&distance, code + i + 1, sizeof(distance));
		memcpy(&go_on, code + i + to_point, sizeof(go_on));
		uint64_t back = address + i + JUMP_BYTES + (uint64_t)(int64_t)distance;
		uint64_t left = address > go_on ? i : address + i - go_on; /* bytes from the address to the jump */
		if (left <= MOVED_MAX && is_in_file(list, count, back))
			return back - left;
	}
	return address;
}

/* Converts an address in a stub to the original one. The jump back of a system call's stub leads behind the
 * instructions that were moved with it. The stub is not disassembled: the first jump to code of a file is taken. */
static uint64_t leave_stub(const struct guest_memory *seen, const struct view_mapping *list, uint64_t count,
                           uint64_t address)
{
	static const uint8_t call[] = {0x48, 0x8d, 0x0d, 0x06, 0, 0, 0}; /* lea 6(%rip), %rcx, followed by a jump */
	uint8_t code[MOVED_MAX + JUMP_BYTES];
	if (guest_virtual_read(seen, address - CALL_BYTES, code, sizeof(call)) || memcmp(code, call, sizeof(call)))
		return leave_point(seen, list, count, address);
	uint64_t bytes = guest_virtual_read_some(seen, address, code, sizeof(code));
	for (uint64_t i = 0; i + JUMP_BYTES <= bytes; i++) {
		int32_t distance;
		memcpy(&distance, code + i + 1, sizeof(distance));
		uint64_t back = address + i + JUMP_BYTES + (uint64_t)(int64_t)distance;
		if (code[i] == JUMP && is_in_file(list, count, back))
			return back - i;
	}
	return address;
}

void linux_view_registers(const struct linux_view *view, const struct guest_memory *memory, const struct image *image,
                          uint64_t registers[17])
{
	const struct kernel kernel = {memory, image};
	const uint64_t *rip = &registers[SYMBOLIZE_RIP];
	if (*rip >= image->header.kernel_text && *rip < image->header.kernel_text_end)
		enter_frame(view, &kernel, registers);
	uint64_t count = 0;
	struct view_mapping *list = read_mappings(view, &kernel, &count);
	const struct guest_memory seen = linux_view_memory(view, memory);
	if (list && !is_in_file(list, count, *rip))
		registers[SYMBOLIZE_RIP] = leave_stub(&seen, list, count, *rip);
	free(list);
}

/* --- files --- */

static uint64_t mapping_address(const struct view_mapping *list, uint64_t count, uint64_t object, uint64_t offset)
{
	for (uint64_t i = 0; i < count; i++) {
		const uint64_t from = list[i].page * PAGE_SIZE;
		if (list[i].ops && list[i].object == object && list[i].rights & VIEW_EXECUTABLE && offset >= from &&
		    offset - from < list[i].end - list[i].start)
			return list[i].start + (offset - from);
	}
	return 0;
}

int linux_view_places(const struct linux_view *view, const struct guest_memory *memory, const struct image *image,
                      const struct linux_place *places, unsigned count, uint64_t *addresses)
{
	const struct kernel kernel = {memory, image};
	struct view_file file;
	uint64_t mappings = 0;
	struct view_mapping *list = read_mappings(view, &kernel, &mappings);
	if (!list)
		return -1;
	for (unsigned i = 0; i < count; i++)
		addresses[i] = read_kernel_memory(&kernel, places[i].file, &file, sizeof(file))
		                       ? 0
		                       : mapping_address(list, mappings, file.object, places[i].offset);
	free(list);
	return 0;
}

struct bundle {
	const struct kernel *kernel;
	struct symbolize_modules head;
	struct symbolize_module modules[SYMBOLIZE_MODULES_MAX];
	uint64_t objects[SYMBOLIZE_MODULES_MAX]; /* 0: anonymous */
	uint64_t bytes;                          /* bytes written so far */
	int fd;
};

/* Finds the file with an object number. Returns 0 or -1. */
static int find_view_file(const struct linux_view *view, const struct kernel *kernel, uint64_t object,
                          struct view_file *file)
{
	uint64_t at;
	if (read_kernel_memory(kernel, view->files, &at, sizeof(at)))
		return -1;
	for (unsigned i = 0; at && i < FILES_MAX; i++, at = file->next) {
		if (read_kernel_memory(kernel, at, file, sizeof(*file)))
			return -1;
		if (file->object == object)
			return 0;
	}
	return -1;
}

/* Appends a file's contents, with its holes. Appends nothing if a piece cannot be read. */
static void add_content(struct bundle *bundle, const struct view_file *file, struct symbolize_module *module)
{
	uint64_t at = bundle->bytes;
	for (uint64_t i = 0; i < file->piece_count && i < CODE_PIECES_MAX; i++) {
		struct code_piece piece;
		if (read_kernel_memory(bundle->kernel, file->pieces + i * sizeof(piece), &piece, sizeof(piece)) ||
		    piece.bytes > CONTENT_MAX || at + piece.bytes > CONTENT_MAX)
			return;
		const void *from = piece.address == CODE_HOLE ? NULL
		                                              : guest_memory_shown(bundle->kernel->memory,
		                                                                   gpa(piece.address), piece.bytes);
		if (piece.address != CODE_HOLE && (!from || write_all(bundle->fd, from, piece.bytes, (off_t)at)))
			return;
		at += piece.bytes;
	}
	module->content_at = bundle->bytes;
	module->content_bytes = at - bundle->bytes;
	bundle->bytes = (at + 4095) & ~4095UL;
}

static void add_mapping(struct bundle *bundle, const struct linux_view *view, const struct view_mapping *mapping)
{
	struct view_file file;
	uint64_t object = mapping->ops ? mapping->object : 0;
	for (uint64_t i = 0; object && i < bundle->head.count; i++)
		if (bundle->objects[i] == object) /* another part of the file; one part gives the addresses of all */
			return;
	if (bundle->head.count == SYMBOLIZE_MODULES_MAX)
		return;
	struct symbolize_module *module = &bundle->modules[bundle->head.count];
	bundle->objects[bundle->head.count++] = object;
	*module = (struct symbolize_module){
		.start = mapping->start, .end = mapping->end, .offset = mapping->page * PAGE_SIZE};
	if (!object || find_view_file(view, bundle->kernel, object, &file))
		return;
	memcpy(module->path, file.path, sizeof(module->path));
	module->path[sizeof(module->path) - 1] = 0;
	add_content(bundle, &file, module);
}

uint64_t linux_view_signature(const struct linux_view *view, const struct guest_memory *memory,
                              const struct image *image)
{
	const struct kernel kernel = {memory, image};
	uint64_t count = 0, hash = 0xcbf29ce484222325UL; /* FNV-1a, of words */
	struct view_mapping *list = read_mappings(view, &kernel, &count);
	for (uint64_t i = 0; list && i < count; i++) {
		const uint64_t words[] = {list[i].start, list[i].end, list[i].page, list[i].ops ? list[i].object : 0};
		for (unsigned j = 0; list[i].rights & VIEW_EXECUTABLE && j < sizeof(words) / sizeof(words[0]); j++)
			hash = (hash ^ words[j]) * 0x100000001b3UL;
	}
	free(list);
	return hash;
}

int linux_view_modules(const struct linux_view *view, const struct guest_memory *memory, const struct image *image)
{
	const struct kernel kernel = {memory, image};
	uint64_t count = 0;
	struct view_mapping *list = read_mappings(view, &kernel, &count);
	struct bundle *bundle = calloc(1, sizeof(*bundle));
	int fd = list && bundle ? memfd_create("modules", MFD_CLOEXEC) : -1;
	if (fd >= 0) {
		bundle->kernel = &kernel;
		bundle->fd = fd;
		bundle->head.magic = SYMBOLIZE_MODULES_MAGIC;
		bundle->bytes = (sizeof(bundle->head) + sizeof(bundle->modules) + 4095) & ~4095UL;
		for (uint64_t i = 0; i < count; i++)
			if (list[i].rights & VIEW_EXECUTABLE)
				add_mapping(bundle, view, &list[i]);
		if (ftruncate(fd, (off_t)bundle->bytes) || write_all(fd, &bundle->head, sizeof(bundle->head), 0) ||
		    write_all(fd, bundle->modules, sizeof(bundle->modules), sizeof(bundle->head))) {
			close(fd);
			fd = -1;
		}
	}
	free(bundle);
	free(list);
	return fd;
}
