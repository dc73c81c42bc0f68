// run: run --delays any
// expect: safe
// A future, a local static, `call_once` and a shared mutex.
#include <cassert>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::once_flag flag;
std::shared_mutex lock;
int made, value;

int &number()
{
	static int made_here = ++made;
	return made_here;
}

int work()
{
	std::call_once(flag, [] { value = 40; });
	std::shared_lock<std::shared_mutex> hold(lock);
	return value + number();
}

int main()
{
	auto answer = std::async(std::launch::async, work);
	work();
	assert(answer.get() == 41);
	assert(made == 1);
}
