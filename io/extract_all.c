/*
 * The easy call: pages in, output out.
 */
#include "base/buf.h"
#include "io/bundle.h"
#include "io/handed_in.h"
#include "io/reason.h"
#include "winnow-io.h"

/* If a large page made the memory of a task larger than this, it is not kept. */
enum { KEPT_OUTPUT = 1 << 20 };

/* One page on its way. */
typedef struct result {
    wn_buf out, error;
    wn_buf id;
    winnow_status status;
    uint64_t bytes;
} result;

typedef struct extraction {
    winnow_extraction plan;
    const winnow_format_info *format;
    winnow_counts counts;
    uint64_t written;
    wn_buf around; /* what comes before a page, and at the end */
} extraction;

/* ---- Workers ----------------------------------------------------------------------------- */

static winnow_selection *select_content(const extraction *e, winnow_worker *worker, result *r)
{
    const winnow_loaded *loaded = worker->loaded;
    winnow_parse(worker->page, loaded->bytes, loaded->size, worker->options);
    winnow_selection *content = winnow_select(worker->page, e->plan.method, worker->options);
    r->status = content ? winnow_selection_status(content)
                        : winnow_page_error(worker->page)->status;
    wn_io_add_reason(&r->error, r->status, wn_str_from(loaded->bytes, loaded->size));
    return content;
}

static void work(void *data, winnow_worker *worker, winnow_task *task)
{
    const extraction *e = data;
    const winnow_loaded *loaded = worker->loaded;
    const winnow_input *input = task->input;
    result *r = task->own;
    winnow_selection *content = NULL;
    winnow_record record = wn_io_record_of(worker, input);
    r->bytes = loaded->size;
    r->status = record.status;
    wn_buf_add_literal(&r->id, record.id);
    wn_buf_add_literal(&r->error, loaded->error ? loaded->error : "");
    if (!loaded->error)
        content = select_content(e, worker, r);
    if (record.incomplete && r->status == WINNOW_STATUS_OK)
        r->status = WINNOW_STATUS_PARTIAL;
    record.status = r->status;
    record.error = r->error.len ? wn_buf_c_string(&r->error) : NULL;
    wn_io_bundle_page(&r->out, e->format, worker, content, &record, true);
    if (r->out.failed || r->error.failed || r->id.failed) {
        r->status = WINNOW_STATUS_NO_MEMORY;
        wn_buf_clear(&r->out);
    }
    task->waiting = r->out.len;
}

static bool is_cancelled(void *data)
{
    const extraction *e = data;
    return e->plan.cancel(e->plan.data);
}

/* ---- The caller's thread ----------------------------------------------------------------- */

static bool is_failure(winnow_status status)
{
    return status != WINNOW_STATUS_OK && status != WINNOW_STATUS_PARTIAL &&
           status != WINNOW_STATUS_EMPTY;
}

static void count(winnow_counts *counts, const result *r)
{
    counts->failed += is_failure(r->status);
    counts->empty += r->status == WINNOW_STATUS_EMPTY;
    counts->extracted += !is_failure(r->status) && r->status != WINNOW_STATUS_EMPTY;
    counts->bytes += r->bytes;
}

static bool write(extraction *e, const wn_buf *bytes)
{
    return bytes->len == 0 || e->plan.write(e->plan.data, bytes->ptr, bytes->len);
}

static bool write_page(extraction *e, const winnow_input *input, result *r)
{
    if (r->out.len == 0)
        return true;
    wn_buf_clear(&e->around);
    wn_io_bundle_before(&e->around, e->format, input->url ? input->url : wn_buf_c_string(&r->id),
                        e->written);
    e->written++;
    return write(e, &e->around) && write(e, &r->out);
}

static bool take(void *data, winnow_task *task)
{
    extraction *e = data;
    result *r = task->own;
    if (task->skipped)
        return true;
    count(&e->counts, r);
    if (e->plan.report)
        e->plan.report(e->plan.data, wn_buf_c_string(&r->id), r->status,
                       wn_buf_c_string(&r->error));
    bool go_on = write_page(e, task->input, r);
    if (r->out.cap > KEPT_OUTPUT)
        wn_buf_free(&r->out);
    wn_buf_clear(&r->out);
    wn_buf_clear(&r->error);
    wn_buf_clear(&r->id);
    return go_on;
}

static void end_task(void *data, winnow_task *task)
{
    result *r = task->own;
    (void)data;
    wn_buf_free(&r->out);
    wn_buf_free(&r->error);
    wn_buf_free(&r->id);
}

/* ---- All of it --------------------------------------------------------------------------- */

/* Whether the method and format exist: reported once, not for each page. */
static winnow_status check(extraction *e)
{
    winnow_options *options = e->plan.options ? winnow_options_copy(e->plan.options)
                                              : winnow_options_new();
    e->format = winnow_format_at((size_t)e->plan.format);
    winnow_status status = !options ? WINNOW_STATUS_NO_MEMORY : WINNOW_STATUS_OK;
    if (options && e->plan.method)
        status = winnow_options_check_method(options, e->plan.method);
    winnow_options_free(options);
    return e->format ? status : WINNOW_STATUS_BAD_ARGUMENT;
}

static winnow_status extract_from(extraction *e, winnow_inputs *inputs)
{
    winnow_run run = {
        .struct_size = sizeof run,
        .inputs = inputs,
        .options = e->plan.options,
        .threads = e->plan.threads,
        .limit = e->plan.limit,
        .task_size = sizeof(result),
        .work = work,
        .take = take,
        .end_task = end_task,
        .cancel = e->plan.cancel ? is_cancelled : NULL,
        .data = e,
    };
    return inputs ? winnow_run_pages(&run) : WINNOW_STATUS_NO_MEMORY;
}

winnow_status winnow_extract_all(const char *const *names, const winnow_extraction *plan,
                                 winnow_counts *counts)
{
    extraction e = {0};
    if (!names || !plan || !wn_io_take_struct(&e.plan, sizeof e.plan, plan) || !e.plan.write)
        return WINNOW_STATUS_BAD_ARGUMENT;
    winnow_status status = check(&e);
    if (status == WINNOW_STATUS_OK) {
        winnow_inputs *inputs = winnow_inputs_open(names, NULL);
        status = extract_from(&e, inputs);
        winnow_inputs_close(inputs);
    }
    if (status == WINNOW_STATUS_OK) {
        wn_buf_clear(&e.around);
        wn_io_bundle_after(&e.around, e.format, e.written);
        status = write(&e, &e.around) ? status : WINNOW_STATUS_CANCELLED;
    }
    wn_io_give_struct(counts, &e.counts, sizeof e.counts);
    wn_buf_free(&e.around);
    return status;
}
