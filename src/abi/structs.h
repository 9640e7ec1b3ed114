/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The structure descriptions by name. A new structure is one word in ABI_STRUCTS and one definition
 * in a structs_*.c; abi_structs[], the rows of the table, layout checks and strace follow.
 */
#ifndef ABI_STRUCTS_H
#define ABI_STRUCTS_H

#include "abi/abi.h"

/* clang-format off */
#define ABI_STRUCTS(X) \
	/* plain numbers, for arrays */ \
	X(u32) X(s32) \
	/* structs_time.c */ \
	X(timespec) X(timeval) X(itimerspec) X(itimerval) X(timezone) X(tms) X(timex) \
	X(timespec64) X(itimerspec64) X(timex_time64) X(timex64) \
	/* structs_file.c */ \
	X(stat) X(statfs64) X(statx_timestamp) X(statx) X(iovec) X(flock) X(flock64) \
	X(f_owner_ex) X(open_how) X(epoll_event) X(pollfd) X(termios) X(termios2) \
	X(winsize) X(cachestat_range) X(cachestat) \
	/* structs_process.c */ \
	X(rusage) X(rlimit) X(rlimit32) X(sysinfo) X(utsname) X(sched_param) X(sched_attr) X(sigaction) \
	X(stack_t) X(sigevent) X(sigset_arg) X(sock_fprog) X(kexec_segment) \
	/* structs_ipc.c */ \
	X(mq_attr) X(sembuf) X(msghdr) X(mmsghdr) X(cmsghdr) X(ipc64_perm) X(msqid64_ds) \
	X(semid64_ds) X(shmid64_ds) X(shminfo64) X(shm_info) X(msginfo) X(seminfo) \
	X(linger) X(ucred) X(group_req) X(group_source_req) \
	/* structs_ipc_old.c */ \
	X(ipc_perm_old) X(msqid_ds_old) X(semid_ds_old) X(shmid_ds_old) X(shminfo_old) \
	/* structs_shown.c */ \
	X(clone_args) X(cap_header) X(cap_data) X(file_handle) X(mount_attr) \
	X(landlock_ruleset_attr) X(landlock_path_beneath_attr) X(landlock_net_port_attr) \
	X(perf_event_attr) X(futex_waitv) X(iocb) X(io_event) X(if_dqblk) X(if_dqinfo) \
	X(linux_dirent64) X(signalfd_siginfo) X(inotify_event) X(fanotify_event_metadata) \
	X(autofs_v5_packet) X(io_uring_params) X(io_uring_sqe) X(io_uring_getevents_arg) \
	X(sockaddr_storage) X(tcp_zerocopy_receive) X(scm_timestamping) X(ipt_replace) X(fd_set) \
	X(msgbuf) X(semun) \
	/* structs_task.c */ \
	X(siginfo) X(siginfo_kill) X(siginfo_rt) X(siginfo_timer) X(siginfo_chld) X(siginfo_fault) \
	X(siginfo_mce) X(siginfo_bounds) X(siginfo_pkey) X(siginfo_perf) X(siginfo_poll) X(siginfo_sys) \
	X(sigset) X(sigcontext) X(fpsimd_context) X(esr_context) X(extra_context) X(sve_context) \
	X(ucontext) X(rt_sigframe) X(user_pt_regs) X(user_fpsimd_state) X(user_hwdebug_state) \
	X(ptrace_syscall_info) X(ptrace_peeksiginfo_args) X(elf_prstatus) X(elf_prpsinfo) \
	X(Elf_Ehdr) X(Elf_Phdr) X(auxv) X(robust_list_head) X(rseq) X(sock_filter) X(seccomp_data) \
	X(keyctl_dh_params) X(keyctl_kdf_params) X(keyctl_pkey_query) X(keyctl_pkey_params) \
	/* structs_net.c */ \
	X(group_filter) X(ifreq) X(ifreq_flags) X(ifreq_int) X(ifreq_data) X(ifreq_map) X(ifconf) \
	X(ifreq_settings) X(rtentry) X(ppp_idle) X(ppp_option_data) \
	/* structs_ioctl.c */ \
	X(u16) X(u64) X(ulong) X(long) X(serial_struct) X(console_font_op) X(consolefontdesc) \
	X(unimapdesc) X(hd_geometry) X(blkpg_ioctl_arg) X(loop_info) X(fat_dirent) X(sg_io_hdr) \
	X(fsverity_enable_arg) X(fb_fix_screeninfo) X(rtc_pll_info) X(input_mask) \
	/* structs_drm.c */ \
	X(drm_version) X(drm_unique) X(drm_map) X(drm_client) X(drm_stats) X(drm_buf_desc) X(drm_buf_info) \
	X(drm_buf_free) X(drm_dma) X(drm_ctx_res) X(drm_ctx_priv_map) X(drm_agp_mode) \
	X(drm_agp_buffer) X(drm_agp_binding) X(drm_agp_info) X(drm_scatter_gather) \
	X(drm_wait_vblank) X(drm_mode_card_res) X(drm_mode_crtc) X(drm_mode_get_connector) \
	X(drm_mode_get_plane_res) X(drm_mode_get_plane) X(drm_mode_get_property) \
	X(drm_mode_obj_get_properties) X(drm_mode_get_blob) X(drm_mode_create_blob) \
	X(drm_mode_fb_dirty_cmd) X(drm_mode_crtc_lut) X(drm_i810_copy) X(drm_i810_mc) \
	X(drm_i915_mem_alloc) X(drm_i915_batchbuffer) X(drm_i915_cmdbuffer) X(drm_i915_getparam) \
	X(drm_i915_irq_emit) X(drm_mga_dma_bootstrap) X(drm_mga_getparam) X(drm_mga_init) \
	X(drm_r128_depth) X(drm_r128_getparam) X(drm_r128_init) X(drm_r128_stipple) \
	X(drm_radeon_mem_alloc) X(drm_radeon_clear) X(drm_radeon_cmd_buffer) X(drm_radeon_init) \
	X(drm_radeon_getparam) X(drm_radeon_irq_emit) X(drm_radeon_stipple) \
	X(drm_radeon_tex_image) X(drm_radeon_texture) X(drm_radeon_vertex2) X(drm_savage_cmdbuf) \
	X(drm_savage_init) X(drm_sis_mem) X(drm_sis_agp) X(drm_sis_fb) X(drm_via_mem) \
	X(drm_via_cmdbuffer) X(drm_via_dmablit) X(drm_via_dma_init) X(drm_via_init) \
	/* structs_sound.c */ \
	X(snd_ctl_elem_list) X(snd_hwdep_dsp_image) X(snd_pcm_channel_info) X(snd_pcm_hw_params) \
	X(snd_xferi) X(snd_xfern) X(snd_pcm_status) X(snd_pcm_sw_params) X(snd_pcm_sync_ptr) \
	X(snd_rawmidi_params) X(snd_rawmidi_status) X(snd_timer_ginfo) X(snd_timer_gparams) \
	X(snd_timer_gstatus) X(snd_timer_info) X(snd_timer_status) X(snd_seq_port_info) \
	X(snd_emu10k1_fx8010_tram) \
	/* structs_media.c */ \
	X(v4l2_buffer) X(v4l2_plane) X(v4l2_event) X(v4l2_edid) X(v4l2_ext_controls) \
	X(v4l2_framebuffer) X(media_links_enum) X(uvc_xu_control_mapping) \
	X(uvc_xu_control_query) X(ivtv_dma_frame) X(ivtvfb_dma_frame) X(v4l2_format) \
	X(v4l2_create_buffers) X(dtv_property) X(dtv_properties) X(osd_cmd) X(osd_cap) \
	X(video_event) X(video_still_picture) X(v4l2_window) X(v4l2_ext_control) X(v4l2_ext_control_ptr) \
	/* structs_device.c */ \
	X(fb_cmap) X(fb_cursor) X(mtget) X(mtpos) X(cdrom_generic_command) X(cdrom_read_audio) \
	X(sg_req_info) X(sg_req_table) X(floppy_struct) X(floppy_drive_params) \
	X(floppy_drive_struct) X(floppy_fdc_state) X(floppy_write_errors) X(mtd_oob_buf) \
	X(cciss_command) X(cciss_big_command) X(changer_element_status) X(btrfs_send_args) \
	X(btrfs_encoded_io_args) X(input_event) X(ff_effect) X(uinput_ff_upload) X(usbdevfs_bulktransfer) \
	X(usbdevfs_ctrltransfer) X(usbdevfs_disconnectsignal) X(usbdevfs_ioctl) \
	X(usbtmc_ctrlrequest) X(usbtmc_message) X(ipmi_req) X(ipmi_req_settime) X(ipmi_recv) \
	X(i2o_cmd_hrtlct) X(i2o_html) X(i2o_cmd_psetget) X(i2o_sw_xfer) X(atmif_sioc) \
	X(atm_iobuf) X(capi_manufacturer_cmd) X(comedi_chaninfo) X(comedi_cmd) X(comedi_insn) \
	X(comedi_insnlist) X(comedi_rangeinfo) X(hpet_info) X(mgsl_params) X(xsdfec_ldpc_params) \
	X(hdsp_firmware) X(hdspm_mixer_ioctl) X(loop_info64) X(loop_config) X(file_clone_range) \
	X(file_dedupe_range) X(file_dedupe_range_info) X(move_extent) X(drm_prime_handle) X(drm_syncobj_handle) \
	X(mtop) X(dm_ioctl) X(usbdevfs_urb) \
	X(ifmap) X(if_settings) X(btrfs_ioctl_vol_args)
/* clang-format on */

/* Written by abi_use() alone. */
#define ABI_STRUCT_DECLARE(name) extern struct abi_struct abi_st_##name;
ABI_STRUCTS(ABI_STRUCT_DECLARE)
#undef ABI_STRUCT_DECLARE

#define ABI_STRUCT_INDEX(name) ABI_INDEX_##name,
enum abi_struct_index { ABI_STRUCTS(ABI_STRUCT_INDEX) ABI_NSTRUCTS };
#undef ABI_STRUCT_INDEX

#endif
