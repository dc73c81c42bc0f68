// verdict: safe
#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char text[6] = "";
    assert(mempcpy(text, "abc", 4) == text + 4 && rawmemchr(text, 'c') == text + 2);
    int numbers[3] = {1, 2, 3}, others[3];
    assert((int *)mempcpy(others, numbers, sizeof numbers) == others + 3 && others[2] == 3);
    assert(strcoll("a", "b") < 0 && strxfrm(text, "abcdefgh", 3) == 8 && strxfrm(NULL, "abc", 0) == 3);
    assert(strxfrm(text, "ab", 6) == 2 && !strcmp(text, "ab"));
    assert(!strcmp(strdupa("hey"), "hey") && !strcmp(strndupa("hey", 2), "he") && !strcmp(basename("/a/bc"), "bc"));
    assert(strverscmp("file9", "file10") < 0 && strverscmp("1.09", "1.1") < 0 && strverscmp("000", "00") < 0);
    assert(strverscmp("1.010", "1.09") < 0 && strverscmp("a1", "a01") > 0 && !strverscmp("a01", "a01"));
    bcopy("abcd", text, 5);
    assert(index(text, 'b') == text + 1 && !rindex(text, 'z'));
    explicit_bzero(text, 6);
    assert(!text[0] && !text[3]);
    return 0;
}
