// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
static int fine(int r) { return r == 0 || r == -1; }
int main(void) {
  assert(fine(remove("/dev/null/x")) && fine(rename("/dev/null/x", "/dev/null/y")) && fine(setenv("A", "b", 1)));
  assert(fine(access("/dev/null/x", R_OK)) && fine(unlink("/dev/null/x")) && fine(mkdir("/dev/null/x", 0777)));
  assert(fine(fseek(stdin, 0, SEEK_END)) && fine(fclose(stdin)));
  assert(isatty(0) <= 1 && getuid() == getuid() && getppid() >= 0 && lrand48() >= 0);
  struct timespec now;
  assert(timespec_get(&now, TIME_UTC) == TIME_UTC && now.tv_nsec < 1000000000);
  char text[] = "a needle";
  assert(memmem(text, 8, "need", 4) == text + 2 && !memmem(text, 8, "nodl", 4));
  assert(memrchr(text, 'e', 8) == text + 7 && strchrnul(text, 'x') == text + 8);
  assert(strcasestr(text, "NEED") == text + 2 && !strcasestr(text, "thread"));
  return 0;
}
