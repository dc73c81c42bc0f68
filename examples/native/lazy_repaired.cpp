// run: run --delays any
// expect: safe
// Double-checked locking: the pointer is set when the object is complete.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Thing { int value = 0; };

std::atomic<Thing *> thing{nullptr};
std::mutex lock;

Thing *get()
{
	if (!thing) {
		std::lock_guard<std::mutex> hold(lock);
		if (!thing) {
			Thing *made = new Thing;
			made->value = 1;
			thing = made;
		}
	}
	return thing;
}

int main()
{
	std::thread other([] { assert(get()->value == 1); });
	assert(get()->value == 1);
	other.join();
}
