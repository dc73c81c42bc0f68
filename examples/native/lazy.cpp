// run: run --delays any
// expect: bug assertion
// Double-checked locking: the pointer is set before the object is complete.
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
			thing = new Thing;
			thing.load()->value = 1;
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
