// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

// A day is brought into its order, and a time that a program has made is the one of its day.
int main(void) {
    struct tm day = {.tm_year = 124, .tm_mon = 1, .tm_mday = 30, .tm_hour = 25, .tm_min = -61, .tm_sec = 3};
    time_t time = timegm(&day);
    assert(time == 1709337543);
    assert(day.tm_mon == 2 && day.tm_mday == 1 && day.tm_hour == 23 && day.tm_min == 59 && day.tm_sec == 3);
    assert(day.tm_wday == 5 && day.tm_yday == 60);
    struct tm *again = gmtime(&time);
    assert(again->tm_year == 124 && again->tm_mon == 2 && again->tm_mday == 1);
    char text[26], *found = asctime_r(&day, text);
    assert(found == text && !strcmp(text, "Fri Mar  1 23:59:03 2024\n") && !strcmp(asctime(&day), text));
    time = -1;
    assert(ctime_r(&time, text) && !strcmp(text, ctime(&time)) && strlen(text) == 25);
    struct tm late = {.tm_year = 10000, .tm_mon = 12, .tm_mday = -400, .tm_wday = 9};
    errno = 0;
    assert(!asctime_r(&late, text) && errno == EOVERFLOW);
    assert(!strcmp(asctime(&late), "?\?? ?\??-400 00:00:00 11900\n"));
    struct tm never = {.tm_year = 2147483647, .tm_mon = 12, .tm_mday = 1};
    errno = 0;
    assert(timegm(&never) == -1 && errno == EOVERFLOW && never.tm_mon == 12);
    return 0;
}
