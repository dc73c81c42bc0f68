// The index is checked against the constant.
// verdict: bug index
#include <assert.h>
static const int columns = 2 + 1;
int main(void) {
  const int rows = 2;
  int matrix[rows][columns];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) matrix[i][j] = i * j;
  assert(matrix[rows][0] == 0);
  return 0;
}
