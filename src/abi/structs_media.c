/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures of ioctls on video devices. */
#include "abi/describe.h"
#include "abi/host_dev.h"

/* --- Video4Linux ------------------------------------------------------------------------------------- */

DESCRIBE_AT(v4l2_buffer, 68, 88, "linux/videodev2.h", "struct v4l2_buffer",
	    AT(index, 0, 4, 0, 4, COPY, UDEC), AT(type, 4, 4, 4, 4, COPY, UDEC),
	    AT(bytesused, 8, 4, 8, 4, COPY, UDEC), AT(flags, 12, 4, 12, 4, COPY, UDEC),
	    AT(field, 16, 4, 16, 4, COPY, UDEC), AT(timestamp.tv_sec, 20, 4, 24, 8, SEXT, DEC),
	    AT(timestamp.tv_usec, 24, 4, 32, 8, SEXT, DEC),
	    AT(timecode.type, 28, 4, 40, 4, COPY, UDEC),
	    AT(timecode.flags, 32, 4, 44, 4, COPY, UDEC),
	    AT(timecode.frames, 36, 1, 48, 1, COPY, UDEC),
	    AT(timecode.seconds, 37, 1, 49, 1, COPY, UDEC),
	    AT(timecode.minutes, 38, 1, 50, 1, COPY, UDEC),
	    AT(timecode.hours, 39, 1, 51, 1, COPY, UDEC),
	    AT(timecode.userbits, 40, 4, 52, 4, COPY, BYTES),
	    AT(sequence, 44, 4, 56, 4, COPY, UDEC), AT(memory, 48, 4, 60, 4, COPY, UDEC),
	    AT(m.offset, 52, 4, 64, 4, COPY, UDEC), AT(length, 56, 4, 72, 4, COPY, UDEC),
	    AT(reserved2, 60, 4, 76, 4, COPY, HIDE), AT(request_fd, 64, 4, 80, 4, COPY, DEC));

DESCRIBE_AT(v4l2_plane, 60, 64, "linux/videodev2.h", "struct v4l2_plane",
	    AT(bytesused, 0, 4, 0, 4, COPY, UDEC), AT(length, 4, 4, 4, 4, COPY, UDEC),
	    AT(m.mem_offset, 8, 4, 8, 4, COPY, UDEC), AT(data_offset, 12, 4, 16, 4, COPY, UDEC),
	    AT_ARRAY(reserved, 16, 4, 20, 4, 11, COPY, HIDE));

DESCRIBE_AT(v4l2_event, 128, 136, "linux/videodev2.h", "struct v4l2_event",
	    AT(type, 0, 4, 0, 4, COPY, UDEC), F_PAD(4, 4), AT(u, 8, 64, 8, 64, COPY, BYTES),
	    AT(pending, 72, 4, 72, 4, COPY, UDEC), AT(sequence, 76, 4, 76, 4, COPY, UDEC),
	    AT(timestamp.tv_sec, 80, 4, 80, 8, SEXT, DEC),
	    AT(timestamp.tv_nsec, 84, 4, 88, 8, SEXT, DEC), AT(id, 88, 4, 96, 4, COPY, UDEC),
	    AT_ARRAY(reserved, 92, 4, 100, 4, 8, COPY, HIDE), F_PAD(124, 4));

DESCRIBE_AT(v4l2_edid, 36, 40, "linux/videodev2.h", "struct v4l2_edid",
	    AT(pad, 0, 4, 0, 4, COPY, HIDE), AT(start_block, 4, 4, 4, 4, COPY, UDEC),
	    AT(blocks, 8, 4, 8, 4, COPY, UDEC), AT_ARRAY(reserved, 12, 4, 12, 4, 5, COPY, HIDE),
	    AT(edid, 32, 4, 32, 8, PTR, GPTR));

DESCRIBE_AT(v4l2_ext_controls, 24, 32, "linux/videodev2.h", "struct v4l2_ext_controls",
	    AT(which, 0, 4, 0, 4, COPY, UDEC), AT(count, 4, 4, 4, 4, COPY, UDEC),
	    AT(error_idx, 8, 4, 8, 4, COPY, UDEC), AT(request_fd, 12, 4, 12, 4, COPY, DEC),
	    AT_ARRAY(reserved, 16, 4, 16, 4, 1, COPY, HIDE),
	    AT(controls, 20, 4, 24, 8, ZEXT, GPTR));

DESCRIBE_AT(v4l2_framebuffer, 44, 48, "linux/videodev2.h", "struct v4l2_framebuffer",
	    AT(capability, 0, 4, 0, 4, COPY, UDEC), AT(flags, 4, 4, 4, 4, COPY, UDEC),
	    AT(base, 8, 4, 8, 8, ZEXT, GPTR), AT(fmt.width, 12, 4, 16, 4, COPY, UDEC),
	    AT(fmt.height, 16, 4, 20, 4, COPY, UDEC), AT(fmt.pixelformat, 20, 4, 24, 4, COPY, UDEC),
	    AT(fmt.field, 24, 4, 28, 4, COPY, UDEC), AT(fmt.bytesperline, 28, 4, 32, 4, COPY, UDEC),
	    AT(fmt.sizeimage, 32, 4, 36, 4, COPY, UDEC),
	    AT(fmt.colorspace, 36, 4, 40, 4, COPY, UDEC), AT(fmt.priv, 40, 4, 44, 4, COPY, UDEC));

DESCRIBE_AT(media_links_enum, 28, 40, "linux/media.h", "struct media_links_enum",
	    AT(entity, 0, 4, 0, 4, COPY, UDEC), AT(pads, 4, 4, 8, 8, PTR, GPTR),
	    AT(links, 8, 4, 16, 8, PTR, GPTR), AT_ARRAY(reserved, 12, 4, 24, 4, 4, COPY, HIDE));

DESCRIBE_AT(uvc_xu_control_mapping, 88, 96, "linux/uvcvideo.h", "struct uvc_xu_control_mapping",
	    AT(id, 0, 4, 0, 4, COPY, UDEC), AT(name, 4, 32, 4, 32, COPY, BYTES),
	    AT(entity, 36, 16, 36, 16, COPY, BYTES), AT(selector, 52, 1, 52, 1, COPY, UDEC),
	    AT(size, 53, 1, 53, 1, COPY, UDEC), AT(offset, 54, 1, 54, 1, COPY, UDEC), F_PAD(55, 1),
	    AT(v4l2_type, 56, 4, 56, 4, COPY, UDEC), AT(data_type, 60, 4, 60, 4, COPY, UDEC),
	    AT(menu_info, 64, 4, 64, 8, PTR, GPTR), AT(menu_count, 68, 4, 72, 4, COPY, UDEC),
	    AT_ARRAY(reserved, 72, 4, 76, 4, 4, COPY, HIDE));

DESCRIBE_AT(uvc_xu_control_query, 12, 16, "linux/uvcvideo.h", "struct uvc_xu_control_query",
	    AT(unit, 0, 1, 0, 1, COPY, UDEC), AT(selector, 1, 1, 1, 1, COPY, UDEC),
	    AT(query, 2, 1, 2, 1, COPY, UDEC), F_PAD(3, 1), AT(size, 4, 2, 4, 2, COPY, UDEC),
	    F_PAD(6, 2), AT(data, 8, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(ivtv_dma_frame, 56, 64, "linux/videodev2.h", "struct ivtv_dma_frame",
	    AT(type, 0, 4, 0, 4, COPY, UDEC), AT(pixelformat, 4, 4, 4, 4, COPY, UDEC),
	    AT(y_source, 8, 4, 8, 8, PTR, GPTR), AT(uv_source, 12, 4, 16, 8, PTR, GPTR),
	    AT(src.left, 16, 4, 24, 4, COPY, DEC), AT(src.top, 20, 4, 28, 4, COPY, DEC),
	    AT(src.width, 24, 4, 32, 4, COPY, UDEC), AT(src.height, 28, 4, 36, 4, COPY, UDEC),
	    AT(dst.left, 32, 4, 40, 4, COPY, DEC), AT(dst.top, 36, 4, 44, 4, COPY, DEC),
	    AT(dst.width, 40, 4, 48, 4, COPY, UDEC), AT(dst.height, 44, 4, 52, 4, COPY, UDEC),
	    AT(src_width, 48, 4, 56, 4, COPY, UDEC), AT(src_height, 52, 4, 60, 4, COPY, UDEC));

DESCRIBE_AT(ivtvfb_dma_frame, 12, 24, "linux/videodev2.h", "struct ivtvfb_dma_frame",
	    AT(source, 0, 4, 0, 8, PTR, GPTR), AT(dest_offset, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(count, 8, 4, 16, 4, COPY, DEC));

/* Overlay windows, which hold addresses, are refused by the commands' handler. */
DESCRIBE_AT(v4l2_format, 204, 208, "linux/videodev2.h", "struct v4l2_format",
	    AT(type, 0, 4, 0, 4, COPY, UDEC), AT(fmt.raw_data, 4, 200, 8, 200, COPY, BYTES));

DESCRIBE_AT(v4l2_create_buffers, 248, 256, "linux/videodev2.h", "struct v4l2_create_buffers",
	    AT(index, 0, 4, 0, 4, COPY, UDEC), AT(count, 4, 4, 4, 4, COPY, UDEC),
	    AT(memory, 8, 4, 8, 4, COPY, UDEC), AT_NEST(format, 12, 204, 16, 208, 0, v4l2_format),
	    AT(capabilities, 216, 4, 224, 4, COPY, UDEC), AT(flags, 220, 4, 228, 4, COPY, UDEC),
	    AT_ARRAY(reserved, 224, 4, 232, 4, 6, COPY, HIDE));

/* --- digital television ------------------------------------------------------------------------------ */

DESCRIBE_AT(dtv_property, 72, 76, "linux/dvb/frontend.h", "struct dtv_property",
	    AT(cmd, 0, 4, 0, 4, COPY, UDEC), AT_ARRAY(reserved, 4, 4, 4, 4, 3, COPY, HIDE),
	    AT(u.buffer.data, 16, 32, 16, 32, COPY, BYTES),
	    AT(u.buffer.len, 48, 4, 48, 4, COPY, UDEC),
	    AT_ARRAY(u.buffer.reserved1, 52, 4, 52, 4, 3, COPY, HIDE),
	    AT(u.buffer.reserved2, 64, 4, 64, 8, PTR, GPTR), AT(result, 68, 4, 72, 4, COPY, DEC));

DESCRIBE_AT(dtv_properties, 8, 16, "linux/dvb/frontend.h", "struct dtv_properties",
	    AT(num, 0, 4, 0, 4, COPY, UDEC),
	    AT_LIST(props, 4, 8, dtv_property, .count_field = "num", .list_out = true));

DESCRIBE_AT(osd_cmd, 28, 32, "linux/dvb/osd.h", "osd_cmd_t", AT(cmd, 0, 4, 0, 4, COPY, UDEC),
	    AT(x0, 4, 4, 4, 4, COPY, DEC), AT(y0, 8, 4, 8, 4, COPY, DEC),
	    AT(x1, 12, 4, 12, 4, COPY, DEC), AT(y1, 16, 4, 16, 4, COPY, DEC),
	    AT(color, 20, 4, 20, 4, COPY, DEC), AT(data, 24, 4, 24, 8, PTR, GPTR));

DESCRIBE_AT(osd_cap, 8, 16, "linux/dvb/osd.h", "osd_cap_t", AT(cmd, 0, 4, 0, 4, COPY, DEC),
	    AT(val, 4, 4, 8, 8, SEXT, DEC));

DESCRIBE_AT(video_event, 20, 32, "linux/dvb/video.h", "struct video_event",
	    AT(type, 0, 4, 0, 4, COPY, DEC), AT(timestamp, 4, 4, 8, 8, SEXT, DEC),
	    AT(u, 8, 12, 16, 12, COPY, BYTES));

DESCRIBE_AT(video_still_picture, 8, 16, "linux/dvb/video.h", "struct video_still_picture",
	    AT(iFrame, 0, 4, 0, 8, PTR, GPTR), AT(size, 4, 4, 8, 4, COPY, DEC));

/* --- parts of others ------------------------------------------------------------------------------------------- */

/* In v4l2_format. */
DESCRIBE_AT(v4l2_window, 40, 56, "linux/videodev2.h", "struct v4l2_window",
	    AT(w.left, 0, 4, 0, 4, COPY, DEC), AT(w.top, 4, 4, 4, 4, COPY, DEC),
	    AT(w.width, 8, 4, 8, 4, COPY, UDEC), AT(w.height, 12, 4, 12, 4, COPY, UDEC),
	    AT(field, 16, 4, 16, 4, COPY, UDEC), AT(chromakey, 20, 4, 20, 4, COPY, HEX),
	    AT(clips, 24, 4, 24, 8, PTR, GPTR), AT(clipcount, 28, 4, 32, 4, COPY, UDEC),
	    AT(bitmap, 32, 4, 40, 8, PTR, GPTR), AT(global_alpha, 36, 1, 48, 1, COPY, UDEC),
	    F_PAD(37, 3));

/* Of v4l2_ext_controls, one whose value is a number; for those with a pointer (size is not 0) string is. */
#define HOST struct host_v4l2_ext_control
DESCRIBE_SAME(v4l2_ext_control, 20, "linux/videodev2.h", "struct v4l2_ext_control",
	      F(id, 0, 4, COPY, HEX), F(size, 4, 4, COPY, UDEC),
	      F_ARRAY(reserved2, 8, 4, 1, COPY, HIDE), F(value64, 12, 8, COPY, DEC));
#undef HOST
DESCRIBE_AT(v4l2_ext_control_ptr, 20, 20, "linux/videodev2.h", "struct v4l2_ext_control",
	    AT(id, 0, 4, 0, 4, COPY, HEX), AT(size, 4, 4, 4, 4, COPY, UDEC),
	    AT_ARRAY(reserved2, 8, 4, 8, 4, 1, COPY, HIDE), AT(string, 12, 4, 12, 8, PTR, GPTR),
	    F_PAD(16, 4));
