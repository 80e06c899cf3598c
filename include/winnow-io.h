/*
 * winnow-io: pages from files, archives and the web, many at a time.
 *
 * libwinnow works on the bytes of one page and opens no files. This library, libwinnow-io, gives
 * it the pages:
 *
 *     1. The easy call       files, archives and addresses in, records out, on all cores
 *     2. Archives            WARC, ARC, WET, JSON lines: one record after the other
 *     3. Inputs              what a user names: files, directories, archives, addresses
 *     4. Style sheets        those that pages link to, for methods that lay pages out
 *     5. Many pages          your own work on pages, on many threads, in order
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

/* ---- 1. The easy call -------------------------------------------------------------------- */

/*
 * Extracts the pages of all `names` on many threads, and gives you the output piece by piece, in
 * the order of the pages: the same bytes for every number of threads.
 *
 *     static bool print(void *data, const char *bytes, size_t size)
 *     {
 *         return fwrite(bytes, 1, size, data) == size;
 *     }
 *
 *     const char *names[] = {"crawl.warc.gz", NULL};
 *     winnow_extraction plan = {
 *         .struct_size = sizeof plan,
 *         .format = WINNOW_FORMAT_JSONL,
 *         .threads = 4,
 *         .write = print,
 *         .data = stdout,
 *     };
 *     winnow_extract_all(names, &plan, NULL);
 *
 * A name is anything that section 3 takes. Memory is bounded, however many pages there are.
 */
typedef struct winnow_extraction {
    size_t struct_size;
    const char *method; /* NULL: "auto" */
    winnow_format format;
    const winnow_options *options; /* for all pages; NULL: the defaults */
    size_t threads;                /* 0: one per processor core */
    uint64_t limit;                /* pages at most; 0: all */

    /* The next bytes of the output; false: stop. */
    bool (*write)(void *data, const char *bytes, size_t size);
    /*
     * May be NULL: called before the output of a page is written, also if it has none. `error` is a
     * sentence, "" if all is well.
     */
    void (*report)(void *data, const char *id, winnow_status status, const char *error);
    /* May be NULL: called now and then, by any thread; true: stop. */
    winnow_cancel *cancel;
    void *data; /* given to all three */
} winnow_extraction;

/* What became of the pages. Set struct_size to sizeof(winnow_counts); the rest is filled in. */
typedef struct winnow_counts {
    size_t struct_size;
    uint64_t extracted; /* there is text, perhaps not all of it */
    uint64_t empty;
    uint64_t failed; /* could not be read, or are not web pages */
    uint64_t bytes;  /* of all pages */
} winnow_counts;

/*
 * The names end with NULL. `counts` may be NULL. OK, also if pages failed; CANCELLED if a callback
 * stopped it; UNKNOWN_METHOD, BAD_PARAMETER, NO_MEMORY or BAD_ARGUMENT.
 */
WINNOW_API winnow_status winnow_extract_all(const char *const *names, const winnow_extraction *plan,
                                            winnow_counts *counts);

/* ---- 2. Archives ------------------------------------------------------------------------- */

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
 * Damage is skipped: a record that is cut short is given with what there is of it, and after
 * a damaged place the reader finds the next record. Memory is bounded by `max_record`, whatever
 * the file expands to. Use one reader in one thread at a time.
 */
typedef struct winnow_reader winnow_reader;

typedef enum winnow_archive_kind {
    WINNOW_ARCHIVE_DETECT, /* by the content */
    WINNOW_ARCHIVE_WARC,   /* or ARC */
    WINNOW_ARCHIVE_JSONL,  /* an object per line */
    WINNOW_ARCHIVE_PAGE,   /* the whole file is one record */
    WINNOW_ARCHIVE_TEXT,   /* the same, and it is plain text; only of winnow_inputs_settings */
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
    uint64_t max_record;    /* bytes of a body; longer ones are cut. 0: 32 MiB */
    bool pages_only;        /* leave out everything that is not a web page */
    const char *html_field; /* of JSON lines; NULL: "html" */
    const char *url_field;  /* NULL: "url" */
    const char *id_field;   /* NULL: "id" */
    bool lazy;              /* of WARC and ARC: see winnow_reader_body() */
} winnow_reader_settings;

/*
 * Reads the file `path` ("-": standard input), the descriptor `fd` from where it is, or `size`
 * bytes in memory. The descriptor and the bytes are borrowed until winnow_reader_close(). The
 * settings are copied; NULL means the defaults.
 *
 * NULL only if out of memory. A reader of a file that cannot be opened has no records, and
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
    WINNOW_RECORD_CONVERSION, /* as in WET: plain text that was a page; see WINNOW_PLAIN_TEXT */
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
    bool is_page;           /* HTML, by what is declared and by its bytes; or its text, as in WET */
    bool truncated;         /* the body's end is missing, or it is too long */
    bool damaged;           /* its chunks or compression, or its line of JSON: see `problem` */
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
    uint64_t length;          /* bytes from `offset` to the next record; 0 if they share a piece */
    const char *content_type; /* as it is declared, with its parameters */
    bool declared_html;       /* by its content type */
    uint64_t block_size;      /* bytes after the record's header, as they are stored */
    bool encoded;             /* the body is stored in chunks or compressed */
    const char *truncated_by; /* why the archive did not keep all of it: WARC-Truncated */
    bool too_long;            /* the body was cut at `max_record`; `truncated` is true as well */
} winnow_archive_record;

/* The next record; NULL at the end. */
WINNOW_API const winnow_archive_record *winnow_reader_next(winnow_reader *reader);

/*
 * With `lazy` set, records of WARC and ARC come without their bodies, so that looking through an
 * archive needs no memory for them. Until the body is read, `body` and `length` are empty,
 * `is_page` goes by what is declared, and `truncated` and `damaged` say nothing of an encoded body.
 *
 * winnow_reader_body() reads the body of the record at hand and returns that record, complete.
 * winnow_reader_block() gives the block as it is stored, the HTTP header first, piece by piece:
 * *bytes is valid until the next call, and 0 is the end. Use one of the two.
 */
WINNOW_API const winnow_archive_record *winnow_reader_body(winnow_reader *reader);
WINNOW_API size_t winnow_reader_block(winnow_reader *reader, const void **bytes);

/*
 * Goes to the record of a WARC or ARC file that starts at a place that an earlier record had. False
 * if the file cannot be sought. If nothing starts there, the next record is another one.
 */
WINNOW_API bool winnow_reader_seek(winnow_reader *reader, uint64_t offset, uint64_t inner);

/* What was seen of a file so far. Set struct_size; the rest is filled in. */
typedef struct winnow_reader_summary {
    size_t struct_size;
    bool arc;                /* of WARC and ARC: which of them */
    bool seekable;           /* winnow_reader_seek() works */
    const char *compression; /* "gzip", "zstd", "lz4"; "plain" if there is none */
    uint64_t records;        /* of WARC and ARC */
    uint64_t cut_short;      /* records whose end is missing in the file */
    uint64_t malformed;      /* places where a record should begin and does not */
    const char *error;       /* why the file was not read to its end; NULL: it was */
} winnow_reader_summary;
WINNOW_API void winnow_reader_summarise(const winnow_reader *reader,
                                        winnow_reader_summary *summary);

/* What the file is; WINNOW_ARCHIVE_DETECT if it could not be read. */
WINNOW_API winnow_archive_kind winnow_reader_kind(const winnow_reader *reader);

/*
 * What is wrong with the file as far as it was read; never NULL. The status is OK, UNREADABLE
 * (it could not be opened, or not read to its end), PARTIAL (it is damaged; all other records
 * were read), NO_MEMORY or BAD_ARGUMENT. Valid until the next call.
 */
WINNOW_API const winnow_error *winnow_reader_error(const winnow_reader *reader);

/* ---- 3. Inputs --------------------------------------------------------------------------- */

/*
 * Inputs are what a user names: files, which may be archives (section 2) or pages, also compressed;
 * directories (all pages and web archives below them, also compressed, in the bytewise order of
 * their paths);
 * addresses that begin with http:// or https://; and "-", standard input. They are a sequence of
 * pages, always in the same order:
 *
 *     winnow_inputs *inputs = winnow_inputs_open(names, NULL);
 *     const winnow_input *input;
 *     while ((input = winnow_inputs_next(inputs))) {
 *         const winnow_loaded *page = winnow_inputs_load(inputs);
 *         if (!page->error && !page->skip)
 *             winnow_parse(handle, page->bytes, page->size, NULL);
 *     }
 *     winnow_inputs_close(inputs);
 *
 * Nothing is read before it is needed. Of an archive only what may be a page is given out. From the
 * web, only addresses that are public are connected to, wherever a name or a redirect leads.
 */
typedef struct winnow_inputs winnow_inputs;

/* A value of max_redirects. */
#define WINNOW_NO_REDIRECTS UINT64_MAX

typedef struct winnow_inputs_settings {
    size_t struct_size;
    uint64_t max_bytes;     /* of a page; no more is read. 0: 32 MiB; at most 2 GiB */
    uint64_t max_record;    /* of one that is compressed or in an archive. 0: 32 MiB */
    double timeout;         /* seconds for a page from the web. 0: 30 */
    uint64_t max_redirects; /* 0: 10 */
    bool allow_private;     /* also fetch from addresses that are not public, and use proxies */
    /*
     * What named files and standard input are. DETECT goes by their names and first bytes.
     */
    winnow_archive_kind from;
    const char *html_field; /* of JSON lines; NULL: "html" */
    const char *url_field;  /* NULL: "url" */
    const char *id_field;   /* NULL: "id" */
    const char *user_agent; /* the User-Agent header; NULL: winnow's own */
    const char *proxy;      /* for pages from the web; it may then connect to any address */
    /* Headers to send to web servers, such as "Cookie: a=b"; ends with NULL. May be NULL. */
    const char *const *headers;
} winnow_inputs_settings;

/*
 * The names end with NULL and are borrowed; none means standard input. NULL only when memory is
 * out, or `names` is NULL. Call it before other threads use libcurl if a name is an address.
 */
WINNOW_API winnow_inputs *winnow_inputs_open(const char *const *names,
                                             const winnow_inputs_settings *settings);
WINNOW_API void winnow_inputs_close(winnow_inputs *inputs);

typedef enum winnow_input_kind {
    WINNOW_INPUT_FILE,  /* that was named */
    WINNOW_INPUT_FOUND, /* in a directory */
    WINNOW_INPUT_STANDARD,
    WINNOW_INPUT_URL,
    WINNOW_INPUT_RECORD,     /* of a web archive */
    WINNOW_INPUT_LINE,       /* of a file of JSON lines */
    WINNOW_INPUT_UNREADABLE, /* a directory or archive that could not be read, or not all of it */
    WINNOW_INPUT_NO_PAGES,   /* a directory or web archive that was named and has none */
    WINNOW_INPUT_DAMAGED,    /* an archive that was read but for damaged places */
} winnow_input_kind;

/* A page to come, or what is wrong with an input. Strings are NULL where there is nothing. */
typedef struct winnow_input {
    winnow_input_kind kind;
    const char *id;         /* the path, the address, "-", the record's id, or FILE@OFFSET */
    const char *error;      /* what is wrong */
    const char *file;       /* of a record or line: the file that holds it, */
    uint64_t offset, inner; /* and where: see winnow_archive_record */
    const char *url;        /* of a record */
    const char *type;       /* of a record: its declared content type */
    size_t name;            /* which of the names led here, from 0 */
    uint64_t broken;        /* of a record: damaged places of its file up to here */
    const void *start;      /* of standard input: what was read to see what it is */
    size_t start_size;
    const char *date; /* of a record: when it was fetched, as the archive has it */
    uint64_t length;  /* of a record or line: see winnow_archive_record */
} winnow_input;

/* The next one; NULL at the end. Valid until the next call. */
WINNOW_API const winnow_input *winnow_inputs_next(winnow_inputs *inputs);

/* The bytes of a page. Strings are NULL where there is nothing. Valid until the next call. */
typedef struct winnow_loaded {
    const void *bytes; /* up to the limit and one byte more, if there are so many */
    size_t size;
    const char *id;         /* that the page has of itself (JSON lines); NULL: the input's */
    const char *url;        /* of a fetched page, after redirects; of a record */
    const char *charset;    /* that the server declares */
    const char *error;      /* why there are no bytes */
    uint64_t limit;         /* the page is longer than this, by max_record or max_bytes; else 0 */
    bool not_html;          /* the server says that it is something else; `error` says what */
    bool damaged;           /* its chunks or its compression: the bytes end there */
    bool skip;              /* a record of an archive that is not a page after all */
    bool truncated;         /* its end is missing: cut off, or shorter than it was declared */
    int http_status;        /* of a record: 200; 0: not known */
    const char *media_type; /* of a record: that the server declared, in lower case */
} winnow_loaded;

/* Reads what winnow_inputs_next() returned last; never NULL. */
WINNOW_API const winnow_loaded *winnow_inputs_load(winnow_inputs *inputs);

/*
 * Whether there is one page only: one name, which is neither a directory nor an archive. Standard
 * input is looked at for that, so this may wait.
 */
WINNOW_API bool winnow_inputs_single(winnow_inputs *inputs);

/* The inputs still to come, as far as is known; *exact says whether that is all. */
WINNOW_API uint64_t winnow_inputs_ahead(const winnow_inputs *inputs, bool *exact);

/* Bytes of archives that have been read; *total is of all of them, 0 if that is not known. */
WINNOW_API uint64_t winnow_inputs_bytes(winnow_inputs *inputs, uint64_t *total);

/* The members of a winnow_input that tell where it was. */
typedef struct winnow_bookmark {
    size_t struct_size;
    size_t name;
    const char *id, *file;
    uint64_t offset, inner, broken;
} winnow_bookmark;

/*
 * Continues after an input of an earlier run, with the same names. Call it before the first
 * winnow_inputs_next(); false if that input is not there any more, and then close the inputs.
 */
WINNOW_API bool winnow_inputs_resume(winnow_inputs *inputs, const winnow_bookmark *last);

/* The bytes of single files, decompressed, for what goes with pages: lists, gold, style sheets. */
typedef struct winnow_loader winnow_loader;
WINNOW_API winnow_loader *winnow_loader_new(const winnow_inputs_settings *settings);
WINNOW_API void winnow_loader_free(winnow_loader *loader);

/* Reads a file ("-": standard input); never NULL. Valid until the next call. */
WINNOW_API const winnow_loaded *winnow_loader_load(winnow_loader *loader, const char *path);

/* ---- 4. Style sheets --------------------------------------------------------------------- */

/*
 * The style sheets that pages link to: from disk if the page is a file, and from the web if you
 * want that. Links are written by strangers, so a page on disk only reads files below its own
 * folder (or below the directory that was named), and other pages read none; from the web, the
 * rules of section 3 hold. What was read is kept for the next pages, which often share it. Use one
 * handle in one thread at a time.
 */
typedef struct winnow_sheets winnow_sheets;

typedef struct winnow_sheets_settings {
    size_t struct_size;
    bool fetch;                    /* also from the web */
    const char *root;              /* the folder of all pages on disk, borrowed; NULL: as above */
    winnow_inputs_settings inputs; /* for the web; its timeout is that of all sheets of a page */
} winnow_sheets_settings;

/*
 * NULL if out of memory, or the settings do not say their size. With `fetch`, call it before
 * other threads use libcurl.
 */
WINNOW_API winnow_sheets *winnow_sheets_new(const winnow_sheets_settings *settings);
WINNOW_API void winnow_sheets_free(winnow_sheets *sheets);

/*
 * Prepares the options of the next page: call it before winnow_parse(). `input` is one of the
 * inputs that `names` led to; `url` is the page's address, or NULL.
 */
WINNOW_API winnow_status winnow_sheets_offer(winnow_sheets *sheets, const winnow_input *input,
                                             const char *const *names, const char *url,
                                             winnow_options *options);

/* Which sheets of the last page could not be fetched, in a sentence; "" if all could be. */
WINNOW_API const char *winnow_sheets_problem(winnow_sheets *sheets);

/* ---- 5. Many pages ----------------------------------------------------------------------- */

/*
 * Your own work on many pages. Threads do the work; everything else happens in the thread that
 * calls winnow_run_pages(), which takes the results in the order of the pages:
 *
 *     next -> [ . . . . . . . ] -> take        tasks that wait, are worked on, or are done
 *                work work
 *
 * So neither what reads the inputs nor what writes the output needs a lock, and the output cannot
 * depend on the number of threads. With one thread everything happens in the caller's. Memory is
 * bounded: when too many bytes wait to be worked on, or to be taken because a page before them is
 * slow, no new page is begun.
 */

/* One page on its way. You own what `own` points to. */
typedef struct winnow_task {
    uint64_t number;           /* of the page, from 0 */
    const winnow_input *input; /* NULL if the run has no inputs */
    bool skipped;              /* a record that is not a page after all: it was not worked on */
    /*
     * task_size bytes, zero at first. They go from `next` through `work` to `take` and are then
     * used again for another page.
     */
    void *own;
    size_t waiting; /* set it in `work`: bytes that `own` holds until it is taken */
} winnow_task;

/* What one thread works with. */
typedef struct winnow_worker {
    size_t number;     /* from 0 */
    winnow_page *page; /* for winnow_parse(); made again when a page has made it very large */
    /*
     * A copy of the run's options. If there are inputs, the address, the charset and the limit of
     * the page at hand are set in it, unless the run's options set them. You may set more.
     */
    winnow_options *options;
    const winnow_loaded *loaded; /* the bytes; NULL if the run has no inputs */
    void *own;                   /* worker_size bytes, zero at first */
} winnow_worker;

/* Functions that are not needed are NULL. All but `work` and `cancel` are called by one thread. */
typedef struct winnow_run {
    size_t struct_size;
    winnow_inputs *inputs; /* the pages; NULL: `next` says how many there are */
    const winnow_options *options;
    size_t threads; /* 0: one per processor core */
    uint64_t limit; /* pages at most; 0: all */
    size_t task_size, worker_size;

    /* Makes a worker's own things; false: out of memory. And frees them: also if that failed. */
    bool (*begin_worker)(void *data, winnow_worker *worker);
    void (*end_worker)(void *data, winnow_worker *worker);

    /* Prepares the next task; task->input is set. False: there is no more. */
    bool (*next)(void *data, winnow_task *task);

    /* Does it. If the bytes could not be read, worker->loaded->error says why. */
    void (*work)(void *data, winnow_worker *worker, winnow_task *task);

    /* Takes what was made of it; false: stop. */
    bool (*take)(void *data, winnow_task *task);

    /* Frees what a task's own things hold, at the end. */
    void (*end_task)(void *data, winnow_task *task);

    /* Called several times per second while a page takes long. */
    void (*idle)(void *data);

    /*
     * Called now and then; true: stop soon, also in the middle of a page. It replaces the callback
     * of the options.
     */
    winnow_cancel *cancel;

    void *data; /* given to all of them */

    size_t ahead;              /* tasks at a time; 0: 32 per thread */
    size_t max_waiting_input;  /* bytes of records; 0: 32 MiB */
    size_t max_waiting_output; /* bytes that tasks hold: winnow_task.waiting; 0: 64 MiB */
} winnow_run;

/* OK when all pages were taken; CANCELLED; NO_MEMORY if it could not start; BAD_ARGUMENT. */
WINNOW_API winnow_status winnow_run_pages(const winnow_run *run);

/* The number of processor cores that this process may use, at least 1. */
WINNOW_API size_t winnow_cores(void);

#ifdef __cplusplus
}
#endif

#endif
