#include "bench.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bench_page load_page(const char *path)
{
    FILE *file = fopen(path, "rb");
    bench_page page = {NULL, 0};
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    page.size = (size_t)ftell(file);
    rewind(file);
    page.bytes = malloc(page.size + 1);
    if (!page.bytes || fread(page.bytes, 1, page.size, file) != page.size) {
        perror(path);
        exit(1);
    }
    page.bytes[page.size] = '\0';
    fclose(file);
    return page;
}

bench_pages bench_load(const char *folder)
{
    struct dirent **entries;
    bench_pages pages = {NULL, 0, 0};
    int count = scandir(folder, &entries, is_file, alphasort);
    if (count <= 0) {
        fprintf(stderr, "%s: no pages\n", folder);
        exit(1);
    }
    pages.items = calloc((size_t)count, sizeof *pages.items);
    for (int i = 0; pages.items && i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        pages.items[i] = load_page(path);
        pages.bytes += pages.items[i].size;
        pages.count++;
        free(entries[i]);
    }
    free(entries);
    return pages;
}

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static const bench_row *find(const bench_row *rows, const char *name)
{
    while (rows->name && strcmp(rows->name, name) != 0)
        rows++;
    return rows->name ? rows : NULL;
}

int bench_main(int argc, char **argv, const bench_row *rows)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    bench_pages pages = bench_load(argv[1]);
    printf("ready %zu %zu\n", pages.count, pages.bytes);
    fflush(stdout);
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        const bench_row *row = find(rows, line);
        if (!row) {
            fprintf(stderr, "%s: no row %s\n", argv[0], line);
            return 2;
        }
        double start = bench_seconds();
        row->round(&pages);
        printf("%.6f\n", bench_seconds() - start);
        fflush(stdout);
    }
    return 0;
}
