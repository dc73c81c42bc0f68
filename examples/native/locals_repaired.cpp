// run: run --delays any --races
// expect: safe
// Destructors of thread-locals run when threads end, under a lock.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex lock;
int ended;

struct Ends {
	int used = 0;
	~Ends()
	{
		std::lock_guard<std::mutex> hold(lock);
		ended++;
	}
};

thread_local Ends ends;

int main()
{
	std::thread a([] { ends.used = 1; }), b([] { ends.used = 1; });
	a.join();
	b.join();
	assert(ended == 2);
}
