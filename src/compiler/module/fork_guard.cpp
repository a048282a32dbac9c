#include "compiler/module/fork_guard.h"

#include <csignal>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <new>

#include <hither/error.h>

namespace hither::compiler {
namespace {

constexpr unsigned kMostSeconds = 10;

// A flag that both processes see. The exit status is not reliable, because the program may have a
// handler that waits for all children.
class SharedFlag {
 public:
  SharedFlag() {
    void* page =
        mmap(nullptr, sizeof *flag_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) flag_ = new (page) std::atomic<bool>(false);
  }
  SharedFlag(const SharedFlag&) = delete;
  SharedFlag& operator=(const SharedFlag&) = delete;
  ~SharedFlag() {
    if (flag_) munmap(flag_, sizeof *flag_);
  }
  std::atomic<bool>* get() const noexcept { return flag_; }

 private:
  std::atomic<bool>* flag_ = nullptr;
};

// The crash is expected: the program's crash handlers do not run, and there is no core file.
void die_quietly() {
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGALRM})
    std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  alarm(kMostSeconds);  // a lock that another thread held at the fork is never released here
}

}  // namespace

bool survives(const std::function<void()>& work) {
  const SharedFlag flag;
  const pid_t copy = flag.get() ? fork() : -1;
  if (copy < 0) throw Error(ErrorKind::kMemory, "fork", "not enough memory to fork the process");
  if (copy == 0) {
    die_quietly();
    try {
      work();
    } catch (...) {
      // The work has ended without a crash.
    }
    flag.get()->store(true);
    _exit(0);
  }
  while (waitpid(copy, nullptr, 0) < 0 && errno == EINTR) {
  }
  return flag.get()->load();
}

}  // namespace hither::compiler
