/* SPDX-License-Identifier: MIT */
/* libdwfl needs a file for each module, so each gets one in memory. The load address of a file follows from one mapped
 * part of it and the segment that contains this part. */
#include "modules.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "request.h"

#define PAGE 4096UL
#define SEGMENTS_MAX 64

struct modules {
	int fd;
	struct symbolize_modules head;
	struct symbolize_module at[SYMBOLIZE_MODULES_MAX];
};

struct modules *modules_open(int fd)
{
	struct modules *modules = calloc(1, sizeof(*modules));
	if (!modules)
		return NULL;
	modules->fd = fd;
	if (pread(fd, &modules->head, sizeof(modules->head), 0) != sizeof(modules->head) ||
	    modules->head.magic != SYMBOLIZE_MODULES_MAGIC || modules->head.count > SYMBOLIZE_MODULES_MAX ||
	    pread(fd, modules->at, sizeof(modules->at), sizeof(modules->head)) != sizeof(modules->at)) {
		free(modules);
		return NULL;
	}
	for (uint64_t i = 0; i < modules->head.count; i++)
		modules->at[i].path[sizeof(modules->at[i].path) - 1] = 0;
	return modules;
}

/* Finds the number to add to the file's addresses. Returns 0 or -1. */
static int find_bias(Elf *elf, const struct symbolize_module *module, uint64_t *bias)
{
	size_t count = 0;
	GElf_Phdr segment;
	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &count))
		return -1;
	for (size_t i = 0; i < count && i < SEGMENTS_MAX; i++) {
		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) ||
		    module->offset < (segment.p_offset & ~(PAGE - 1)) ||
		    module->offset >= segment.p_offset + segment.p_filesz)
			continue;
		*bias = module->start - (module->offset - segment.p_offset + segment.p_vaddr);
		return 0;
	}
	return -1;
}

static bool report(const struct modules *modules, const struct symbolize_module *module, Dwfl *dwfl)
{
	uint64_t bias = 0;
	off_t from = (off_t)module->content_at;
	int fd = module->content_bytes ? memfd_create("module", MFD_CLOEXEC) : -1;
	if (fd < 0)
		return false;
	for (uint64_t left = module->content_bytes; left;) {
		ssize_t got = sendfile(fd, modules->fd, &from, left);
		if (got <= 0)
			break;
		left -= (uint64_t)got;
	}
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	int error = find_bias(elf, module, &bias);
	elf_end(elf);
	if (error || !dwfl_report_elf(dwfl, module->path, module->path, fd, bias, true)) {
		close(fd);
		return false;
	}
	return true; /* libdwfl owns the descriptor now */
}

bool modules_report(const struct modules *modules, Dwfl *dwfl)
{
	bool any = false;
	for (uint64_t i = 0; i < modules->head.count; i++)
		any |= report(modules, &modules->at[i], dwfl);
	return any;
}

void modules_put(FILE *to, const char *before, const char *name, const char *after)
{
	fputs(before, to);
	for (; *name; name++)
		fputc(*name < ' ' || *name > '~' ? '?' : *name, to);
	fputs(after, to);
}

void modules_describe(const struct modules *modules, FILE *to, uint64_t address)
{
	for (uint64_t i = 0; i < modules->head.count; i++) {
		const struct symbolize_module *module = &modules->at[i];
		if (address < module->start || address >= module->end)
			continue;
		if (*module->path)
			modules_put(to, " (", module->path, ")");
		else
			fprintf(to, " code made at run time");
		return;
	}
}
