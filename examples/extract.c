#include <stdio.h>
#include <string.h>

#include <winnow.h>

int main(void)
{
    const char *html = "<title>Winnowing</title>"
                       "<nav><a href='/'>Home</a> <a href='/about'>About us</a></nav>"
                       "<article><h1>Winnowing</h1>"
                       "<p>To winnow is to throw grain into the air, so that the wind carries "
                       "the chaff away and the heavier grain falls back down.</p></article>"
                       "<footer><a href='/privacy'>Privacy</a></footer>";

    char *text = winnow_extract(html, strlen(html));
    if (text)
        puts(text);
    winnow_free(text);
    return 0;
}
