#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <hither/error.h>

#include "emitter/spirv_emitter.h"
#include "emitter/worker.h"

using hither::Error;
using hither::ErrorKind;
using hither::set_spirv_emitter;
using hither::emitter::emit_spirv;
using hither::emitter::Worker;

namespace {

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

/// Answers every request of four bytes with "abc".
const std::string kAnswers =
    "while [ \"$(head -c 12 | wc -c)\" = 12 ]; do printf 'B\\003\\0\\0\\0\\0\\0\\0\\0abc'; done";

std::string emitted(const std::string& text) {
  const std::vector<char> bytes = emit_spirv(text, "k");
  return {bytes.begin(), bytes.end()};
}

/// What went wrong when `text` was emitted.
Error failure(const std::string& text) {
  try {
    emit_spirv(text, "k");
  } catch (const Error& error) {
    return error;
  }
  FAIL("nothing went wrong");
  return Error(ErrorKind::kValue, "", "");
}

struct Named {
  explicit Named(std::vector<std::string> command) {
    set_spirv_emitter(std::move(command), "test");
  }
  ~Named() { set_spirv_emitter({}, ""); }
};

}  // namespace

TEST_CASE("an emitter serves one kernel after the other") {
  Named named(shell(kAnswers));
  CHECK(emitted("text") == "abc");
  CHECK(emitted("more") == "abc");
  CHECK(hither::emitter::spirv_emitter_identity() == "test");
}

TEST_CASE("an emitter that refuses a kernel is quoted") {
  Named named(shell("head -c 12 >&2; printf 'E\\002\\0\\0\\0\\0\\0\\0\\0no'"));
  const Error error = failure("text");
  CHECK(error.kind() == ErrorKind::kCompile);
  CHECK(std::string(error.what()).find("refuses this kernel: no") != std::string::npos);
}

TEST_CASE("an emitter that dies leaves LLVM's words, and the next kernel gets a new one") {
  {
    Named named(
        shell("head -c 12 >/dev/null; echo 'LLVM ERROR: cannot select' >&2; kill -ABRT $$"));
    const Error error = failure("text");
    CHECK(error.kind() == ErrorKind::kCompile);
    CHECK(std::string(error.what()).find("LLVM ERROR: cannot select") != std::string::npos);
  }
  {
    Named named(shell("echo 'no such library' >&2"));  // before it is asked for anything
    CHECK(std::string(failure("text").what()).find("no such library") != std::string::npos);
  }
  // Serves one and dies: each kernel starts its own.
  Named named(shell("head -c 12 >/dev/null; printf 'B\\003\\0\\0\\0\\0\\0\\0\\0abc'"));
  CHECK(emitted("text") == "abc");
  CHECK(emitted("text") == "abc");
}

TEST_CASE("no emitter, and one that cannot be started, are said so") {
  CHECK(failure("text").kind() == ErrorKind::kUnsupported);
  Named named({"/no/such/program"});
  const Error error = failure("text");
  CHECK(error.kind() == ErrorKind::kUnsupported);
  CHECK(std::string(error.what()).find("/no/such/program") != std::string::npos);
}

TEST_CASE("a worker that does not answer is given up") {
  Worker worker(shell("sleep 100"));
  CHECK(worker.ask("text", 1).kind == Worker::Answer::kTooLate);
}

TEST_CASE("a child of fork() starts its own emitter") {
  Named named(shell(kAnswers));
  CHECK(emitted("text") == "abc");
  const pid_t child = fork();
  if (child == 0) _exit(emitted("more") == "abc" ? 0 : 1);
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(emitted("last") == "abc");
}
