#include "io/warc_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "io/sha1.h"

/* A random UUID: https://www.rfc-editor.org/rfc/rfc9562#section-5.4 */
void wn_io_record_id(char id[WN_IO_RECORD_ID])
{
    unsigned char u[16] = {0};
    if (getrandom(u, sizeof u, 0) != sizeof u) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        memcpy(u, &now, sizeof now < sizeof u ? sizeof now : sizeof u);
    }
    u[6] = (unsigned char)((u[6] & 0x0F) | 0x40);
    u[8] = (unsigned char)((u[8] & 0x3F) | 0x80);
    snprintf(id, WN_IO_RECORD_ID,
             "<urn:uuid:%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x>",
             u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13],
             u[14], u[15]);
}

void wn_io_record_date(char date[WN_IO_RECORD_DATE])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, WN_IO_RECORD_DATE, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static void add_field(wn_buf *out, const char *name, const char *value)
{
    if (value && *value)
        wn_buf_add_format(out, "%s: %s\r\n", name, value);
}

static void add_digest(wn_buf *out, const char *name, wn_str first, wn_str second)
{
    char label[WN_IO_SHA1_LABEL];
    wn_io_sha1 sha1;
    wn_io_sha1_begin(&sha1);
    wn_io_sha1_add(&sha1, first);
    wn_io_sha1_add(&sha1, second);
    wn_io_sha1_label(&sha1, label);
    add_field(out, name, label);
}

void wn_io_warc_write(wn_io_output *output, const wn_io_warc_entry *entry)
{
    wn_buf lines = {0};
    wn_buf_add_literal(&lines, "WARC/1.1\r\n");
    add_field(&lines, "WARC-Type", entry->type);
    add_field(&lines, "WARC-Record-ID", entry->id);
    add_field(&lines, "WARC-Date", entry->date);
    add_field(&lines, "WARC-Target-URI", entry->url);
    add_field(&lines, "WARC-IP-Address", entry->ip);
    add_field(&lines, "WARC-Concurrent-To", entry->concurrent_to);
    add_field(&lines, "WARC-Truncated", entry->truncated);
    wn_buf_add(&lines, entry->extra);
    add_digest(&lines, "WARC-Block-Digest", entry->head, entry->body);
    if (entry->has_payload)
        add_digest(&lines, "WARC-Payload-Digest", WN_STR(""), entry->body);
    add_field(&lines, "Content-Type", entry->content_type);
    wn_buf_add_format(&lines, "Content-Length: %zu\r\n\r\n", entry->head.len + entry->body.len);
    wn_io_output_add(output, wn_buf_str(&lines));
    wn_io_output_add(output, entry->head);
    wn_io_output_add(output, entry->body);
    wn_io_output_add(output, WN_STR("\r\n\r\n"));
    wn_io_output_end_piece(output);
    wn_buf_free(&lines);
}
