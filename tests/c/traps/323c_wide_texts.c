// verdict: safe
#include <assert.h>
#include <wchar.h>

int main(void) {
    wchar_t text[6];
    assert(wcslen(L"abc") == 3 && wcscpy(text, L"ab") == text && !wcscmp(wcscat(text, L"cde"), L"abcde"));
    assert(wcschr(text, L'c') == text + 2 && !wcsrchr(text, L'z') && wcsncmp(text, L"abz", 2) == 0 && wcscmp(L"a", L"b") < 0);
    assert(wcsstr(text, L"de") == text + 3 && wmemchr(text, L'e', 5) == text + 4);
    wmemset(text, L'x', 5);
    assert(!wmemcmp(text, L"xxxxx", 6) && !wcscmp(wcsncpy(text, L"a", 6), L"a") && !text[5]);
    wmemcpy(text, L"wide", 5);
    assert(text[3] == L'e');
    return 0;
}
