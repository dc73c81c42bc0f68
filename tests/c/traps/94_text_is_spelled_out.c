// verdict: safe
#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void numbers(void) {
  char b[48];
  assert(snprintf(b, sizeof b, "job-%d", 42) == 6);
  assert(!strcmp(b, "job-42"));
  assert(sprintf(b, "%d|%i|%d", 0, -7, INT_MIN) == 16);
  assert(!strcmp(b, "0|-7|-2147483648"));
  sprintf(b, "%u %lu %zu", UINT_MAX, 10UL, sizeof(int));
  assert(!strcmp(b, "4294967295 10 4"));
  sprintf(b, "%lld %llu", LLONG_MIN, ULLONG_MAX);
  assert(!strcmp(b, "-9223372036854775808 18446744073709551615"));
  sprintf(b, "%x %X %o %llx", 0xbeefu, 0xBEEFu, 8u, ULLONG_MAX);
  assert(!strcmp(b, "beef BEEF 10 ffffffffffffffff"));
  sprintf(b, "%hhd %hu %x", 300, 65537, -1);
  assert(!strcmp(b, "44 1 ffffffff"));
  sprintf(b, "%ld %llo", (long)-100, ULLONG_MAX);
  assert(!strcmp(b, "-100 1777777777777777777777"));
}

static void widths(void) {
  char b[40];
  sprintf(b, "[%4d][%-4d][%04d][%2d]", -5, -5, -5, 12345);
  assert(!strcmp(b, "[  -5][-5  ][-005][12345]"));
  sprintf(b, "[%02x][%3c][%-3c]%%", 10, 'a', 'b');
  assert(!strcmp(b, "[0a][  a][b  ]%"));
  sprintf(b, "[%3s][%-3s][%.2s][%4.1s]", "x", "y", "long", "long");
  assert(!strcmp(b, "[  x][y  ][lo][   l]"));
}

static void cut_off(void) {
  char b[4] = "abc", other[8] = "pq", *end = other;
  assert(snprintf(b, sizeof b, "%d", 12345) == 5);
  assert(!strcmp(b, "123"));
  assert(snprintf(b, 1, "%s", "wide") == 4 && b[0] == 0 && b[1] == '2');
  b[0] = 'z';
  assert(snprintf(b, 0, "%s", "wide") == 4 && b[0] == 'z');
  assert(snprintf(NULL, 0, "%s-%d", other, 10) == 5);
  int n = sprintf(end, "%s", "ab");
  n += snprintf(other + n, sizeof other - n, ".%s.%c%d", &b[1], 'k', 77);
  assert(n == 9);
  assert(!strcmp(other, "ab.23.k"));
}

int main(void) {
  numbers();
  widths();
  cut_off();
  return 0;
}
