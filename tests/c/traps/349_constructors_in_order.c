// Constructors with small priorities come first, those without one last; of equal ones the order of their definitions counts.
// verdict: safe
#include <assert.h>
static int at;
#define AFTER(n) (assert(at == (n)), at++)
#define EARLY 100 + 1
__attribute__((constructor)) void later(void);
__attribute__((constructor)) static void first(void) { AFTER(5); }
__attribute__((constructor(250))) static void fourth(void) { AFTER(3); }
__attribute__((constructor(EARLY))) static void early(void) { AFTER(0); }
__attribute__((constructor(250))) static void fifth(void) { AFTER(4); }
static void both(void) __attribute__((constructor(150)));
static __attribute__((constructor(65000))) void both(void) { AFTER(1); }
__attribute__((constructor(205), constructor(220))) static void twice(void) { AFTER(2); }
void declared(void);
__attribute__((constructor(102))) void declared(void) { AFTER(6); }
void later(void) { AFTER(7); }
[[gnu::destructor(101)]] static void last(void) { AFTER(11); }
__attribute__((__destructor__(200))) static void before_last(void) { AFTER(10); }
__attribute__((destructor())) static void second(void) { AFTER(9); }
int main(void) { AFTER(8); }
