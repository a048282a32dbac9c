#include "subject.h"

#include "runtime/queue_state.h"

namespace hither::test {
namespace {

std::vector<Subject>& subjects() {
  static std::vector<Subject> all;
  return all;
}

}  // namespace

Registration::Registration(Subject subject) { subjects().push_back(std::move(subject)); }

void for_each_device(const std::function<void(const Subject&, const Device&)>& test) {
  for (const Subject& subject : subjects()) {
    SUBCASE(subject.driver.c_str()) {
      if (const auto device = subject.device())
        test(subject, *device);
      else
        MESSAGE("driver " << subject.driver << ": no device on this machine");
    }
  }
}

void for_each_kernel_device(const std::function<void(const Subject&, const Device&)>& test) {
  for_each_device([&](const Subject& subject, const Device& device) {
    if (subject.code) test(subject, device);
  });
}

void for_each_queue(const std::function<void(const Subject&, const Queue&)>& test) {
  for_each_device([&](const Subject& subject, const Device& device) {
    for (bool in_order : {true, false}) {
      CAPTURE(in_order);
      test(subject, Queue(device, {.in_order = in_order}));
    }
  });
}

void for_each_kernel_queue(const std::function<void(const Subject&, const Queue&)>& test) {
  for_each_queue([&](const Subject& subject, const Queue& queue) {
    if (subject.code) test(subject, queue);
  });
}

std::shared_ptr<target::CodeImage> image_of(const Subject& subject, std::string_view kernel) {
  using target::Parameter;
  auto image = subject.code(kernel);
  image->entry_name = kernel;
  if (kernel == "axpy") {
    image->signature.parameters = {Parameter::kFloat64, Parameter::kPointer, Parameter::kPointer};
  } else if (kernel == "reads") {
    image->signature.parameters = {Parameter::kInt32};
    image->dimensions = 2;
    image->reports_errors = true;
    image->source_file = "work.py";
    image->messages = {"the moon is full"};
  } else if (kernel == "reverse") {
    image->signature.parameters = {Parameter::kPointer, Parameter::kLocalBytes, Parameter::kInt16};
    image->uses_groups = true;
  } else {
    image->signature.parameters = {Parameter::kPointer};
    image->dimensions = kernel == "visit3" ? 3 : 1;
  }
  return image;
}

Kernel load(const Subject& subject, const Queue& queue, std::string_view kernel) {
  return runtime::load_kernel(queue.context(), image_of(subject, kernel));
}

bool submission_waits(const Queue& queue) { return queue.state()->driver->submission_waits(); }

Event add_up(const Queue& queue, const Kernel& axpy, void* x, void* y, int64_t n, int times,
             Event last) {
  for (int i = 0; i < times; ++i) {
    const AxpyArguments arguments{2, static_cast<const double*>(x), static_cast<double*>(y)};
    last = queue.submit(axpy, Range(n), packed(arguments), std::span(&last, 1));
  }
  return last;
}

}  // namespace hither::test
