// run: run --delays any
// expect: safe
// The exception is handed over; locks are given back on its way.
#include <atomic>
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

std::atomic<bool> ready{false};
std::recursive_timed_mutex lock;

int main()
{
	std::exception_ptr thrown;
	std::thread reader([&thrown] {
		try {
			std::lock_guard<std::recursive_timed_mutex> once(lock), twice(lock);
			if (!ready)
				throw std::runtime_error("too early");
		} catch (...) {
			thrown = std::current_exception();
		}
	});
	ready = true;
	reader.join();
	std::unique_lock<std::recursive_timed_mutex> hold(lock, std::try_to_lock);
	assert(hold.owns_lock());
	try {
		if (thrown)
			std::rethrow_exception(thrown);
	} catch (const std::runtime_error &error) {
		assert(std::string("too early") == error.what());
	}
}
