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
    winnow_page *page = winnow_page_new();

    for (int i = 1; page && i < argc; i++) {
        size_t size = 0;
        char *html = read_file(argv[i], &size);
        if (!html) {
            perror(argv[i]);
            continue;
        }
        winnow_parse(page, html, size, NULL);
        winnow_selection *content = winnow_select(page, "auto", NULL);
        const char *text = winnow_write(content, WINNOW_FORMAT_MARKDOWN, NULL, NULL);
        printf("%s: %s, \"%s\"\n%s\n", argv[i],
               winnow_status_name(winnow_selection_status(content)),
               winnow_selection_metadata(content)->title, text ? text : "");
        free(html);
    }
    winnow_page_free(page);
    return 0;
}
