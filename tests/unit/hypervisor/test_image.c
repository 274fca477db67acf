/* SPDX-License-Identifier: MIT */
/* The ELF loader on a small valid image, on each beginning of it, and on images with wrong bits: it loads or says in
 * one line why not, and what it loads lies inside memory. */
#include "tests/unit/fakes/tap.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/layout.h"
#include "guest/image.h"

#define TEXT 0x200000UL
#define DATA 0x202000UL
#define STACK_TOP (DATA + 0x1000)
#define FILE_BYTES 0x1100UL

/** The file: headers and text in its first page, data after it. */
struct file {
	Elf64_Ehdr header;
	Elf64_Phdr text, data, note;
	struct {
		Elf64_Nhdr head;
		char name[8];
		struct image_header header;
	} __attribute__((packed)) note_bytes;
	uint8_t rest[FILE_BYTES - 0x40 - 3 * 0x38 - 20 - sizeof(struct image_header)];
} __attribute__((packed));

_Static_assert(sizeof(struct file) == FILE_BYTES, "file");

static struct guest_memory memory;
static struct image image;
static struct error error;
static char path[64];
static int fd;

static int set_up(void **state)
{
	(void)state;
	fd = memfd_create("image", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return fd < 0 ? -1 : guest_memory_init(&memory, LAYOUT_RAM_MIN);
}

static int tear_down(void **state)
{
	(void)state;
	close(fd);
	guest_memory_fini(&memory);
	return 0;
}

static void make(struct file *file)
{
	memset(file, 0, sizeof(*file));
	file->header = (Elf64_Ehdr){
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 3,
	};
	file->text = (Elf64_Phdr){PT_LOAD, PF_R | PF_X, 0, TEXT, TEXT, 0x1000, 0x1000, 0x1000};
	file->data = (Elf64_Phdr){PT_LOAD, PF_R | PF_W, 0x1000, DATA, DATA, 0x100, 0x1000, 0x1000};
	file->note = (Elf64_Phdr){PT_NOTE,
	                          PF_R,
	                          offsetof(struct file, note_bytes),
	                          TEXT + offsetof(struct file, note_bytes),
	                          TEXT + offsetof(struct file, note_bytes),
	                          sizeof(file->note_bytes),
	                          sizeof(file->note_bytes),
	                          4};
	file->note_bytes.head = (Elf64_Nhdr){sizeof(IMAGE_NOTE_NAME), sizeof(struct image_header), IMAGE_NOTE_TYPE};
	strcpy(file->note_bytes.name, IMAGE_NOTE_NAME);
	file->note_bytes.header = (struct image_header){
		.abi_version = IMAGE_ABI_VERSION,
		.start = TEXT + 0x800,
		.boot_stack_top = STACK_TOP,
		.trap_stubs = TEXT + 0x900,
		.page_fault_stub = TEXT + 0xc00,
		.breakpoint_stub = TEXT + 0xc10,
		.syscall_stub = TEXT + 0xc20,
		.trap_landing_top = STACK_TOP,
		.page_fault_landing_top = STACK_TOP,
		.breakpoint_landing_top = STACK_TOP,
		.eh_frame = TEXT + 0xd00,
		.eh_frame_end = TEXT + 0xe00,
		.close_accounts = TEXT + 0xc30,
		.ticks_left = DATA + 0x80,
		.gate_load_cr3 = TEXT + 0xc41,
		.gate_invlpg = TEXT + 0xc51,
		.page_fault_frame = DATA + 0x40,
		.breakpoint_frame = DATA + 0x10,
	};
	for (size_t i = 0; i < sizeof(file->rest); i++)
		file->rest[i] = (uint8_t)i;
}

static int load_path(const char *of)
{
	return image_load(&(struct image_source){.path = of, .fd = -1}, &memory, &image, &error);
}

/* Loads the first bytes of a file. On success and failure alike, checks what must hold. */
static int load(const struct file *file, size_t bytes)
{
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(pwrite(fd, file, bytes, 0), bytes);
	memset(&error, 0, sizeof(error));
	int result = load_path(path);
	image_fini(&image);
	if (result) {
		assert_true(result < 0);
		assert_true(strlen(error.text) > strlen(path) + 3);
		assert_null(strchr(error.text, '\n'));
		return result;
	}
	assert_true(image.segment_count <= IMAGE_SEGMENTS_MAX);
	for (unsigned i = 0; i < image.segment_count; i++) {
		const struct image_segment *s = &image.segments[i];
		assert_non_null(guest_memory_at(&memory, gpa(s->address), s->bytes));
		assert_true(s->address >= LAYOUT_IMAGE);
		assert_true((s->flags & (PF_W | PF_X)) != (PF_W | PF_X));
		assert_int_equal(s->address % PAGE_SIZE | s->bytes % PAGE_SIZE, 0);
	}
	return 0;
}

static void test_valid(void **state)
{
	struct file file;
	uint8_t loaded[0x200];
	(void)state;
	make(&file);
	assert_int_equal(load(&file, sizeof(file)), 0);
	assert_int_equal(image.segment_count, 2);
	assert_int_equal(image.end, STACK_TOP);
	assert_int_equal(image.header.start, TEXT + 0x800);
	assert_int_equal(guest_memory_read(&memory, gpa(DATA), loaded, sizeof(loaded)), 0);
	assert_memory_equal(loaded, (uint8_t *)&file + 0x1000, 0x100);
	for (unsigned i = 0x100; i < sizeof(loaded); i++)
		assert_int_equal(loaded[i], 0);
}

static void test_truncated(void **state)
{
	struct file file;
	(void)state;
	make(&file);
	for (size_t bytes = 0; bytes < sizeof(file); bytes++)
		assert_true(load(&file, bytes) < 0);
}

static void test_flipped(void **state)
{
	struct file good, file;
	const size_t interesting = offsetof(struct file, rest);
	(void)state;
	make(&good);
	for (size_t bit = 0; bit < 8 * interesting; bit++) { /* each bit of the headers alone */
		file = good;
		((uint8_t *)&file)[bit / 8] ^= (uint8_t)(1 << bit % 8);
		load(&file, sizeof(file));
	}
	srand(1);
	for (unsigned round = 0; round < 20000; round++) {
		file = good;
		for (int i = rand() % 4; i >= 0; i--) {
			size_t at = (size_t)rand() % (interesting - 8);
			uint64_t values[] = {0, UINT64_MAX, 1UL << 63, (uint64_t)rand(), LAYOUT_RAM_MIN, TEXT, 0x10000};
			uint64_t value = values[rand() % 7];
			if (rand() % 2)
				memcpy((uint8_t *)&file + at, &value, 1 + (size_t)rand() % 8);
			else
				((uint8_t *)&file)[at] ^= (uint8_t)(1 << rand() % 8);
		}
		load(&file, sizeof(file));
	}
}

/* One change, and what must be said about it. */
#define EXPECT(change, why) \
	do { \
		make(&file); \
		change; \
		assert_true(load(&file, sizeof(file)) < 0); \
		if (!strstr(error.text, why)) \
			fail_msg("after %s: \"%s\" does not say \"%s\"", #change, error.text, why); \
	} while (0)

static void test_reasons(void **state)
{
	struct file file;
	(void)state;
	EXPECT(file.header.e_ident[0] = 0, "is not an ELF file");
	EXPECT(file.header.e_machine = EM_AARCH64, "AArch64");
	EXPECT(file.header.e_ident[EI_CLASS] = ELFCLASS32, "64-bit");
	EXPECT(file.header.e_type = ET_DYN, "no loadable segments");
	EXPECT(file.header.e_type = ET_REL, "not an executable");
	EXPECT(file.header.e_phnum = 0, "program header");
	EXPECT(file.header.e_phnum = 65, "program header");
	EXPECT(file.header.e_phentsize = 32, "program header");
	EXPECT(file.header.e_phoff = UINT64_MAX - 10, "truncated");
	EXPECT(file.data.p_filesz = 0x1001, "more bytes");
	EXPECT(file.data.p_offset = UINT64_MAX, "truncated");
	EXPECT(file.data.p_paddr += 0x1000, "layout");
	EXPECT(file.data.p_vaddr = file.data.p_paddr = UINT64_MAX - 0xfff, "outside the image area");
	EXPECT(file.data.p_memsz = UINT64_MAX, "outside the image area");
	EXPECT(file.text.p_vaddr = file.text.p_paddr = 0x1000, "outside the image area");
	EXPECT(file.data.p_memsz = LAYOUT_RAM_MIN, "raise --memory");
	EXPECT(file.data.p_flags = PF_R | PF_W | PF_X, "writable and executable");
	EXPECT(file.data.p_vaddr = file.data.p_paddr = TEXT + 0x800, "overlap");
	EXPECT(file.note.p_type = PT_INTERP, "dynamically linked");
	EXPECT(file.note.p_type = PT_NULL, "no Eremite note");
	EXPECT(file.note_bytes.head.n_type = 2, "no Eremite note");
	EXPECT(file.note_bytes.head.n_namesz = UINT32_MAX, "malformed note");
	EXPECT(file.note_bytes.head.n_descsz = UINT32_MAX, "malformed note");
	EXPECT(file.note_bytes.header.abi_version = IMAGE_ABI_VERSION + 1, "version");
	EXPECT((file.note_bytes.head.n_descsz = 8, file.note_bytes.header.abi_version = IMAGE_ABI_FIRST_PUBLISHED - 1),
	       "version");
	EXPECT(file.note_bytes.head.n_descsz = 8, "no code");
	EXPECT(file.note_bytes.header.start = DATA, "no code");
	EXPECT(file.note_bytes.header.start = 0, "no code");
	EXPECT(file.note_bytes.header.trap_stubs = TEXT + 0xff0, "no code");
	EXPECT(file.note_bytes.header.trap_stubs = UINT64_MAX, "no code");
	EXPECT(file.note_bytes.header.breakpoint_landing_top = 0, "no memory");
	EXPECT(file.note_bytes.header.trap_landing_top = TEXT + 0x10, "no memory");
	EXPECT(file.note_bytes.header.close_accounts = DATA, "no code");
	EXPECT(file.note_bytes.header.gate_invlpg = DATA, "no code");
	EXPECT(file.note_bytes.header.breakpoint_frame = TEXT, "no memory");
	EXPECT(file.note_bytes.header.ticks_left = 0, "no memory");
	EXPECT(file.note_bytes.header.ticks_left = TEXT + 0x10, "no memory");
	EXPECT(file.note_bytes.header.ticks_left = STACK_TOP - 12, "no memory");
	EXPECT(file.note_bytes.header.eh_frame = 0, "unwind tables");
	EXPECT(file.note_bytes.header.eh_frame_end = UINT64_MAX, "unwind tables");
}

static void test_no_file(void **state)
{
	(void)state;
	assert_int_equal(load_path("/nonexistent/image"), -ENOENT);
	assert_string_equal(error.text, "cannot open the program '/nonexistent/image': No such file or directory");
	assert_true(load_path("/") < 0);
	assert_true(load_path("/dev/zero") < 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* An image that is a part of a file is loaded, hashed and handed out as the same image in a file of its own. */
static void test_part(void **state)
{
	struct file file;
	struct stat st;
	static uint8_t junk[0x1234], loaded[0x100], copy[FILE_BYTES];
	uint8_t of_file[DIGEST_BYTES], of_part[DIGEST_BYTES], of_other[DIGEST_BYTES];
	(void)state;
	make(&file);
	assert_int_equal(load(&file, sizeof(file)), 0);
	assert_int_equal(image_hash(&(struct image_source){.path = path, .fd = -1}, of_file, &error), 0);
	int container = memfd_create("container", 0);
	assert_int_equal(write(container, junk, sizeof(junk)), sizeof(junk));
	assert_int_equal(write(container, &file, sizeof(file)), sizeof(file));
	assert_int_equal(write(container, junk, sizeof(junk)), sizeof(junk));
	struct image_source part = {.path = "part", .fd = container, .offset = sizeof(junk), .bytes = sizeof(file)};
	assert_int_equal(image_hash(&part, of_part, &error), 0);
	assert_memory_equal(of_part, of_file, sizeof(of_part));
	assert_int_equal(image_load(&part, &memory, &image, &error), 0);
	assert_int_equal(guest_memory_read(&memory, gpa(DATA), loaded, sizeof(loaded)), 0);
	assert_memory_equal(loaded, (uint8_t *)&file + 0x1000, sizeof(loaded));
	int alone = image_file_alone(&image);
	assert_int_equal(fstat(alone, &st), 0);
	assert_int_equal(st.st_size, sizeof(file));
	assert_int_equal(pread(alone, copy, sizeof(copy), 0), sizeof(copy));
	assert_memory_equal(copy, &file, sizeof(copy));
	close(alone);
	image_fini(&image);
	/* bytes behind the part are not the image's */
	part.bytes -= 0x80;
	assert_true(image_load(&part, &memory, &image, &error) < 0);
	/* a byte that is loaded counts; one that is not does not */
	part.bytes = sizeof(file);
	assert_int_equal(pwrite(container, "x", 1, sizeof(junk) + 0x1000), 1);
	assert_int_equal(image_hash(&part, of_other, &error), 0);
	assert_memory_not_equal(of_other, of_file, sizeof(of_other));
	close(container);
}

static const struct CMUnitTest tests[] = {
	TEST(test_valid),   TEST(test_part),    TEST(test_truncated),
	TEST(test_flipped), TEST(test_reasons), TEST(test_no_file),
};

TAP_MAIN(tests)
