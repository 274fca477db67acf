/* SPDX-License-Identifier: MIT */
/* personality.device_stream_poll and device_stream_ioctl: standard streams in event loops. */
#ifndef KERNEL_LINUX_FILES_STREAM_H
#define KERNEL_LINUX_FILES_STREAM_H

struct file;

/** The events (POLLIN and so on) for which a stream is ready: reading, writing or both, as it was opened. */
unsigned int stream_poll(struct file *file);

/** ioctl(2) on a stream that is no terminal: FIONREAD reports 0 bytes; -ENOTTY for other requests. */
long stream_ioctl(struct file *file, unsigned long request, void *arg);

#endif
