/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures of ioctls on sound devices. */
#include "abi/describe.h"

/* --- mixer controls ---------------------------------------------------------------------------------- */

DESCRIBE_AT(snd_ctl_elem_list, 72, 80, "sound/asound.h", "struct snd_ctl_elem_list",
	    AT(offset, 0, 4, 0, 4, COPY, UDEC), AT(space, 4, 4, 4, 4, COPY, UDEC),
	    AT(used, 8, 4, 8, 4, COPY, UDEC), AT(count, 12, 4, 12, 4, COPY, UDEC),
	    AT(pids, 16, 4, 16, 8, PTR, GPTR), AT(reserved, 20, 50, 24, 50, COPY, HIDE),
	    F_PAD(70, 2));

/* --- PCM --------------------------------------------------------------------------------------------- */

DESCRIBE_AT(snd_hwdep_dsp_image, 80, 96, "sound/asound.h", "struct snd_hwdep_dsp_image",
	    AT(index, 0, 4, 0, 4, COPY, UDEC), AT(name, 4, 64, 4, 64, COPY, BYTES),
	    AT(image, 68, 4, 72, 8, PTR, GPTR), AT(length, 72, 4, 80, 8, ZEXT, UDEC),
	    AT(driver_data, 76, 4, 88, 8, ZEXT, UDEC));

DESCRIBE_AT(snd_pcm_channel_info, 16, 24, "sound/asound.h", "struct snd_pcm_channel_info",
	    AT(channel, 0, 4, 0, 4, COPY, UDEC), AT(offset, 4, 4, 8, 8, SEXT, DEC),
	    AT(first, 8, 4, 16, 4, COPY, UDEC), AT(step, 12, 4, 20, 4, COPY, UDEC));

DESCRIBE_AT(snd_pcm_hw_params, 604, 608, "sound/asound.h", "struct snd_pcm_hw_params",
	    AT(flags, 0, 4, 0, 4, COPY, UDEC), AT(masks, 4, 96, 4, 96, COPY, BYTES),
	    AT(mres, 100, 160, 100, 160, COPY, BYTES),
	    AT(intervals, 260, 144, 260, 144, COPY, BYTES),
	    AT(ires, 404, 108, 404, 108, COPY, BYTES), AT(rmask, 512, 4, 512, 4, COPY, UDEC),
	    AT(cmask, 516, 4, 516, 4, COPY, UDEC), AT(info, 520, 4, 520, 4, COPY, UDEC),
	    AT(msbits, 524, 4, 524, 4, COPY, UDEC), AT(rate_num, 528, 4, 528, 4, COPY, UDEC),
	    AT(rate_den, 532, 4, 532, 4, COPY, UDEC), AT(fifo_size, 536, 4, 536, 8, ZEXT, UDEC),
	    AT(reserved, 540, 64, 544, 64, COPY, HIDE));

DESCRIBE_AT(snd_xferi, 12, 24, "sound/asound.h", "struct snd_xferi",
	    AT(result, 0, 4, 0, 8, SEXT, DEC), AT(buf, 4, 4, 8, 8, PTR, GPTR),
	    AT(frames, 8, 4, 16, 8, ZEXT, UDEC));

DESCRIBE_AT(snd_xfern, 12, 24, "sound/asound.h", "struct snd_xfern",
	    AT(result, 0, 4, 0, 8, SEXT, DEC), AT(bufs, 4, 4, 8, 8, ZEXT, GPTR),
	    AT(frames, 8, 4, 16, 8, ZEXT, UDEC));

DESCRIBE_AT(snd_pcm_status, 108, 152, "sound/asound.h", "struct snd_pcm_status",
	    AT(state, 0, 4, 0, 4, COPY, DEC), AT(trigger_tstamp.tv_sec, 4, 4, 8, 8, SEXT, DEC),
	    AT(trigger_tstamp.tv_nsec, 8, 4, 16, 8, SEXT, DEC),
	    AT(tstamp.tv_sec, 12, 4, 24, 8, SEXT, DEC), AT(tstamp.tv_nsec, 16, 4, 32, 8, SEXT, DEC),
	    AT(appl_ptr, 20, 4, 40, 8, ZEXT, UDEC), AT(hw_ptr, 24, 4, 48, 8, ZEXT, UDEC),
	    AT(delay, 28, 4, 56, 8, SEXT, DEC), AT(avail, 32, 4, 64, 8, ZEXT, UDEC),
	    AT(avail_max, 36, 4, 72, 8, ZEXT, UDEC), AT(overrange, 40, 4, 80, 8, ZEXT, UDEC),
	    AT(suspended_state, 44, 4, 88, 4, COPY, DEC),
	    AT(audio_tstamp_data, 48, 4, 92, 4, COPY, UDEC),
	    AT(audio_tstamp.tv_sec, 52, 4, 96, 8, SEXT, DEC),
	    AT(audio_tstamp.tv_nsec, 56, 4, 104, 8, SEXT, DEC),
	    AT(driver_tstamp.tv_sec, 60, 4, 112, 8, SEXT, DEC),
	    AT(driver_tstamp.tv_nsec, 64, 4, 120, 8, SEXT, DEC),
	    AT(audio_tstamp_accuracy, 68, 4, 128, 4, COPY, UDEC), F_PAD(72, 36));

DESCRIBE_AT(snd_pcm_sw_params, 104, 136, "sound/asound.h", "struct snd_pcm_sw_params",
	    AT(tstamp_mode, 0, 4, 0, 4, COPY, DEC), AT(period_step, 4, 4, 4, 4, COPY, UDEC),
	    AT(sleep_min, 8, 4, 8, 4, COPY, UDEC), AT(avail_min, 12, 4, 16, 8, ZEXT, UDEC),
	    AT(xfer_align, 16, 4, 24, 8, ZEXT, UDEC), AT(start_threshold, 20, 4, 32, 8, ZEXT, UDEC),
	    AT(stop_threshold, 24, 4, 40, 8, ZEXT, UDEC),
	    AT(silence_threshold, 28, 4, 48, 8, ZEXT, UDEC),
	    AT(silence_size, 32, 4, 56, 8, ZEXT, UDEC), AT(boundary, 36, 4, 64, 8, ZEXT, UDEC),
	    AT(proto, 40, 4, 72, 4, COPY, UDEC), AT(tstamp_type, 44, 4, 76, 4, COPY, UDEC),
	    AT(reserved, 48, 56, 80, 56, COPY, HIDE));

DESCRIBE_AT(snd_pcm_sync_ptr, 132, 136, "sound/asound.h", "struct snd_pcm_sync_ptr",
	    AT(flags, 0, 4, 0, 4, COPY, UDEC), AT(s.status.state, 4, 4, 8, 4, COPY, DEC),
	    AT(s.status.pad1, 8, 4, 12, 4, COPY, DEC),
	    AT(s.status.hw_ptr, 12, 4, 16, 8, ZEXT, UDEC),
	    AT(s.status.tstamp.tv_sec, 16, 4, 24, 8, SEXT, DEC),
	    AT(s.status.tstamp.tv_nsec, 20, 4, 32, 8, SEXT, DEC),
	    AT(s.status.suspended_state, 24, 4, 40, 4, COPY, DEC),
	    AT(s.status.audio_tstamp.tv_sec, 28, 4, 48, 8, SEXT, DEC),
	    AT(s.status.audio_tstamp.tv_nsec, 32, 4, 56, 8, SEXT, DEC), F_PAD(36, 32),
	    AT(c.control.appl_ptr, 68, 4, 72, 8, ZEXT, UDEC),
	    AT(c.control.avail_min, 72, 4, 80, 8, ZEXT, UDEC), F_PAD(76, 56));

/* --- MIDI, timers, sequencer ------------------------------------------------------------------------- */

DESCRIBE_AT(snd_rawmidi_params, 32, 48, "sound/asound.h", "struct snd_rawmidi_params",
	    AT(stream, 0, 4, 0, 4, COPY, DEC), AT(buffer_size, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(avail_min, 8, 4, 16, 8, ZEXT, UDEC), AT_HIDDEN(12, 4, 24, 4),
	    AT(mode, 16, 4, 28, 4, COPY, UDEC), AT(reserved, 20, 12, 32, 12, COPY, HIDE));

DESCRIBE_AT(snd_rawmidi_status, 36, 56, "sound/asound.h", "struct snd_rawmidi_status",
	    AT(stream, 0, 4, 0, 4, COPY, DEC), AT(tstamp.tv_sec, 4, 4, 8, 8, SEXT, DEC),
	    AT(tstamp.tv_nsec, 8, 4, 16, 8, SEXT, DEC), AT(avail, 12, 4, 24, 8, ZEXT, UDEC),
	    AT(xruns, 16, 4, 32, 8, ZEXT, UDEC), AT(reserved, 20, 16, 40, 16, COPY, HIDE));

DESCRIBE_AT(snd_timer_ginfo, 224, 248, "sound/asound.h", "struct snd_timer_ginfo",
	    AT(tid.dev_class, 0, 4, 0, 4, COPY, DEC), AT(tid.dev_sclass, 4, 4, 4, 4, COPY, DEC),
	    AT(tid.card, 8, 4, 8, 4, COPY, DEC), AT(tid.device, 12, 4, 12, 4, COPY, DEC),
	    AT(tid.subdevice, 16, 4, 16, 4, COPY, DEC), AT(flags, 20, 4, 20, 4, COPY, UDEC),
	    AT(card, 24, 4, 24, 4, COPY, DEC), AT(id, 28, 64, 28, 64, COPY, BYTES),
	    AT(name, 92, 80, 92, 80, COPY, BYTES), AT(reserved0, 172, 4, 176, 8, ZEXT, UDEC),
	    AT(resolution, 176, 4, 184, 8, ZEXT, UDEC),
	    AT(resolution_min, 180, 4, 192, 8, ZEXT, UDEC),
	    AT(resolution_max, 184, 4, 200, 8, ZEXT, UDEC), AT(clients, 188, 4, 208, 4, COPY, UDEC),
	    AT(reserved, 192, 32, 212, 32, COPY, HIDE));

DESCRIBE_AT(snd_timer_gparams, 60, 72, "sound/asound.h", "struct snd_timer_gparams",
	    AT(tid.dev_class, 0, 4, 0, 4, COPY, DEC), AT(tid.dev_sclass, 4, 4, 4, 4, COPY, DEC),
	    AT(tid.card, 8, 4, 8, 4, COPY, DEC), AT(tid.device, 12, 4, 12, 4, COPY, DEC),
	    AT(tid.subdevice, 16, 4, 16, 4, COPY, DEC), AT(period_num, 20, 4, 24, 8, ZEXT, UDEC),
	    AT(period_den, 24, 4, 32, 8, ZEXT, UDEC), AT(reserved, 28, 32, 40, 32, COPY, HIDE));

DESCRIBE_AT(snd_timer_gstatus, 64, 80, "sound/asound.h", "struct snd_timer_gstatus",
	    AT(tid.dev_class, 0, 4, 0, 4, COPY, DEC), AT(tid.dev_sclass, 4, 4, 4, 4, COPY, DEC),
	    AT(tid.card, 8, 4, 8, 4, COPY, DEC), AT(tid.device, 12, 4, 12, 4, COPY, DEC),
	    AT(tid.subdevice, 16, 4, 16, 4, COPY, DEC), AT(resolution, 20, 4, 24, 8, ZEXT, UDEC),
	    AT(resolution_num, 24, 4, 32, 8, ZEXT, UDEC),
	    AT(resolution_den, 28, 4, 40, 8, ZEXT, UDEC), AT(reserved, 32, 32, 48, 32, COPY, HIDE));

DESCRIBE_AT(snd_timer_info, 224, 232, "sound/asound.h", "struct snd_timer_info",
	    AT(flags, 0, 4, 0, 4, COPY, UDEC), AT(card, 4, 4, 4, 4, COPY, DEC),
	    AT(id, 8, 64, 8, 64, COPY, BYTES), AT(name, 72, 80, 72, 80, COPY, BYTES),
	    AT(reserved0, 152, 4, 152, 8, ZEXT, UDEC), AT(resolution, 156, 4, 160, 8, ZEXT, UDEC),
	    AT(reserved, 160, 64, 168, 64, COPY, HIDE));

DESCRIBE_AT(snd_timer_status, 88, 96, "sound/asound.h", "struct snd_timer_status",
	    AT(tstamp.tv_sec, 0, 4, 0, 8, SEXT, DEC), AT(tstamp.tv_nsec, 4, 4, 8, 8, SEXT, DEC),
	    AT(resolution, 8, 4, 16, 4, COPY, UDEC), AT(lost, 12, 4, 20, 4, COPY, UDEC),
	    AT(overrun, 16, 4, 24, 4, COPY, UDEC), AT(queue, 20, 4, 28, 4, COPY, UDEC),
	    AT(reserved, 24, 64, 32, 64, COPY, HIDE));

DESCRIBE_AT(snd_seq_port_info, 164, 168, "sound/asequencer.h", "struct snd_seq_port_info",
	    AT(addr.client, 0, 1, 0, 1, COPY, UDEC), AT(addr.port, 1, 1, 1, 1, COPY, UDEC),
	    AT(name, 2, 64, 2, 64, COPY, STRING), F_PAD(66, 2),
	    AT(capability, 68, 4, 68, 4, COPY, UDEC), AT(type, 72, 4, 72, 4, COPY, UDEC),
	    AT(midi_channels, 76, 4, 76, 4, COPY, DEC), AT(midi_voices, 80, 4, 80, 4, COPY, DEC),
	    AT(synth_voices, 84, 4, 84, 4, COPY, DEC), AT(read_use, 88, 4, 88, 4, COPY, DEC),
	    AT(write_use, 92, 4, 92, 4, COPY, DEC), F_PAD(96, 4),
	    AT(flags, 100, 4, 104, 4, COPY, UDEC), AT(time_queue, 104, 1, 108, 1, COPY, UDEC),
	    AT(reserved, 105, 59, 109, 59, COPY, HIDE));

/* --- cards ------------------------------------------------------------------------------------------- */

DESCRIBE_AT(snd_emu10k1_fx8010_tram, 12, 16, "sound/emu10k1.h", "struct snd_emu10k1_fx8010_tram",
	    AT(address, 0, 4, 0, 4, COPY, UDEC), AT(size, 4, 4, 4, 4, COPY, UDEC),
	    AT(samples, 8, 4, 8, 8, PTR, GPTR));
