// verdict: inconclusive
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/wait.h>

int main(void) {
    FILE *to = popen("cat", "w");
    int status;
    if (to) wait(&status);
    return 0;
}
