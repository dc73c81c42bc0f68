// verdict: bug assertion
#include <assert.h>
#include <regex.h>
int main(void) {
  regex_t r;
  regmatch_t m[1];
  if (regcomp(&r, "b", 0) != 0) return 0;
  if (regexec(&r, "abc", 1, m, 0) == 0) assert(m[0].rm_so == 1);
  regfree(&r);
  return 0;
}
