// Characters of <uchar.h>: what is ASCII is one byte; texts in UTF-16 have two numbers for a character beyond 16 bits.
// verdict: safe
#include <assert.h>
#include <cpio.h>
#include <tar.h>
#include <uchar.h>
int main(void) {
  char16_t c = 9, *none = 0;
  char32_t d = 9;
  char b[8];
  mbstate_t s = {0};
  assert(sizeof c == 2 && sizeof d == 4 && _Generic(u'a', char16_t: 1, default: 0) && _Generic(U'a', char32_t: 1, default: 0));
  assert(mbrtoc16(&c, "k", 1, &s) == 1 && c == u'k' && mbrtoc16(&c, "", 1, &s) == 0 && c == 0);
  assert(mbrtoc32(&d, "xy", 2, &s) == 1 && d == U'x' && mbrtoc32(&d, "y", 0, &s) == (size_t)-2 && d == U'x');
  assert(mbrtoc32(0, 0, 5, &s) == 0 && mbrtoc16(none, "z", 3, &s) == 1);
  assert(c16rtomb(b, u'q', &s) == 1 && b[0] == 'q' && c32rtomb(b, 0, &s) == 1 && !b[0] && c16rtomb(0, u'w', &s) == 1);
  const char16_t *text = u"\u20ac\U0001f600z";
  assert(text[0] == 0x20ac && text[1] == 0xd83d && text[2] == 0xde00 && text[3] == u'z' && sizeof u"é😀" == 8);
  assert(U"😀"[0] == 0x1f600 && sizeof U"😀" == 8 && TMAGIC[0] == 'u' && C_ISREG == 0100000);
}
