/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures of ioctls on disks, tapes, input devices, buses and others that few machines have. */
#include "abi/describe.h"
#include "abi/host_dev.h"

/* --- frame buffers ----------------------------------------------------------------------------------- */

DESCRIBE_AT(fb_cmap, 24, 40, "linux/fb.h", "struct fb_cmap", AT(start, 0, 4, 0, 4, COPY, UDEC),
	    AT(len, 4, 4, 4, 4, COPY, UDEC), AT(red, 8, 4, 8, 8, PTR, GPTR),
	    AT(green, 12, 4, 16, 8, PTR, GPTR), AT(blue, 16, 4, 24, 8, PTR, GPTR),
	    AT(transp, 20, 4, 32, 8, PTR, GPTR));

DESCRIBE_AT(fb_cursor, 72, 104, "linux/fb.h", "struct fb_cursor", AT(set, 0, 2, 0, 2, COPY, UDEC),
	    AT(enable, 2, 2, 2, 2, COPY, UDEC), AT(rop, 4, 2, 4, 2, COPY, UDEC), F_PAD(6, 2),
	    AT(mask, 8, 4, 8, 8, PTR, GPTR), AT(hot.x, 12, 2, 16, 2, COPY, UDEC),
	    AT(hot.y, 14, 2, 18, 2, COPY, UDEC), AT(image.dx, 16, 4, 24, 4, COPY, UDEC),
	    AT(image.dy, 20, 4, 28, 4, COPY, UDEC), AT(image.width, 24, 4, 32, 4, COPY, UDEC),
	    AT(image.height, 28, 4, 36, 4, COPY, UDEC),
	    AT(image.fg_color, 32, 4, 40, 4, COPY, UDEC),
	    AT(image.bg_color, 36, 4, 44, 4, COPY, UDEC), AT(image.depth, 40, 1, 48, 1, COPY, UDEC),
	    F_PAD(41, 3), AT(image.data, 44, 4, 56, 8, PTR, GPTR),
	    AT(image.cmap.start, 48, 4, 64, 4, COPY, UDEC),
	    AT(image.cmap.len, 52, 4, 68, 4, COPY, UDEC),
	    AT(image.cmap.red, 56, 4, 72, 8, PTR, GPTR),
	    AT(image.cmap.green, 60, 4, 80, 8, PTR, GPTR),
	    AT(image.cmap.blue, 64, 4, 88, 8, PTR, GPTR),
	    AT(image.cmap.transp, 68, 4, 96, 8, PTR, GPTR));

/* --- disks, tapes, discs, floppies ------------------------------------------------------------------- */

DESCRIBE_AT(mtget, 28, 48, "linux/mtio.h", "struct mtget", AT(mt_type, 0, 4, 0, 8, SEXT, DEC),
	    AT(mt_resid, 4, 4, 8, 8, SEXT, DEC), AT(mt_dsreg, 8, 4, 16, 8, SEXT, DEC),
	    AT(mt_gstat, 12, 4, 24, 8, SEXT, DEC), AT(mt_erreg, 16, 4, 32, 8, SEXT, DEC),
	    AT(mt_fileno, 20, 4, 40, 4, COPY, DEC), AT(mt_blkno, 24, 4, 44, 4, COPY, DEC));

DESCRIBE_AT(mtpos, 4, 8, "linux/mtio.h", "struct mtpos", AT(mt_blkno, 0, 4, 0, 8, SEXT, DEC));

DESCRIBE_AT(cdrom_generic_command, 44, 64, "linux/cdrom.h", "struct cdrom_generic_command",
	    AT(cmd, 0, 12, 0, 12, COPY, BYTES), AT(buffer, 12, 4, 16, 8, PTR, GPTR),
	    AT(buflen, 16, 4, 24, 4, COPY, UDEC), AT(stat, 20, 4, 28, 4, COPY, DEC),
	    AT(sense, 24, 4, 32, 8, PTR, GPTR), AT(data_direction, 28, 1, 40, 1, COPY, UDEC),
	    F_PAD(29, 3), AT(quiet, 32, 4, 44, 4, COPY, DEC), AT(timeout, 36, 4, 48, 4, COPY, DEC),
	    AT_ARRAY(reserved, 40, 4, 56, 8, 1, PTR, GPTR));

DESCRIBE_AT(cdrom_read_audio, 16, 24, "linux/cdrom.h", "struct cdrom_read_audio",
	    AT(addr, 0, 4, 0, 4, COPY, BYTES), AT(addr_format, 4, 1, 4, 1, COPY, UDEC), F_PAD(5, 3),
	    AT(nframes, 8, 4, 8, 4, COPY, DEC), AT(buf, 12, 4, 16, 8, PTR, GPTR));

DESCRIBE_AT(sg_req_info, 20, 24, "scsi/sg.h", "struct sg_req_info",
	    AT(req_state, 0, 1, 0, 1, COPY, UDEC), AT(orphan, 1, 1, 1, 1, COPY, UDEC),
	    AT(sg_io_owned, 2, 1, 2, 1, COPY, UDEC), AT(problem, 3, 1, 3, 1, COPY, UDEC),
	    AT(pack_id, 4, 4, 4, 4, COPY, DEC), AT(usr_ptr, 8, 4, 8, 8, ZEXT, GPTR),
	    AT(duration, 12, 4, 16, 4, COPY, UDEC), AT(unused, 16, 4, 20, 4, COPY, DEC));

DESCRIBE_AT(sg_req_table, 320, 384, "scsi/sg.h", "struct sg_req_info[16]",
	    AT_NEST(, 0, 20, 0, 24, 16, sg_req_info));

DESCRIBE_AT(floppy_struct, 28, 32, "linux/fd.h", "struct floppy_struct",
	    AT(size, 0, 4, 0, 4, COPY, UDEC), AT(sect, 4, 4, 4, 4, COPY, UDEC),
	    AT(head, 8, 4, 8, 4, COPY, UDEC), AT(track, 12, 4, 12, 4, COPY, UDEC),
	    AT(stretch, 16, 4, 16, 4, COPY, UDEC), AT(gap, 20, 1, 20, 1, COPY, UDEC),
	    AT(rate, 21, 1, 21, 1, COPY, UDEC), AT(spec1, 22, 1, 22, 1, COPY, UDEC),
	    AT(fmt_gap, 23, 1, 23, 1, COPY, UDEC), F_PAD(24, 4));

DESCRIBE_AT(floppy_drive_params, 88, 128, "linux/fd.h", "struct floppy_drive_params",
	    AT(cmos, 0, 1, 0, 1, COPY, UDEC), F_PAD(1, 3), AT(max_dtr, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(hlt, 8, 4, 16, 8, ZEXT, UDEC), AT(hut, 12, 4, 24, 8, ZEXT, UDEC),
	    AT(srt, 16, 4, 32, 8, ZEXT, UDEC), AT(spinup, 20, 4, 40, 8, ZEXT, UDEC),
	    AT(spindown, 24, 4, 48, 8, ZEXT, UDEC), AT(spindown_offset, 28, 1, 56, 1, COPY, UDEC),
	    AT(select_delay, 29, 1, 57, 1, COPY, UDEC), AT(rps, 30, 1, 58, 1, COPY, UDEC),
	    AT(tracks, 31, 1, 59, 1, COPY, UDEC), AT(timeout, 32, 4, 64, 8, ZEXT, UDEC),
	    AT(interleave_sect, 36, 1, 72, 1, COPY, UDEC), F_PAD(37, 3),
	    AT(max_errors.abort, 40, 4, 76, 4, COPY, UDEC),
	    AT(max_errors.read_track, 44, 4, 80, 4, COPY, UDEC),
	    AT(max_errors.reset, 48, 4, 84, 4, COPY, UDEC),
	    AT(max_errors.recal, 52, 4, 88, 4, COPY, UDEC),
	    AT(max_errors.reporting, 56, 4, 92, 4, COPY, UDEC), AT(flags, 60, 1, 96, 1, COPY, UDEC),
	    AT(read_track, 61, 1, 97, 1, COPY, UDEC),
	    AT_ARRAY(autodetect, 62, 2, 98, 2, 8, COPY, DEC), F_PAD(78, 2),
	    AT(checkfreq, 80, 4, 116, 4, COPY, DEC), AT(native_format, 84, 4, 120, 4, COPY, DEC));

DESCRIBE_AT(floppy_drive_struct, 52, 80, "linux/fd.h", "struct floppy_drive_struct",
	    AT(flags, 0, 4, 0, 8, ZEXT, UDEC), AT(spinup_date, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(select_date, 8, 4, 16, 8, ZEXT, UDEC), AT(first_read_date, 12, 4, 24, 8, ZEXT, UDEC),
	    AT(probed_format, 16, 2, 32, 2, COPY, DEC), AT(track, 18, 2, 34, 2, COPY, DEC),
	    AT(maxblock, 20, 2, 36, 2, COPY, DEC), AT(maxtrack, 22, 2, 38, 2, COPY, DEC),
	    AT(generation, 24, 4, 40, 4, COPY, DEC), AT(keep_data, 28, 4, 44, 4, COPY, DEC),
	    AT(fd_ref, 32, 4, 48, 4, COPY, DEC), AT(fd_device, 36, 4, 52, 4, COPY, DEC),
	    AT(last_checked, 40, 4, 56, 8, ZEXT, UDEC), F_PAD(44, 4),
	    AT(bufblocks, 48, 4, 72, 4, COPY, DEC));

DESCRIBE_AT(floppy_fdc_state, 32, 40, "linux/fd.h", "struct floppy_fdc_state",
	    AT(spec1, 0, 4, 0, 4, COPY, DEC), AT(spec2, 4, 4, 4, 4, COPY, DEC),
	    AT(dtr, 8, 4, 8, 4, COPY, DEC), AT(version, 12, 1, 12, 1, COPY, UDEC),
	    AT(dor, 13, 1, 13, 1, COPY, UDEC), F_PAD(14, 2), AT(address, 16, 4, 16, 8, ZEXT, UDEC),
	    AT_HIDDEN(20, 4, 24, 4), AT(driver_version, 24, 4, 28, 4, COPY, UDEC),
	    AT(track, 28, 4, 32, 4, COPY, BYTES));

DESCRIBE_AT(floppy_write_errors, 24, 40, "linux/fd.h", "struct floppy_write_errors",
	    AT(write_errors, 0, 4, 0, 4, COPY, UDEC),
	    AT(first_error_sector, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(first_error_generation, 8, 4, 16, 4, COPY, DEC),
	    AT(last_error_sector, 12, 4, 24, 8, ZEXT, UDEC),
	    AT(last_error_generation, 16, 4, 32, 4, COPY, DEC),
	    AT(badness, 20, 4, 36, 4, COPY, UDEC));

DESCRIBE_AT(mtd_oob_buf, 12, 16, "mtd/mtd-abi.h", "struct mtd_oob_buf",
	    AT(start, 0, 4, 0, 4, COPY, UDEC), AT(length, 4, 4, 4, 4, COPY, UDEC),
	    AT(ptr, 8, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(cciss_command, 84, 88, "linux/cciss_ioctl.h", "IOCTL_Command_struct",
	    AT(LUN_info, 0, 8, 0, 8, COPY, BYTES), AT(Request, 8, 20, 8, 20, COPY, BYTES),
	    AT(error_info.ScsiStatus, 28, 1, 28, 1, COPY, UDEC),
	    AT(error_info.SenseLen, 29, 1, 29, 1, COPY, UDEC),
	    AT(error_info.CommandStatus, 30, 2, 30, 2, COPY, UDEC),
	    AT(error_info.ResidualCnt, 32, 4, 32, 4, COPY, UDEC),
	    AT(error_info.MoreErrInfo, 36, 8, 36, 8, COPY, BYTES),
	    AT(error_info.SenseInfo, 44, 32, 44, 32, COPY, BYTES),
	    AT(buf_size, 76, 2, 76, 2, COPY, UDEC), F_PAD(78, 2), AT(buf, 80, 4, 80, 8, PTR, GPTR));

DESCRIBE_AT(cciss_big_command, 88, 96, "linux/cciss_ioctl.h", "BIG_IOCTL_Command_struct",
	    AT(LUN_info, 0, 8, 0, 8, COPY, BYTES), AT(Request, 8, 20, 8, 20, COPY, BYTES),
	    AT(error_info.ScsiStatus, 28, 1, 28, 1, COPY, UDEC),
	    AT(error_info.SenseLen, 29, 1, 29, 1, COPY, UDEC),
	    AT(error_info.CommandStatus, 30, 2, 30, 2, COPY, UDEC),
	    AT(error_info.ResidualCnt, 32, 4, 32, 4, COPY, UDEC),
	    AT(error_info.MoreErrInfo, 36, 8, 36, 8, COPY, BYTES),
	    AT(error_info.SenseInfo, 44, 32, 44, 32, COPY, BYTES),
	    AT(malloc_size, 76, 4, 76, 4, COPY, UDEC), AT(buf_size, 80, 4, 80, 4, COPY, UDEC),
	    AT(buf, 84, 4, 88, 8, PTR, GPTR));

DESCRIBE_AT(changer_element_status, 8, 16, "linux/chio.h", "struct changer_element_status",
	    AT(ces_type, 0, 4, 0, 4, COPY, DEC), AT(ces_data, 4, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(btrfs_send_args, 72, 72, "linux/btrfs.h", "struct btrfs_ioctl_send_args",
	    AT(send_fd, 0, 8, 0, 8, COPY, FD), AT(clone_sources_count, 8, 8, 8, 8, COPY, UDEC),
	    AT(clone_sources, 16, 4, 16, 8, PTR, GPTR), F_PAD(20, 4),
	    AT(parent_root, 24, 8, 24, 8, COPY, UDEC), AT(flags, 32, 8, 32, 8, COPY, UDEC),
	    AT(version, 40, 4, 40, 4, COPY, UDEC), AT(reserved, 44, 28, 44, 28, COPY, HIDE));

DESCRIBE_AT(btrfs_encoded_io_args, 120, 128, "linux/btrfs.h", "struct btrfs_ioctl_encoded_io_args",
	    AT_LIST(iov, 0, 0, iovec, .count_field = "iovcnt"), AT(iovcnt, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(offset, 8, 8, 16, 8, COPY, DEC), AT(flags, 16, 8, 24, 8, COPY, UDEC),
	    AT(len, 24, 8, 32, 8, COPY, UDEC), AT(unencoded_len, 32, 8, 40, 8, COPY, UDEC),
	    AT(unencoded_offset, 40, 8, 48, 8, COPY, UDEC),
	    AT(compression, 48, 4, 56, 4, COPY, UDEC), AT(encryption, 52, 4, 60, 4, COPY, UDEC),
	    AT(reserved, 56, 64, 64, 64, COPY, HIDE));

/* --- input ------------------------------------------------------------------------------------------- */

/* What reads and writes of input devices move. */
DESCRIBE_AT(input_event, 16, 24, "linux/input.h", "struct input_event",
	    AT(time.tv_sec, 0, 4, 0, 8, SEXT, DEC), AT(time.tv_usec, 4, 4, 8, 8, SEXT, DEC),
	    AT(type, 8, 2, 16, 2, COPY, UDEC), AT(code, 10, 2, 18, 2, COPY, UDEC),
	    AT(value, 12, 4, 20, 4, COPY, DEC));

DESCRIBE_AT(ff_effect, 44, 48, "linux/input.h", "struct ff_effect",
	    AT(type, 0, 2, 0, 2, COPY, UDEC), AT(id, 2, 2, 2, 2, COPY, DEC),
	    AT(direction, 4, 2, 4, 2, COPY, UDEC), AT(trigger.button, 6, 2, 6, 2, COPY, UDEC),
	    AT(trigger.interval, 8, 2, 8, 2, COPY, UDEC),
	    AT(replay.length, 10, 2, 10, 2, COPY, UDEC), AT(replay.delay, 12, 2, 12, 2, COPY, UDEC),
	    F_PAD(14, 2), AT(u.condition, 16, 24, 16, 24, COPY, BYTES),
	    AT(u.periodic.custom_data, 40, 4, 40, 8, PTR, GPTR));

DESCRIBE_AT(uinput_ff_upload, 96, 104, "linux/input.h", "struct uinput_ff_upload",
	    AT(request_id, 0, 4, 0, 4, COPY, UDEC), AT(retval, 4, 4, 4, 4, COPY, DEC),
	    AT(effect.type, 8, 2, 8, 2, COPY, UDEC), AT(effect.id, 10, 2, 10, 2, COPY, DEC),
	    AT(effect.direction, 12, 2, 12, 2, COPY, UDEC),
	    AT(effect.trigger.button, 14, 2, 14, 2, COPY, UDEC),
	    AT(effect.trigger.interval, 16, 2, 16, 2, COPY, UDEC),
	    AT(effect.replay.length, 18, 2, 18, 2, COPY, UDEC),
	    AT(effect.replay.delay, 20, 2, 20, 2, COPY, UDEC), F_PAD(22, 2),
	    AT(effect.u.condition, 24, 24, 24, 24, COPY, BYTES),
	    AT(effect.u.periodic.custom_data, 48, 4, 48, 8, PTR, GPTR),
	    AT(old.type, 52, 2, 56, 2, COPY, UDEC), AT(old.id, 54, 2, 58, 2, COPY, DEC),
	    AT(old.direction, 56, 2, 60, 2, COPY, UDEC),
	    AT(old.trigger.button, 58, 2, 62, 2, COPY, UDEC),
	    AT(old.trigger.interval, 60, 2, 64, 2, COPY, UDEC),
	    AT(old.replay.length, 62, 2, 66, 2, COPY, UDEC),
	    AT(old.replay.delay, 64, 2, 68, 2, COPY, UDEC), F_PAD(66, 2),
	    AT(old.u.condition, 68, 24, 72, 24, COPY, BYTES),
	    AT(old.u.periodic.custom_data, 92, 4, 96, 8, PTR, GPTR));

/* --- buses ------------------------------------------------------------------------------------------- */

DESCRIBE_AT(usbdevfs_bulktransfer, 16, 24, "linux/usbdevice_fs.h", "struct usbdevfs_bulktransfer",
	    AT(ep, 0, 4, 0, 4, COPY, UDEC), AT(len, 4, 4, 4, 4, COPY, UDEC),
	    AT(timeout, 8, 4, 8, 4, COPY, UDEC), AT(data, 12, 4, 16, 8, PTR, GPTR));

DESCRIBE_AT(usbdevfs_ctrltransfer, 16, 24, "linux/usbdevice_fs.h", "struct usbdevfs_ctrltransfer",
	    AT(bRequestType, 0, 1, 0, 1, COPY, UDEC), AT(bRequest, 1, 1, 1, 1, COPY, UDEC),
	    AT(wValue, 2, 2, 2, 2, COPY, UDEC), AT(wIndex, 4, 2, 4, 2, COPY, UDEC),
	    AT(wLength, 6, 2, 6, 2, COPY, UDEC), AT(timeout, 8, 4, 8, 4, COPY, UDEC),
	    AT(data, 12, 4, 16, 8, PTR, GPTR));

DESCRIBE_AT(usbdevfs_disconnectsignal, 8, 16, "linux/usbdevice_fs.h",
	    "struct usbdevfs_disconnectsignal", AT(signr, 0, 4, 0, 4, COPY, UDEC),
	    AT(context, 4, 4, 8, 8, ZEXT, GPTR));

DESCRIBE_AT(usbdevfs_ioctl, 12, 16, "linux/usbdevice_fs.h", "struct usbdevfs_ioctl",
	    AT(ifno, 0, 4, 0, 4, COPY, DEC), AT(ioctl_code, 4, 4, 4, 4, COPY, DEC),
	    AT(data, 8, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(usbtmc_ctrlrequest, 12, 16, "linux/usb/tmc.h", "struct usbtmc_ctrlrequest",
	    AT(req.bRequestType, 0, 1, 0, 1, COPY, UDEC), AT(req.bRequest, 1, 1, 1, 1, COPY, UDEC),
	    AT(req.wValue, 2, 2, 2, 2, COPY, UDEC), AT(req.wIndex, 4, 2, 4, 2, COPY, UDEC),
	    AT(req.wLength, 6, 2, 6, 2, COPY, UDEC), AT(data, 8, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(usbtmc_message, 16, 20, "linux/usb/tmc.h", "struct usbtmc_message",
	    AT(transfer_size, 0, 4, 0, 4, COPY, UDEC), AT(transferred, 4, 4, 4, 4, COPY, UDEC),
	    AT(flags, 8, 4, 8, 4, COPY, UDEC), AT(message, 12, 4, 12, 8, PTR, GPTR));

DESCRIBE_AT(ipmi_req, 20, 40, "linux/ipmi.h", "struct ipmi_req", AT(addr, 0, 4, 0, 8, PTR, GPTR),
	    AT(addr_len, 4, 4, 8, 4, COPY, UDEC), AT(msgid, 8, 4, 16, 8, SEXT, DEC),
	    AT(msg.netfn, 12, 1, 24, 1, COPY, UDEC), AT(msg.cmd, 13, 1, 25, 1, COPY, UDEC),
	    AT(msg.data_len, 14, 2, 26, 2, COPY, UDEC), AT(msg.data, 16, 4, 32, 8, PTR, GPTR));

DESCRIBE_AT(ipmi_req_settime, 28, 48, "linux/ipmi.h", "struct ipmi_req_settime",
	    AT(req.addr, 0, 4, 0, 8, PTR, GPTR), AT(req.addr_len, 4, 4, 8, 4, COPY, UDEC),
	    AT(req.msgid, 8, 4, 16, 8, SEXT, DEC), AT(req.msg.netfn, 12, 1, 24, 1, COPY, UDEC),
	    AT(req.msg.cmd, 13, 1, 25, 1, COPY, UDEC),
	    AT(req.msg.data_len, 14, 2, 26, 2, COPY, UDEC),
	    AT(req.msg.data, 16, 4, 32, 8, PTR, GPTR), AT(retries, 20, 4, 40, 4, COPY, DEC),
	    AT(retry_time_ms, 24, 4, 44, 4, COPY, UDEC));

DESCRIBE_AT(ipmi_recv, 24, 48, "linux/ipmi.h", "struct ipmi_recv",
	    AT(recv_type, 0, 4, 0, 4, COPY, DEC), AT(addr, 4, 4, 8, 8, PTR, GPTR),
	    AT(addr_len, 8, 4, 16, 4, COPY, UDEC), AT(msgid, 12, 4, 24, 8, SEXT, DEC),
	    AT(msg.netfn, 16, 1, 32, 1, COPY, UDEC), AT(msg.cmd, 17, 1, 33, 1, COPY, UDEC),
	    AT(msg.data_len, 18, 2, 34, 2, COPY, UDEC), AT(msg.data, 20, 4, 40, 8, PTR, GPTR));

DESCRIBE_AT(i2o_cmd_hrtlct, 12, 24, "linux/i2o-dev.h", "struct i2o_cmd_hrtlct",
	    AT(iop, 0, 4, 0, 4, COPY, UDEC), AT(resbuf, 4, 4, 8, 8, PTR, GPTR),
	    AT(reslen, 8, 4, 16, 8, PTR, GPTR));

DESCRIBE_AT(i2o_html, 28, 48, "linux/i2o-dev.h", "struct i2o_html", AT(iop, 0, 4, 0, 4, COPY, UDEC),
	    AT(tid, 4, 4, 4, 4, COPY, UDEC), AT(page, 8, 4, 8, 4, COPY, UDEC),
	    AT(resbuf, 12, 4, 16, 8, PTR, GPTR), AT(reslen, 16, 4, 24, 8, PTR, GPTR),
	    AT(qbuf, 20, 4, 32, 8, PTR, GPTR), AT(qlen, 24, 4, 40, 4, COPY, UDEC));

DESCRIBE_AT(i2o_cmd_psetget, 24, 40, "linux/i2o-dev.h", "struct i2o_cmd_psetget",
	    AT(iop, 0, 4, 0, 4, COPY, UDEC), AT(tid, 4, 4, 4, 4, COPY, UDEC),
	    AT(opbuf, 8, 4, 8, 8, PTR, GPTR), AT(oplen, 12, 4, 16, 4, COPY, UDEC),
	    AT(resbuf, 16, 4, 24, 8, PTR, GPTR), AT(reslen, 20, 4, 32, 8, PTR, GPTR));

DESCRIBE_AT(i2o_sw_xfer, 28, 48, "linux/i2o-dev.h", "struct i2o_sw_xfer",
	    AT(iop, 0, 4, 0, 4, COPY, UDEC), AT(flags, 4, 1, 4, 1, COPY, UDEC),
	    AT(sw_type, 5, 1, 5, 1, COPY, UDEC), F_PAD(6, 2), AT(sw_id, 8, 4, 8, 4, COPY, UDEC),
	    AT(buf, 12, 4, 16, 8, PTR, GPTR), AT(swlen, 16, 4, 24, 8, PTR, GPTR),
	    AT(maxfrag, 20, 4, 32, 8, PTR, GPTR), AT(curfrag, 24, 4, 40, 8, PTR, GPTR));

/* --- others ------------------------------------------------------------------------------------------ */

DESCRIBE_AT(atmif_sioc, 12, 16, "linux/atmdev.h", "struct atmif_sioc",
	    AT(number, 0, 4, 0, 4, COPY, DEC), AT(length, 4, 4, 4, 4, COPY, DEC),
	    AT(arg, 8, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(atm_iobuf, 8, 16, "linux/atmdev.h", "struct atm_iobuf",
	    AT(length, 0, 4, 0, 4, COPY, DEC), AT(buffer, 4, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(capi_manufacturer_cmd, 8, 16, "linux/capi.h", "struct capi_manufacturer_cmd",
	    AT(cmd, 0, 4, 0, 8, ZEXT, UDEC), AT(data, 4, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(comedi_chaninfo, 32, 48, "linux/comedi.h", "struct comedi_chaninfo",
	    AT(subdev, 0, 4, 0, 4, COPY, UDEC), AT(maxdata_list, 4, 4, 8, 8, PTR, GPTR),
	    AT(flaglist, 8, 4, 16, 8, PTR, GPTR), AT(rangelist, 12, 4, 24, 8, PTR, GPTR),
	    AT_ARRAY(unused, 16, 4, 32, 4, 4, COPY, UDEC));

DESCRIBE_AT(comedi_cmd, 64, 80, "linux/comedi.h", "struct comedi_cmd",
	    AT(subdev, 0, 4, 0, 4, COPY, UDEC), AT(flags, 4, 4, 4, 4, COPY, UDEC),
	    AT(start_src, 8, 4, 8, 4, COPY, UDEC), AT(start_arg, 12, 4, 12, 4, COPY, UDEC),
	    AT(scan_begin_src, 16, 4, 16, 4, COPY, UDEC),
	    AT(scan_begin_arg, 20, 4, 20, 4, COPY, UDEC), AT(convert_src, 24, 4, 24, 4, COPY, UDEC),
	    AT(convert_arg, 28, 4, 28, 4, COPY, UDEC), AT(scan_end_src, 32, 4, 32, 4, COPY, UDEC),
	    AT(scan_end_arg, 36, 4, 36, 4, COPY, UDEC), AT(stop_src, 40, 4, 40, 4, COPY, UDEC),
	    AT(stop_arg, 44, 4, 44, 4, COPY, UDEC), AT(chanlist, 48, 4, 48, 8, PTR, GPTR),
	    AT(chanlist_len, 52, 4, 56, 4, COPY, UDEC), AT(data, 56, 4, 64, 8, PTR, GPTR),
	    AT(data_len, 60, 4, 72, 4, COPY, UDEC));

DESCRIBE_AT(comedi_insn, 32, 40, "linux/comedi.h", "struct comedi_insn",
	    AT(insn, 0, 4, 0, 4, COPY, UDEC), AT(n, 4, 4, 4, 4, COPY, UDEC),
	    AT(data, 8, 4, 8, 8, PTR, GPTR), AT(subdev, 12, 4, 16, 4, COPY, UDEC),
	    AT(chanspec, 16, 4, 20, 4, COPY, UDEC), AT_ARRAY(unused, 20, 4, 24, 4, 3, COPY, UDEC));

DESCRIBE_AT(comedi_insnlist, 8, 16, "linux/comedi.h", "struct comedi_insnlist",
	    AT(n_insns, 0, 4, 0, 4, COPY, UDEC),
	    AT_LIST(insns, 4, 8, comedi_insn, .count_field = "n_insns"));

DESCRIBE_AT(comedi_rangeinfo, 8, 16, "linux/comedi.h", "struct comedi_rangeinfo",
	    AT(range_type, 0, 4, 0, 4, COPY, UDEC), AT(range_ptr, 4, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(hpet_info, 12, 24, "linux/hpet.h", "struct hpet_info",
	    AT(hi_ireqfreq, 0, 4, 0, 8, ZEXT, UDEC), AT(hi_flags, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(hi_hpet, 8, 2, 16, 2, COPY, UDEC), AT(hi_timer, 10, 2, 18, 2, COPY, UDEC));

DESCRIBE_AT(mgsl_params, 32, 48, "linux/synclink.h", "struct _MGSL_PARAMS",
	    AT(mode, 0, 4, 0, 8, ZEXT, UDEC), AT(loopback, 4, 1, 8, 1, COPY, UDEC), F_PAD(5, 1),
	    AT(flags, 6, 2, 10, 2, COPY, UDEC), AT(encoding, 8, 1, 12, 1, COPY, UDEC), F_PAD(9, 3),
	    AT(clock_speed, 12, 4, 16, 8, ZEXT, UDEC), AT(addr_filter, 16, 1, 24, 1, COPY, UDEC),
	    F_PAD(17, 1), AT(crc_type, 18, 2, 26, 2, COPY, UDEC),
	    AT(preamble_length, 20, 1, 28, 1, COPY, UDEC), AT(preamble, 21, 1, 29, 1, COPY, UDEC),
	    F_PAD(22, 2), AT(data_rate, 24, 4, 32, 8, ZEXT, UDEC),
	    AT(data_bits, 28, 1, 40, 1, COPY, UDEC), AT(stop_bits, 29, 1, 41, 1, COPY, UDEC),
	    AT(parity, 30, 1, 42, 1, COPY, UDEC), F_PAD(31, 1));

DESCRIBE_AT(xsdfec_ldpc_params, 76, 96, "misc/xilinx_sdfec.h", "struct xsdfec_ldpc_params",
	    AT(n, 0, 4, 0, 4, COPY, UDEC), AT(k, 4, 4, 4, 4, COPY, UDEC),
	    AT(psize, 8, 4, 8, 4, COPY, UDEC), AT(nlayers, 12, 4, 12, 4, COPY, UDEC),
	    AT(nqc, 16, 4, 16, 4, COPY, UDEC), AT(nmqc, 20, 4, 20, 4, COPY, UDEC),
	    AT(nm, 24, 4, 24, 4, COPY, UDEC), AT(norm_type, 28, 4, 28, 4, COPY, UDEC),
	    AT(no_packing, 32, 4, 32, 4, COPY, UDEC), AT(special_qc, 36, 4, 36, 4, COPY, UDEC),
	    AT(no_final_parity, 40, 4, 40, 4, COPY, UDEC),
	    AT(max_schedule, 44, 4, 44, 4, COPY, UDEC), AT(sc_off, 48, 4, 48, 4, COPY, UDEC),
	    AT(la_off, 52, 4, 52, 4, COPY, UDEC), AT(qc_off, 56, 4, 56, 4, COPY, UDEC),
	    AT(sc_table, 60, 4, 64, 8, PTR, GPTR), AT(la_table, 64, 4, 72, 8, PTR, GPTR),
	    AT(qc_table, 68, 4, 80, 8, PTR, GPTR), AT(code_id, 72, 2, 88, 2, COPY, UDEC),
	    F_PAD(74, 2));

DESCRIBE_AT(hdsp_firmware, 4, 8, "sound/hdsp.h", "struct hdsp_firmware",
	    AT(firmware_data, 0, 4, 0, 8, PTR, GPTR));

DESCRIBE_AT(hdspm_mixer_ioctl, 4, 8, "sound/hdspm.h", "struct hdspm_mixer_ioctl",
	    AT(mixer, 0, 4, 0, 8, PTR, GPTR));

/* --- the same in both ABIs: the numbers of their commands say how many bytes go each way ------------------------ */

DESCRIBE_AT_(loop_info64, 232, 232, ABI_HOST_IS_LITTLE_ENDIAN, "linux/loop.h", "struct loop_info64",
	     AT(lo_device, 0, 8, 0, 8, COPY, UDEC), AT(lo_inode, 8, 8, 8, 8, COPY, UDEC),
	     AT(lo_rdevice, 16, 8, 16, 8, COPY, UDEC), AT(lo_offset, 24, 8, 24, 8, COPY, UDEC),
	     AT(lo_sizelimit, 32, 8, 32, 8, COPY, UDEC), AT(lo_number, 40, 4, 40, 4, COPY, UDEC),
	     AT(lo_encrypt_type, 44, 4, 44, 4, COPY, UDEC),
	     AT(lo_encrypt_key_size, 48, 4, 48, 4, COPY, UDEC),
	     AT(lo_flags, 52, 4, 52, 4, COPY, HEX), AT(lo_file_name, 56, 64, 56, 64, COPY, STRING),
	     AT(lo_crypt_name, 120, 64, 120, 64, COPY, STRING),
	     AT(lo_encrypt_key, 184, 32, 184, 32, COPY, BYTES),
	     AT_ARRAY(lo_init, 216, 8, 216, 8, 2, COPY, HEX));

DESCRIBE_AT(loop_config, 304, 304, "linux/loop.h", "struct loop_config",
	    AT(fd, 0, 4, 0, 4, COPY, FD), AT(block_size, 4, 4, 4, 4, COPY, UDEC),
	    AT_NEST(info, 8, 232, 8, 232, 1, loop_info64),
	    AT_ARRAY(__reserved, 240, 8, 240, 8, 8, COPY, HIDE));

/* With descriptors, which are looked at: never zero-copy. */
DESCRIBE_AT(file_clone_range, 32, 32, "linux/fs.h", "struct file_clone_range",
	    AT(src_fd, 0, 8, 0, 8, COPY, FD), AT(src_offset, 8, 8, 8, 8, COPY, UDEC),
	    AT(src_length, 16, 8, 16, 8, COPY, UDEC), AT(dest_offset, 24, 8, 24, 8, COPY, UDEC));

DESCRIBE_AT(file_dedupe_range_info, 32, 32, "linux/fs.h", "struct file_dedupe_range_info",
	    AT(dest_fd, 0, 8, 0, 8, COPY, FD), AT(dest_offset, 8, 8, 8, 8, COPY, UDEC),
	    AT(bytes_deduped, 16, 8, 16, 8, COPY, UDEC), AT(status, 24, 4, 24, 4, COPY, DEC),
	    AT(reserved, 28, 4, 28, 4, COPY, HIDE));

DESCRIBE_AT_(file_dedupe_range, 24, 24, ABI_HOST_IS_LITTLE_ENDIAN, "linux/fs.h",
	     "struct file_dedupe_range", AT(src_offset, 0, 8, 0, 8, COPY, UDEC),
	     AT(src_length, 8, 8, 8, 8, COPY, UDEC), AT(dest_count, 16, 2, 16, 2, COPY, UDEC),
	     AT(reserved1, 18, 2, 18, 2, COPY, HIDE), AT(reserved2, 20, 4, 20, 4, COPY, HIDE));

/* fs/ext4/ext4.h */
DESCRIBE_AT(move_extent, 40, 40, NULL, NULL, AT(reserved, 0, 4, 0, 4, COPY, HIDE),
	    AT(donor_fd, 4, 4, 4, 4, COPY, FD), AT(orig_start, 8, 8, 8, 8, COPY, UDEC),
	    AT(donor_start, 16, 8, 16, 8, COPY, UDEC), AT(len, 24, 8, 24, 8, COPY, UDEC),
	    AT(moved_len, 32, 8, 32, 8, COPY, UDEC));

DESCRIBE_AT_(mtop, 8, 8, ABI_HOST_IS_LITTLE_ENDIAN, "linux/mtio.h", "struct mtop",
	     AT(mt_op, 0, 2, 0, 2, COPY, DEC), AT(mt_count, 4, 4, 4, 4, COPY, DEC));

DESCRIBE_AT_(dm_ioctl, 312, 312, ABI_HOST_IS_LITTLE_ENDIAN, "linux/dm-ioctl.h", "struct dm_ioctl",
	     AT_ARRAY(version, 0, 4, 0, 4, 3, COPY, UDEC), AT(data_size, 12, 4, 12, 4, COPY, UDEC),
	     AT(data_start, 16, 4, 16, 4, COPY, UDEC), AT(target_count, 20, 4, 20, 4, COPY, UDEC),
	     AT(open_count, 24, 4, 24, 4, COPY, DEC), AT(flags, 28, 4, 28, 4, COPY, HEX),
	     AT(event_nr, 32, 4, 32, 4, COPY, UDEC), AT(padding, 36, 4, 36, 4, COPY, HIDE),
	     AT(dev, 40, 8, 40, 8, COPY, DEVICE), AT(name, 48, 128, 48, 128, COPY, STRING),
	     AT(uuid, 176, 129, 176, 129, COPY, STRING), AT(data, 305, 7, 305, 7, COPY, BYTES));

/* --- parts of others ------------------------------------------------------------------------------------------- */

/* iso_frame_desc follows; see USBDEVFS_SUBMITURB. */
DESCRIBE_AT(usbdevfs_urb, 44, 56, "linux/usbdevice_fs.h", "struct usbdevfs_urb",
	    AT(type, 0, 1, 0, 1, COPY, UDEC), AT(endpoint, 1, 1, 1, 1, COPY, HEX), F_PAD(2, 2),
	    AT(status, 4, 4, 4, 4, COPY, DEC), AT(flags, 8, 4, 8, 4, COPY, HEX),
	    AT(buffer, 12, 4, 16, 8, PTR, GPTR), AT(buffer_length, 16, 4, 24, 4, COPY, DEC),
	    AT(actual_length, 20, 4, 28, 4, COPY, DEC), AT(start_frame, 24, 4, 32, 4, COPY, DEC),
	    AT(number_of_packets, 28, 4, 36, 4, COPY, DEC),
	    AT(error_count, 32, 4, 40, 4, COPY, DEC), AT(signr, 36, 4, 44, 4, COPY, UDEC),
	    AT(usercontext, 40, 4, 48, 8, ZEXT, GPTR));

/* In ifreq_map. */
DESCRIBE_AT(ifmap, 16, 24, "linux/if.h", "struct ifmap", AT(mem_start, 0, 4, 0, 8, ZEXT, HEX),
	    AT(mem_end, 4, 4, 8, 8, ZEXT, HEX), AT(base_addr, 8, 2, 16, 2, COPY, HEX),
	    AT(irq, 10, 1, 18, 1, COPY, UDEC), AT(dma, 11, 1, 19, 1, COPY, UDEC),
	    AT(port, 12, 1, 20, 1, COPY, UDEC), F_PAD(13, 3));

/* In ifreq_settings. */
DESCRIBE_AT(if_settings, 12, 16, "linux/if.h", "struct if_settings",
	    AT(type, 0, 4, 0, 4, COPY, UDEC), AT(size, 4, 4, 4, 4, COPY, UDEC),
	    AT(ifs_ifsu, 8, 4, 8, 8, PTR, GPTR));

/* BTRFS_IOC_SNAP_CREATE and others. */
#define HOST struct host_btrfs_ioctl_vol_args
DESCRIBE_LARGE(btrfs_ioctl_vol_args, 4096, ABI_HOST_IS_LITTLE_ENDIAN, "linux/btrfs.h",
	       "struct btrfs_ioctl_vol_args", F(fd, 0, 8, COPY, DEC),
	       F(name, 8, 4088, COPY, STRING));
#undef HOST
