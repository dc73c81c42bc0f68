/* What the CMake files of libcsptr write. */
#define CSPTR_PACKAGE "csptr"
#define CSPTR_VERSION "2.0"
