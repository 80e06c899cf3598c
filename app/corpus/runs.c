#include "corpus/runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/buf.h"

enum {
    FIRST_ENTRIES = 4096,
    MERGE_BUFFER = 4096, /* entries of a run that are read at once, if there is room: 64 KB */
    LEAST_BUFFER = 64,   /* and at least: fewer make the disk seek too often */
};

static bool is_before(const wn_entry *a, const wn_entry *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return a->kind != b->kind ? a->kind < b->kind : a->page < b->page;
}

static int by_key(const void *left, const void *right)
{
    return is_before(left, right) ? -1 : is_before(right, left);
}

/* ---- Adding ------------------------------------------------------------------------------ */

static void sort_entries(wn_runs *runs)
{
    if (runs->count > 1)
        qsort(runs->entries, runs->count, sizeof *runs->entries, by_key);
}

static void note_error(wn_runs *runs)
{
    if (!runs->error)
        runs->error = errno ? errno : EIO;
}

/* A file that has no name any more, in the folder for temporary files; NULL: errno says why. */
static FILE *open_temporary(void)
{
    const char *folder = getenv("TMPDIR");
    wn_buf path = {0};
    wn_buf_add_format(&path, "%s/winnow-XXXXXX", folder && *folder ? folder : "/tmp");
    wn_buf_c_string(&path);
    errno = ENOMEM;
    int fd = path.failed ? -1 : mkstemp(path.ptr);
    if (fd >= 0) {
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        unlink(path.ptr);
    }
    FILE *file = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    int error = errno;
    if (fd >= 0 && !file)
        close(fd);
    wn_buf_free(&path);
    errno = error;
    return file;
}

/* Writes what is in memory as a run. */
static void write_run(wn_runs *runs)
{
    uint64_t at = 0;
    if (runs->count == 0)
        return;
    if (!runs->file && !(runs->file = open_temporary())) {
        note_error(runs);
        return;
    }
    if (runs->list.count > 0) {
        const wn_entry_run *last = &runs->list.items[runs->list.count - 1];
        at = last->at + last->left;
    }
    sort_entries(runs);
    wn_entry_run *run = wn_array_push(&runs->list);
    errno = run ? 0 : ENOMEM;
    if (run)
        *run = (wn_entry_run){.at = at, .left = runs->count};
    if (!run || fwrite(runs->entries, sizeof *runs->entries, runs->count, runs->file) < runs->count)
        note_error(runs);
    runs->count = 0;
}

static bool make_room(wn_runs *runs)
{
    size_t wanted = runs->capacity ? runs->capacity * 2 : FIRST_ENTRIES;
    if (wanted > runs->max)
        wanted = runs->max;
    wn_entry *larger = realloc(runs->entries, wanted * sizeof *larger);
    if (!larger)
        return false;
    runs->entries = larger;
    runs->capacity = wanted;
    return true;
}

void wn_corpus_runs_add(wn_runs *runs, wn_entry entry)
{
    if (runs->count == runs->capacity && runs->capacity == runs->max)
        write_run(runs);
    if (runs->error)
        return;
    if (runs->count == runs->capacity && !make_room(runs)) {
        runs->error = ENOMEM;
        return;
    }
    runs->entries[runs->count++] = entry;
}

/* ---- Merging ----------------------------------------------------------------------------- */

/* Reads on in a run; false at its end or when that failed. */
static bool fill_buffer(wn_runs *runs, wn_entry_run *run)
{
    size_t wanted = run->left < runs->buffered ? (size_t)run->left : runs->buffered;
    if (wanted == 0 || runs->error)
        return false;
    errno = 0;
    if (fseeko(runs->file, (off_t)(run->at * sizeof *run->buffer), SEEK_SET) != 0 ||
        fread(run->buffer, sizeof *run->buffer, wanted, runs->file) < wanted) {
        note_error(runs);
        return false;
    }
    run->at += wanted;
    run->left -= wanted;
    run->next = 0;
    run->filled = (uint32_t)wanted;
    return true;
}

static const wn_entry *first_of(const wn_runs *runs, uint32_t number)
{
    const wn_entry_run *run = &runs->list.items[number];
    return &run->buffer[run->next];
}

static void sift_down(wn_runs *runs, uint32_t at)
{
    uint32_t *heap = runs->heap.items, moved = heap[at];
    for (uint32_t child; (child = 2 * at + 1) < runs->heap.count; at = child) {
        if (child + 1 < runs->heap.count &&
            is_before(first_of(runs, heap[child + 1]), first_of(runs, heap[child])))
            child++;
        if (!is_before(first_of(runs, heap[child]), first_of(runs, moved)))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* All runs together take no more memory than the entries did, but for very many of them. */
static size_t choose_buffer(const wn_runs *runs)
{
    size_t share = runs->max / runs->list.count;
    return share > MERGE_BUFFER ? MERGE_BUFFER : share < LEAST_BUFFER ? LEAST_BUFFER : share;
}

static void start_merge(wn_runs *runs)
{
    if (runs->error)
        return;
    runs->buffered = choose_buffer(runs);
    for (uint32_t i = 0; i < runs->list.count && !runs->error; i++) {
        wn_entry_run *run = &runs->list.items[i];
        uint32_t *place = wn_array_push(&runs->heap);
        run->buffer = malloc(runs->buffered * sizeof *run->buffer);
        if (!place || !run->buffer) {
            runs->error = ENOMEM;
            return;
        }
        *place = i;
        fill_buffer(runs, run);
    }
    for (uint32_t i = runs->heap.count / 2; i-- > 0 && !runs->error;)
        sift_down(runs, i);
}

void wn_corpus_runs_sort(wn_runs *runs)
{
    if (!runs->file) {
        sort_entries(runs);
        return;
    }
    write_run(runs);
    free(runs->entries);
    runs->entries = NULL;
    runs->capacity = 0;
    errno = 0;
    if (fflush(runs->file) != 0)
        note_error(runs);
    start_merge(runs);
}

bool wn_corpus_runs_next(wn_runs *runs, wn_entry *entry)
{
    if (runs->error)
        return false;
    if (!runs->file) {
        if (runs->next == runs->count)
            return false;
        *entry = runs->entries[runs->next++];
        return true;
    }
    if (runs->heap.count == 0)
        return false;
    wn_entry_run *run = &runs->list.items[runs->heap.items[0]];
    *entry = run->buffer[run->next++];
    if (run->next == run->filled && !fill_buffer(runs, run))
        runs->heap.items[0] = runs->heap.items[--runs->heap.count];
    if (runs->heap.count > 0 && !runs->error)
        sift_down(runs, 0);
    return true;
}

void wn_corpus_runs_free(wn_runs *runs)
{
    for (uint32_t i = 0; i < runs->list.count; i++)
        free(runs->list.items[i].buffer);
    wn_array_free(&runs->list);
    wn_array_free(&runs->heap);
    free(runs->entries);
    if (runs->file)
        fclose(runs->file);
}
