// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>
int main(void) {
  wchar_t w[8] = {0}, *end = 0, *rest = 0;
  char c[8] = {0};
  const char *from = "abc";
  assert(wcsspn(L"aabx", L"ab") == 3 && wcscspn(L"aabx", L"x") == 3);
  assert(*wcspbrk(L"aabx", L"xb") == L'b' && !wcspbrk(L"aa", L"x"));
  wchar_t t[] = L"a,b;;c";
  assert(!wcscmp(wcstok(t, L",;", &rest), L"a") && !wcscmp(wcstok(0, L",;", &rest), L"b") && !wcscmp(wcstok(0, L",;", &rest), L"c") && !wcstok(0, L",;", &rest));
  assert(mbtowc(w, "x", 1) == 1 && w[0] == L'x' && mbtowc(w, "", 1) == 0 && mbtowc(w, "a", 0) == -1 && mbtowc(0, 0, 0) == 0);
  assert(mblen("q", 3) == 1 && mblen(0, 0) == 0 && wctomb(c, L'z') == 1 && c[0] == 'z' && wctomb(0, L'z') == 0);
  assert(mbstowcs(w, "hello", 8) == 5 && !wcscmp(w, L"hello") && mbstowcs(0, "abc", 0) == 3 && mbstowcs(w, "hello", 2) == 2);
  assert(wcstombs(c, L"hey", 8) == 3 && !strcmp(c, "hey") && wcstombs(0, L"abcd", 0) == 4);
  assert(wcstol(L"  -12x", &end, 10) == -12 && *end == L'x' && wcstoul(L"ff", 0, 16) == 255 && wcstoll(L"7", 0, 0) == 7);
  assert(btowc('a') == L'a' && btowc(EOF) == WEOF && wctob(L'b') == 'b' && wctob(WEOF) == EOF);
  mbstate_t s = {0};
  assert(mbrtowc(w, "k", 1, &s) == 1 && w[0] == L'k' && wcrtomb(c, L'k', &s) == 1 && mbrlen("", 1, &s) == 0 && mbsinit(&s));
  assert(mbsrtowcs(w, &from, 8, &s) == 3 && from == 0 && w[2] == L'c' && w[3] == 0);
  assert(iswalpha(L'a') && !iswalpha(L'1') && iswdigit(L'1') && iswspace(L' ') && !iswupper(L'a') && iswpunct(L'!') && !iswprint(WEOF) && iswxdigit(L'f'));
  assert(towupper(L'a') == L'A' && towlower(L'Q') == L'q' && towupper(WEOF) == WEOF);
  assert(wcscasecmp(L"aBc", L"AbC") == 0 && wcpcpy(w, L"ab") == w + 2);
  return 0;
}
