/*
 * Loaded with the program (LD_PRELOAD), it lets allocations of the program itself fail, and counts
 * what was not freed. Allocations of other libraries go through: some of them end the process when
 * memory is out, which is theirs to decide.
 *
 *     FAIL_AT=N      the N-th allocation fails, from 1; 0: none
 *     FAIL_AFTER=1   and all after it
 *     FAIL_REPORT=F  at the end the file F gets two numbers: allocations, and pieces not freed
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

enum { MOST_PIECES = 1 << 20 }; /* a power of two, and more than a test ever has */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t program_start, program_end;
static long count, fail_at, live;
static bool fail_after, ready;
static void *pieces[MOST_PIECES]; /* a hash table; REMOVED where one was */
#define REMOVED ((void *)1)

static int find_program(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        program_start = info->dlpi_addr + part->p_vaddr;
        program_end = program_start + part->p_memsz;
    }
    return 1; /* the first one is the program */
}

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_AT");
    fail_at = at ? atol(at) : 0;
    fail_after = getenv("FAIL_AFTER") != NULL;
    dl_iterate_phdr(find_program, NULL);
    ready = true;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_REPORT");
    char text[64];
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    int length = snprintf(text, sizeof text, "%ld %ld\n", count, live);
    if (fd >= 0 && write(fd, text, (size_t)length) == length)
        close(fd);
}

static size_t place_of(const void *memory)
{
    return ((uintptr_t)memory >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 44 & (MOST_PIECES - 1);
}

static void add_piece(void *memory)
{
    size_t i = place_of(memory);
    if (!memory)
        return;
    while (pieces[i] && pieces[i] != REMOVED)
        i = (i + 1) & (MOST_PIECES - 1);
    pieces[i] = memory;
    live++;
}

static bool remove_piece(void *memory)
{
    size_t i = place_of(memory);
    while (memory && pieces[i]) {
        if (pieces[i] == memory) {
            pieces[i] = REMOVED;
            live--;
            return true;
        }
        i = (i + 1) & (MOST_PIECES - 1);
    }
    return false;
}

static bool is_program(void *caller)
{
    return ready && (uintptr_t)caller >= program_start && (uintptr_t)caller < program_end;
}

/* Counts an allocation of the program, and says whether it fails. */
static bool fails(void)
{
    count++;
    return fail_at > 0 && (fail_after ? count >= fail_at : count == fail_at);
}

static void *taken(void *caller, void *memory_or_null(size_t, size_t), size_t a, size_t b)
{
    if (!is_program(caller))
        return memory_or_null(a, b);
    pthread_mutex_lock(&lock);
    void *memory = fails() ? NULL : memory_or_null(a, b);
    add_piece(memory);
    pthread_mutex_unlock(&lock);
    if (!memory)
        errno = ENOMEM;
    return memory;
}

static void *plain(size_t size, size_t unused)
{
    (void)unused;
    return __libc_malloc(size);
}

void *malloc(size_t size)
{
    return taken(__builtin_return_address(0), plain, size, 0);
}

void *calloc(size_t number, size_t size)
{
    return taken(__builtin_return_address(0), __libc_calloc, number, size);
}

void *realloc(void *memory, size_t size)
{
    bool ours = is_program(__builtin_return_address(0));
    pthread_mutex_lock(&lock);
    void *now = ours && fails() ? NULL : __libc_realloc(memory, size);
    if (now) {
        bool known = remove_piece(memory);
        if (known || ours)
            add_piece(now);
    } else {
        errno = ENOMEM;
    }
    pthread_mutex_unlock(&lock);
    return now;
}

void free(void *memory)
{
    if (memory && ready) {
        pthread_mutex_lock(&lock);
        remove_piece(memory);
        pthread_mutex_unlock(&lock);
    }
    __libc_free(memory);
}
