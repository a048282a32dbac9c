#include "emitter/spirv_emitter.h"

#include <pthread.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include <fmt/format.h>
#include <hither/error.h>

#include "emitter/worker.h"

namespace hither {
namespace emitter {
namespace {

class Emitter {
 public:
  void name(std::vector<std::string> command, std::string identity) {
    std::lock_guard guard(mutex_);
    command_ = std::move(command);
    identity_ = std::move(identity);
    worker_.reset();
  }

  std::string identity() {
    std::lock_guard guard(mutex_);
    return identity_;
  }

  std::vector<char> emit(const std::string& text, const std::string& kernel) {
    std::lock_guard guard(mutex_);
    if (command_.empty())
      throw Error(ErrorKind::kUnsupported, kernel,
                  "no SPIR-V emitter is set, which kernels for this device need. Before the first "
                  "kernel, set the one of the Python packages hither and llvmlite: "
                  "hither::set_spirv_emitter({\"python3\", \"-m\", "
                  "\"hither.spirv_worker\"}, \"hither\");");
    const bool was_there = worker_.has_value();
    Worker::Answer answer = ask(text);
    // A worker that was already running may have died for another reason.
    if (answer.kind == Worker::Answer::kDied && was_there) answer = ask(text);
    if (answer.kind == Worker::Answer::kBytes)
      return {answer.content.begin(), answer.content.end()};
    throw Error(ErrorKind::kCompile, kernel, message(answer));
  }

  /// For a child of fork(), where the worker does not run and the mutex may be locked.
  Emitter* successor() {
    auto* next = new Emitter;
    next->command_ = command_;
    next->identity_ = identity_;
    next->parents_ = this;
    return next;
  }

 private:
  Worker::Answer ask(const std::string& text) {
    if (!worker_) worker_.emplace(command_);
    Worker::Answer answer = worker_->ask(text, kSeconds);
    if (answer.kind == Worker::Answer::kDied || answer.kind == Worker::Answer::kTooLate)
      worker_.reset();
    return answer;
  }

  static std::string message(const Worker::Answer& answer) {
    switch (answer.kind) {
      case Worker::Answer::kRefused:
        return "the SPIR-V emitter refuses this kernel: " + answer.content;
      case Worker::Answer::kTooLate:
        return fmt::format("the SPIR-V emitter has not finished after {} seconds", kSeconds);
      default:
        return "the SPIR-V emitter crashed on this kernel: " +
               (answer.content.empty() ? "it left no message" : answer.content);
    }
  }

  std::mutex mutex_;
  std::vector<std::string> command_;
  std::string identity_;
  std::optional<Worker> worker_;
  const Emitter* parents_ = nullptr;  ///< of the process that forked this one; is never destroyed
};

/// Never destroyed, because other threads may compile while the process ends.
std::atomic<Emitter*>& process_emitter() {
  static std::atomic<Emitter*> emitter = [] {
    pthread_atfork(nullptr, nullptr,
                   [] { process_emitter().store(process_emitter().load()->successor()); });
    return new Emitter;
  }();
  return emitter;
}

}  // namespace

std::vector<char> emit_spirv(const std::string& text, const std::string& kernel) {
  return process_emitter().load()->emit(text, kernel);
}

std::string spirv_emitter_identity() { return process_emitter().load()->identity(); }

}  // namespace emitter

void set_spirv_emitter(std::vector<std::string> command, std::string identity) {
  emitter::process_emitter().load()->name(std::move(command), std::move(identity));
}

}  // namespace hither
