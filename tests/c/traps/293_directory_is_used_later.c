// An entry of a directory is gone when the directory is closed.
// verdict: bug deref
#include <dirent.h>
int main(void) {
  DIR *all = opendir(".");
  if (!all) return 1;
  struct dirent *one = readdir(all);
  closedir(all);
  return one ? one->d_name[0] : 0;
}
