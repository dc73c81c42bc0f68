// verdict: safe
#include <assert.h>
#include <stddef.h>
static thread_local int turns;
struct [[gnu::aligned(32)]] wide { char c; };
struct narrow { alignas(16) char c; bool set; };
static_assert(sizeof(struct wide) == 32);
static_assert(alignof(struct narrow) == 16, "aligned");
[[nodiscard("why")]] static bool is_null([[maybe_unused]] int *p) { return p == nullptr; }
int main() {
  bool yes = true;
  int *none = nullptr;
  auto leads = &yes;
  struct narrow n = {};
  switch (n.set) {
    case 0: turns = 1; [[fallthrough]];
    case 1: turns++;
  }
  [[maybe_unused]] int unused;
  int all[2] = {1, 2};
  assert(all[all[0]] == 2);
  assert(*leads && turns == 2 && is_null(none) && !false);
}
