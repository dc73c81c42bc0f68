// verdict: bug deref
int main(void) {
  char *s = "abc";
  s[0] = 'x';
}
