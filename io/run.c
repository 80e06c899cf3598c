/*
 * Many pages through many threads, in order: the basis of every command that processes pages.
 *
 * The ring of tasks and its threads are in pool.c. This file adds what pages need: a handle, a
 * loader and options for each thread, limits on waiting data, and a way to stop in the middle.
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "io/handed_in.h"
#include "io/input.h"
#include "io/pool.h"

enum {
    KEPT_PAGE = 64 << 20, /* bytes of a page handle that are kept for the next page */
    KEPT_BLOCK = 1 << 20, /* bytes of a record's memory that are kept for the next one */
    WAITING_INPUT = 32 << 20,
    WAITING_OUTPUT = 64 << 20,
    MOST_THREADS = 1024,
    ALIGNMENT = _Alignof(max_align_t),
};

/* A place in the ring. */
typedef struct slot {
    winnow_task task;
    wn_io_item item;
} slot;

typedef struct team_member {
    winnow_worker worker;
    winnow_loader loader;
    winnow_loaded loaded;
    bool begun; /* the caller made its own things */
} team_member;

typedef struct page_run {
    winnow_run plan;
    bool has_url, has_charset; /* the plan's options set them for all pages */
    uint64_t max_bytes;
    slot *slots;
    char *task_memory;
    size_t slot_count;
    team_member *team;
    char *worker_memory;
    uint64_t given;
    size_t waiting_input; /* bytes of records in the ring */
    atomic_size_t waiting_output;
    atomic_bool stop;
} page_run;

size_t winnow_cores(void)
{
    return wn_io_pool_cores();
}

/* ---- Workers ----------------------------------------------------------------------------- */

/* Whether the work is to end; called by many threads, also in the middle of a page. */
static bool is_over(void *data)
{
    page_run *run = data;
    if (run->plan.cancel && !atomic_load(&run->stop) && run->plan.cancel(run->plan.data))
        atomic_store(&run->stop, true);
    return atomic_load(&run->stop);
}

/* A handle keeps the memory of its largest page; if that is very much, makes a new one. */
static void renew_page(winnow_worker *worker)
{
    if (winnow_page_memory(worker->page) <= KEPT_PAGE)
        return;
    winnow_page *fresh = winnow_page_new();
    if (!fresh)
        return;
    winnow_page_free(worker->page);
    worker->page = fresh;
}

/* Tells the options what is known of the page at hand. */
static void set_page_options(const page_run *run, team_member *member)
{
    winnow_options *options = member->worker.options;
    const winnow_loaded *loaded = &member->loaded;
    if (!run->has_url)
        winnow_options_set_text(options, WINNOW_OPTION_URL, loaded->url);
    if (!run->has_charset) {
        winnow_options_set_text(options, WINNOW_OPTION_CHARSET, NULL);
        winnow_options_set_text(options, WINNOW_OPTION_CHARSET, loaded->charset);
    }
    winnow_options_set_number(options, WINNOW_OPTION_MAX_BYTES,
                              loaded->limit ? loaded->limit : run->max_bytes);
}

static void work_on_task(void *data, size_t number, void *place)
{
    page_run *run = data;
    slot *s = place;
    team_member *member = &run->team[number];
    if (is_over(run))
        return;
    renew_page(&member->worker);
    if (run->plan.inputs) {
        member->loaded = wn_io_loader_load(&member->loader, &s->item);
        s->task.skipped = member->loaded.skip;
        set_page_options(run, member);
    }
    if (!s->task.skipped)
        run->plan.work(run->plan.data, &member->worker, &s->task);
    atomic_fetch_add(&run->waiting_output, s->task.waiting);
}

/* ---- The caller's thread ----------------------------------------------------------------- */

static bool fill_task(void *data, void *place)
{
    page_run *run = data;
    const winnow_run *plan = &run->plan;
    slot *s = place;
    s->task.number = run->given;
    s->task.waiting = 0;
    s->task.skipped = false;
    if (is_over(run) || (plan->limit && run->given == plan->limit))
        return false;
    if (plan->inputs && !wn_io_inputs_next(plan->inputs, &s->item))
        return false;
    if (plan->next && !plan->next(plan->data, &s->task))
        return false;
    run->given++;
    run->waiting_input += s->item.block.len;
    return true;
}

static bool take_task(void *data, void *place)
{
    page_run *run = data;
    slot *s = place;
    assert(run->waiting_input >= s->item.block.len);
    run->waiting_input -= s->item.block.len;
    atomic_fetch_sub(&run->waiting_output, s->task.waiting);
    if (is_over(run))
        return false;
    bool go_on = !run->plan.take || run->plan.take(run->plan.data, &s->task);
    if (!go_on)
        atomic_store(&run->stop, true);
    if (s->item.block.cap > KEPT_BLOCK)
        wn_buf_free(&s->item.block);
    return go_on;
}

static bool enough_input_waits(void *data)
{
    const page_run *run = data;
    return run->waiting_input > run->plan.max_waiting_input;
}

static bool much_output_waits(void *data)
{
    page_run *run = data;
    return atomic_load(&run->waiting_output) > run->plan.max_waiting_output;
}

static void wait_for_task(void *data)
{
    page_run *run = data;
    if (run->plan.idle)
        run->plan.idle(run->plan.data);
}

/* ---- Setting up and ending --------------------------------------------------------------- */

/* Bytes of a piece of the caller's memory; at least one, so that each has an address of its own. */
static size_t room_for(size_t size)
{
    return (size + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
}

static bool make_ring(page_run *run)
{
    const winnow_run *plan = &run->plan;
    size_t usual = wn_io_pool_window(plan->threads), room = room_for(plan->task_size);
    run->slot_count = plan->threads > 1 && plan->ahead > usual ? plan->ahead : usual;
    run->slots = calloc(run->slot_count, sizeof *run->slots);
    run->task_memory = calloc(run->slot_count, room);
    if (!run->slots || !run->task_memory)
        return false;
    for (size_t i = 0; i < run->slot_count; i++) {
        slot *s = &run->slots[i];
        s->task.own = run->task_memory + i * room;
        s->task.input = plan->inputs ? &s->item.shown : NULL;
    }
    return true;
}

static bool make_member(page_run *run, size_t number)
{
    const winnow_run *plan = &run->plan;
    team_member *member = &run->team[number];
    winnow_worker *worker = &member->worker;
    *worker = (winnow_worker){
        .number = number,
        .page = winnow_page_new(),
        .options = plan->options ? winnow_options_copy(plan->options) : winnow_options_new(),
        .loaded = plan->inputs ? &member->loaded : NULL,
        .own = run->worker_memory + number * room_for(plan->worker_size),
    };
    if (plan->inputs)
        wn_io_loader_init_for(&member->loader, plan->inputs);
    if (!worker->page || !worker->options)
        return false;
    member->begun = true;
    return winnow_options_set_cancel(worker->options, is_over, run) == WINNOW_STATUS_OK &&
           (!plan->begin_worker || plan->begin_worker(plan->data, worker));
}

static bool make_team(page_run *run)
{
    const winnow_run *plan = &run->plan;
    run->team = calloc(plan->threads, sizeof *run->team);
    run->worker_memory = calloc(plan->threads, room_for(plan->worker_size));
    bool made = run->team && run->worker_memory;
    for (size_t i = 0; made && i < plan->threads; i++)
        made = make_member(run, i);
    return made;
}

static void end_team(page_run *run)
{
    const winnow_run *plan = &run->plan;
    for (size_t i = 0; run->team && i < plan->threads; i++) {
        team_member *member = &run->team[i];
        if (member->begun && plan->end_worker)
            plan->end_worker(plan->data, &member->worker);
        winnow_page_free(member->worker.page);
        winnow_options_free(member->worker.options);
        wn_io_loader_end(&member->loader);
    }
    free(run->team);
    free(run->worker_memory);
}

static void end_ring(page_run *run)
{
    const winnow_run *plan = &run->plan;
    for (size_t i = 0; run->slots && run->task_memory && i < run->slot_count; i++) {
        if (plan->end_task)
            plan->end_task(plan->data, &run->slots[i].task);
        wn_io_item_free(&run->slots[i].item);
    }
    free(run->slots);
    free(run->task_memory);
}

static void run_ring(page_run *run)
{
    wn_io_pool pool = {
        .fill = fill_task,
        .work = work_on_task,
        .take = take_task,
        .full = enough_input_waits,
        .hold = much_output_waits,
        .idle = wait_for_task,
        .data = run,
        .tasks = run->slots,
        .task_size = sizeof *run->slots,
        .window = run->slot_count,
    };
    wn_io_pool_run(&pool, run->plan.threads);
}

static void set_defaults(page_run *run)
{
    winnow_run *plan = &run->plan;
    if (plan->threads == 0)
        plan->threads = winnow_cores();
    if (plan->threads > MOST_THREADS)
        plan->threads = MOST_THREADS;
    if (plan->max_waiting_input == 0)
        plan->max_waiting_input = WAITING_INPUT;
    if (plan->max_waiting_output == 0)
        plan->max_waiting_output = WAITING_OUTPUT;
    if (!plan->options)
        return;
    run->has_url = winnow_options_text(plan->options, WINNOW_OPTION_URL) != NULL;
    run->has_charset = winnow_options_text(plan->options, WINNOW_OPTION_CHARSET) != NULL;
}

/* Learns the limit that holds where a page has none of its own. */
static void note_limit(page_run *run)
{
    run->max_bytes = winnow_options_number(run->team[0].worker.options, WINNOW_OPTION_MAX_BYTES);
}

winnow_status winnow_run_pages(const winnow_run *handed_in)
{
    page_run run = {0};
    winnow_run *plan = &run.plan;
    if (!handed_in || !wn_io_take_struct(plan, sizeof *plan, handed_in) || !plan->work ||
        (!plan->inputs && !plan->next))
        return WINNOW_STATUS_BAD_ARGUMENT;
    set_defaults(&run);
    bool made = make_ring(&run) && make_team(&run);
    if (made) {
        note_limit(&run);
        run_ring(&run);
    }
    end_team(&run);
    end_ring(&run);
    return !made                    ? WINNOW_STATUS_NO_MEMORY
           : atomic_load(&run.stop) ? WINNOW_STATUS_CANCELLED
                                    : WINNOW_STATUS_OK;
}
