// run: run --delays any
// expect: bug assertion
// Destructors of thread-locals run when threads end, at the same time.
#include <cassert>
#include <thread>

int ended;

struct Ends {
	int used = 0;
	~Ends() { ended++; }
};

thread_local Ends ends;

int main()
{
	std::thread a([] { ends.used = 1; }), b([] { ends.used = 1; });
	a.join();
	b.join();
	assert(ended == 2);
}
