/* What all headers of the GNU C library define. */
#ifndef _FEATURES_H
#define _FEATURES_H
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#define __P(args) args
#define __CONCAT(x, y) x##y
#define __STRING(x) #x
#endif
