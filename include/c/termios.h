/* POSIX termios.h */
#ifndef _TERMIOS_H
#define _TERMIOS_H
typedef unsigned char cc_t;
typedef unsigned int speed_t, tcflag_t;
#define NCCS 32
struct termios { tcflag_t c_iflag, c_oflag, c_cflag, c_lflag; cc_t c_line, c_cc[NCCS]; speed_t c_ispeed, c_ospeed; };
#define VMIN 6
#define VTIME 5
#define BRKINT 2
#define ICRNL 0400
#define INPCK 020
#define ISTRIP 040
#define IXON 02000
#define OPOST 1
#define ONLCR 4
#define CS8 060
#define ISIG 1
#define ICANON 2
#define ECHO 010
#define IEXTEN 0100000
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
void cfmakeraw(struct termios *);
int tcgetattr(int, struct termios *);
int tcsetattr(int, int, const struct termios *);
#endif
