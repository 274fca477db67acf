/* SPDX-License-Identifier: MIT */
/* What is added to a recording waits in a queue, so that the thread of the guest only copies it. A thread of its own
 * makes blocks and frames of it and writes them, in the order in which it was added: the capture before the log, which
 * refers to it. Without that thread, whoever adds writes. */
#include "record/recording.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/beside.h"
#include "record/record_capture.h"
#include "record/record_grow.h"
#include "record/redact_queue.h"

#define QUEUE_BYTES (8UL << 20)    /* what is added waits when as much has not been written */
#define WRITE_AT (QUEUE_BYTES / 8) /* so much is written at once */
#define GATHER_NS 1000000L         /* less is written after this time */
#define LOG_BYTES 0x20000UL        /* of the log that are written at once: fewer than its buffer has */

/** What was added: the data follow, then bytes up to a multiple of 8. */
struct entry {
	uint32_t kind;  /**< enum record_kind */
	uint32_t bytes; /**< of the data; of RECORD_NETWORK: a struct network_record and its payload */
};

struct queue {
	uint8_t *data;
	size_t used;
};

struct recording {
	pthread_mutex_t lock; /* of the members before `log` */
	pthread_cond_t added, written;
	struct queue queue, spare; /* what waits; the queue that is filled while it is written */
	bool is_writing;
	bool has_thread, ends, hurries; /* `hurries`: somebody waits for the thread */
	int error;                      /* the first one: a negative errno */
	pthread_t thread;
	struct redact *redact;     /* of `held`; or NULL */
	struct redact_queue *held; /* --redact: what may not be added yet; or NULL */
	struct record_log log;
	struct record_capture capture;
};

static int create_record_file(int dir, const char *name, const char *path, struct error *error)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_set(error, errno,
		                 errno == EEXIST ? "%s already holds a recording; give another directory, or remove it"
		                                 : "cannot make the recording in %s: %s",
		                 path, strerror(errno));
	return fd;
}

static void put_options(struct record_log *log, enum record_kind kind, char **options, unsigned count)
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
	record_log_put(log, kind, text, bytes, NULL, 0);
	free(text);
}

static void free_recording(struct recording *recording)
{
	free(recording->queue.data);
	free(recording->spare.data);
	free(recording);
}

/* Returns NULL without memory. */
static struct recording *make(void)
{
	struct recording *recording = calloc(1, sizeof(*recording));
	if (!recording)
		return NULL;
	pthread_mutex_init(&recording->lock, NULL);
	pthread_cond_init(&recording->added, NULL);
	pthread_cond_init(&recording->written, NULL);
	recording->queue.data = malloc(QUEUE_BYTES);
	recording->spare.data = malloc(QUEUE_BYTES);
	if (recording->queue.data && recording->spare.data)
		return recording;
	free_recording(recording);
	return NULL;
}

/* Makes the two files in a directory, which is made if it is missing. Sets the directory and the files. Returns 0, or a
 * negative errno with *error set. After an error neither the directory nor a file is open, and no new file is left. */
static int create_files(const char *path, int *dir, int *log, int *capture, struct error *error)
{
	if (mkdir(path, 0700) && errno != EEXIST)
		return error_set(error, errno, "cannot make the directory %s for the recording: %s", path,
		                 strerror(errno));
	*dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*dir < 0)
		return error_set(error, errno, "cannot make a recording in %s: %s", path, strerror(errno));
	*log = create_record_file(*dir, RECORDING_LOG, path, error);
	*capture = *log < 0 ? *log : create_record_file(*dir, RECORDING_CAPTURE, path, error);
	if (*capture >= 0)
		return 0;
	if (*log >= 0) {
		close(*log);
		unlinkat(*dir, RECORDING_LOG, 0);
	}
	close(*dir);
	return *capture;
}

int recording_create(struct recording **out, const char *path, char **options, unsigned count, int64_t epoch_ns,
                     struct error *error)
{
	struct recording *recording = make();
	if (!recording)
		return error_set(error, ENOMEM, "out of memory for the recording");
	int dir = -1, log = -1, capture = -1;
	int result = create_files(path, &dir, &log, &capture, error);
	if (result) {
		free_recording(recording);
		return result;
	}
	record_log_begin(&recording->log, log);
	record_capture_begin(&recording->capture, capture, epoch_ns);
	recording->capture.file.reserves = true;
	put_options(&recording->log, RECORD_OPTIONS, options, count);
	*out = recording;
	result = recording_flush(recording);
	if (result) { /* so that another attempt does not find a recording here */
		unlinkat(dir, RECORDING_LOG, 0);
		unlinkat(dir, RECORDING_CAPTURE, 0);
	}
	close(dir);
	return result ? error_set(error, -result, "cannot write the recording in %s: %s", path, strerror(-result)) : 0;
}

/* Copies the first bytes of a file. Returns 0 or a negative errno. */
static int copy_start(int to, int from, uint64_t bytes)
{
	off_t at = 0;
	while ((uint64_t)at < bytes) {
		ssize_t got = sendfile(to, from, &at, bytes - (uint64_t)at);
		if (got <= 0)
			return got ? -errno : -EIO;
	}
	return 0;
}

int recording_add_kernel(const char *path, const char *kernel, uint64_t bytes, struct error *error)
{
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), from = open(kernel, O_RDONLY | O_CLOEXEC), to = -1;
	int result = dir < 0 || from < 0 ? -errno : 0;
	if (!result) {
		to = openat(dir, RECORDING_KERNEL, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		result = to < 0 ? -errno : copy_start(to, from, bytes);
	}
	if (to >= 0 && close(to) && !result)
		result = -errno;
	if (result && dir >= 0) {
		unlinkat(dir, RECORDING_LOG, 0);
		unlinkat(dir, RECORDING_CAPTURE, 0);
		if (to >= 0)
			unlinkat(dir, RECORDING_KERNEL, 0);
	}
	if (from >= 0)
		close(from);
	if (dir >= 0)
		close(dir);
	return result ? error_set(error, -result,
	                          "cannot write the kernel of the recording, %s/" RECORDING_KERNEL ": %s", path,
	                          strerror(-result))
	              : 0;
}

void recording_about(struct recording *recording, char **defaults, unsigned count, const char *about)
{
	put_options(&recording->log, RECORD_DEFAULTS, defaults, count);
	record_log_put(&recording->log, RECORD_ABOUT, about, strlen(about), NULL, 0);
}

int recording_create_in_memory(struct recording **out, int64_t epoch_ns, struct error *error)
{
	static char program[] = "--", name[] = "memory";
	char *options[] = {program, name};
	struct recording *recording = make();
	if (!recording)
		return error_set(error, ENOMEM, "out of memory for the recording");
	int log = memfd_create(RECORDING_LOG, MFD_CLOEXEC), capture = memfd_create(RECORDING_CAPTURE, MFD_CLOEXEC);
	if (log < 0 || capture < 0)
		return error_set(error, errno, "cannot make a recording in memory: %s", strerror(errno));
	record_log_begin(&recording->log, log);
	record_capture_begin(&recording->capture, capture, epoch_ns);
	put_options(&recording->log, RECORD_OPTIONS, options, 2);
	*out = recording;
	return 0;
}

int recording_create_grown(struct recording **out, const struct replay *replay, int log, int capture, char **options,
                           unsigned count, int64_t epoch_ns, struct error *error)
{
	uint64_t check;
	struct recording *recording = make();
	if (!recording)
		return error_set(error, ENOMEM, "out of memory for the recording");
	int result = record_grow_copy(replay, log, capture, &check);
	record_log_resume(&recording->log, log, check);
	record_capture_begin(&recording->capture, capture, epoch_ns);
	recording->capture.file.reserves = true;
	put_options(&recording->log, RECORD_ADDED, options, count);
	*out = recording;
	if (!result)
		result = recording_flush(recording);
	return result ? error_set(error, -result, "cannot write the recording %s anew: %s", replay->dir,
	                          strerror(-result))
	              : 0;
}

void recording_descriptors(const struct recording *recording, int fds[2])
{
	fds[0] = recording->log.file.fd;
	fds[1] = recording->capture.file.fd;
}

/* --- writing --- */

/* The capture first: the log refers to it, and ends where the capture cannot be written. */
static void flush_files(struct recording *recording)
{
	struct record_file *log = &recording->log.file;
	record_file_flush(&recording->capture.file);
	if (!log->error)
		log->error = recording->capture.file.error;
	record_file_flush(log);
}

static void put_network(struct recording *recording, const uint8_t *data)
{
	struct record_network block = {0};
	memcpy(&block.record, data, sizeof(block.record));
	const uint8_t *payload = data + sizeof(block.record);
	if (block.record.op == NETWORK_INPUT) { /* what was typed is in the log: the capture is of the network */
		record_file_flush(
			&recording->capture.file); /* which may come before blocks that the log has in its buffer */
		record_log_put(&recording->log, RECORD_INPUT, data, sizeof(block.record) + block.record.bytes, NULL, 0);
		return;
	}
	block.payload_at = record_capture_put(&recording->capture, &block.record, payload);
	record_log_put(&recording->log, RECORD_NETWORK, &block, sizeof(block), payload,
	               block.payload_at ? block.record.bytes : 0);
}

static void put_all(struct recording *recording, const struct queue *queue)
{
	struct entry entry;
	for (size_t at = 0; at < queue->used; at += (sizeof(entry) + entry.bytes + 7) & ~7UL) {
		memcpy(&entry, queue->data + at, sizeof(entry));
		const uint8_t *data = queue->data + at + sizeof(entry);
		if (entry.kind != RECORD_NETWORK || recording->log.file.used > LOG_BYTES)
			flush_files(recording);
		if (entry.kind == RECORD_NETWORK)
			put_network(recording, data);
		else
			record_log_put(&recording->log, entry.kind, data, entry.bytes, NULL, 0);
	}
	flush_files(recording);
}

/* Writes the queue. The lock is held, but not meanwhile. */
static void write_queue(struct recording *recording)
{
	struct queue taken = recording->queue;
	assert(!recording->is_writing);
	recording->queue = recording->spare;
	recording->is_writing = true;
	pthread_mutex_unlock(&recording->lock);
	put_all(recording, &taken);
	int error = recording->log.file.error;
	pthread_mutex_lock(&recording->lock);
	recording->spare = (struct queue){.data = taken.data};
	recording->is_writing = false;
	recording->error = error;
	pthread_cond_broadcast(&recording->written);
}

/* Waits until much has been added, or for a while. */
static void gather_records(struct recording *recording)
{
	struct timespec end;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += GATHER_NS;
	if (end.tv_nsec >= 1000000000) {
		end.tv_nsec -= 1000000000;
		end.tv_sec++;
	}
	while (!recording->hurries && !recording->ends && recording->queue.used < WRITE_AT)
		if (pthread_cond_clockwait(&recording->added, &recording->lock, CLOCK_MONOTONIC, &end))
			break;
	recording->hurries = false;
}

static void *write_beside(void *context)
{
	struct recording *recording = context;
	pthread_mutex_lock(&recording->lock);
	for (;;) {
		while (!recording->queue.used && !recording->ends)
			pthread_cond_wait(&recording->added, &recording->lock);
		if (!recording->queue.used)
			break;
		gather_records(recording);
		write_queue(recording);
	}
	pthread_mutex_unlock(&recording->lock);
	return NULL;
}

int recording_start(struct recording *recording)
{
	int error = beside_create(&recording->thread, write_beside, recording);
	recording->has_thread = !error;
	return -error;
}

/* Has the queue written. The lock is held. */
static void hurry(struct recording *recording)
{
	if (!recording->has_thread) {
		write_queue(recording);
		return;
	}
	recording->hurries = true;
	pthread_cond_signal(&recording->added);
	pthread_cond_wait(&recording->written, &recording->lock);
}

int recording_flush(struct recording *recording)
{
	pthread_mutex_lock(&recording->lock);
	if (!recording->has_thread)
		write_queue(recording);
	while (recording->queue.used || recording->is_writing)
		hurry(recording);
	int error = recording->error;
	pthread_mutex_unlock(&recording->lock);
	return error;
}

int recording_stop(struct recording *recording)
{
	if (recording->held)
		redact_queue_end(recording->held);
	if (recording->has_thread) {
		pthread_mutex_lock(&recording->lock);
		recording->ends = true;
		pthread_cond_signal(&recording->added);
		pthread_mutex_unlock(&recording->lock);
		pthread_join(recording->thread, NULL);
		recording->has_thread = recording->ends = false;
	}
	return recording_flush(recording);
}

int recording_error(struct recording *recording)
{
	pthread_mutex_lock(&recording->lock);
	int error = recording->error;
	pthread_mutex_unlock(&recording->lock);
	if (!error && recording->held)
		error = redact_queue_error(recording->held);
	return error;
}

/* --- adding --- */

/* Adds data in two parts. */
static void append_record(struct recording *recording, enum record_kind kind, const void *head, size_t head_bytes,
                          const void *data, size_t bytes)
{
	const struct entry entry = {kind, (uint32_t)(head_bytes + bytes)};
	size_t total = (sizeof(entry) + entry.bytes + 7) & ~7UL;
	pthread_mutex_lock(&recording->lock);
	while (recording->queue.used + total > QUEUE_BYTES)
		hurry(recording);
	size_t before = recording->queue.used;
	uint8_t *to = recording->queue.data + before;
	memcpy(to, &entry, sizeof(entry));
	memcpy(to + sizeof(entry), head, head_bytes);
	if (bytes)
		memcpy(to + sizeof(entry) + head_bytes, data, bytes);
	recording->queue.used += total;
	if (!before || (before < WRITE_AT && recording->queue.used >= WRITE_AT))
		pthread_cond_signal(&recording->added);
	pthread_mutex_unlock(&recording->lock);
}

void recording_network(struct recording *recording, const struct network_record *record, const void *payload)
{
	if (recording->held)
		redact_queue_add(recording->held, record, payload);
	else
		append_record(recording, RECORD_NETWORK, record, sizeof(*record), payload, record->bytes);
}

void recording_mark(struct recording *recording, const struct record_mark *mark)
{
	if (recording->held)
		return;
	append_record(recording, RECORD_MARK, mark, sizeof(*mark), NULL, 0);
	if (!recording->has_thread)
		recording_flush(recording);
}

/* Adds a record without secrets, after what was replaced in it. */
static void keep_redacted(void *context, const struct network_record *record, const void *payload,
                          const struct record_redacted *redacted, const struct record_redacted_range *ranges)
{
	if (redacted)
		append_record(context, RECORD_REDACTED, redacted, sizeof(*redacted), ranges,
		              redacted->count * sizeof(*ranges));
	append_record(context, RECORD_NETWORK, record, sizeof(*record), payload, record->bytes);
}

int recording_redact(struct recording *recording, struct redact *redact)
{
	const struct record_redacted mark = {.op = 0};
	recording->held = redact_queue_create(redact, keep_redacted, recording);
	recording->redact = recording->held ? redact : NULL;
	append_record(recording, RECORD_REDACTED, &mark, sizeof(mark), NULL, 0);
	return recording->held ? recording_flush(recording) : -ENOMEM;
}

struct redact_counts recording_redacted(const struct recording *recording)
{
	return recording->held ? redact_queue_counts(recording->held) : (struct redact_counts){0};
}

/* Puts the list of files, without what matches in their paths. */
static void put_files(struct recording *recording, const char *files, size_t bytes)
{
	struct record_log *log = &recording->log;
	char *copy = calloc(1, bytes + 1);
	if (copy)
		memcpy(copy, files, bytes);
	int error = !copy ? -ENOMEM : recording->redact ? redact_paths(recording->redact, copy, bytes) : 0;
	if (error)
		log->file.error = error;
	else
		record_log_put(log, RECORD_FILES, copy, bytes, NULL, 0);
	free(copy);
}

void recording_leave_room(struct recording *recording)
{
	record_capture_leave_room(&recording->capture);
}

void recording_keys(struct recording *recording, const char *text, size_t bytes)
{
	record_capture_keys(&recording->capture, text, bytes);
	flush_files(recording);
	record_log_put(&recording->log, RECORD_KEYS, text, bytes, NULL, 0);
}

void recording_end(struct recording *recording, const char *end)
{
	append_record(recording, RECORD_END, end, strlen(end), NULL, 0);
}

int recording_close(struct recording *recording, const char *files, size_t files_bytes, const char *end)
{
	if (!recording)
		return 0;
	recording_stop(recording);
	if (recording->held && redact_queue_error(recording->held))
		recording->log.file.error = redact_queue_error(recording->held);
	if (end)
		record_capture_end(&recording->capture, end);
	flush_files(recording);
	if (files_bytes)
		put_files(recording, files, files_bytes);
	if (end)
		record_log_put(&recording->log, RECORD_END, end, strlen(end), NULL, 0);
	flush_files(recording);
	record_capture_close(&recording->capture);
	record_file_close(&recording->log.file);
	int result = recording->capture.file.error ? recording->capture.file.error : recording->log.file.error;
	redact_queue_destroy(recording->held);
	free(recording->queue.data);
	free(recording->spare.data);
	free(recording);
	return result;
}
