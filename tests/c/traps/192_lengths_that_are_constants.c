// A `const` variable that begins with a constant is one: such arrays may have several dimensions.
// verdict: safe
#include <assert.h>
static const int columns = 2 + 1;
int main(void) {
  const int rows = 2;
  int matrix[rows][columns];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) matrix[i][j] = i * j;
  assert(matrix[1][2] == 2 && sizeof matrix == 24);
  return 0;
}
