/* SPDX-License-Identifier: MIT */
/* ssh-keygen gets the image that was opened, and the signature in memory, so that what it checks is not replaced
 * meanwhile. */
#include "sealed/image_sign.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <paths.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/error.h"
#include "base/save.h"
#include "base/write_all.h"
#include "sealed/allowed_signers.h"

#define SIGNATURE_MAX \
	(1L << 20) /* bytes; those of ssh-keygen have a few hundred, or some thousands with certificates */
#define MESSAGE_BYTES 512
#define SIGNATURE_FD "/proc/self/fd/3"

/* A run of ssh-keygen. */
struct keygen {
	int input, signature; /* descriptors 0 and 3, or -1 */
	int output, messages; /* files in memory */
	bool shows;           /* its messages go to standard error, because they may ask for something */
};

/* Returns 0 or -ENAMETOOLONG. */
static int signature_path(const struct eri_image *image, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s.sig", image->path) < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/* --- ssh-keygen --- */

static void close_keygen(struct keygen *keygen)
{
	int *const fds[] = {&keygen->input, &keygen->signature, &keygen->output, &keygen->messages};
	for (unsigned i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

#define MISSING "signatures need ssh-keygen, which is missing; install it: apt-get install openssh-client"

int image_sign_check_tool(struct error *error)
{
	const char *paths = getenv("PATH");
	char path[PATH_MAX];
	for (const char *at = paths ? paths : _PATH_DEFPATH; *at; at += *at == ':') {
		const int length = (int)strcspn(at, ":");
		snprintf(path, sizeof(path), "%.*s/ssh-keygen", length, at);
		if (!access(path, X_OK))
			return 0;
		at += length;
	}
	return error_set(error, ENOENT, MISSING);
}

/* Runs it. Returns its exit status, or a negative errno with one line in *error. */
static int run_keygen(struct keygen *keygen, char *const arguments[], struct error *error)
{
	pid_t child;
	int status = 0, result = 0;
	keygen->output = memfd_create("ssh-keygen output", MFD_CLOEXEC);
	keygen->messages = memfd_create("ssh-keygen messages", MFD_CLOEXEC);
	const struct child_plan plan = {
		.path = "ssh-keygen",
		.arguments = arguments,
		.environment = environ,
		.dir = -1,
		.fds = {keygen->input, keygen->output, keygen->shows ? STDERR_FILENO : keygen->messages,
	                keygen->signature},
	};
	if (keygen->output < 0 || keygen->messages < 0)
		result = -errno;
	if (!result)
		result = child_start(&plan, &child);
	if (result == -ENOENT)
		return error_set(error, ENOENT, MISSING);
	if (result)
		return error_set(error, -result, "cannot start ssh-keygen: %s", strerror(-result));
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* Reads the first line of a file in memory, or the last one. */
static void read_line(int fd, bool last, char line[MESSAGE_BYTES])
{
	ssize_t bytes = pread(fd, line, MESSAGE_BYTES - 1, 0);
	line[bytes > 0 ? bytes : 0] = 0;
	for (char *end; last && (end = strchr(line, '\n')) && end[1];)
		memmove(line, end + 1, strlen(end + 1) + 1);
	line[strcspn(line, "\r\n")] = 0;
}

/* Whether a text is in a file in memory. */
static bool has_message(int fd, const char *text)
{
	char all[MESSAGE_BYTES];
	ssize_t bytes = pread(fd, all, sizeof(all) - 1, 0);
	all[bytes > 0 ? bytes : 0] = 0;
	return strstr(all, text);
}

/* Opens the image that was opened once more, with an offset of its own. */
static int open_again(const struct eri_image *image)
{
	char path[40];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", image->fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* --- to sign --- */

/* Whether a text is a whole signature: ssh-keygen does not notice that it cannot write all of it. */
static bool is_whole_signature(const char *text, size_t bytes)
{
	static const char end[] = "-----END SSH SIGNATURE-----\n";
	const size_t end_bytes = sizeof(end) - 1;
	return bytes > end_bytes && !memcmp(text + bytes - end_bytes, end, end_bytes);
}

static int write_signature(const struct eri_image *image, int output, struct error *error)
{
	static char text[SIGNATURE_MAX]; /* too large for a stack */
	char path[PATH_MAX];
	struct save save = {0};
	ssize_t bytes = pread(output, text, sizeof(text), 0);
	if (bytes >= 0 && !is_whole_signature(text, (size_t)bytes))
		return error_set(error, EIO, "ssh-keygen did not write a whole signature; raise 'ulimit -f'");
	int result = signature_path(image, path);
	if (!result)
		result = bytes < 0 ? -errno : save_open(&save, path);
	if (!result) {
		fwrite(text, 1, (size_t)bytes, save.to);
		result = save_commit(&save);
	}
	return result ? error_set(error, -result, "cannot write the signature %.160s.sig: %s", image->path,
	                          strerror(-result))
	              : 0;
}

int image_sign_make(const struct eri_image *image, const char *key, struct error *error)
{
	struct keygen keygen = {open_again(image), -1, -1, -1, isatty(STDERR_FILENO)};
	char *const arguments[] = {"ssh-keygen", "-Y", "sign", "-n", IMAGE_SIGN_NAMESPACE, "-f", (char *)key, NULL};
	char line[MESSAGE_BYTES];
	int result = keygen.input < 0 ? error_set(error, errno, "cannot open the image %.160s again: %s", image->path,
	                                          strerror(errno))
	                              : run_keygen(&keygen, arguments, error);
	if (result > 0) {
		read_line(keygen.messages, true, line);
		result = error_set(error, EACCES, "ssh-keygen cannot sign by the key %.100s%s%.80s", key,
		                   *line ? ": " : "", line);
	} else if (!result && !(result = eri_image_check(image, error))) {
		result = write_signature(image, keygen.output, error);
	}
	close_keygen(&keygen);
	return result;
}

/* --- to check --- */

/* Copies the signature into memory. Returns a descriptor, or a negative errno with one line in *error. */
static int load_signature(const struct eri_image *image, struct error *error)
{
	static char text[SIGNATURE_MAX]; /* too large for a stack */
	char path[PATH_MAX];
	struct stat st;
	int result = signature_path(image, path);
	int from = result ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (from < 0 && (result || errno == ENOENT))
		return error_set(error, EBADMSG, "it has no signature: there is no %.200s.sig", image->path);
	if (from < 0 || fstat(from, &st))
		return error_set(error, errno, "cannot read %.200s.sig: %s", image->path, strerror(errno));
	ssize_t bytes = S_ISREG(st.st_mode) && st.st_size <= SIGNATURE_MAX ? read(from, text, sizeof(text)) : -1;
	close(from);
	if (bytes < 0)
		return error_set(error, EBADMSG, "%.200s.sig is not a signature", image->path);
	int to = memfd_create("eremite signature", MFD_CLOEXEC);
	result = to < 0 ? -errno : write_all(to, text, (size_t)bytes, 0);
	if (!result)
		return to;
	if (to >= 0)
		close(to);
	return error_set(error, -result, "cannot copy %.200s.sig into memory: %s", image->path, strerror(-result));
}

/* Refuses a valid signature that ssh-keygen does not accept: its key is not in `keys`, or not for this purpose. */
static int refuse_key(int signature, const char *keys, struct error *error)
{
	static char text[SIGNATURE_MAX]; /* too large for a stack */
	const ssize_t bytes = pread(signature, text, sizeof(text), 0);
	if (bytes > 0 && allowed_signers_explain(text, (size_t)bytes, keys, error))
		return error_prefix(error, EBADMSG, "it is signed by a key that ");
	return error_set(error, EBADMSG, "it is signed by a key that %.160s does not have", keys);
}

/* Finds who has the key of the signature. */
static int find_signer(int signature, const char *keys, char signer[MESSAGE_BYTES], struct error *error)
{
	struct keygen keygen = {-1, fcntl(signature, F_DUPFD_CLOEXEC, 4), -1, -1, false};
	char *const arguments[] = {"ssh-keygen", "-Y", "find-principals", "-s", SIGNATURE_FD, "-f", (char *)keys, NULL};
	int result = run_keygen(&keygen, arguments, error);
	if (!result)
		read_line(keygen.output, false, signer);
	if (result > 0) {
		const bool is_valid = !has_message(keygen.messages, "sshsig_");
		result = is_valid ? refuse_key(signature, keys, error)
		                  : error_set(error, EBADMSG, "its .sig is not a signature");
	}
	close_keygen(&keygen);
	return result;
}

int image_sign_check(const struct eri_image *image, const char *keys, char signer[IMAGE_SIGNER_BYTES],
                     struct error *error)
{
	char who[MESSAGE_BYTES], line[MESSAGE_BYTES];
	char *const arguments[] = {"ssh-keygen", "-Y", "verify", "-n", IMAGE_SIGN_NAMESPACE, "-s", SIGNATURE_FD, "-f",
	                           (char *)keys, "-I", who,      NULL};
	int signature = load_signature(image, error);
	if (signature < 0)
		return signature;
	int result = find_signer(signature, keys, who, error);
	if (result) {
		close(signature);
		return result;
	}
	struct keygen keygen = {open_again(image), signature, -1, -1, false};
	result = keygen.input < 0 ? error_set(error, errno, "cannot open the image again: %s", strerror(errno))
	                          : run_keygen(&keygen, arguments, error);
	if (!result) {
		read_line(keygen.output, false, line);
		const char *key = strstr(line, " with ");
		snprintf(signer, IMAGE_SIGNER_BYTES, key ? "%.200s (%.250s)" : "%.200s", who, key ? key + 6 : "");
	} else if (result > 0) {
		read_line(keygen.messages, false, line);
		result = has_message(keygen.messages, "not permitted") ? refuse_key(signature, keys, error)
		         : strstr(line, "namespace")
		                 ? error_set(error, EBADMSG, "its .sig is a signature for another purpose than images")
		         : strstr(line, "incorrect")
		                 ? error_set(error, EBADMSG,
		                             "its .sig by %.100s is of another file, or it was changed after that", who)
		                 : error_set(error, EBADMSG, "its signature by %.60s is not valid: %.120s", who, line);
	}
	close_keygen(&keygen);
	return result;
}
