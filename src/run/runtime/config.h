/* Stands before libstdc++'s file of the same name (bits/c++config.h). With this number strings are compiled into the
   program, where their accesses to memory are seen; all else stays in the library. */
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
