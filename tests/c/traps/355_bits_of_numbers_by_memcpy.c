// verdict: safe
#include <assert.h>
#include <string.h>
#include <stdint.h>
 struct msg { int id; double v; float w; long l; };
 static uint64_t hash(double d){ uint64_t u; memcpy(&u,&d,sizeof u); return u ^ (u>>32); }
 static void put(unsigned char *b, double d){ uint64_t u; memcpy(&u,&d,sizeof u); for(int i=0;i<8;i++) b[i]=(unsigned char)(u>>(8*i)); }
 static float q_rsqrt(float number){ int32_t i; float x2=number*0.5f, y=number; memcpy(&i,&y,4); i=0x5f3759df-(i>>1); memcpy(&y,&i,sizeof y); y=y*(1.5f-(x2*y*y)); return y; }
 int main(void){ double d=1.5; uint64_t u; memcpy(&u,&d,8); assert(u==0x3ff8000000000000ull); 
  unsigned char b[16]; memcpy(b+4,&d,8); double e; void*r=memcpy(&e,b+4,8); assert(e==1.5 && r==&e); struct msg s; memcpy(&s.l,&d,8); assert(s.l==(long)u); memmove(&s.v,&s.l,8); assert(s.v==1.5);
  uint32_t h[2]; memcpy(h,&d,8); assert(h[1]==0x3ff80000); d = 0; memcpy(&d, h, 8); assert(d==1.5); double a[3]={1,2,3}; memcpy(&u,a+1,8); assert(u==0x4000000000000000ull); memcpy(&a[2],&u,8); assert(a[2]==2);
  assert(hash(2.0)==(0x4000000000000000ull^0x40000000)); put(b,1.0); assert(b[7]==0x3f&&b[6]==0xf0); float q=q_rsqrt(4.0f); assert(q>0.499f&&q<0.5f);
  double c1=3, c2; memcpy(&c2,&c1,sizeof c2); assert(c2==3); double *dp=&c1; int64_t l; memcpy(&l, dp, sizeof l); assert(l==0x4008000000000000);
  unsigned long long b2; __builtin_memcpy(&b2, &c1, sizeof b2); assert(b2 == (unsigned long long)l); return 0;}
