/* SPDX-License-Identifier: MIT */
#include "record/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "record/record_capture.h"

struct recording {
	pthread_mutex_t lock; /* the guest's thread adds input while another one adds what the network brings */
	struct record_log log;
	struct record_capture capture;
};

static int create(int dir, const char *name, const char *path, char error[256])
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return refuse(error, errno,
		              errno == EEXIST ? "%s already holds a recording; give another directory, or remove it"
		                              : "cannot make the recording in %s: %s",
		              path, strerror(errno));
	return fd;
}

static void put_options(struct record_log *log, char **options, unsigned count)
{
	size_t bytes = 0, at = 0;
	for (unsigned i = 0; i < count; i++)
		bytes += strlen(options[i]) + 1;
	char *text = malloc(bytes + 1);
	if (!text) {
		log->file.error = -ENOMEM;
		return;
	}
	for (unsigned i = 0; i < count; i++)
		at = (size_t)(stpcpy(text + at, options[i]) + 1 - text);
	record_log_put(log, RECORD_OPTIONS, text, bytes, NULL, 0);
	free(text);
}

int recording_create(struct recording **out, const char *path, char **options, unsigned count, int64_t epoch_ns,
                     char error[256])
{
	struct recording *recording = calloc(1, sizeof(*recording));
	if (!recording)
		return refuse(error, ENOMEM, "out of memory for the recording");
	pthread_mutex_init(&recording->lock, NULL);
	if (mkdir(path, 0700) && errno != EEXIST)
		return refuse(error, errno, "cannot make the directory %s for the recording: %s", path,
		              strerror(errno));
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return refuse(error, errno, "cannot make a recording in %s: %s", path, strerror(errno));
	int log = create(dir, RECORDING_LOG, path, error);
	int capture = log < 0 ? log : create(dir, RECORDING_CAPTURE, path, error);
	close(dir);
	if (capture < 0)
		return capture;
	record_log_begin(&recording->log, log);
	record_capture_begin(&recording->capture, capture, epoch_ns);
	put_options(&recording->log, options, count);
	*out = recording;
	int result = recording_flush(recording);
	return result ? refuse(error, -result, "cannot write the recording in %s: %s", path, strerror(-result)) : 0;
}

int recording_create_in_memory(struct recording **out, int64_t epoch_ns, char error[256])
{
	static char program[] = "--", name[] = "memory";
	char *options[] = {program, name};
	struct recording *recording = calloc(1, sizeof(*recording));
	if (!recording)
		return refuse(error, ENOMEM, "out of memory for the recording");
	pthread_mutex_init(&recording->lock, NULL);
	int log = memfd_create(RECORDING_LOG, MFD_CLOEXEC), capture = memfd_create(RECORDING_CAPTURE, MFD_CLOEXEC);
	if (log < 0 || capture < 0)
		return refuse(error, errno, "cannot make a recording in memory: %s", strerror(errno));
	record_log_begin(&recording->log, log);
	record_capture_begin(&recording->capture, capture, epoch_ns);
	put_options(&recording->log, options, 2);
	*out = recording;
	return 0;
}

void recording_end(struct recording *recording, const char *end)
{
	record_log_put(&recording->log, RECORD_END, end, strlen(end), NULL, 0);
}

void recording_descriptors(const struct recording *recording, int fds[2])
{
	fds[0] = recording->log.file.fd;
	fds[1] = recording->capture.file.fd;
}

void recording_network(struct recording *recording, const struct network_record *record, const void *payload)
{
	struct record_network entry = {.record = *record};
	pthread_mutex_lock(&recording->lock);
	entry.payload_at = record_capture_put(&recording->capture, record, payload);
	record_log_put(&recording->log, RECORD_NETWORK, &entry, sizeof(entry), payload,
	               entry.payload_at ? record->bytes : 0);
	pthread_mutex_unlock(&recording->lock);
}

/* The capture first: the log refers to it. */
static void flush_files(struct recording *recording)
{
	record_file_flush(&recording->capture.file);
	record_file_flush(&recording->log.file);
}

void recording_input(struct recording *recording, const void *data, size_t bytes)
{
	pthread_mutex_lock(&recording->lock);
	record_log_put(&recording->log, RECORD_INPUT, data, bytes, NULL, 0);
	flush_files(recording);
	pthread_mutex_unlock(&recording->lock);
}

int recording_flush(struct recording *recording)
{
	pthread_mutex_lock(&recording->lock);
	flush_files(recording);
	pthread_mutex_unlock(&recording->lock);
	return recording->capture.file.error ? recording->capture.file.error : recording->log.file.error;
}

int recording_close(struct recording *recording, const char *files, size_t files_bytes, const char *end)
{
	if (!recording)
		return 0;
	if (files_bytes)
		record_log_put(&recording->log, RECORD_FILES, files, files_bytes, NULL, 0);
	if (end)
		record_log_put(&recording->log, RECORD_END, end, strlen(end), NULL, 0);
	if (end)
		record_capture_end(&recording->capture, end);
	record_file_close(&recording->capture.file);
	record_file_close(&recording->log.file);
	int result = recording->capture.file.error ? recording->capture.file.error : recording->log.file.error;
	free(recording);
	return result;
}
