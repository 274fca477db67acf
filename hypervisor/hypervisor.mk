# SPDX-License-Identifier: MIT
#
# The monitor: build/eremite, and build/eremite-symbolize, which reads debug information in a process of its own.

SYMBOLIZE_SOURCES := $(sort $(wildcard hypervisor/symbolize/*.c))
# The monitor's folders, bottom to top: a file includes from its own folder and from those before it (scripts/lint). An
# include names the folder alone, "run/run.h", so each folder of folders is searched.
MONITOR_FOLDERS := base library option cache eri monitor/guest monitor/strace monitor/confine monitor/engine monitor/scan monitor/code monitor/race monitor/root monitor/hostfs monitor/save monitor/sched monitor/trace monitor/record monitor/net debug monitor/run report session cmdline images/oci images/pack images/sealed images/verify tools/search tools/analyze tools/cost tools/profile cli
MONITOR_SOURCES := $(sort $(wildcard $(foreach folder,$(MONITOR_FOLDERS),hypervisor/$(folder)/*.c hypervisor/$(folder)/*/*.c)))
MONITOR_INCLUDES := -Ihypervisor $(patsubst %/,-Ihypervisor/%,$(filter-out ./,$(sort $(dir $(MONITOR_FOLDERS)))))
include hypervisor/monitor/engine/process/process.mk hypervisor/tools/analyze/page/page.mk hypervisor/tools/profile/flame/flame.mk

# What is in the monitor and is made of no C file.
MONITOR_DATA_engine := $(STUB_OBJECT)
MONITOR_DATA_analyze := $(PAGE_OBJECT)
MONITOR_DATA_profile := $(FLAME_OBJECT)
MONITOR_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(MONITOR_SOURCES)) $(STUB_OBJECT) $(PAGE_OBJECT) $(FLAME_OBJECT)
SYMBOLIZE_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(SYMBOLIZE_SOURCES))

# What the libraries are called that are loaded on demand, or that eremite-symbolize needs; in a folder of its own, which any compiler of them is given.
LIBRARY_NAMES := $(B)/names/library_names.h

$(LIBRARY_NAMES): scripts/library-names hypervisor/hypervisor.mk
	@mkdir -p $(@D)
	@scripts/library-names CJSON=libcjson LZ4=liblz4 ARCHIVE=libarchive ZYDIS=libZydis \
		DW=libdw ELF=libelf Z=libz >$@.new && mv $@.new $@

# A user's limit on stacks may be small (ulimit -s), so no frame is large.
MONITOR_CFLAGS := -std=gnu11 -D_GNU_SOURCE= -O2 -g $(WARNINGS) -I$(SRC) $(MONITOR_INCLUDES) -I$(B)/names -fstack-protector-strong \
	-fno-strict-aliasing -Wframe-larger-than=8192 $(MAPS)
# libcrypto statically: only its SHA-256 is used, and loading all of it costs a millisecond.
MONITOR_LIBS := -Wl,--wrap=OPENSSL_cpuid_setup -Wl,-u,OPENSSL_cpuid_setup -Wl,-Bstatic -lcrypto -Wl,-Bdynamic -pthread -ldl
# libelf needs libz, too.
SYMBOLIZE_LIBS := -ldw -lelf -lz

.PHONY: hypervisor
hypervisor: $(B)/eremite $(B)/eremite-symbolize

$(B)/obj/hypervisor/%.o: hypervisor/%.c | $(LIBRARY_NAMES)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) $(MONITOR_CFLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

# The commit, written anew only when it is another one.
$(B)/commit: FORCE
	@mkdir -p $(@D) && scripts/commit >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
.PHONY: FORCE
$(B)/obj/hypervisor/base/commit.o: MONITOR_CFLAGS += -DCOMMIT="\"$$(cat $(B)/commit)\""
$(B)/obj/hypervisor/base/commit.o: $(B)/commit

$(B)/eremite: $(MONITOR_OBJECTS) hypervisor/hypervisor.mk
	@echo "  LD      eremite"
	@$(CC) -o $@ $(MONITOR_OBJECTS) -Wl,-z,relro,-z,now $(MONITOR_LIBS)

$(B)/eremite-symbolize: $(SYMBOLIZE_OBJECTS) hypervisor/hypervisor.mk
	@echo "  LD      eremite-symbolize"
	@$(CC) -o $@ $(SYMBOLIZE_OBJECTS) -Wl,-z,relro,-z,now $(SYMBOLIZE_LIBS) -l:libstdc++.a

# The same with sanitizers, for which a bad access is an error even where it would do no harm: for tests, and build/eremite-asan.
ASAN_OBJECTS := $(patsubst %.c,$(B)/obj-asan/%.o,$(MONITOR_SOURCES))
ASAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -Wno-frame-larger-than

$(B)/obj-asan/%.o: %.c | $(LIBRARY_NAMES)
	@mkdir -p $(@D)
	@echo "  CC      $< (sanitized)"
	@$(CC) $(MONITOR_CFLAGS) $(ASAN_FLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

$(B)/eremite-asan: $(ASAN_OBJECTS) $(STUB_OBJECT) $(PAGE_OBJECT) $(FLAME_OBJECT) hypervisor/hypervisor.mk
	@echo "  LD      eremite-asan"
	@$(CC) -o $@ $(ASAN_FLAGS) $(ASAN_OBJECTS) $(STUB_OBJECT) $(PAGE_OBJECT) $(FLAME_OBJECT) $(MONITOR_LIBS)

# What a bundle has in the place of its programs (make bundle).
$(B)/launcher: hypervisor/launcher/launcher.c hypervisor/hypervisor.mk
	@echo "  LD      launcher"
	@$(CC) -std=gnu11 -O2 $(WARNINGS) -ffreestanding -fno-stack-protector -fno-builtin -fno-pie -fno-tree-loop-distribute-patterns \
		-static -no-pie -nostdlib -s -Wl,--build-id=none -Wl,-z,noexecstack -o $@ $<

-include $(MONITOR_OBJECTS:.o=.d) $(ASAN_OBJECTS:.o=.d) $(SYMBOLIZE_OBJECTS:.o=.d)
