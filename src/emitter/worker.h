// One process of an emitter command.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hither::emitter {

/// A child process that answers one request at a time. It ends with the object.
class Worker {
 public:
  /// Throws Error kUnsupported when the command cannot be started.
  explicit Worker(const std::vector<std::string>& command);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  struct Answer {
    enum Kind { kBytes, kRefused, kDied, kTooLate } kind;
    std::string content;  ///< the bytes, an error message, or the last output before it died
  };
  /// After kDied and kTooLate the worker answers no more requests.
  Answer ask(const std::string& request, int seconds);

 private:
  struct Ended {
    Answer::Kind kind;
  };
  void send(const char* data, size_t bytes);
  void receive(char* data, size_t bytes);
  void wait_for(short events);
  std::string last_message() const;

  pid_t pid_ = -1;
  int channel_ = -1;  ///< its standard input and output
  int log_ = -1;      ///< its standard error, in memory
  int64_t deadline_ = 0;
};

}  // namespace hither::emitter
