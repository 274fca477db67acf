/* SPDX-License-Identifier: MIT */
/* Unwinds with elfutils' libdwfl. It can read only the piece of the guest's stack in the request. */
#include "frames.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "demangle.h"
#include "scopes.h"
#include "variables.h"

#define THREAD 1
#define INLINED_MAX 16
#define TEXTS 4096
#define PYTHON_FUNCTION "_PyEval_EvalFrameDefault" /* on each stack that runs Python */
#define NAMING_MAX 16                              /* frames that are looked through for a variable */

/* Debug information comes only from the image: no search in the file system or on the network. */
static int find_no_debuginfo(Dwfl_Module *, void **, const char *, Dwarf_Addr, const char *, const char *, GElf_Word,
                             char **)
{
	return -1;
}

static pid_t next_thread(Dwfl *, void *context, void **thread)
{
	if (*thread)
		return 0;
	*thread = context;
	return THREAD;
}

/* Reads a word of a part of the stack, whose bytes begin at `stack`. */
static bool read_place(uint64_t start, uint64_t bytes, const uint8_t *stack, Dwarf_Addr address, Dwarf_Word *word)
{
	uint64_t offset = address - start, value;
	if (bytes < sizeof(value) || offset > bytes - sizeof(value))
		return false;
	memcpy(&value, stack + offset, sizeof(value));
	*word = value;
	return true;
}

static bool read_memory(Dwfl *, Dwarf_Addr address, Dwarf_Word *word, void *context)
{
	const struct frames *frames = context;
	const struct symbolize_request *request = frames->request;
	return read_place(request->stack_address, request->stack_bytes, frames->stack, address, word) ||
	       read_place(request->next_address, request->next_bytes, frames->stack + request->stack_bytes, address,
	                  word);
}

static bool set_registers(Dwfl_Thread *thread, void *context)
{
	const struct frames *frames = context;
	Dwarf_Word words[SYMBOLIZE_RIP];
	for (unsigned i = 0; i < SYMBOLIZE_RIP; i++)
		words[i] = frames->request->registers[i];
	if (!dwfl_thread_state_registers(thread, 0, SYMBOLIZE_RIP, words))
		return false;
	dwfl_thread_state_register_pc(thread, frames->request->registers[SYMBOLIZE_RIP]);
	return true;
}

void frames_open(struct frames *frames, int image)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf, /* never called: the file is given */
		.find_debuginfo = find_no_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	static const Dwfl_Thread_Callbacks thread_callbacks = {
		.next_thread = next_thread,
		.memory_read = read_memory,
		.set_initial_registers = set_registers,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	if (!dwfl)
		return;
	dwfl_report_begin(dwfl);
	frames->modules = modules_open(image);
	bool good = frames->modules ? modules_report(frames->modules, dwfl)
	                            : dwfl_report_elf(dwfl, "image", "image", image, 0, false) != NULL;
	if (dwfl_report_end(dwfl, NULL, NULL) || !good) {
		dwfl_end(dwfl);
		return;
	}
	frames->dwfl = dwfl;
	frames->has_state = dwfl_attach_state(dwfl, NULL, THREAD, &thread_callbacks, frames);
}

/* Prints the module, if any, and the source file with its line. */
static void print_place(FILE *to, const char *module, const char *file, int line)
{
	if (!file && module)
		modules_put(to, " (", module, ")");
	if (!file)
		return;
	while (!strncmp(file, "./", 2))
		file += 2;
	modules_put(to, " (", module ? module : "", module ? ", " : "");
	modules_put(to, "", file, "");
	if (line > 0)
		fprintf(to, ":%d", line);
	fprintf(to, ")");
}

/* Returns the file and line of an inlined call (DW_AT_call_file). */
static const char *call_file(Dwarf_Die *cu, Dwarf_Die *call, int *line)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file = 0, number = 0;
	Dwarf_Files *files;
	size_t count;
	if (dwarf_formudata(dwarf_attr(call, DW_AT_call_file, &attribute), &file) ||
	    dwarf_getsrcfiles(cu, &files, &count) || file >= count)
		return NULL;
	dwarf_formudata(dwarf_attr(call, DW_AT_call_line, &attribute), &number);
	*line = number < INT32_MAX ? (int)number : 0;
	return dwarf_filesrc(files, file, NULL, NULL);
}

/* Prints the functions that were inlined at an address. Moves *file and *line from the innermost function to the one
 * that contains all. */
static void print_inlined(FILE *to, Dwfl_Module *module, const char *path, uint64_t place, const char **file, int *line)
{
	static struct scopes scopes;
	scopes_find(&scopes, module, place);
	for (unsigned i = scopes.count, printed = 0; i-- && printed < INLINED_MAX;) {
		if (dwarf_tag(&scopes.at[i]) != DW_TAG_inlined_subroutine)
			continue;
		const char *name = dwarf_diename(&scopes.at[i]);
		modules_put(to, " ", name ? name : "?", "");
		print_place(to, path, *file, *line);
		fprintf(to, " inlined\n");
		*file = call_file(scopes.unit, &scopes.at[i], line);
		printed++;
	}
}

/* Describes an instruction: a line for each function inlined there, and one for the function. */
static void describe_code(FILE *to, Dwfl_Module *module, const char *path, uint64_t pc, bool is_call)
{
	uint64_t place = is_call ? pc - 1 : pc; /* a call that does not return may be a function's last instruction */
	GElf_Off offset = 0;
	GElf_Addr bias;
	GElf_Sym sym;
	int line = 0;
	const char *file = scopes_line(module, place, &line);
	print_inlined(to, module, path, place, &file, &line);
	const char *symbol = dwfl_module_addrinfo(module, place, &offset, &sym, NULL, NULL, NULL);
	if (symbol)
		modules_put(to, " ", demangle(symbol), "");
	if (symbol)
		fprintf(to, "+0x%lx", offset + (pc - place));
	else if (path && dwfl_module_getelf(module, &bias))
		fprintf(to, " +0x%lx", pc - bias); /* the address that objdump shows */
	print_place(to, path, file, line);
}

/* Prints the variable that contains an address. Linker labels at the same address are no variables. */
static void describe_object(FILE *to, Dwfl_Module *module, uint64_t address)
{
	if (variables_put_global(to, module, address))
		return;
	int count = dwfl_module_getsymtab(module);
	for (int i = 0; i < count; i++) {
		GElf_Sym sym;
		GElf_Addr start;
		const char *name = dwfl_module_getsym_info(module, i, &sym, &start, NULL, NULL, NULL);
		if (!name || GELF_ST_TYPE(sym.st_info) != STT_OBJECT || address - start >= sym.st_size)
			continue;
		modules_put(to, "", demangle(name), "");
		if (address != start)
			fprintf(to, "+0x%lx", address - start);
		return;
	}
}

static const char *module_path(Dwfl_Module *module)
{
	return dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
}

/* Returns the lines about an address, each with a newline. They stay valid in frames->texts until another address needs
 * the slot. */
static const char *find_text(struct frames *frames, uint64_t address, enum frames_use use)
{
	if (!frames->texts)
		frames->texts = calloc(TEXTS, sizeof(*frames->texts));
	if (!frames->texts)
		return "\n";
	struct frames_text *text = &frames->texts[(address * 0x9e3779b97f4a7c15UL >> 40) % TEXTS];
	if (text->lines && text->address == address && text->use == use)
		return text->lines;
	free(text->lines);
	*text = (struct frames_text){.address = address, .use = use};
	size_t bytes;
	FILE *to = open_memstream(&text->lines, &bytes);
	if (!to)
		return "\n";
	Dwfl_Module *module = frames->dwfl ? dwfl_addrmodule(frames->dwfl, address) : NULL;
	if (module && use == FRAMES_OBJECT)
		describe_object(to, module, address);
	else if (module)
		describe_code(to, module, frames->modules ? module_path(module) : NULL, address, use == FRAMES_CALL);
	else if (frames->modules && use != FRAMES_OBJECT)
		modules_describe(frames->modules, to, use == FRAMES_CALL ? address - 1 : address);
	fputc('\n', to);
	fclose(to);
	return text->lines ? text->lines : "\n";
}

static void print_frame(struct frames *frames, uint64_t pc, bool is_call)
{
	const char *line = find_text(frames, pc, is_call ? FRAMES_CALL : FRAMES_PLACE);
	frames->has_python = frames->has_python || strstr(line, " " PYTHON_FUNCTION "+");
	while (*line) {
		size_t length = strcspn(line, "\n");
		printf("  #%-2u 0x%016lx%.*s\n", frames->count, pc, (int)length, line);
		line += length + (line[length] == '\n');
	}
	frames->count++;
}

static int on_frame(Dwfl_Frame *state, void *context)
{
	struct frames *frames = context;
	Dwarf_Addr pc;
	bool is_activation;
	if (frames->count >= SYMBOLIZE_FRAMES_MAX || !dwfl_frame_pc(state, &pc, &is_activation))
		return DWARF_CB_ABORT;
	print_frame(frames, pc, !is_activation || (frames->has_jumped && frames->count == 1));
	fflush(stdout); /* keeps this frame if the next step ends the process */
	return DWARF_CB_OK;
}

/* Prints the chain of frame pointers, if there is no unwind information at all. */
static void print_chain(struct frames *frames)
{
	uint64_t rbp = frames->request->registers[SYMBOLIZE_RBP];
	Dwarf_Word next, pc;
	print_frame(frames, frames->request->registers[SYMBOLIZE_RIP], false);
	while (frames->count < SYMBOLIZE_FRAMES_MAX && read_memory(NULL, rbp, &next, frames) &&
	       read_memory(NULL, rbp + 8, &pc, frames) && pc) {
		print_frame(frames, pc, true);
		if (next <= rbp)
			return;
		rbp = next;
	}
}

/* Whether RIP is in no module, as after a call of a bad pointer. The top of the stack then has the return address. */
static bool begins_outside(const struct frames *frames)
{
	return frames->dwfl && !dwfl_addrmodule(frames->dwfl, frames->request->registers[SYMBOLIZE_RIP]);
}

/* A walk along the stack for a name of an address. */
struct naming {
	struct frames *frames;
	FILE *to;
	enum variables_match match;
	bool users;
	unsigned count;
	bool is_named;
};

static bool read_stack(const void *context, uint64_t address, uint64_t *word)
{
	Dwarf_Word value;
	if (!read_memory(NULL, address, &value, (void *)context))
		return false;
	*word = value;
	return true;
}

static int name_in_frame(Dwfl_Frame *state, void *context)
{
	static struct scopes scopes;
	struct naming *naming = context;
	Dwarf_Addr pc;
	bool is_activation;
	if (naming->count++ >= NAMING_MAX || !dwfl_frame_pc(state, &pc, &is_activation))
		return DWARF_CB_ABORT;
	const uint64_t place = is_activation ? pc : pc - 1;
	Dwfl_Module *module = dwfl_addrmodule(naming->frames->dwfl, place);
	if (!module)
		return DWARF_CB_OK;
	scopes_find(&scopes, module, place);
	struct location_frame frame = {.module = module,
	                               .place = place,
	                               .bias = scopes.bias,
	                               .state = state,
	                               .is_caller = !is_activation,
	                               .read = read_stack,
	                               .context = naming->frames};
	for (unsigned i = 0; i < scopes.count && !frame.function; i++)
		if (dwarf_tag(&scopes.at[i]) == DW_TAG_subprogram)
			frame.function = &scopes.at[i];
	naming->is_named = variables_put_local(naming->to, &frame, &scopes, naming->frames->request->object,
	                                       naming->match, naming->users);
	return naming->is_named ? DWARF_CB_ABORT : DWARF_CB_OK;
}

/* Prints how the functions on the stack name an address, those of the user first. */
static void print_local(struct frames *frames)
{
	for (unsigned i = 0; frames->has_state && i < 2 * VARIABLES_MATCHES; i++) {
		struct naming naming = {.frames = frames, .to = stdout, .match = i / 2, .users = !(i % 2)};
		dwfl_getthread_frames(frames->dwfl, THREAD, name_in_frame, &naming);
		if (naming.is_named)
			return;
	}
}

void frames_print_object(struct frames *frames)
{
	if (!frames->request->object)
		return;
	const uint64_t object = frames->request->object;
	const char *text = find_text(frames, object, FRAMES_OBJECT);
	if (*text != '\n')
		printf("%.*s", (int)strcspn(text, "\n"), text);
	else
		print_local(frames);
	Dwfl_Module *module = frames->dwfl && frames->request->magic == SYMBOLIZE_MAGIC_TYPED
	                              ? dwfl_addrmodule(frames->dwfl, object)
	                              : NULL;
	if (*text != '\n' && module && variables_is_plain(module, object))
		fputs(SYMBOLIZE_PLAIN, stdout);
}

/* Looks for the two symbols of an interpreter in one module. */
static int find_python(Dwfl_Module *module, void **, const char *, Dwarf_Addr, void *context)
{
	uint64_t *found = context;
	const int count = dwfl_module_getsymtab(module);
	for (int i = 0; i < count; i++) {
		GElf_Sym sym;
		GElf_Addr at;
		const char *symbol = dwfl_module_getsym_info(module, i, &sym, &at, NULL, NULL, NULL);
		if (symbol && sym.st_shndx != SHN_UNDEF && !strcmp(symbol, "_PyRuntime"))
			found[0] = at;
		if (symbol && sym.st_shndx != SHN_UNDEF && !strcmp(symbol, "Py_Version"))
			found[1] = at;
	}
	return found[0] && found[1] ? DWARF_CB_ABORT : DWARF_CB_OK;
}

static void print_python(const struct frames *frames)
{
	uint64_t found[2] = {0};
	dwfl_getmodules(frames->dwfl, find_python, found, 0);
	if (found[0] && found[1])
		printf(SYMBOLIZE_PYTHON "0x%lx 0x%lx\n", found[0], found[1]);
}

void frames_print(struct frames *frames)
{
	struct symbolize_request *request = frames->request;
	Dwarf_Word pc;
	frames->count = 0;
	frames->has_jumped = frames->has_python = false;
	if (begins_outside(frames) && read_memory(NULL, request->registers[SYMBOLIZE_RSP], &pc, frames) &&
	    dwfl_addrmodule(frames->dwfl, pc)) {
		print_frame(frames, request->registers[SYMBOLIZE_RIP], false);
		request->registers[SYMBOLIZE_RIP] = pc;
		request->registers[SYMBOLIZE_RSP] += 8;
		frames->has_jumped = true;
	}
	if (frames->has_state)
		dwfl_getthread_frames(frames->dwfl, THREAD, on_frame, frames);
	if (!frames->count)
		print_chain(frames);
	if (frames->has_python)
		print_python(frames);
}
