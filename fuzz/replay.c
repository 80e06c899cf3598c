/*
 * A main() for a fuzz target: runs it over files and directories, as libFuzzer does with
 * -runs=0, for compilers that have no libFuzzer and for looking at one finding.
 *
 *     gcc -Iinclude -Isrc -Itests fuzz/fuzz_tree.c fuzz/replay.c tests/support/files.c … -lz
 *     replay_tree fuzz/corpus/tree tests/pages
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "support/files.h"

int main(int argc, char **argv)
{
    test_files files = {0};
    wn_buf bytes = {0};
    for (int i = 1; i < argc; i++)
        if (!test_files_find(&files, argv[i], NULL))
            test_skip("nothing to replay", argv[i]);
    for (size_t i = 0; i < files.count; i++) {
        if (!test_file_read(&bytes, files.paths[i])) {
            fprintf(stderr, "%s: cannot be read\n", files.paths[i]);
            return 1;
        }
        /* The name goes out first: if the target aborts, it says on what. */
        fprintf(stderr, "%s\n", files.paths[i]);
        uint8_t *exact = malloc(bytes.len ? bytes.len : 1); /* so that ASan sees the end */
        if (!exact)
            return 1;
        if (bytes.len > 0)
            memcpy(exact, bytes.ptr, bytes.len);
        LLVMFuzzerTestOneInput(exact, bytes.len);
        free(exact);
    }
    printf("replay: %zu passed, 0 failed\n", files.count);
    test_files_free(&files);
    wn_buf_free(&bytes);
    return 0;
}
