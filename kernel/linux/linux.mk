# SPDX-License-Identifier: MIT
#
# The image that runs Linux programs: the kernel with the Linux personality, and nothing else. Result:
# $(B)/lib/linux.image, which eremite run loads when it is given a program of Linux.

LINUX_OBJECTS := $(patsubst %,$(B)/obj/%.o,$(filter-out kernel/boot/%,$(KERNEL_COMMON)) \
	$(sort $(wildcard kernel/linux/*.[cS])))

$(B)/lib/linux.image: $(LINUX_OBJECTS) kernel/linux/linux.ld kernel/linux/linux.mk
	@mkdir -p $(@D)
	@echo "  LD      linux.image"
	@ld -static -no-pie --gc-sections --no-warn-rwx-segments -z noexecstack --build-id=none -T kernel/linux/linux.ld \
		-o $@ $(LINUX_OBJECTS) $(shell $(CC) -print-libgcc-file-name)

kernel: $(B)/lib/linux.image

-include $(LINUX_OBJECTS:.o=.d)
