// verdict: refused
#include <emmintrin.h>
int main(void) {
  __m128i a = _mm_set1_epi32(1);
  (void)a;
  return 0;
}
