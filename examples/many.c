#include <stdio.h>
#include <stdlib.h>

#include <winnow.h>

/* The bytes of a file, to be freed; NULL if it cannot be read. */
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
    return bytes;
}

int main(int argc, char **argv)
{
    winnow_context *context = winnow_context_new();
    winnow_options options;
    winnow_options_init(&options);
    options.format = WINNOW_FORMAT_MARKDOWN;
    options.blocks = true;

    for (int i = 1; context && i < argc; i++) {
        size_t size = 0;
        char *html = read_file(argv[i], &size);
        if (!html) {
            perror(argv[i]);
            continue;
        }
        const winnow_result *result = winnow_run(context, html, size, &options);
        printf("%s: %s, %zu blocks, \"%s\"\n%s\n", argv[i], winnow_status_name(result->status),
               result->block_count, result->title, result->text);
        free(html);
    }
    winnow_context_free(context);
    return 0;
}
