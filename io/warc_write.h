/* Writes records of WARC 1.1, one by one; in a compressed file each is compressed separately. */
#ifndef WN_IO_WARC_WRITE_H
#define WN_IO_WARC_WRITE_H

#include "io/output.h"

enum { WN_IO_RECORD_ID = 48, WN_IO_RECORD_DATE = 24 };

/* What is in a record; NULL and "" are left out. */
typedef struct wn_io_warc_entry {
    const char *type; /* "response", … */
    const char *url;
    const char *id;           /* wn_io_record_id() made it */
    const char *date;         /* wn_io_record_date() */
    const char *content_type; /* of the block */
    const char *ip;
    const char *concurrent_to;
    const char *truncated; /* "length", "time" */
    wn_str extra;          /* more header lines, each with its end */
    wn_str head, body;     /* the block is both */
    bool has_payload;      /* and the body is what the address leads to */
} wn_io_warc_entry;

/* "<urn:uuid:…>", never the same twice; and the time in UTC. */
void wn_io_record_id(char id[WN_IO_RECORD_ID]);
void wn_io_record_date(char date[WN_IO_RECORD_DATE]);

void wn_io_warc_write(wn_io_output *output, const wn_io_warc_entry *entry);

#endif
