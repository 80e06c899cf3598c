#include <stdio.h>

#include <winnow-io.h>

static bool print(void *data, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, data) == size;
}

static void report(void *data, const char *id, winnow_status status, const char *error)
{
    (void)data;
    if (error[0])
        fprintf(stderr, "%s: %s (%s)\n", id, error, winnow_status_name(status));
}

/* The pages of web archives as JSON lines, on four threads, a second at most for each page. */
int main(int argc, char **argv)
{
    winnow_options *options = winnow_options_new();
    winnow_options_set_number(options, WINNOW_OPTION_MAX_MILLISECONDS, 1000);
    winnow_extraction plan = {
        .struct_size = sizeof plan,
        .format = WINNOW_FORMAT_JSONL,
        .options = options,
        .threads = 4,
        .write = print,
        .report = report,
        .data = stdout,
    };
    winnow_counts counts = {.struct_size = sizeof counts};
    winnow_status status = winnow_extract_all((const char *const *)argv + (argc > 0), &plan,
                                              &counts);
    fprintf(stderr, "%s: %llu pages with text, %llu empty, %llu failed\n",
            winnow_status_name(status), (unsigned long long)counts.extracted,
            (unsigned long long)counts.empty, (unsigned long long)counts.failed);
    winnow_options_free(options);
    return status == WINNOW_STATUS_OK ? 0 : 1;
}
