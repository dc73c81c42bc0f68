// Calls of the system fail, or give what the standards allow.
// verdict: safe
#include <assert.h>
#include <fcntl.h>
#include <locale.h>
#include <langinfo.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  char name[16], text[8];
  assert(sched_get_priority_max(SCHED_FIFO) == 99 && sched_get_priority_min(SCHED_RR) == 1);
  assert(sched_get_priority_max(SCHED_OTHER) == 0 && sched_get_priority_min(77) == -1);
  if (!pthread_getname_np(pthread_self(), name, sizeof name)) assert(strlen(name) < 16);
  assert(pthread_getname_np(pthread_self(), name, 4));
  assert(strerror_r(3, text, 8) && strlen(text) == 7);
  setlocale(LC_ALL, "");
  assert(setlocale(LC_ALL, "POSIX") && setlocale(LC_ALL, "C") && !strcmp(setlocale(LC_ALL, 0), "C"));
  assert(!strcmp(nl_langinfo(RADIXCHAR), "."));
  int file = open("x", O_RDONLY);
  if (file < 0) return 1;
  assert(lseek(file, 0, SEEK_END) >= -1);
  int other = dup(file);
  assert(other == -1 || other > 2);
  assert(dup2(file, 1) <= 1);
  if (chdir("/")) return 1;
  if (getcwd(text, sizeof text)) assert(text[0] == '/' && strlen(text) < 8);
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  struct stat what;
  if (!fstat(file, &what)) assert(what.st_size >= 0);
  return 0;
}
