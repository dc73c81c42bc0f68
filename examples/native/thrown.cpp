// run: run --delays any
// expect: bug abort
// An exception that a thread does not catch ends the program; it is thrown only if the other thread is late.
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<bool> ready{false};

int main()
{
	std::thread reader([] {
		if (!ready)
			throw std::runtime_error("too early");
	});
	ready = true;
	reader.join();
}
