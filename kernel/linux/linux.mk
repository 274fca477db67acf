# SPDX-License-Identifier: MIT
#
# The image that runs Linux programs: the kernel with the Linux personality, and nothing else. Result:
# $(B)/lib/linux.image, which eremite run loads when it is given a program of Linux.

LINUX_OBJECTS := $(patsubst %,$(B)/obj/%.o,$(filter-out kernel/boot/%,$(KERNEL_COMMON)) \
	$(filter-out kernel/linux/vdso/vdso_object.S,$(sort $(wildcard kernel/linux/*/*.[cS]))))

# The object that programs find by AT_SYSINFO_EHDR, which is a part of the image's data.
LINUX_VDSO := $(B)/obj/kernel/linux/vdso/vdso.so

$(LINUX_VDSO): kernel/linux/vdso/vdso_object.S kernel/linux/vdso/vdso_object.ld kernel/linux/linux.mk
	@mkdir -p $(@D)
	@echo "  LD      vdso.so"
	@$(CC) -shared -nostdlib -s -Wl,-soname=linux-vdso.so.1 -Wl,--hash-style=both -Wl,--eh-frame-hdr -Wl,-Bsymbolic \
		-Wl,--build-id=none -Wl,-z,max-page-size=4096 -Wl,-T,kernel/linux/vdso/vdso_object.ld -o $@ $<

$(B)/obj/kernel/linux/vdso/vdso_image.S.o: $(LINUX_VDSO)
$(B)/obj/kernel/linux/vdso/vdso_image.S.o: KERNEL_CFLAGS += -Wa,-I$(B)/obj/kernel/linux/vdso

$(B)/lib/linux.image: $(LINUX_OBJECTS) kernel/linux/linux.ld kernel/linux/linux.mk
	@mkdir -p $(@D)
	@echo "  LD      linux.image"
	@ld -static -no-pie --gc-sections --no-warn-rwx-segments -z noexecstack --build-id=none -T kernel/linux/linux.ld \
		-o $@ $(LINUX_OBJECTS) $(shell $(CC) -print-libgcc-file-name)

# Its symbols and debug information, compressed: everything behind what is loaded. Both together are the file.
$(B)/lib/linux.image.sym: $(B)/lib/linux.image
	@echo "  GZIP    linux.image.sym"
	@end=0; for part in $$(readelf -lW $< | sed -nE 's/^ +(LOAD|NOTE) +(0x[0-9a-f]+) +0x[0-9a-f]+ +0x[0-9a-f]+ +(0x[0-9a-f]+) .*/\2+\3/p'); do \
		[ $$(($$part)) -le $$end ] || end=$$(($$part)); done; \
	tail -c +$$((end + 1)) $< | gzip -9n >$@.new && mv $@.new $@

kernel: $(B)/lib/linux.image $(B)/lib/linux.image.sym

-include $(LINUX_OBJECTS:.o=.d)
