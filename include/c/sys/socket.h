/* POSIX sys/socket.h */
#ifndef _SYS_SOCKET_H
#define _SYS_SOCKET_H
#include <sys/types.h>
#include <sys/uio.h>
#include <__system.h>
typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { sa_family_t ss_family; char __data[126]; };
struct linger { int l_onoff, l_linger; };
struct msghdr { void *msg_name; socklen_t msg_namelen; struct iovec *msg_iov; size_t msg_iovlen; void *msg_control; size_t msg_controllen; int msg_flags; };
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL AF_UNIX
#define AF_INET 2
#define AF_INET6 10
#define AF_MAX 46
#define PF_UNSPEC AF_UNSPEC
#define PF_LOCAL AF_LOCAL
#define PF_INET6 AF_INET6
#define PF_UNIX AF_UNIX
#define PF_INET AF_INET
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_NONBLOCK 04000
#define SOCK_CLOEXEC 02000000
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SOMAXCONN 4096
#define MSG_OOB 1
#define MSG_PEEK 2
#define MSG_TRUNC 0x20
#define MSG_DONTWAIT 0x40
#define MSG_WAITALL 0x100
#define MSG_NOSIGNAL 0x4000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define AF_FILE 1
#define AF_NETLINK 16
#define AF_PACKET 17
#define MSG_DONTROUTE 4
#define MSG_CTRUNC 8
#define MSG_EOR 128
#define MSG_CONFIRM 2048
#define MSG_ERRQUEUE 8192
#define MSG_MORE 32768
#define MSG_WAITFORONE 65536
#define MSG_CMSG_CLOEXEC 1073741824
#define PF_FILE 1
#define PF_NETLINK 16
#define PF_PACKET 17
#define PF_MAX 46
#define SCM_RIGHTS 1
#define SCM_CREDENTIALS 2
#define SO_DEBUG 1
#define SO_DONTROUTE 5
#define SO_OOBINLINE 10
#define SO_PRIORITY 12
#define SO_PASSCRED 16
#define SO_PEERCRED 17
#define SO_RCVLOWAT 18
#define SO_SNDLOWAT 19
#define SO_BINDTODEVICE 25
#define SO_TIMESTAMP 29
#define SO_ACCEPTCONN 30
#define SO_PROTOCOL 38
#define SO_DOMAIN 39
#define SOCK_RDM 4
#define SOCK_SEQPACKET 5
#define SOCK_DCCP 6
#define SOCK_PACKET 10
/* Sockets are not modelled: who calls and what comes is any, what is sent is gone. Each socket has a number of its own. */
unsigned __VERIFIER_nondet_library_uint(void);
int usleep(useconds_t);
int __sockets, __sockets_have_names, __sockets_call;
static inline int __any_socket(void) {
  __atomic_fetch_add(&__sockets, 1, 5);
  return __number_of_a_file();
}
/* What one socket of a program sends to another one is not followed. */
static inline void __own_sockets(void) {
  if (__atomic_load_n(&__sockets_have_names, 5) && __atomic_load_n(&__sockets_call, 5) && __atomic_load_n(&__sockets, 5) > 1)
    __library_not_modelled("a program whose sockets may be connected with each other");
}
static inline void __socket_has_a_name(void) {
  __atomic_store_n(&__sockets_have_names, 1, 5);
  __own_sockets();
}
static inline void __socket_calls(void) {
  __atomic_store_n(&__sockets_call, 1, 5);
  __own_sockets();
}
/* An address of any bytes. */
static inline void __any_address(void *__to, socklen_t *__size) {
  if (!__to) return;
  char *__bytes = __to;
  __any_chars(__bytes, *__size);
  socklen_t __own = __VERIFIER_nondet_library_uint();
  if (__own < *__size) *__size = __own;
}
static inline int socket(int __family, int __kind, int __protocol) { return __VERIFIER_nondet_library_bool() ? __fails() : __any_socket(); }
static inline int bind(int __socket, const void *__to, socklen_t __size) {
  if (__is_no_file(__socket)) return -1;
  __library_reads_bytes(__to, __size);
  __socket_has_a_name();
  return __fails_or_is_done();
}
static inline int listen(int __socket, int __most) {
  if (__is_no_file(__socket)) return -1;
  __socket_has_a_name();
  return __fails_or_is_done();
}
static inline int accept(int __socket, void *__from, socklen_t *__size) {
  if (__is_no_file(__socket)) return -1;
  usleep(1);
  if (__VERIFIER_nondet_library_bool()) return __fails();
  __any_address(__from, __size);
  return __any_socket();
}
static inline int accept4(int __socket, void *__from, socklen_t *__size, int __how) { return accept(__socket, __from, __size); }
static inline int connect(int __socket, const void *__to, socklen_t __size) {
  if (__is_no_file(__socket)) return -1;
  __library_reads_bytes(__to, __size);
  __socket_calls();
  usleep(1);
  return __fails_or_is_done();
}
static inline int getsockname(int __socket, void *__to, socklen_t *__size) {
  if (__is_no_file(__socket)) return -1;
  if (__VERIFIER_nondet_library_bool()) return __fails();
  __any_address(__to, __size);
  return 0;
}
static inline int getpeername(int __socket, void *__to, socklen_t *__size) { return getsockname(__socket, __to, __size); }
static inline int getsockopt(int __socket, int __level, int __name, void *__to, socklen_t *__size) {
  if (__level == SOL_SOCKET && __name == SO_ERROR && *__size >= sizeof(int)) {
    if (__is_no_file(__socket)) return -1;
    *(int *)__to = __VERIFIER_nondet_library_uchar() & 127;
    *__size = sizeof(int);
    return 0;
  }
  return getsockname(__socket, __to, __size);
}
static inline int setsockopt(int __socket, int __level, int __name, const void *__value, socklen_t __size) {
  if (__is_no_file(__socket)) return -1;
  if (__value) __library_reads_bytes(__value, __size);
  return __fails_or_is_done();
}
static inline ssize_t recv(int __socket, void *__to, size_t __size, int __how) {
  if (__is_no_file(__socket)) return -1;
  usleep(1);
  return __any_bytes(__to, __size);
}
static inline ssize_t recvfrom(int __socket, void *__to, size_t __size, int __how, void *__from, socklen_t *__length) {
  ssize_t __all = recv(__socket, __to, __size, __how);
  if (__all >= 0) __any_address(__from, __length);
  return __all;
}
static inline ssize_t send(int __socket, const void *__from, size_t __size, int __how) {
  return __is_no_file(__socket) ? -1 : __is_sent(__from, __size);
}
static inline ssize_t sendto(int __socket, const void *__from, size_t __size, int __how, const void *__to, socklen_t __length) {
  if (__to) {
    __library_reads_bytes(__to, __length);
    __socket_calls();
  }
  return send(__socket, __from, __size, __how);
}
static inline int shutdown(int __socket, int __how) { return __is_no_file(__socket) ? -1 : __fails_or_is_done(); }
ssize_t recvmsg(int, struct msghdr *, int);
ssize_t sendmsg(int, const struct msghdr *, int);
int socketpair(int, int, int, int *);
#endif
