#include "eval/report.h"

#include "auto/model_data.h"

void wn_eval_report_free(wn_report *report)
{
    wn_array_free(&report->pages);
    wn_array_free(&report->results);
    wn_array_free(&report->worst);
    wn_array_free(&report->pairs);
    wn_arena_free(&report->arena);
}

bool wn_eval_report_has_learned(const wn_report *report, uint32_t runner)
{
    const wn_runner *r = &report->runners->list.items[runner];
    const winnow_method_info *method = r->is_method ? winnow_method_find(r->method) : NULL;
    if (!method || strcmp(method->name, "auto") != 0 || report->folds)
        return false;
    wn_str set = wn_eval_set_name(report->set);
    for (const char *const *name = wn_auto_model_sets; *name; name++) {
        if (wn_str_eq(wn_str_of(*name), set))
            return true;
    }
    return false;
}

/* ---- Groups ------------------------------------------------------------------------------ */

/* A page and the name of its group, while they are sorted. */
typedef struct member {
    wn_str name;
    uint32_t page;
} member;

static int by_group(const void *a, const void *b)
{
    const member *x = a, *y = b;
    int order = wn_str_compare(x->name, y->name);
    return order ? order : (x->page > y->page) - (x->page < y->page);
}

static wn_str group_name(const wn_report *report, uint32_t page, wn_group_key key)
{
    const wn_eval_page *p = wn_eval_report_page(report, page);
    switch (key) {
    case WN_GROUP_TYPE:
        return p->type;
    case WN_GROUP_DOMAIN:
        return p->domain;
    case WN_GROUP_ALL:
        break;
    }
    return WN_STR("all");
}

static bool add_member(wn_groups *groups, const member *m, uint32_t place)
{
    groups->order[place] = m->page;
    wn_group *last = groups->list.count ? &groups->list.items[groups->list.count - 1] : NULL;
    if (!last || !wn_str_eq(last->name, m->name)) {
        last = wn_array_push(&groups->list);
        if (!last)
            return false;
        *last = (wn_group){.name = m->name, .first = place};
    }
    last->count++;
    return true;
}

wn_groups wn_eval_report_groups(wn_report *report, wn_group_key key)
{
    uint32_t count = report->pages.count;
    wn_groups groups = {.order = malloc((count + 1) * sizeof(uint32_t))};
    member *members = malloc((count + 1) * sizeof *members);
    bool sound = groups.order && members;
    for (uint32_t i = 0; sound && i < count; i++)
        members[i] = (member){group_name(report, i, key), i};
    if (sound)
        qsort(members, count, sizeof *members, by_group);
    for (uint32_t i = 0; sound && i < count; i++)
        sound = add_member(&groups, &members[i], i);
    report->failed = report->failed || !sound;
    free(members);
    return groups;
}

void wn_eval_groups_free(wn_groups *groups)
{
    free(groups->order);
    wn_array_free(&groups->list);
}

wn_str wn_eval_group_shown(const wn_group *group)
{
    return group->name.len > 0 ? group->name : WN_STR("(none)");
}

/* ---- Figures of a group ------------------------------------------------------------------ */

/* The scores of a group by one measure; the caller frees them. NULL if out of memory. */
static wn_prf *gather(wn_report *report, uint32_t runner, wn_measure measure, const uint32_t *order,
                      uint32_t count)
{
    wn_prf *scores = malloc((count + 1) * sizeof *scores);
    for (uint32_t i = 0; scores && i < count; i++) {
        uint32_t page = order ? order[i] : i;
        scores[i] = wn_eval_report_result(report, page, runner)->score.by[measure];
    }
    report->failed = report->failed || !scores;
    return scores;
}

wn_summary wn_eval_report_summary(wn_report *report, uint32_t runner, wn_measure measure,
                                  const wn_groups *groups, const wn_group *group)
{
    wn_summary summary = {0};
    wn_prf *scores = gather(report, runner, measure, groups->order + group->first, group->count);
    if (scores && !wn_eval_summarize(scores, group->count, measure == WN_MEASURE_SHINGLES,
                                     report->seed, &summary))
        report->failed = true;
    free(scores);
    return summary;
}

wn_difference wn_eval_report_difference(wn_report *report, wn_pair pair)
{
    uint32_t count = report->pages.count;
    wn_difference difference = {0};
    wn_prf *a = gather(report, pair.a, report->lead, NULL, count);
    wn_prf *b = gather(report, pair.b, report->lead, NULL, count);
    if (a && b)
        difference = wn_eval_compare(a, b, count, report->lead == WN_MEASURE_SHINGLES,
                                     report->seed);
    free(a);
    free(b);
    return difference;
}

/* Adds to a mean that leaves out what is not defined. */
static void add_share(double *sum, uint64_t *count, double value)
{
    if (isnan(value))
        return;
    *sum += value;
    ++*count;
}

wn_totals wn_eval_report_totals(const wn_report *report, uint32_t runner, const wn_groups *groups,
                                const wn_group *group)
{
    wn_totals t = {0};
    uint64_t texts = 0, tags = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t number = groups->order[group->first + i];
        const wn_page_result *page = &report->pages.items[number];
        t.pages++;
        t.html_bytes += page->html_bytes;
        t.gold_bytes += page->gold_bytes;
        add_share(&t.text_share, &texts, page->shares.text);
        add_share(&t.tag_share, &tags, page->shares.tags);
        if (report->runners->list.count == 0)
            continue;
        const wn_run_result *run = wn_eval_report_result(report, number, runner);
        t.right += run->score.by[WN_MEASURE_LCS].f1 >= report->right;
        t.text_bytes += run->score.bytes;
        t.with_count += run->score.with_count;
        t.with_found += run->score.with_found;
        t.without_count += run->score.without_count;
        t.without_found += run->score.without_found;
        t.seconds += run->seconds;
    }
    t.text_share = texts ? t.text_share / (double)texts : NAN;
    t.tag_share = tags ? t.tag_share / (double)tags : NAN;
    return t;
}
