/* SPDX-License-Identifier: MIT */
/* Answers of name servers, as anybody may send them: some messages, whose names are then put into a capture. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/record_names.h"
#include "tests/fuzz/fuzz.h"

/* A message of its own size, so that what is read behind it is noticed. Most begin as an answer to one question. */
static void take_message(struct record_names *names, struct fuzz_input *input)
{
	static const uint8_t head[] = {0, 0, 0x81, 0x80, 0, 1, 0};
	uint8_t kind = (uint8_t)fuzz_number(input, 1);
	size_t bytes = fuzz_number(input, kind & 1 ? 2 : 1);
	uint8_t *message = malloc(bytes + 1);
	if (!message)
		abort();
	fuzz_take(input, message + 1, bytes);
	if (!(kind & 2))
		memcpy(message + 1, head, bytes < sizeof(head) ? bytes : sizeof(head));
	if (record_names_take(names, message + 1, bytes))
		abort();
	free(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = {data, size};
	struct record_names names = {0};
	struct record_file file;
	record_file_open(&file, memfd_create("capture", MFD_CLOEXEC));
	while (input.left) {
		take_message(&names, &input);
		record_names_put(&names, &file);
	}
	for (size_t i = 0; i < names.count; i++)
		if (!memchr(names.list[i].name, 0, RECORD_NAME_BYTES) || !names.list[i].name[0])
			abort();
	if (file.bytes % 4 || file.error || !file.bytes != !names.count)
		abort();
	record_file_close(&file);
	record_names_fini(&names);
	return 0;
}
