/* SPDX-License-Identifier: MIT */
/* Thread-local storage. Sizes come from the image's PT_TLS header, which the linker used, too. */
#include "libc-port/src/runtime/tls.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/main.h"
#include "libc-port/src/kernel.h"

_Static_assert(offsetof(struct tls_header, canary) == 0x28, "where gcc looks for the stack protector's canary");

/* The image begins with its ELF header (image.ld). */
extern const Elf64_Ehdr __image_start;

/* Initial contents of each block. */
static struct {
	const void *data;
	size_t data_bytes, bytes, alignment;
} image;

static size_t round_up_tls(size_t n, size_t alignment)
{
	return (n + alignment - 1) & ~(alignment - 1);
}

static void find_image(void)
{
	const Elf64_Phdr *headers = (const Elf64_Phdr *)((uintptr_t)&__image_start + __image_start.e_phoff);
	image.alignment = 64;
	for (int i = 0; i < __image_start.e_phnum; i++) {
		const Elf64_Phdr *tls = &headers[i];
		if (tls->p_type != PT_TLS)
			continue;
		image.data = (const void *)tls->p_vaddr;
		image.data_bytes = tls->p_filesz;
		image.bytes = round_up_tls(tls->p_memsz, tls->p_align);
		if (tls->p_align > image.alignment)
			image.alignment = tls->p_align;
		return;
	}
}

size_t tls_alignment(void)
{
	return image.alignment;
}

size_t tls_bytes(void)
{
	return image.bytes;
}

void tls_init(struct tls_header *header, void *thread)
{
	char *block = (char *)header - image.bytes;
	memcpy(block, image.data, image.data_bytes);
	memset(block + image.data_bytes, 0, image.bytes - image.data_bytes);
	*header = (struct tls_header){.self = header, .thread = thread};
}

struct tls_header *tls_create_main(void *thread)
{
	find_image();
	size_t below = round_up_tls(image.bytes, image.alignment);
	/* On the heap, whose first page is mapped anyway. */
	void *memory = sbrk((ptrdiff_t)(below + sizeof(struct tls_header) + image.alignment));
	if (memory == (void *)-1)
		kcall_exit_group(127);
	struct tls_header *header = (struct tls_header *)(round_up_tls((size_t)memory, image.alignment) + below);
	tls_init(header, thread);
	return header;
}

void *tls_of(struct tls_header *header, void *variable)
{
	struct tls_header *own;
	__asm__("mov %%fs:0, %0" : "=r"(own));
	return (char *)header + ((char *)variable - (char *)own);
}

void tls_set_pointer(struct tls_header *header)
{
	application_set_fs_base((uint64_t)header);
}
