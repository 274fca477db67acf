/* SPDX-License-Identifier: MIT */
/* The parent looks for a file that its child makes, and does not wait for it: fails unless the child comes first. */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int status;
	pid_t child = fork();
	if (!child) {
		close(open("/tmp/made", O_CREAT | O_WRONLY, 0600));
		_exit(0);
	}
	int missing = access("/tmp/made", F_OK) != 0;
	waitpid(child, &status, 0);
	return missing;
}
