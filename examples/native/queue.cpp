// run: run
// expect: bug deadlock
// Two consumers wait for a queue; closing it wakes one of them.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

struct Queue {
	std::mutex lock;
	std::condition_variable changed;
	std::deque<int> items;
	bool closed = false;

	void push(int item)
	{
		std::lock_guard<std::mutex> hold(lock);
		items.push_back(item);
		changed.notify_one();
	}
	void close()
	{
		std::lock_guard<std::mutex> hold(lock);
		closed = true;
		changed.notify_one();
	}
	bool pop(int &item)
	{
		std::unique_lock<std::mutex> hold(lock);
		changed.wait(hold, [this] { return closed || !items.empty(); });
		if (items.empty())
			return false;
		item = items.front();
		items.pop_front();
		return true;
	}
};

int main()
{
	Queue queue;
	auto consume = [&queue] { for (int item; queue.pop(item);) {} };
	std::thread first(consume), second(consume);
	queue.push(1);
	queue.close();
	first.join();
	second.join();
}
