#ifndef _ALLOCA_H
#define _ALLOCA_H
void *alloca(__SIZE_TYPE__);
#endif
