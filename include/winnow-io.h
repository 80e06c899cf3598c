/*
 * winnow-io: pages from files, archives and the web, many at a time.
 *
 * libwinnow works on the bytes of one page and opens no files. This library, libwinnow-io, gives
 * it the pages:
 *
 *     1. Archives            WARC, ARC, WET, JSON lines: one record after the other
 *
 * The rules at the top of winnow.h hold here too: opaque handles, structs that you hand in begin
 * with their size, NULL gives an error and not a crash, input may be anything.
 */
#ifndef WINNOW_IO_H
#define WINNOW_IO_H

#include <winnow.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. Archives ------------------------------------------------------------------------- */

/*
 * A reader gives the records of an archive in their order:
 *
 *     winnow_reader *reader = winnow_reader_open("crawl.warc.gz", NULL);
 *     const winnow_archive_record *record;
 *     while ((record = winnow_reader_next(reader)))
 *         printf("%s %s %zu bytes\n", record->type_name, record->url, record->size);
 *     puts(winnow_reader_error(reader)->message);
 *     winnow_reader_close(reader);
 *
 * Archives are WARC (0.17 to 1.1, also WET and WAT), ARC (1 and 2), and JSON lines with a page in
 * each; any other file is one record, a page. Each may be compressed with gzip, zstd or lz4, as a
 * whole or piece by piece. What a file is, is detected from its content.
 *
 * Damage is passed over: a record that is cut short is given with what there is of it, and after
 * a damaged place the reader finds the next record. Memory is bounded by `max_record`, whatever
 * the file expands to. Use one reader in one thread at a time.
 */
typedef struct winnow_reader winnow_reader;

typedef enum winnow_archive_kind {
    WINNOW_ARCHIVE_DETECT, /* by the content */
    WINNOW_ARCHIVE_WARC,   /* or ARC */
    WINNOW_ARCHIVE_JSONL,  /* an object per line */
    WINNOW_ARCHIVE_PAGE,   /* the whole file is one record */
} winnow_archive_kind;

/* How an archive is read. Set struct_size to sizeof(winnow_reader_settings). */
typedef struct winnow_reader_settings {
    size_t struct_size;
    winnow_archive_kind kind;
    /*
     * Only records that start at `start` or after it and before `end` (0: the end of the file) are
     * read. Ranges that touch each other share no record and miss none, so a file can be read in
     * parts by many machines: cut it anywhere. The range of a record in a compressed piece is
     * decided by the start of the piece; the range of a line in a compressed file by the piece
     * that holds the end of the line before it.
     */
    uint64_t start, end;
    uint64_t max_record;    /* bytes of a body; longer ones are cut. 0: 64 MiB */
    bool pages_only;        /* leave out everything that is not a web page */
    const char *html_field; /* of JSON lines; NULL: "html" */
    const char *url_field;  /* NULL: "url" */
    const char *id_field;   /* NULL: "id" */
} winnow_reader_settings;

/*
 * Reads the file `path` ("-": standard input), the descriptor `fd` from where it is, or `size`
 * bytes in memory. The descriptor and the bytes are borrowed until winnow_reader_close(). The
 * settings are copied; NULL means the defaults.
 *
 * NULL only when memory is out. A reader of a file that cannot be opened has no records, and
 * winnow_reader_error() says why.
 */
WINNOW_API winnow_reader *winnow_reader_open(const char *path,
                                             const winnow_reader_settings *settings);
WINNOW_API winnow_reader *winnow_reader_open_descriptor(int fd,
                                                        const winnow_reader_settings *settings);
WINNOW_API winnow_reader *winnow_reader_open_memory(const void *bytes, size_t size,
                                                    const winnow_reader_settings *settings);

/* Where bytes come from that are neither in a file nor in memory. The struct is copied. */
typedef struct winnow_stream {
    size_t struct_size;
    /* Puts up to `size` bytes into `buffer` and returns how many; 0 at the end, -1 on failure. */
    int64_t (*read)(void *data, void *buffer, size_t size);
    /*
     * Goes to a place in the file; false if that failed. NULL: it cannot; then a range is reached
     * by reading what is before it.
     */
    bool (*seek)(void *data, uint64_t offset);
    uint64_t size; /* of the file; 0: unknown */
    void *data;    /* given to both */
} winnow_stream;

WINNOW_API winnow_reader *winnow_reader_open_stream(const winnow_stream *stream,
                                                    const winnow_reader_settings *settings);
WINNOW_API void winnow_reader_close(winnow_reader *reader);

typedef enum winnow_record_type {
    WINNOW_RECORD_OTHER, /* not in the standard */
    WINNOW_RECORD_WARCINFO,
    WINNOW_RECORD_RESPONSE, /* also each page of an ARC file */
    WINNOW_RECORD_RESOURCE,
    WINNOW_RECORD_REQUEST,
    WINNOW_RECORD_METADATA,
    WINNOW_RECORD_REVISIT,
    WINNOW_RECORD_CONVERSION, /* as in WET: plain text that was a page */
    WINNOW_RECORD_CONTINUATION,
    WINNOW_RECORD_PAGE, /* a line of JSON, or a whole file */
} winnow_record_type;

/* A record. Strings are "" where nothing is known. Everything is valid until the next call. */
typedef struct winnow_archive_record {
    winnow_record_type type;
    const char *type_name; /* as the archive has it; "page" for WINNOW_RECORD_PAGE */
    const char *id;
    const char *url;
    const char *date;       /* as the archive has it: "2024-05-03T10:11:12Z", "20240503101112" */
    int status;             /* of HTTP: 200; 0 if unknown */
    const char *media_type; /* of the body, in lower case, without parameters: "text/html" */
    const char *charset;    /* that the server declared */
    bool is_page;           /* it is HTML, by what is declared and by its bytes */
    bool truncated;         /* the body is not complete: the file ends, or it is too long */
    bool damaged;           /* its compression, or its line of JSON: see `problem` */
    const char *problem;    /* why there is no body */
    const void *body;       /* without HTTP header, chunks and compression */
    size_t size;
    const char *header; /* all header lines of the record in the archive */
    size_t header_size;
    const char *http_header; /* of a response */
    size_t http_header_size;
    /*
     * Where it starts in the file: the compressed piece, and the bytes to skip in the piece (0 if
     * each record has its own, or the file is not compressed).
     */
    uint64_t offset, inner;
    uint64_t length; /* bytes from `offset` to the next record; 0 if they share a piece */
} winnow_archive_record;

/* The next record; NULL at the end. */
WINNOW_API const winnow_archive_record *winnow_reader_next(winnow_reader *reader);

/* What the file is; WINNOW_ARCHIVE_DETECT if it could not be read. */
WINNOW_API winnow_archive_kind winnow_reader_kind(const winnow_reader *reader);

/*
 * What is wrong with the file as far as it was read; never NULL. The status is OK, UNREADABLE
 * (it could not be opened, or not read to its end), PARTIAL (it is damaged; all other records
 * were read), NO_MEMORY or BAD_ARGUMENT. Valid until the next call.
 */
WINNOW_API const winnow_error *winnow_reader_error(const winnow_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
