#include "emitter/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fmt/format.h>
#include <hither/error.h>

extern char** environ;

namespace hither::emitter {
namespace {

int64_t milliseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

/// Starts `command` with `channel` as input and output. Returns an errno.
int spawn(const std::vector<std::string>& command, int channel, int log, pid_t& pid) {
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, channel, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, channel, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, log, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A process group of its own: Ctrl-C does not reach the worker. No signal is blocked in it.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  const int failed =
      posix_spawnp(&pid, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failed;
}

}  // namespace

Worker::Worker(const std::vector<std::string>& command) {
  int ends[2];
  int failed = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
  if (failed == 0) {
    channel_ = ends[0];
    fcntl(channel_, F_SETFL, O_NONBLOCK);
    log_ = memfd_create("hither emitter", MFD_CLOEXEC);
    if (log_ >= 0) fcntl(log_, F_SETFL, O_APPEND);
    failed = log_ >= 0 ? spawn(command, ends[1], log_, pid_) : errno;
    close(ends[1]);
  }
  if (failed == 0) return;
  if (channel_ >= 0) close(channel_);
  if (log_ >= 0) close(log_);
  throw Error(ErrorKind::kUnsupported, "SPIR-V",
              fmt::format("the emitter {} cannot be started: {}", command[0], strerror(failed)));
}

Worker::~Worker() {
  close(channel_);
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  close(log_);
}

Worker::Answer Worker::ask(const std::string& request, int seconds) {
  deadline_ = milliseconds() + int64_t{1000} * seconds;
  try {
    uint64_t size = request.size();
    send(reinterpret_cast<const char*>(&size), sizeof size);
    send(request.data(), request.size());
    char kind = 0;
    receive(&kind, 1);
    receive(reinterpret_cast<char*>(&size), sizeof size);
    constexpr uint64_t kMost = uint64_t{1} << 32;
    if ((kind != 'B' && kind != 'E') || size > kMost)
      return {Answer::kDied, "it violates the protocol"};
    std::string content(size, '\0');
    receive(content.data(), size);
    if (ftruncate(log_, 0) != 0) return {Answer::kDied, strerror(errno)};  // earlier warnings
    return {kind == 'B' ? Answer::kBytes : Answer::kRefused, std::move(content)};
  } catch (const Ended& ended) {
    return {ended.kind, last_message()};
  }
}

void Worker::wait_for(short events) {
  pollfd state{channel_, events, 0};
  for (;;) {
    const int64_t left = deadline_ - milliseconds();
    if (left <= 0) throw Ended{Answer::kTooLate};
    const int ready = poll(&state, 1, static_cast<int>(left));
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) throw Ended{Answer::kDied};
  }
}

void Worker::send(const char* data, size_t bytes) {
  while (bytes > 0) {
    wait_for(POLLOUT);
    const ssize_t sent = ::send(channel_, data, bytes, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (sent < 0) throw Ended{Answer::kDied};
    data += sent;
    bytes -= static_cast<size_t>(sent);
  }
}

void Worker::receive(char* data, size_t bytes) {
  while (bytes > 0) {
    wait_for(POLLIN);
    const ssize_t got = recv(channel_, data, bytes, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) throw Ended{Answer::kDied};
    data += got;
    bytes -= static_cast<size_t>(got);
  }
}

std::string Worker::last_message() const {
  constexpr size_t kMost = 4096;
  const off_t size = lseek(log_, 0, SEEK_END);
  std::string message(std::min<size_t>(static_cast<size_t>(std::max<off_t>(size, 0)), kMost), '\0');
  const ssize_t got = pread(log_, message.data(), message.size(), 0);
  message.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  // LLVM's message is more useful than the stack trace around it.
  if (auto at = message.find("LLVM ERROR:"); at != std::string::npos)
    message = message.substr(at, message.find('\n', at) - at);
  while (!message.empty() && message.back() == '\n') message.pop_back();
  return message;
}

}  // namespace hither::emitter
