/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The host kernel's structures of ioctl(2) and socket options; see host.h. */
#ifndef ABI_HOST_DEV_H
#define ABI_HOST_DEV_H

#include "abi/host.h"

/* --- network ---------------------------------------------------------------------------------- */

/* MCAST_MSFILTER, without the array of 128-byte addresses that follows. */
struct host_group_filter {
	uint32_t gf_interface, pad0;
	uint8_t gf_group[128];
	uint32_t gf_fmode, gf_numsrc;
};
/* struct ifreq by what its union holds. The union has 24 bytes because of ifmap. */
struct host_ifreq {
	char ifr_name[16];
	uint8_t ifr_addr[16], tail[8];
};
struct host_ifreq_flags {
	char ifr_name[16];
	int16_t ifr_flags;
	uint8_t rest[14], tail[8];
};
struct host_ifreq_int {
	char ifr_name[16];
	int32_t ifr_ivalue;
	uint8_t rest[12], tail[8];
};
struct host_ifreq_data {
	char ifr_name[16];
	uint64_t ifr_data;
	uint8_t tail[16];
};
struct host_ifreq_map {
	char ifr_name[16];
	uint64_t mem_start, mem_end;
	uint16_t base_addr;
	uint8_t irq, dma, port, spare[3];
};
struct host_ifconf {
	int32_t ifc_len, pad0;
	uint64_t ifc_buf;
};
struct host_rtentry {
	uint64_t rt_pad1;
	uint8_t rt_dst[16], rt_gateway[16], rt_genmask[16];
	uint16_t rt_flags;
	int16_t rt_pad2;
	uint32_t pad0;
	uint64_t rt_pad3, rt_pad4;
	int16_t rt_metric, pad1[3];
	uint64_t rt_dev, rt_mtu, rt_window;
	uint16_t rt_irtt, pad2[3];
};

/* --- terminals and consoles --------------------------------------------------------------------- */

struct host_serial_struct {
	int32_t type, line;
	uint32_t port;
	int32_t irq, flags, xmit_fifo_size, custom_divisor, baud_base;
	uint16_t close_delay;
	uint8_t io_type, reserved_char;
	int32_t hub6;
	uint16_t closing_wait, closing_wait2;
	uint64_t iomem_base;
	uint16_t iomem_reg_shift, pad0;
	uint32_t port_high;
	uint64_t iomap_base;
};
struct host_console_font_op {
	uint32_t op, flags, width, height, charcount, pad0;
	uint64_t data;
};
struct host_consolefontdesc {
	uint16_t charcount, charheight;
	uint32_t pad0;
	uint64_t chardata;
};
struct host_unimapdesc {
	uint16_t entry_ct, pad0[3];
	uint64_t entries;
};

/* --- disks and file systems ---------------------------------------------------------------------- */

struct host_hd_geometry {
	uint8_t heads, sectors;
	uint16_t cylinders;
	uint32_t pad0;
	uint64_t start;
};
struct host_blkpg_ioctl_arg {
	int32_t op, flags, datalen, pad0;
	uint64_t data;
};
struct host_loop_info {
	int32_t lo_number;
	uint32_t lo_device;
	uint64_t lo_inode;
	uint32_t lo_rdevice;
	int32_t lo_offset, lo_encrypt_type, lo_encrypt_key_size, lo_flags;
	char lo_name[64];
	uint8_t lo_encrypt_key[32];
	uint32_t pad0;
	uint64_t lo_init[2];
	uint8_t reserved[4], pad1[4];
};
struct host_fat_dirent {
	int64_t d_ino, d_off;
	uint16_t d_reclen;
	char d_name[256];
	uint8_t pad0[6];
};
struct host_sg_io_hdr {
	int32_t interface_id, dxfer_direction;
	uint8_t cmd_len, mx_sb_len;
	uint16_t iovec_count;
	uint32_t dxfer_len;
	uint64_t dxferp, cmdp, sbp;
	uint32_t timeout, flags;
	int32_t pack_id;
	uint32_t pad0;
	uint64_t usr_ptr;
	uint8_t status, masked_status, msg_status, sb_len_wr;
	uint16_t host_status, driver_status;
	int32_t resid;
	uint32_t duration, info, pad1;
};
struct host_fsverity_enable_arg {
	uint32_t version, hash_algorithm, block_size, salt_size;
	uint64_t salt_ptr;
	uint32_t sig_size, reserved1;
	uint64_t sig_ptr, reserved2[11];
};

/* --- other devices -------------------------------------------------------------------------------- */

struct host_fb_fix_screeninfo {
	char id[16];
	uint64_t smem_start;
	uint32_t smem_len, type, type_aux, visual;
	uint16_t xpanstep, ypanstep, ywrapstep, pad0;
	uint32_t line_length, pad1;
	uint64_t mmio_start;
	uint32_t mmio_len, accel;
	uint16_t capabilities, reserved[2], pad2;
};
struct host_rtc_pll_info {
	int32_t pll_ctrl, pll_value, pll_max, pll_min, pll_posmult, pll_negmult;
	int64_t pll_clock;
};
struct host_input_mask {
	uint32_t type, codes_size;
	uint64_t codes_ptr;
};
struct host_ppp_idle {
	int64_t xmit_idle, recv_idle;
};
struct host_ppp_option_data {
	uint64_t ptr;
	uint32_t length;
	int32_t transmit;
};

struct __attribute__((packed)) host_v4l2_ext_control {
	uint32_t id, size, reserved2[1];
	int64_t value64; /* or a pointer */
};
struct host_btrfs_ioctl_vol_args {
	int64_t fd;
	char name[4088];
};

#endif
