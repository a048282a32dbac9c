#include "compiler/code_bytes.h"

#include <cstring>

#include <fmt/format.h>

#include "compiler/code_targets.h"
#include "compiler/code_version.h"

namespace hither::compiler {
namespace {

class Writer {
 public:
  template <class T>
  void number(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    text_.append(bytes, sizeof(T));
  }
  void string(std::string_view s) {
    number<uint64_t>(s.size());
    text_.append(s);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Reads the bytes that Writer wrote. After the first missing byte all further values are empty and
/// good() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <class T>
  T number() {
    T value{};
    std::string_view bytes = take(sizeof(T));
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): sizeof(T) is its size
    if (good_) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  std::string_view string() { return take(number<uint64_t>()); }
  bool good() const noexcept { return good_; }
  bool at_end() const noexcept { return rest_.empty(); }

 private:
  std::string_view take(uint64_t size) {
    good_ = good_ && size <= rest_.size();
    if (!good_) return {};
    std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

std::string to_bytes(const MachineCode& code) {
  const target::CodeImage& image = code.image;
  Writer w;
  w.number(image.target.kind);
  w.string(image.target.arch);
  w.string(image.entry_name);
  w.number<uint64_t>(image.signature.parameters.size());
  for (target::Parameter p : image.signature.parameters) w.number(p);
  w.number(image.dimensions);
  w.number(image.uses_groups);
  for (int64_t size : image.local_size) w.number(size);
  w.number(image.local_bytes);
  w.number(image.strip_items);
  w.number(image.strips_if_many);
  w.number(image.reports_errors);
  w.string(image.source_file);
  w.number<uint64_t>(image.messages.size());
  for (const std::string& message : image.messages) w.string(message);
  w.string({code.bytes.data(), code.bytes.size()});
  return w.take();
}

std::optional<MachineCode> from_bytes(std::string_view bytes) {
  Reader r(bytes);
  MachineCode code;
  target::CodeImage& image = code.image;
  image.target.kind = r.number<target::TargetKind>();
  image.target.arch = r.string();
  image.entry_name = r.string();
  for (auto n = r.number<uint64_t>(); r.good() && n > 0; --n)
    image.signature.parameters.push_back(r.number<target::Parameter>());
  image.dimensions = r.number<int>();
  image.uses_groups = r.number<bool>();
  for (int64_t& size : image.local_size) size = r.number<int64_t>();
  image.local_bytes = r.number<int64_t>();
  image.strip_items = r.number<int64_t>();
  image.strips_if_many = r.number<bool>();
  image.reports_errors = r.number<bool>();
  image.source_file = r.string();
  for (auto n = r.number<uint64_t>(); r.good() && n > 0; --n)
    image.messages.emplace_back(r.string());
  std::string_view content = r.string();
  if (!r.good() || !r.at_end()) return std::nullopt;
  code.bytes.assign(content.begin(), content.end());
  return code;
}

std::string disk_key(std::string_view key, const target::Target& target) {
  return fmt::format("{}\n{}\n{}", kCodeVersion, code_target(target.kind).identity(target.arch),
                     key);
}

}  // namespace hither::compiler
