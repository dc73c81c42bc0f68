/* Pipes: a read waits until there is something to read or nobody can write. The kernel keeps the bytes. The runtime controls
   no other way by which threads hear of each other through the kernel, and the answer says so. */
#include "runtime.h"
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <poll.h>

#define ENDS 1024
#define LARGEST 65536
/* The numbers of files: which ones are free depends on the order in which threads make pipes and close them. */
#define NUMBERS cell_of(OBJECT, 4)
static struct pipe { u64 cell; int to[2]; u8 open[2]; } *of[ENDS];
static int made; /* a pipe that is controlled */

static struct pipe *pipe_of(int file)
{
	return ON && file >= 0 && file < ENDS ? of[file] : 0;
}
static int flags_of(int file) { REAL(int, fcntl); return fcntl_(file, F_GETFL, 0); }

/* The first of these functions is named in the answer. */
void uncontrolled(const char *name)
{
	if (shared && !*shared->channel)
		strncpy(shared->channel, name, sizeof shared->channel - 1);
	else if (!shared)
		channel_before_main = name;
}
/* A pipe is used in a way that is not controlled. The search begins again, and then controls no pipe. */
static void on_pipe(const char *name)
{
	shared->flags |= FLAG_KERNEL;
	shared->found++;
	strncpy(shared->pipes_by, name, sizeof shared->pipes_by - 1);
}
/* Names the call in which a thread waits, for an execution that takes too long. */
static void outside(const char *name) { strncpy(shared->waits, name, sizeof shared->waits - 1); }

static u64 there(struct pipe *p)
{
	REAL(int, ioctl);
	int count = 0;
	ioctl_(p->to[0], FIONREAD, &count);
	return count;
}

/* Sets who may go on. Class 0 waits to read. */
static void settle(struct pipe *p)
{
	object(p->cell, T_PIPE)->mask[0] = !p->open[1] || (p->open[0] && there(p)) ? EVERYBODY : NOBODY;
}

static int make(int to[2], int flags, u64 pc)
{
	struct op o = {.kind = PIPE, .pc = pc};
	touch(&o, NUMBERS, 1);
	point(&o);
	REAL(int, pipe2);
	int failed = pipe2_(to, flags);
	event(&o, failed ? 0 : to[0]);
	if (failed)
		return failed;
	if (shared->flags & FLAG_KERNEL) {
		uncontrolled(shared->pipes_by);
		return 0;
	}
	if (to[0] >= ENDS || to[1] >= ENDS || flags & O_DIRECT)
		unsupported("a pipe of packets, or more than 1,024 files", pc);
	struct pipe *p = grab(sizeof *p);
	*p = (struct pipe){cell_of(PIPES, (u64)me->slot << 32 | ++me->pipes), {to[0], to[1]}, {1, 1}};
	of[to[0]] = of[to[1]] = p;
	made = 1;
	settle(p);
	return 0;
}
API int pipe2(int to[2], int flags)
{
	REAL(int, pipe2);
	if (active)
		return ON ? make(to, flags, PC) : pipe2_(to, flags);
	uncontrolled("pipe");
	return pipe2_(to, flags);
}
API int pipe(int to[2])
{
	REAL(int, pipe);
	if (active)
		return ON ? make(to, 0, PC) : pipe_(to);
	uncontrolled("pipe");
	return pipe_(to);
}

/* Other threads may come first. If one of them closes this end, the kernel would still use it. */
static void at_end(struct op *o, struct pipe *p, int file)
{
	touch(o, p->cell, 1);
	point(o);
	if (of[file] != p)
		unsupported("a pipe that is closed while another thread is about to use it", o->pc);
}

static ssize_t take(struct pipe *p, int file, void *to, size_t n, u64 pc)
{
	REAL(ssize_t, read);
	struct op o = {.kind = PIPE_READ, .pc = pc};
	if (!(flags_of(file) & O_NONBLOCK))
		guard(&o, p->cell, 0);
	at_end(&o, p, file);
	u64 count = there(p);
	n = n < count ? n : count ? count : 1;
	u8 *bytes = grab(n);
	ssize_t got = read_(file, bytes, n);
	int saved = errno;
	if (got <= 0)
		o.cell[0].write = 0;
	settle(p);
	event(&o, got);
	if (got > 0)
		fill(to, bytes, got, pc);
	errno = saved;
	return got;
}
static ssize_t give(struct pipe *p, int file, const void *from, size_t n, u64 pc)
{
	REAL(ssize_t, write);
	REAL(int, fcntl);
	struct op o = {.kind = PIPE_WRITE, .pc = pc};
	if (n > LARGEST)
		unsupported("a write of more than 64 KiB to a pipe", pc);
	u8 *bytes = grab(n);
	look_at(bytes, from, n, pc);
	at_end(&o, p, file);
	int flags = flags_of(file);
	fcntl_(file, F_SETFL, flags | O_NONBLOCK);
	ssize_t sent = write_(file, bytes, n);
	int saved = errno;
	fcntl_(file, F_SETFL, flags);
	if (!(flags & O_NONBLOCK) && (sent < 0 ? saved == EAGAIN : sent < n))
		unsupported("a write to a pipe that is full", pc);
	if (sent < 0)
		o.cell[0].write = 0;
	settle(p);
	event(&o, sent);
	errno = saved;
	return sent;
}
API int close(int file)
{
	REAL(int, close);
	struct pipe *p = pipe_of(file);
	if (!p)
		return close_(file);
	struct op o = {.kind = PIPE_CLOSE, .pc = PC};
	touch(&o, NUMBERS, 1);
	at_end(&o, p, file);
	of[file] = 0;
	p->open[file == p->to[1]] = 0;
	int failed = close_(file);
	settle(p);
	event(&o, 0);
	return failed;
}

/* Calls in which a thread may wait for what other threads do. */
#define WAITS(type, name, parameters, ...) API type name parameters { \
	REAL(type, name); \
	if (!ON) return name##_(__VA_ARGS__); \
	outside(#name); type result = name##_(__VA_ARGS__); outside(""); \
	return result; }
/* Another order might have given the thread something to read. */
static void at_end_of_input(void)
{
	REAL(off_t, lseek);
	if (lseek_(0, 0l, SEEK_CUR) > 0)
		input_was_read();
}
#define FILE_READ(name, ...) \
	REAL(ssize_t, name); \
	if (!watches(PC)) return name##_(__VA_ARGS__); \
	void *asked = to; to = own(n); \
	outside(#name); ssize_t result = name##_(__VA_ARGS__); outside(""); \
	if (result > 0) seeded(file, to, result), fill(asked, to, result, PC); \
	if (!result && !file) at_end_of_input(); \
	return result;
#define PLAIN_READ(name, parameters, ...) API ssize_t name parameters { \
	struct pipe *p = pipe_of(file); \
	if (p && n) return take(p, file, to, n, PC); \
	FILE_READ(name, __VA_ARGS__) }
PLAIN_READ(read, (int file, void *to, size_t n), file, to, n)
PLAIN_READ(__read_chk, (int file, void *to, size_t n, size_t room), file, to, n, room)
API ssize_t pread(int file, void *to, size_t n, off_t at) { FILE_READ(pread, file, to, n, at) }
API ssize_t pread64(int file, void *to, size_t n, off_t at) { FILE_READ(pread64, file, to, n, at) }
API ssize_t write(int file, const void *from, size_t n)
{
	struct pipe *p = pipe_of(file);
	if (p && n)
		return give(p, file, from, n, PC);
	REAL(ssize_t, write);
	if (!watches(PC))
		return write_(file, from, n);
	u8 *bytes = own(n);
	look_at(bytes, from, n, PC);
	outside("write");
	ssize_t result = write_(file, bytes, n);
	outside("");
	return result;
}
#define POLLS(name, parameters, ...) API int name parameters { \
	REAL(int, name); \
	if (!ON) return name##_(__VA_ARGS__); \
	if (made) on_pipe(#name); \
	outside(#name); int result = name##_(__VA_ARGS__); outside(""); \
	return result; }
POLLS(poll, (struct pollfd *f, nfds_t n, int t), f, n, t)
POLLS(__poll_chk, (struct pollfd *f, nfds_t n, int t, size_t r), f, n, t, r)
POLLS(ppoll, (struct pollfd *f, nfds_t n, const struct timespec *t, const sigset_t *s), f, n, t, s)
POLLS(select, (int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *t), n, r, w, e, t)
POLLS(pselect, (int n, fd_set *r, fd_set *w, fd_set *e, const struct timespec *t, const sigset_t *s), n, r, w, e, t, s)
POLLS(epoll_wait, (int p, struct epoll_event *e, int n, int t), p, e, n, t)
POLLS(epoll_pwait, (int p, struct epoll_event *e, int n, int t, const sigset_t *s), p, e, n, t, s)
WAITS(int, accept, (int f, struct sockaddr *a, socklen_t *n), f, a, n)
WAITS(int, connect, (int f, const struct sockaddr *a, socklen_t n), f, a, n)
WAITS(ssize_t, recv, (int f, void *to, size_t n, int g), f, to, n, g)
WAITS(ssize_t, recvfrom, (int f, void *to, size_t n, int g, struct sockaddr *a, socklen_t *l), f, to, n, g, a, l)
WAITS(ssize_t, recvmsg, (int f, struct msghdr *m, int g), f, m, g)
WAITS(ssize_t, send, (int f, const void *from, size_t n, int g), f, from, n, g)
WAITS(int, eventfd_read, (int f, eventfd_t *v), f, v)
WAITS(int, eventfd_write, (int f, eventfd_t v), f, v)
WAITS(int, sigwait, (const sigset_t *s, int *n), s, n)
WAITS(int, sigwaitinfo, (const sigset_t *s, siginfo_t *i), s, i)
WAITS(int, sigsuspend, (const sigset_t *s), s)
WAITS(int, pause, (void))
WAITS(pid_t, waitpid, (pid_t p, int *s, int o), p, s, o)
WAITS(int, semop, (int s, struct sembuf *b, size_t n), s, b, n)
WAITS(ssize_t, msgrcv, (int q, void *to, size_t n, long t, int g), q, to, n, t, g)
WAITS(ssize_t, mq_receive, (int q, char *to, size_t n, unsigned *p), q, to, n, p)

/* Calls that make something in the kernel by which a thread may hear of another one. */
#define CHANNEL(name, parameters, ...) API int name parameters { \
	if (!active || ON) uncontrolled(#name); \
	REAL(int, name); outside_of_main(#name); int result = name##_(__VA_ARGS__); outside_of_main(""); return result; }
static void outside_of_main(const char *name) { if (ON) outside(name); }
CHANNEL(socketpair, (int d, int t, int p, int to[2]), d, t, p, to)
CHANNEL(socket, (int d, int t, int p), d, t, p)
CHANNEL(eventfd, (unsigned v, int f), v, f)
CHANNEL(timerfd_create, (int c, int f), c, f)
CHANNEL(mkfifo, (const char *n, mode_t m), n, m)
CHANNEL(flock, (int f, int o), f, o)
CHANNEL(semget, (key_t k, int n, int f), k, n, f)
CHANNEL(shmget, (key_t k, size_t n, int f), k, n, f)
CHANNEL(msgget, (key_t k, int f), k, f)
CHANNEL(mq_open, (const char *n, int f, mode_t m, void *a), n, f, m, a)

/* Calls that copy an end of a pipe or look at it: the runtime does not control them. */
#define ON_END(type, name, parameters, file, ...) API type name parameters { \
	if (pipe_of(file)) on_pipe(#name); \
	REAL(type, name); return name##_(__VA_ARGS__); }
ON_END(int, dup, (int f), f, f)
ON_END(int, dup2, (int f, int to), pipe_of(f) ? f : to, f, to)
ON_END(int, dup3, (int f, int to, int g), pipe_of(f) ? f : to, f, to, g)
ON_END(ssize_t, readv, (int f, const struct iovec *v, int n), f, f, v, n)
ON_END(ssize_t, writev, (int f, const struct iovec *v, int n), f, f, v, n)
ON_END(ssize_t, splice, (int f, off_t *a, int to, off_t *b, size_t n, unsigned g), pipe_of(f) ? f : to, f, a, to, b, n, g)
ON_END(ssize_t, tee, (int f, int to, size_t n, unsigned g), f, f, to, n, g)
ON_END(ssize_t, vmsplice, (int f, const struct iovec *v, size_t n, unsigned g), f, f, v, n, g)
ON_END(ssize_t, sendfile, (int to, int f, off_t *a, size_t n), to, to, f, a, n)
ON_END(FILE *, fdopen, (int f, const char *m), f, f, m)
ON_END(int, vdprintf, (int f, const char *s, va_list l), f, f, s, l)
ON_END(int, epoll_ctl, (int p, int o, int f, struct epoll_event *e), f, p, o, f, e)
API int dprintf(int file, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = vdprintf(file, format, list);
	va_end(list);
	return n;
}
API int close_range(unsigned from, unsigned to, int flags)
{
	if (ON && made)
		on_pipe("close_range");
	REAL(int, close_range);
	return close_range_(from, to, flags);
}
static int control(int file, int what, long with)
{
	int harmless = what == F_GETFD || what == F_SETFD || what == F_GETFL || (what == F_SETFL && alone());
	if (!harmless && pipe_of(file))
		on_pipe("fcntl");
	if (ON && (what == F_OFD_SETLK || what == F_OFD_SETLKW))
		uncontrolled("fcntl");
	REAL(int, fcntl);
	return fcntl_(file, what, with);
}
#define LIST_OF_ONE(last) va_list list; va_start(list, last); long with = va_arg(list, long); va_end(list)
API int fcntl(int file, int what, ...) { LIST_OF_ONE(what); return control(file, what, with); }
API int fcntl64(int file, int what, ...) { LIST_OF_ONE(what); return control(file, what, with); }
API int ioctl(int file, unsigned long what, ...)
{
	LIST_OF_ONE(what);
	if (pipe_of(file))
		on_pipe("ioctl");
	REAL(int, ioctl);
	return ioctl_(file, what, with);
}
/* System calls by their numbers may be any of these. */
void by_number(void) { if (made) on_pipe("syscall"); }
