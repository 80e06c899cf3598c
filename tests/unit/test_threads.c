/*
 * Eight threads, each with its own page handle, give what one thread gives. Made to be run
 * under ThreadSanitizer, too.
 *
 *     test_threads [FILE | DIRECTORY]...
 *
 * Without arguments it reads tests/pages. Every thread works through all pages, in an order
 * of its own, with both methods and all formats.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/dump.h"
#include "support/extract.h"
#include "support/files.h"

enum { THREADS = 8, ROUNDS = 3, VARIANTS = 6 };

typedef struct pages {
    test_files files;
    wn_buf *bytes;
    uint64_t (*expected)[VARIANTS]; /* a digest of each page's results */
} pages;

typedef struct worker {
    pthread_t thread;
    const pages *pages;
    size_t number;
    size_t runs, differences;
} worker;

static uint64_t digest_result(const extractor *e, const extracted *result)
{
    winnow_selection *content = result->content;
    uint64_t digest = DUMP_DIGEST_START + (uint64_t)result->status * 64 + result->limited;
    digest = dump_digest_add(digest, wn_str_from(result->text, result->size));
    digest = dump_digest_add(digest, wn_str_of(winnow_selection_metadata(content)->title));
    digest = dump_digest_add(digest, wn_str_of(winnow_page_encoding(e->page)));
    for (size_t i = 0; i < winnow_selection_block_count(content); i++) {
        const winnow_block *block = winnow_selection_block(content, i);
        digest = dump_digest_add(digest, wn_str_from(block->text, block->size)) + block->kept;
    }
    return digest;
}

static uint64_t run_page(extractor *e, wn_str bytes, int variant)
{
    e->method = variant % 2 ? "all" : "auto";
    e->format = (winnow_format)(variant / 2);
    extractor_set(e, "links", variant > 2 ? "yes" : "no");
    extractor_set(e, "explain", variant > 2 ? "yes" : "no");
    extractor_set(e, "blocks", variant > 0 ? "yes" : "no");
    return digest_result(e, extract(e, bytes.ptr, bytes.len));
}

static void *work(void *argument)
{
    worker *w = argument;
    size_t count = w->pages->files.count;
    extractor *e = extractor_new();
    for (size_t i = 0; i < count * ROUNDS; i++) {
        size_t page = (i + w->number) % count;
        int variant = (int)((i + w->number) % VARIANTS);
        uint64_t digest = run_page(e, wn_buf_str(&w->pages->bytes[page]), variant);
        w->differences += digest != w->pages->expected[page][variant];
        w->runs++;
    }
    extractor_free(e);
    return NULL;
}

static void load(pages *p)
{
    p->bytes = calloc(p->files.count, sizeof *p->bytes);
    p->expected = calloc(p->files.count, sizeof *p->expected);
    if (!p->bytes || !p->expected)
        abort();
    for (size_t i = 0; i < p->files.count; i++) {
        if (!test_file_read(&p->bytes[i], p->files.paths[i]))
            test_skip("cannot be read", p->files.paths[i]);
        for (int variant = 0; variant < VARIANTS; variant++) {
            extractor *e = extractor_new(); /* fresh: nothing can be left over */
            p->expected[i][variant] = run_page(e, wn_buf_str(&p->bytes[i]), variant);
            extractor_free(e);
        }
    }
}

static void release(pages *p)
{
    for (size_t i = 0; i < p->files.count; i++)
        wn_buf_free(&p->bytes[i]);
    free(p->bytes);
    free(p->expected);
    test_files_free(&p->files);
}

int main(int argc, char **argv)
{
    pages p = {0};
    worker workers[THREADS] = {0};
    size_t runs = 0, differences = 0;
    for (int i = 1; i < argc; i++)
        if (!test_files_find(&p.files, argv[i], NULL))
            test_skip("no pages", argv[i]);
#ifdef TESTS_DIR
    if (argc == 1)
        test_files_find(&p.files, TESTS_DIR "/pages", NULL);
#endif
    if (p.files.count == 0)
        test_skip("no pages", argv[1]);
    load(&p);
    for (size_t i = 0; i < THREADS; i++) {
        workers[i].pages = &p;
        workers[i].number = i;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            return 1;
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        runs += workers[i].runs;
        differences += workers[i].differences;
    }
    bool whole = runs == THREADS * ROUNDS * p.files.count;
    printf("threads: %zu passed, %zu failed\n", runs - differences, differences);
    release(&p);
    return whole && differences == 0 ? 0 : 1;
}
