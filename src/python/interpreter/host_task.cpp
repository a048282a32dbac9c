#include "python/interpreter/host_task.h"

#include <memory>
#include <string>
#include <utility>

#include <hither/error.h>

#include "profiling/record.h"
#include "python/interpreter/gil.h"
#include "python/interpreter/raise_error.h"

namespace hither::python {

std::atomic<int64_t> python_work{0};

namespace {

bool host_tasks_expected = false;

// Runs, and is destroyed, on threads that may not hold the GIL.
class HostTask {
 public:
  explicit HostTask(nb::callable work) : work_(work.release().ptr()) {
    python_work.fetch_add(1, std::memory_order_relaxed);
  }
  HostTask(const HostTask&) = delete;
  HostTask& operator=(const HostTask&) = delete;
  ~HostTask() {
    if (GilAcquired::is_possible()) {
      GilAcquired gil;
      Py_DECREF(work_);
    }
    python_work.fetch_sub(1, std::memory_order_relaxed);
  }
  void run() const {
    GilAcquired gil;
    // The lambda holds no nb::object, because Python may unwind its frame without the GIL.
    PyObject* result = with_python([&] { return PyObject_CallNoArgs(work_); });
    if (!result) {
      throw Error(ErrorKind::kKernel, "submit_host",
                  std::string(without_line_break(nb::python_error().what())));
    }
    Py_DECREF(result);
  }

 private:
  PyObject* work_;
};

}  // namespace

void expect_host_tasks() {
  if (!std::exchange(host_tasks_expected, true))
    python_work.fetch_add(1, std::memory_order_relaxed);
}

bool expects_host_tasks() { return host_tasks_expected; }

Event submit_python(const Queue& queue, nb::callable work, std::span<const Event> depends_on) {
  std::string name;
  if (profiling::is_on())
    name = nb::str(nb::getattr(work, "__name__", nb::str("host task"))).c_str();
  auto task = std::make_shared<HostTask>(std::move(work));
  GilReleased release;
  Event event = queue.submit_host([task = std::move(task)] { task->run(); }, depends_on);
  if (!name.empty()) profiling::describe_last(name, "", 0, 0);
  return event;
}

}  // namespace hither::python
