// verdict: safe
#include <assert.h>
#include <pthread.h>
enum { PUSH, ADD, MUL, JNZ, DEC, DUP, HALT };
static int run(const int *code) {
    static const void *const ops[] = { &&push, &&add, &&mul, &&jnz, &&dec, &&dup, &&halt };
    int stack[8], sp = 0, pc = 0;
#define NEXT goto *ops[code[pc++]]
    for (;;) {
        int kept = 7;
        NEXT;
    push: stack[sp++] = code[pc++]; NEXT;
    add: { int a = stack[--sp]; stack[sp - 1] += a; } NEXT;
    mul: { int a = stack[--sp]; stack[sp - 1] *= a; NEXT; }
    dec: stack[sp - 1]--; NEXT;
    dup: stack[sp] = stack[sp - 1]; sp++; NEXT;
    jnz: if (stack[sp - 1]) pc = code[pc]; else pc++; 
        assert(kept == 7);
        continue;
    halt: return stack[sp - 1];
    }
}
static void *t(void *r) {
    static const int p[] = { PUSH, 3, PUSH, 4, MUL, PUSH, 5, ADD, HALT };
    *(int *)r = run(p); return 0;
}
int main(void) {
    static const int q[] = { PUSH, 5, DEC, JNZ, 2, HALT };
    int r; pthread_t a; pthread_create(&a, 0, t, &r);
    assert(run(q) == 0);
    pthread_join(a, 0); assert(r == 17);
    return 0;
}
