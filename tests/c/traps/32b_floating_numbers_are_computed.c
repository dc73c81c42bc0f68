// verdict: safe
#include <assert.h>
static double filled(int n, int of) { return (double)n / of; }
static float one = 1;
static double three = 0.1 + 0.2;
struct point { double x; float y; };
static struct point points[2] = {{1.5, 2}, {0.5, -1}};

int main(int argc, char **argv) {
  float short_tenth = argc / 10.f;
  double tenth = argc / 10.0;
  assert(short_tenth != tenth && short_tenth > tenth);
  assert(tenth + 2 * tenth != 0.3 && tenth + 2 * tenth == three);
  int room = 4, n = 0;
  for (; n < 4; n++)
    if (filled(n, room) > 0.7) room *= 2;
  assert(room == 8);
  assert((int)(tenth * 39) == 3 && (int)-3.9 == -3 && (unsigned char)(tenth * 2550) == 255);
  one -= 0.75f;
  n *= one;
  assert(n == 1 && one == 0.25f);
  double none = tenth - tenth, endless = 1 / none;
  assert(endless > 1e308 && none / none != none / none && -none == none && !(none * endless < 1));
  double sum = 0;
  for (int i = 0; i < 2; i++) sum += points[i].x * points[i].y;
  assert(sum == 2.5 && -sum < 0 && sum ? 1 : 0);
  double copy[2] = {sum};
  points[0].x = copy[0];
  assert(points[0].x >= 2.5 && copy[1] == 0);
}
