// The one error type of hither.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include <hither/export.h>

namespace hither {

/// The kind of an Error. Python maps each kind to one exception class.
enum class ErrorKind : uint8_t {
  kValue,        ///< an argument has the right type and a wrong value (ValueError)
  kType,         ///< an argument has a wrong type or dtype (TypeError)
  kIndex,        ///< an index or axis is out of range (IndexError)
  kOverflow,     ///< a Python scalar does not fit the dtype it would take (OverflowError)
  kPlacement,    ///< the queue cannot be inferred or the arguments disagree (PlacementError)
  kMemory,       ///< memory is exhausted (MemoryError)
  kBuffer,       ///< memory cannot be exchanged as requested (BufferError)
  kDevice,       ///< a device, driver or queue failed (DeviceError)
  kCompile,      ///< a kernel module was refused or failed to compile (CompileError)
  kKernel,       ///< a kernel reported an error while it ran (KernelError)
  kUnsupported,  ///< this device or build cannot do it (UnsupportedError)
  kInternal,     ///< an invariant of hither is violated: a defect to report (InternalError)
};

/// The exception that all functions of hither throw. It is cheap to copy: every event and array
/// that depends on a failure keeps a copy and raises it at each read. Thread-safe.
class HITHER_EXPORT Error : public std::exception {
 public:
  /// `where` names the function or argument, `message` describes the fault and its remedy,
  /// `native_code` is the back end's own status (0 when there is none).
  Error(ErrorKind kind, std::string where, std::string message, int64_t native_code = 0);

  ErrorKind kind() const noexcept { return data_->kind; }
  const std::string& where() const noexcept { return data_->where; }
  const std::string& message() const noexcept { return data_->message; }
  int64_t native_code() const noexcept { return data_->native_code; }
  /// "where: message".
  const char* what() const noexcept override { return data_->text.c_str(); }
  /// The same failure: true for copies of one Error, however many events and arrays carry it.
  friend bool operator==(const Error& a, const Error& b) noexcept { return a.data_ == b.data_; }
  /// Marks the failure as reported to the program, so that it is not written to stderr when the
  /// process exits. Returns whether it was reported before.
  bool mark_reported() const noexcept { return data_->reported.exchange(true); }

 private:
  struct Data {
    ErrorKind kind;
    std::string where, message, text;
    int64_t native_code;
    mutable std::atomic<bool> reported = false;
  };
  std::shared_ptr<const Data> data_;
};

}  // namespace hither
