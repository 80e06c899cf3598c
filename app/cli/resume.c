#include "cli/resume.h"

#include <sys/stat.h>

#include "base/json.h"

void wn_cli_resume_add_words(wn_buf *key, char **args)
{
    wn_buf_add_literal(key, winnow_version());
    for (; *args; args++) {
        wn_buf_add_char(key, '\0');
        wn_buf_add_literal(key, *args);
    }
}

void wn_cli_resume_add_files(wn_buf *key, char **names)
{
    struct stat info;
    for (; *names; names++) {
        if (stat(*names, &info) == 0 && S_ISREG(info.st_mode))
            wn_buf_add_format(key, " %lld %lld.%09ld", (long long)info.st_size,
                              (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    }
}

bool wn_cli_resume_possible(char **names)
{
    if (!names[0])
        return false;
    for (; *names; names++) {
        if (strcmp(*names, "-") == 0)
            return false;
    }
    return true;
}

static void key_number(wn_json_writer *json, const char *key, uint64_t value)
{
    wn_json_key(json, key);
    wn_json_uint(json, value);
}

void wn_cli_resume_write(wn_buf *out, const wn_work_state *state, const wn_io_progress *progress)
{
    wn_json_writer json = {.out = out};
    wn_json_begin_object(&json);
    wn_json_key(&json, "id");
    wn_json_c_string(&json, state->last.id);
    wn_json_key(&json, "file");
    wn_json_c_string(&json, state->last.file);
    key_number(&json, "name", state->last.name);
    key_number(&json, "offset", state->last.offset);
    key_number(&json, "inner", state->last.inner);
    key_number(&json, "broken", state->last.broken);
    key_number(&json, "taken", state->taken);
    key_number(&json, "written", state->written);
    key_number(&json, "done", progress->done);
    key_number(&json, "empty", progress->empty);
    key_number(&json, "failed", progress->failed);
    key_number(&json, "bytes", progress->bytes);
    wn_json_end_object(&json);
    wn_buf_add_char(out, '\n');
}

static uint64_t number(const wn_json *json, const char *key)
{
    return wn_json_count(json, wn_json_get(json, WN_JSON_ROOT, key), 0);
}

static void read_state(const wn_json *json, wn_work_state *state, wn_io_progress *progress)
{
    winnow_bookmark *last = &state->last;
    wn_buf *memory = &state->memory;
    wn_json_id file = wn_json_get(json, WN_JSON_ROOT, "file");
    bool has_file = wn_json_node_at(json, file)->kind == WN_JSON_STRING;
    wn_buf_add(memory, wn_json_text(json, wn_json_get(json, WN_JSON_ROOT, "id")));
    wn_buf_add_char(memory, '\0');
    size_t length = memory->len;
    wn_buf_add(memory, wn_json_text(json, file));
    last->struct_size = sizeof *last;
    last->id = wn_buf_c_string(memory);
    last->file = has_file && !memory->failed ? last->id + length : NULL;
    last->name = (size_t)number(json, "name");
    last->offset = number(json, "offset");
    last->inner = number(json, "inner");
    last->broken = number(json, "broken");
    state->taken = number(json, "taken");
    state->written = number(json, "written");
    progress->done = number(json, "done");
    progress->empty = number(json, "empty");
    progress->failed = number(json, "failed");
    progress->bytes = number(json, "bytes");
}

bool wn_cli_resume_read(wn_str text, wn_work_state *state, wn_io_progress *progress)
{
    wn_arena arena;
    wn_json json = {0};
    *state = (wn_work_state){0};
    wn_arena_init(&arena, 0);
    bool well = wn_json_parse(&json, &arena, text, 0, 0);
    if (well)
        read_state(&json, state, progress);
    wn_json_free(&json);
    wn_arena_free(&arena);
    return well;
}
