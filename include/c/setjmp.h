/* C11 7.13 */
#ifndef _SETJMP_H
#define _SETJMP_H
typedef struct { long __bits[32]; } jmp_buf[1], sigjmp_buf[1];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
int sigsetjmp(sigjmp_buf, int);
void siglongjmp(sigjmp_buf, int);
#endif
