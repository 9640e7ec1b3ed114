/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures of ioctls on terminals, disks, files and other devices. */
#include "abi/describe.h"
#include "abi/host_dev.h"

/* Plain numbers behind a pointer. */
#define HOST uint16_t
DESCRIBE_SAME(u16, 2, NULL, NULL, F_SELF(2, COPY, UDEC));
#undef HOST
#define HOST uint64_t
DESCRIBE_SAME(u64, 8, NULL, NULL, F_SELF(8, COPY, UDEC));
DESCRIBE(ulong, 4, NULL, NULL, F_SELF(4, ZEXT, UDEC));
DESCRIBE(long, 4, NULL, NULL, F_SELF(4, SEXT, DEC));
#undef HOST

/* --- terminals and consoles ---------------------------------------------------------------------- */

#define HOST struct host_serial_struct
DESCRIBE(serial_struct, 60, "linux/serial.h", "struct serial_struct", F(type, 0, 4, COPY, DEC),
	 F(line, 4, 4, COPY, DEC), F(port, 8, 4, COPY, HEX), F(irq, 12, 4, COPY, DEC),
	 F(flags, 16, 4, COPY, HEX), F(xmit_fifo_size, 20, 4, COPY, DEC),
	 F(custom_divisor, 24, 4, COPY, DEC), F(baud_base, 28, 4, COPY, DEC),
	 F(close_delay, 32, 2, COPY, UDEC), F(io_type, 34, 1, COPY, UDEC),
	 F(reserved_char, 35, 1, COPY, HIDE), F(hub6, 36, 4, COPY, DEC),
	 F(closing_wait, 40, 2, COPY, UDEC), F(closing_wait2, 42, 2, COPY, UDEC),
	 F(iomem_base, 44, 4, ZEXT, HEX), F(iomem_reg_shift, 48, 2, COPY, UDEC), F_PAD(50, 2),
	 F(port_high, 52, 4, COPY, HEX), F(iomap_base, 56, 4, ZEXT, HEX));
#undef HOST

#define HOST struct host_console_font_op
DESCRIBE(console_font_op, 24, "linux/kd.h", "struct console_font_op", F(op, 0, 4, COPY, UDEC),
	 F(flags, 4, 4, COPY, HEX), F(width, 8, 4, COPY, UDEC), F(height, 12, 4, COPY, UDEC),
	 F(charcount, 16, 4, COPY, UDEC), F(data, 20, 4, PTR, GPTR));
#undef HOST

#define HOST struct host_consolefontdesc
DESCRIBE(consolefontdesc, 8, "linux/kd.h", "struct consolefontdesc", F(charcount, 0, 2, COPY, UDEC),
	 F(charheight, 2, 2, COPY, UDEC), F(chardata, 4, 4, PTR, GPTR));
#undef HOST

#define HOST struct host_unimapdesc
DESCRIBE(unimapdesc, 8, "linux/kd.h", "struct unimapdesc", F(entry_ct, 0, 2, COPY, UDEC),
	 F_PAD(2, 2), F(entries, 4, 4, PTR, GPTR));
#undef HOST

/* --- disks and file systems ----------------------------------------------------------------------- */

#define HOST struct host_hd_geometry
DESCRIBE(hd_geometry, 8, "linux/hdreg.h", "struct hd_geometry", F(heads, 0, 1, COPY, UDEC),
	 F(sectors, 1, 1, COPY, UDEC), F(cylinders, 2, 2, COPY, UDEC), F(start, 4, 4, ZEXT, UDEC));
#undef HOST

#define HOST struct host_blkpg_ioctl_arg
DESCRIBE(blkpg_ioctl_arg, 16, "linux/blkpg.h", "struct blkpg_ioctl_arg", F(op, 0, 4, COPY, DEC),
	 F(flags, 4, 4, COPY, HEX), F(datalen, 8, 4, COPY, DEC), F(data, 12, 4, PTR, GPTR));
#undef HOST

#define HOST struct host_loop_info
DESCRIBE(loop_info, 140, "linux/loop.h", "struct loop_info", F(lo_number, 0, 4, COPY, DEC),
	 F(lo_device, 4, 4, COPY, HEX), F(lo_inode, 8, 4, OVFL, UDEC),
	 F(lo_rdevice, 12, 4, COPY, HEX), F(lo_offset, 16, 4, COPY, DEC),
	 F(lo_encrypt_type, 20, 4, COPY, DEC), F(lo_encrypt_key_size, 24, 4, COPY, DEC),
	 F(lo_flags, 28, 4, COPY, HEX), F(lo_name, 32, 64, COPY, STRING),
	 F(lo_encrypt_key, 96, 32, COPY, HIDE), F_ARRAY(lo_init, 128, 4, 2, OVFL, HIDE),
	 F(reserved, 136, 4, COPY, HIDE));
#undef HOST

#define HOST struct host_fat_dirent
DESCRIBE(fat_dirent, 268, "linux/msdos_fs.h", "struct __fat_dirent", F(d_ino, 0, 4, SEXT, DEC),
	 F(d_off, 4, 4, SEXT, DEC), F(d_reclen, 8, 2, COPY, UDEC), F(d_name, 10, 256, COPY, STRING),
	 F_PAD(266, 2));
#undef HOST

/* Pointers to data of any length stay guest addresses, see the command's handler. */
#define HOST struct host_sg_io_hdr
DESCRIBE(sg_io_hdr, 64, "scsi/sg.h", "struct sg_io_hdr", F(interface_id, 0, 4, COPY, DEC),
	 F(dxfer_direction, 4, 4, COPY, DEC), F(cmd_len, 8, 1, COPY, UDEC),
	 F(mx_sb_len, 9, 1, COPY, UDEC), F(iovec_count, 10, 2, COPY, UDEC),
	 F(dxfer_len, 12, 4, COPY, UDEC), F(dxferp, 16, 4, ZEXT, GPTR), F(cmdp, 20, 4, ZEXT, GPTR),
	 F(sbp, 24, 4, ZEXT, GPTR), F(timeout, 28, 4, COPY, UDEC), F(flags, 32, 4, COPY, HEX),
	 F(pack_id, 36, 4, COPY, DEC), F(usr_ptr, 40, 4, ZEXT, GPTR), F(status, 44, 1, COPY, HEX),
	 F(masked_status, 45, 1, COPY, HEX), F(msg_status, 46, 1, COPY, HEX),
	 F(sb_len_wr, 47, 1, COPY, UDEC), F(host_status, 48, 2, COPY, HEX),
	 F(driver_status, 50, 2, COPY, HEX), F(resid, 52, 4, COPY, DEC),
	 F(duration, 56, 4, COPY, UDEC), F(info, 60, 4, COPY, HEX));
#undef HOST

/* The pointers have 64 bits for the guest as well. */
#define HOST struct host_fsverity_enable_arg
DESCRIBE(fsverity_enable_arg, 128, "linux/fsverity.h", "struct fsverity_enable_arg",
	 F(version, 0, 4, COPY, UDEC), F(hash_algorithm, 4, 4, COPY, UDEC),
	 F(block_size, 8, 4, COPY, UDEC), F(salt_size, 12, 4, COPY, UDEC),
	 F(salt_ptr, 16, 8, PTR, GPTR), F(sig_size, 24, 4, COPY, UDEC),
	 F(reserved1, 28, 4, COPY, HIDE), F(sig_ptr, 32, 8, PTR, GPTR),
	 F_ARRAY(reserved2, 40, 8, 11, COPY, HIDE));
#undef HOST

/* --- other devices -------------------------------------------------------------------------------- */

#define HOST struct host_fb_fix_screeninfo
DESCRIBE(fb_fix_screeninfo, 68, "linux/fb.h", "struct fb_fix_screeninfo",
	 F(id, 0, 16, COPY, STRING), F(smem_start, 16, 4, ZEXT, HEX),
	 F(smem_len, 20, 4, COPY, UDEC), F(type, 24, 4, COPY, UDEC), F(type_aux, 28, 4, COPY, UDEC),
	 F(visual, 32, 4, COPY, UDEC), F(xpanstep, 36, 2, COPY, UDEC),
	 F(ypanstep, 38, 2, COPY, UDEC), F(ywrapstep, 40, 2, COPY, UDEC), F_PAD(42, 2),
	 F(line_length, 44, 4, COPY, UDEC), F(mmio_start, 48, 4, ZEXT, HEX),
	 F(mmio_len, 52, 4, COPY, UDEC), F(accel, 56, 4, COPY, UDEC),
	 F(capabilities, 60, 2, COPY, HEX), F_ARRAY(reserved, 62, 2, 2, COPY, HIDE), F_PAD(66, 2));
#undef HOST

#define HOST struct host_rtc_pll_info
DESCRIBE(rtc_pll_info, 28, "linux/rtc.h", "struct rtc_pll_info", F(pll_ctrl, 0, 4, COPY, DEC),
	 F(pll_value, 4, 4, COPY, DEC), F(pll_max, 8, 4, COPY, DEC), F(pll_min, 12, 4, COPY, DEC),
	 F(pll_posmult, 16, 4, COPY, DEC), F(pll_negmult, 20, 4, COPY, DEC),
	 F(pll_clock, 24, 4, SEXT, DEC));
#undef HOST

#define HOST struct host_input_mask
DESCRIBE(input_mask, 16, "linux/input.h", "struct input_mask", F(type, 0, 4, COPY, UDEC),
	 F(codes_size, 4, 4, COPY, UDEC), F(codes_ptr, 8, 8, PTR, GPTR));
#undef HOST
