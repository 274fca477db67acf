# SPDX-License-Identifier: MIT
#
# make bench: one table of figures, each beside its peers in the same run. FIGURE=text runs the rows whose name has it.

BENCH := $(B)/bench
BENCH_CFLAGS := -std=gnu11 -D_GNU_SOURCE= -O2 $(WARNINGS) -I$(SRC)
# Both sides of a comparison are compiled with these; loops are aligned so that luck does not decide between them.
BENCH_CODE := -O2 -w -falign-functions=64 -falign-loops=64
# What is compared with Linux does not count its work, for nothing on Linux does: it is made with PLAIN_CC, which has no
# ticks, in libc neither. What ticks cost is a table of its own (ticks.c).
PLAIN := $(BENCH)/plain
PLAIN_CC := $(PLAIN)/eremite-cc -fno-ticks
PLAIN_FILES := $(addprefix $(PLAIN)/,nbody lua sqlite3 compute work)
TICKED_FILES := $(BENCH)/compute.ticked $(BENCH)/work.ticked
# What unmodified programs of Linux work on.
NETWORK_FILES := $(addprefix $(BENCH)/linux/,network network_redis.sh network_nginx.sh network_live.sh network_fresh.sh)
IMAGE_FILES := $(addprefix $(BENCH)/linux/,image_make.sh image_peers.sh tree_make.sh image_figure.py)
LINUX_FILES := $(NETWORK_FILES) $(IMAGE_FILES) $(addprefix $(BENCH)/linux/,micro libm hello-static calls.py calls.sh work.py product.py hello.java text0 text8 \
	inserts0.sql inserts100000.sql source0.c source1.c)
BENCH_FILES := $(addprefix $(BENCH)/,figures kvm_floor micro micro.eremite compute threads threads.eremite hello-glibc \
	hello-musl hello.stripped pvh_exit root/page root/solar.csv root/ticks.lua root/ticks0.sql root/ticks1.sql) \
	$(PLAIN_FILES) $(TICKED_FILES) $(LINUX_FILES)

.PHONY: bench
bench: hypervisor $(B)/lib/linux.image $(addprefix $(B)/apps/,hello nbody lua sqlite3) apps $(B)/native/nbody $(BENCH_FILES)
	@scripts/install-packages bench
	@$(BENCH)/figures $(B) '$(FIGURE)'

$(BENCH)/figures: $(sort $(wildcard bench/*.h)) bench/figures.c bench/linux_figures.c bench/start_figures.c bench/tree_figures.c bench/network_figures.c bench/image_figures.c bench/search_figures.c bench/counts.c bench/parts.c bench/runner.c bench/ticks.c bench/ticks_linux.c
	@mkdir -p $(@D)
	@echo "  HOSTCC  bench/figures"
	@$(CC) $(BENCH_CFLAGS) $(filter %.c,$^) -lm -o $@

# What builds on the monitor's contracts must go on compiling.
check-build: $(BENCH)/figures $(BENCH)/kvm_floor

$(BENCH)/kvm_floor: bench/kvm_floor.c abi/tables.h abi/layout.h
	@mkdir -p $(@D)
	@echo "  HOSTCC  bench/kvm_floor"
	@$(CC) $(BENCH_CFLAGS) $< -o $@

$(BENCH)/%.eremite: bench/%.c $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   bench/$*"
	@$(B)/eremite-cc $(BENCH_CODE) -o $@ $<

$(BENCH)/micro $(BENCH)/compute $(BENCH)/threads: $(BENCH)/%: bench/%.c
	@mkdir -p $(@D)
	@echo "  HOSTCC  bench/$*"
	@$(CC) $(BENCH_CODE) -o $@ $<

$(BENCH)/hello-glibc: apps/hello/hello.c
	@mkdir -p $(@D)
	@$(CC) $(BENCH_CODE) -s -o $@ $<

# The peer is optional: without musl-gcc its row says that it is absent.
$(BENCH)/hello-musl: apps/hello/hello.c
	@mkdir -p $(@D)
	@! command -v musl-gcc >/dev/null || musl-gcc -static $(BENCH_CODE) -s -o $@ $<

$(BENCH)/hello.stripped: $(B)/apps/hello
	@mkdir -p $(@D)
	@strip -o $@ $<

$(BENCH)/pvh_exit: bench/pvh_exit.S
	@mkdir -p $(@D)
	@$(CC) -m32 -nostdlib -static -no-pie -Wl,-Ttext=0x100000 -Wl,-e,start -Wl,--build-id=none -o $@ $<

$(BENCH)/root/solar.csv: apps/nbody/solar.csv
	@mkdir -p $(@D)
	@cp $< $@

$(BENCH)/root/page:
	@mkdir -p $(@D)
	@head -c 4096 /dev/zero | tr '\0' x >$@

$(BENCH)/root/ticks.lua $(BENCH)/root/ticks1.sql: $(BENCH)/root/ticks%: bench/ticks.lua bench/ticks.sql
	@mkdir -p $(@D)
	@cp bench/ticks$(suffix $@) $@

$(BENCH)/root/ticks0.sql:
	@mkdir -p $(@D)
	@: >$@

$(TICKED_FILES): $(BENCH)/%.ticked: bench/%.c $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   bench/$*"
	@$(B)/eremite-cc $(BENCH_CODE) -o $@ $<

#
# For programs of Linux: the same files natively and in a guest.
#
$(BENCH)/linux/micro: bench/linux_micro.c
	@mkdir -p $(@D)
	@echo "  HOSTCC  bench/linux_micro"
	@$(CC) $(BENCH_CODE) -static -o $@ $<

$(BENCH)/linux/libm: bench/linux_libm.c
	@mkdir -p $(@D)
	@echo "  HOSTCC  bench/linux_libm"
	@$(CC) $(BENCH_CODE) -fno-builtin -no-pie -Wl,-z,lazy -o $@ $< -lm

$(BENCH)/linux/hello-static: apps/hello/hello.c
	@mkdir -p $(@D)
	@$(CC) $(BENCH_CODE) -static -s -o $@ $<

$(BENCH)/linux/network: bench/network_work.c
	@mkdir -p $(@D)
	@echo "  HOSTCC  bench/network_work"
	@$(CC) $(BENCH_CODE) -static -o $@ $<

$(BENCH)/linux/image_%: bench/image_%
	@mkdir -p $(@D)
	@cp $< $@

$(BENCH)/linux/tree_%: bench/tree_%
	@mkdir -p $(@D)
	@cp $< $@

$(BENCH)/linux/network_%.sh: bench/network_%.sh
	@mkdir -p $(@D)
	@cp $< $@

$(addprefix $(BENCH)/linux/,calls.py calls.sh work.py product.py hello.java): $(BENCH)/linux/%: bench/linux_%
	@mkdir -p $(@D)
	@cp $< $@

$(BENCH)/linux/text0:
	@mkdir -p $(@D)
	@: >$@

# Nothing, and SQLite.
$(BENCH)/linux/source0.c $(BENCH)/linux/source1.c: $(BENCH)/linux/source%.c: $(SQLITE_SOURCE)/.made
	@mkdir -p $(@D)
	@if [ $* = 1 ]; then cp $(SQLITE_SOURCE)/sqlite3.c $@; else : >$@; fi

# 8 MB of this tree's own text.
$(BENCH)/linux/text8: $(sort $(wildcard docs/*.md bench/*.c))
	@mkdir -p $(@D)
	@for i in $$(seq 100); do cat $^; done | head -c 8000000 >$@

# As SQLite's own speed test begins: rows one by one, then into a table with indices.
$(BENCH)/linux/inserts0.sql $(BENCH)/linux/inserts100000.sql: $(BENCH)/linux/inserts%.sql: bench/bench.mk
	@mkdir -p $(@D)
	@{ echo 'drop table if exists a; drop table if exists b;'; \
	   echo 'create table a(x integer, y integer, z text); create table b(x integer primary key, y integer, z text);'; \
	   echo 'create index b_y on b(y); begin;'; \
	   seq 1 $* | sed 's/^.*$$/insert into a values(&, &*7919%100003, "some text of row &");/'; \
	   echo 'commit; begin; insert into b select x, y, z from a; commit;'; } >$@

#
# The same without ticks: a compiler command beside a libc that is built once more.
#
$(PLAIN)/lib/libc.a: $(B)/lib/libc.a
	@mkdir -p $(PLAIN) && ln -sfn $(B)/download $(PLAIN)/download
	@$(MAKE) -f $(PORT)/ticks/ticks.mk -f $(PORT)/newlib.mk SRC=$(SRC) B=$(PLAIN) TARGET_TICKS= newlib
	@touch $@

$(PLAIN)/eremite-cc: $(PLAIN)/lib/libc.a $(IMAGE_INPUTS)
	@cp $(B)/lib/libport.a $(B)/lib/liberemite.a $(B)/lib/crt0.o $(B)/lib/image.ld $(PLAIN)/lib
	@ln -sfn $(PORT)/include $(PLAIN)/include/port
	@cp $(B)/eremite-cc $@

$(PLAIN)/nbody: $(NBODY_SOURCES) $(PLAIN)/eremite-cc
	@echo "  IMAGE   nbody without ticks"
	@$(PLAIN_CC) $(APP_CFLAGS) -o $@ $(NBODY_SOURCES)

$(PLAIN)/compute $(PLAIN)/work: $(PLAIN)/%: bench/%.c $(PLAIN)/eremite-cc
	@echo "  IMAGE   bench/$* without ticks"
	@$(PLAIN_CC) $(BENCH_CODE) -o $@ $<

$(PLAIN)/lua: $(B)/source/lua/.unpacked $(PLAIN)/eremite-cc
	@echo "  IMAGE   lua without ticks"
	$(call LUA_OBJECTS,$(PLAIN)/lua-objects,$(PLAIN_CC),$(APP_CFLAGS))
	@$(PLAIN_CC) -o $@ $(PLAIN)/lua-objects/lua.o $(PLAIN)/lua-objects/liblua.a

$(PLAIN)/sqlite3: $(SQLITE_SOURCE)/.made $(PLAIN)/eremite-cc
	@echo "  IMAGE   sqlite3 without ticks"
	@$(PLAIN_CC) $(SQLITE_CFLAGS) -o $@ $(SQLITE_SOURCE)/sqlite3.c $(SQLITE_SOURCE)/shell.c
