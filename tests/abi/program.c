/*
 * A program of someone who compiled it with the first winnow.h (winnow-1.h, which never changes) and
 * runs it with the libwinnow of today. It uses every struct that crosses the border, by its members
 * of that time, and prints what it sees.
 */
#include "winnow-1.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("FAILED line %d: %s\n", __LINE__, #condition);                                  \
            failed++;                                                                              \
        }                                                                                          \
        checks++;                                                                                  \
    } while (0)

static int checks, failed;

static const char html[] =
    "<!DOCTYPE html><html lang=en><title>Rain</title><meta name=author content='J. Miller'>"
    "<link rel=stylesheet href=a.css><nav><a href=/>Home</a></nav><h1>Rain</h1>"
    "<p>It has been <a href=/x>raining</a> <img src=/y alt=clouds> since Monday, and the mill by "
    "the river stood still for as long.</p>";

static void *allocate(void *data, size_t size)
{
    ++*(int *)data;
    return malloc(size);
}

static void *resize(void *data, void *memory, size_t size)
{
    (void)data;
    return realloc(memory, size);
}

static void release(void *data, void *memory)
{
    --*(int *)data;
    free(memory);
}

static bool load_sheet(void *data, const char *url, winnow_sheet *sheet)
{
    CHECK(sheet->struct_size >= sizeof *sheet && strcmp(url, "https://example.org/a.css") == 0);
    sheet->bytes = "nav { display: none }";
    sheet->size = 21;
    sheet->charset = "utf-8";
    ++*(int *)data;
    return true;
}

static bool cancel(void *data)
{
    (void)data;
    return false;
}

static void check_content(winnow_selection *content)
{
    CHECK(winnow_selection_status(content) == WINNOW_STATUS_OK);
    CHECK(winnow_selection_limited(content) == 0);
    const winnow_metadata *metadata = winnow_selection_metadata(content);
    CHECK(strcmp(metadata->title, "Rain") == 0 && strcmp(metadata->language, "en") == 0);
    CHECK(metadata->author_count == 1 && strcmp(metadata->authors[0], "J. Miller") == 0);
    CHECK(metadata->license[0] == '\0' && metadata->source_count > 0);
    CHECK(strcmp(metadata->sources[0].field, "title") == 0 && metadata->sources[0].source[0]);
    CHECK(winnow_selection_block_count(content) == 3);
    const winnow_block *last = winnow_selection_block(content, 2);
    CHECK(last->kind == WINNOW_BLOCK_PARAGRAPH && last->kept && last->size == strlen(last->text));
    CHECK(strncmp(html + last->source_start, "<p>It", 5) == 0 && last->path[0] && last->reason[0]);
    CHECK(last->link_count == 1 && last->image_count == 1);
    const winnow_link *link = winnow_selection_link(content, last->first_link);
    CHECK(strcmp(link->url, "https://example.org/x") == 0 && link->block == 2);
    const winnow_image *image = winnow_selection_image(content, last->first_image);
    CHECK(strcmp(image->description, "clouds") == 0 && image->block == 2);
}

static void check_page(void)
{
    int held = 0, loaded = 0;
    winnow_allocator allocator = {sizeof allocator, allocate, resize, release, &held};
    winnow_page *page = winnow_page_new_with(&allocator);
    winnow_options *options = winnow_options_new();
    winnow_sheet sheet = {.struct_size = sizeof sheet, .bytes = "p { color: red }", .size = 16};
    CHECK(winnow_options_set_text(options, WINNOW_OPTION_URL, "https://example.org/") == 0);
    CHECK(winnow_options_set_flag(options, WINNOW_OPTION_EXPLAIN, true) == 0);
    CHECK(winnow_options_set_number(options, WINNOW_OPTION_MAX_DEPTH, 100) == 0);
    CHECK(winnow_options_set(options, "auto.lean", "precision") == 0);
    CHECK(winnow_options_add_sheet(options, &sheet) == 0);
    CHECK(winnow_options_set_sheet_loader(options, load_sheet, &loaded) == 0);
    CHECK(winnow_options_set_cancel(options, cancel, NULL) == 0);
    CHECK(winnow_parse(page, html, sizeof html - 1, options) == WINNOW_STATUS_OK);
    winnow_selection *content = winnow_select(page, "all", options);
    check_content(content);
    winnow_record record = {
        .struct_size = sizeof record, .id = "the id", .file = "a.warc", .offset = 77};
    const char *json = winnow_write_record(content, WINNOW_FORMAT_JSON, options, &record, NULL);
    CHECK(json && strstr(json, "the id") && strstr(json, "77"));
    CHECK(winnow_select(page, "eifce", options) && loaded > 0);
    CHECK(!winnow_select(page, "bte:search=lineer", options));
    const winnow_error *error = winnow_page_error(page);
    CHECK(error->status == WINNOW_STATUS_BAD_PARAMETER && error->message[0]);
    CHECK(strcmp(error->name, "search") == 0 && error->allowed[0] && error->position == 11);
    winnow_page_free(page);
    CHECK(held == 0);
    winnow_options_free(options);
}

static void check_lists(void)
{
    const winnow_method_info *method = winnow_method_find("lineblock:rule=all");
    CHECK(method && strcmp(method->name, "lineblock") == 0 && !method->builds_tree);
    const winnow_parameter_info *parameter = method->parameters[0];
    CHECK(parameter->name[0] && parameter->help[0] && parameter->fallback && parameter->allowed);
    const winnow_option_info *option = winnow_option_at(WINNOW_OPTION_MAX_DEPTH);
    CHECK(option->option == WINNOW_OPTION_MAX_DEPTH && strcmp(option->name, "max_depth") == 0);
    CHECK(strcmp(option->read_by, "parse") == 0 && option->value.kind == WINNOW_VALUE_WHOLE);
    CHECK(option->value.max == 65535);
    const winnow_format_info *format = winnow_format_at(WINNOW_FORMAT_CSV);
    CHECK(format->format == WINNOW_FORMAT_CSV && strcmp(format->name, "csv") == 0);
    CHECK(format->tells_failures && !format->has_links && format->aliases && format->endings[0]);
    CHECK(strcmp(winnow_field_at(0)->name, "id") == 0 && winnow_field_at(0)->always);
    CHECK(winnow_component_at(0)->name[0] && winnow_component_at(0)->use[0]);
    CHECK(strcmp(winnow_status_name(WINNOW_STATUS_UNREADABLE), "unreadable") == 0);
    CHECK(strcmp(winnow_block_kind_name(WINNOW_BLOCK_FORM), "form") == 0);
    CHECK(strcmp(winnow_page_type_name(WINNOW_PAGE_TYPE_SERVICE), "service") == 0);
}

static void check_learned(void)
{
    winnow_site *site = winnow_site_new(), *loaded;
    winnow_page *page = winnow_page_new();
    size_t size;
    winnow_parse(page, html, sizeof html - 1, NULL);
    CHECK(winnow_site_learn(site, page) == WINNOW_STATUS_OK && winnow_site_pages(site) == 1);
    void *bytes = winnow_site_save(site, &size);
    CHECK(bytes && winnow_site_load(&loaded, bytes, size) == WINNOW_STATUS_OK);
    CHECK(winnow_site_merge(site, loaded) == WINNOW_STATUS_OK && winnow_site_pages(site) == 2);
    winnow_model *model;
    CHECK(winnow_model_load(&model, "abc", 3) == WINNOW_STATUS_BAD_MODEL && !model);
    winnow_noise *noise = winnow_noise_new("a\n", 2);
    CHECK(noise);
    winnow_noise_free(noise);
    winnow_free(bytes);
    winnow_site_free(loaded);
    winnow_site_free(site);
    winnow_page_free(page);
}

int main(void)
{
    check_page();
    check_lists();
    check_learned();
    printf("%d passed, %d failed\n", checks - failed, failed);
    return failed ? 1 : 0;
}
