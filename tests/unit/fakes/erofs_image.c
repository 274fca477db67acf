/* SPDX-License-Identifier: MIT */
/* EROFS images. The shell does the work: this is a test. */
#include "tests/unit/fakes/erofs_image.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void shell(const char *command)
{
	if (system(command) != 0) {
		fprintf(stderr, "failed: %s\n", command);
		exit(1);
	}
}

void erofs_image_make_tree(char path[static 64])
{
	char command[3000];
	strcpy(path, "/tmp/eremite-unit-XXXXXX");
	if (!mkdtemp(path))
		exit(1);
	snprintf(command, sizeof(command),
	         "set -e; cd %s; mkdir -p dir/sub empty many deep/a/b/c; chmod 1777 empty; "
	         "for n in 0 1 100 4000 4095 4096 4097 8192 12345 300000; do "
	         "  seq 1 100000 | head -c $n > dir/size$n; done; "
	         "for i in $(seq 1 600); do echo $i > many/a-rather-long-name-to-fill-blocks-$i; done; "
	         "ln dir/size12345 dir/hard; ln dir/size12345 deep/a/hard2; "
	         "ln -s ../dir/size4097 deep/link; ln -s nowhere dangling; "
	         "ln -s $(printf 'x%%.0s' $(seq 1 200))/y long; "
	         "truncate -s 3M sparse; printf end >> sparse; printf x | dd of=sparse bs=1 seek=1000000 conv=notrunc "
	         "status=none; "
	         "chmod 4755 dir/size1; touch -d @1234567890.5 dir/size100; mkfifo dir/pipe",
	         path);
	shell(command);
}

void erofs_image_remove_tree(const char *path)
{
	char command[200];
	snprintf(command, sizeof(command), "rm -rf %s", path);
	shell(command);
}

uint8_t *erofs_image_make(const char *tree, const char *options, size_t *bytes)
{
	char command[500], file[100];
	struct stat st;
	if (system("command -v mkfs.erofs >/dev/null") != 0)
		return NULL;
	snprintf(file, sizeof(file), "%s.img", tree);
	snprintf(command, sizeof(command), "mkfs.erofs --quiet %s %s %s >/dev/null 2>&1", options, file, tree);
	shell(command);
	int fd = open(file, O_RDONLY);
	if (fd < 0 || fstat(fd, &st) < 0)
		exit(1);
	*bytes = (size_t)st.st_size;
	uint8_t *image = aligned_alloc(4096, *bytes);
	if (!image || read(fd, image, *bytes) != (ssize_t)*bytes)
		exit(1);
	close(fd);
	unlink(file);
	return image;
}
