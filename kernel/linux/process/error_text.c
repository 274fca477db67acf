/* SPDX-License-Identifier: MIT */
/* The texts are about the file that is executed, or its interpreter. */
#include "kernel/linux/process/error_text.h"

#include "abi/errno.h"

const char *error_text(int error)
{
	switch (error) {
	case -ENOENT:
		return "there is no such file, or its interpreter is not there";
	case -ENOTDIR:
		return "a part of its path is no directory";
	case -EACCES:
		return "it, or its interpreter, is no regular file or may not be executed (chmod +x)";
	case -ENOEXEC:
		return "it is neither a script nor a sound ELF program for x86-64";
	case -ELOOP:
		return "it is a loop of symbolic links or of scripts";
	case -ENAMETOOLONG:
		return "its name is too long";
	case -E2BIG:
		return "its arguments and environment are too long";
	case -ENOMEM:
		return "its memory is not to be had: give more by --memory, unless it is linked for addresses that no "
		       "program "
		       "can have";
	case -EFAULT:
	case -EINVAL:
		return "the file is shorter than its headers say, or damaged";
	case -EIO:
		return "its file cannot be read";
	default:
		return "it cannot be opened";
	}
}
