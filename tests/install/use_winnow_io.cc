// winnow-io.h from C++: it compiles without a warning, and its functions are found.
#include <cstring>

#include <winnow-io.h>

int main()
{
    const char *line = "{\"id\": 7, \"html\": \"<p>A page in a line.</p>\"}\n";
    winnow_reader *reader = winnow_reader_open_memory(line, std::strlen(line), nullptr);
    const winnow_archive_record *record = winnow_reader_next(reader);
    bool good = record && record->is_page && std::strcmp(record->id, "7") == 0 &&
                !winnow_reader_next(reader) &&
                std::strcmp(winnow_status_name(winnow_reader_error(reader)->status), "ok") == 0;
    winnow_reader_close(reader);
    return good ? 0 : 1;
}
