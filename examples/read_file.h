/* What the examples share: a whole file in memory. */
#ifndef READ_FILE_H
#define READ_FILE_H

#include <stdio.h>
#include <stdlib.h>

/* The bytes of a file, to be freed; says why and returns NULL if it cannot be read. */
static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        bytes = malloc(*size + 1);
        if (bytes)
            *size = fread(bytes, 1, *size, file);
    }
    if (file)
        fclose(file);
    if (!bytes)
        perror(path);
    return bytes;
}

#endif
