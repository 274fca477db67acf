# SPDX-License-Identifier: MIT
#
# Builds everything out of tree in build/. Each part has a fragment beside its sources; this file has only what they
# share: the directories, the flags, and the targets that a user types.

ifneq ($(words $(CURDIR)),1)
$(error make cannot build in a directory whose path has blanks: '$(CURDIR)')
endif
SRC := $(CURDIR)
B := $(SRC)/build

CC := gcc
WARNINGS := -Wall -Wextra -Werror -Wshadow -Wmissing-prototypes -Wstrict-prototypes
# Nothing built may depend on where it was built.
MAPS := -ffile-prefix-map=$(SRC)=. -ffile-prefix-map=$(B)=build
# Nor may the list of files that an object depends on, so that a copied or moved checkout needs no new build.
RELOCATE = sed -i 's|$(B)/|$$(B)/|g; s|$(SRC)/|$$(SRC)/|g'

MAKEFLAGS += --no-builtin-rules --no-print-directory
# As many jobs as processors, unless the command line says how many.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
.DELETE_ON_ERROR:
.SUFFIXES:

.PHONY: all
all:

include libc-port/ticks/ticks.mk libc-port/newlib.mk
include kernel/kernel.mk kernel/linux/linux.mk
include kernel/boot/boot.mk
include libc-port/libc-port.mk
include hypervisor/hypervisor.mk
include tsan/tsan.mk
include apps/apps.mk
include tests/tests.mk
include bench/bench.mk
include scripts/install.mk

all: kernel libc-port hypervisor apps

.PHONY: help
help:
	@scripts/help

.PHONY: clean tags compile_commands.json
clean:
	rm -rf $(B)

tags:
	@command -v ctags >/dev/null || { echo "make tags needs ctags; type: apt-get install universal-ctags" >&2; exit 1; }
	@ctags -R --languages=C,C++,Asm abi kernel hypervisor libc-port tsan apps bench tests

compile_commands.json: all # for the generated headers; the commands are what make would do, and nothing is built again
	@$(MAKE) -nB all check-build | scripts/compile-commands >$@.new && mv $@.new $@

.PHONY: lint format static-names walks size
docs/pthread.md: scripts/pthread-table $(wildcard tests/guest/*.c libc-port/src/*/*.c)
	@scripts/pthread-table >$@

docs/kernel-calls.md: scripts/kernel-calls abi/syscalls.h abi/delivery.h
	@scripts/kernel-calls >$@

docs/syscalls.md: scripts/linux-calls abi/syscalls.h abi/linux_calls.h
	@scripts/linux-calls >$@

docs/linux-details.md: scripts/differences tests/linux/accepted/differences
	@scripts/differences >$@.new && mv $@.new $@

docs/folders.svg: scripts/picture $(wildcard kernel/*/*.[chS] kernel/*/*/*.[chS] hypervisor/*/*.[ch] hypervisor/*/*/*.[ch] hypervisor/*/*/*/*.[ch])
	@scripts/picture >$@.new && mv $@.new $@

abi/published/next: FORCE
	@scripts/abi-listing >$@.new && mv $@.new $@

static-names:
	@scripts/static-names

walks:
	@scripts/walks

size:
	@scripts/size

lint: kernel # objects, for the symbols in them
	@scripts/lint

format:
	clang-format -i $$(git ls-files 'abi/*.h' 'kernel/*.[ch]' 'hypervisor/*.[ch]' 'libc-port/*.[ch]' 'libc-port/*.cc' 'tsan/*.[ch]' 'apps/*.[ch]' \
		'tests/*.[ch]' 'bench/*.[ch]')
