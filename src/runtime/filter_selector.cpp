#include "runtime/filter_selector.h"

#include <algorithm>
#include <array>

#include <hither/error.h>

#include "error/nearest_name.h"

namespace hither::runtime {
namespace {

constexpr std::array kTypes = {DeviceType::kCpu, DeviceType::kGpu, DeviceType::kAccelerator};
constexpr int kMaxIndexDigits = 6;

constexpr std::string_view kForm =
    "a filter string is backend:device_type:index with every part optional, alternatives separated "
    "by commas, such as \"gpu\", \"cuda:gpu:1\" or \"level_zero:gpu,native_cpu\"";

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

template <class Values>
std::string names_of(const Values& values) {
  std::string text;
  for (auto v : values) text += (text.empty() ? "" : ", ") + std::string(name_of(v));
  return text;
}

/// Reads one alternative; keeps the whole text for the caret.
class AlternativeParser {
 public:
  AlternativeParser(std::string_view text, size_t begin, size_t end)
      : text_(text), begin_(begin), end_(end) {}

  Filter parse() {
    if (begin_ == end_) fail(begin_, 1, "an alternative is missing here");
    for (size_t at = begin_;;) {
      const size_t colon = std::min(text_.find(':', at), end_);
      read_part(at, colon);
      if (colon == end_) return filter_;
      at = colon + 1;
    }
  }

 private:
  void read_part(size_t at, size_t to) {
    if (at == to) fail(at, 1, have_index_ ? "nothing may follow the index" : "a part is empty");
    const std::string_view part = text_.substr(at, to - at);
    const size_t bad = part.find_first_of(" \t\r\n");
    if (bad != part.npos) fail(at + bad, 1, "spaces are not allowed");
    if (part.find('[') != part.npos)
      fail(
          at + part.find('['), to - at - part.find('['),
          "strings select root devices only; pass the sub-device itself, its queue or its context");
    if (have_index_) fail(at, part.size(), "nothing may follow the index");
    if (is_digit(part[0]) || part[0] == '-' || part[0] == '+') return read_index(at, part);
    read_word(at, part);
  }

  void read_index(size_t at, std::string_view part) {
    const auto bad = std::find_if_not(part.begin(), part.end(), is_digit) - part.begin();
    if (static_cast<size_t>(bad) != part.size())
      fail(at + bad, part.size() - bad, "an index holds digits only");
    if (part.size() > kMaxIndexDigits) fail(at, part.size(), "this index is too large");
    filter_.index = std::stoi(std::string(part));
    have_index_ = true;
  }

  void read_word(size_t at, std::string_view part) {
    const std::string word = lower_case(part);
    for (Backend b : all_backends()) {
      if (word != name_of(b)) continue;
      if (filter_.backend) fail(at, part.size(), "a second back end");
      if (filter_.type) fail(at, part.size(), "the back end comes before the device type");
      filter_.backend = b;
      return;
    }
    for (DeviceType t : kTypes) {
      if (word != name_of(t)) continue;
      if (filter_.type) fail(at, part.size(), "a second device type");
      filter_.type = t;
      return;
    }
    std::vector<std::string_view> known;
    for (Backend b : all_backends()) known.push_back(name_of(b));
    for (DeviceType t : kTypes) known.push_back(name_of(t));
    fail(at, part.size(),
         "neither a back end (" + names_of(all_backends()) + ") nor a device type (" +
             names_of(kTypes) + ")" + error::did_you_mean(word, known));
  }

  [[noreturn]] void fail(size_t at, size_t length, const std::string& what) const {
    const size_t shown =
        std::max<size_t>(1, std::min(length, text_.size() - std::min(at, text_.size())));
    throw Error(ErrorKind::kValue, "filter string",
                what + (what.ends_with('?') ? "\n  " : ":\n  ") + std::string(text_) + "\n  " +
                    std::string(at, ' ') + "^" + std::string(shown - 1, '~') + "\n" +
                    std::string(kForm));
  }

  std::string_view text_;
  size_t begin_, end_;
  Filter filter_;
  bool have_index_ = false;
};

}  // namespace

std::vector<Filter> parse_filter(std::string_view text) {
  std::vector<Filter> filters;
  for (size_t at = 0;;) {
    const size_t comma = std::min(text.find(',', at), text.size());
    filters.push_back(AlternativeParser(text, at, comma).parse());
    if (comma == text.size()) return filters;
    at = comma + 1;
  }
}

std::string filter_string(Backend backend, DeviceType type, int index) {
  return std::string(name_of(backend)) + ":" + std::string(name_of(type)) + ":" +
         std::to_string(index);
}

}  // namespace hither::runtime
