// verdict: safe
#include <assert.h>
#include <error.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

// <stdlib.h> has the types of <sys/types.h>. `error` ends the program, if it is told so.
int main(void) {
    uint high = 0x12345;
    dev_t device = makedev(high, 0x678910);
    assert(major(device) == high && minor(device) == 0x678910);
    error(0, 2, "%d %s", 3, "errors");
    assert(error_message_count == 1);
    error(3, 0, "the end");
    assert(0);
}
