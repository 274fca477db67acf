/* SPDX-License-Identifier: MIT */
/* Thread-local storage. Sizes come from the image's own PT_TLS header, which is what the linker reckoned with. */
#include "libc-port/src/tls.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"

_Static_assert(offsetof(struct tls_header, canary) == 0x28, "where gcc looks for the stack protector's canary");

/* The image's ELF header lies in its first bytes (image.ld). */
extern const Elf64_Ehdr __image_start;

static const Elf64_Phdr *segment(void)
{
	const Elf64_Phdr *headers = (const Elf64_Phdr *)((uintptr_t)&__image_start + __image_start.e_phoff);
	for (int i = 0; i < __image_start.e_phnum; i++)
		if (headers[i].p_type == PT_TLS)
			return &headers[i];
	return NULL;
}

size_t tls_alignment(void)
{
	const Elf64_Phdr *tls = segment();
	return tls && tls->p_align > 64 ? tls->p_align : 64;
}

static size_t round_up(size_t n, size_t alignment)
{
	return (n + alignment - 1) & ~(alignment - 1);
}

static size_t block_bytes(void)
{
	const Elf64_Phdr *tls = segment();
	return tls ? round_up(tls->p_memsz, tls->p_align) : 0;
}

size_t tls_bytes(void)
{
	return round_up(block_bytes(), tls_alignment()) + sizeof(struct tls_header);
}

struct tls_header *tls_init(void *memory)
{
	const Elf64_Phdr *tls = segment();
	uintptr_t pointer = (uintptr_t)memory + round_up(block_bytes(), tls_alignment());
	struct tls_header *header = (struct tls_header *)pointer;
	if (tls)
		memcpy((void *)(pointer - block_bytes()), (const void *)tls->p_vaddr, tls->p_filesz);
	header->self = header;
	return header;
}

struct tls_header *tls_create_main(void)
{
	size_t bytes = tls_bytes() + tls_alignment();
	/* The heap's first page is mapped anyway, which a mapping of its own would not be. */
	void *memory = sbrk((ptrdiff_t)bytes);
	if (memory == (void *)-1)
		kcall_exit_group(127);
	return tls_init((void *)round_up((size_t)memory, tls_alignment()));
}

void tls_set_pointer(struct tls_header *header)
{
	__asm__ volatile("wrfsbase %0" : : "r"(header) : "memory");
}
