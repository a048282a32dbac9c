#include "array/emit/local_tile.h"

#include <algorithm>

#include "array/emit/producers.h"
#include "array/form/divide_up.h"

namespace hither::array {

namespace {

// A gap of one vector after this many bytes avoids bank conflicts.
constexpr int64_t kStretch = 128, kGap = LocalTile::kVectorBytes;

int64_t stretched(int64_t bytes) { return bytes + bytes / kStretch * kGap; }

}  // namespace

bool LocalTile::has_gaps(int64_t run_bytes) {
  return run_bytes % kVectorBytes == 0 && (run_bytes % kStretch == 0 || kStretch % run_bytes == 0);
}

LocalTile::LocalTile(ModuleBuilder& m, GroupEmitter& g, const Extent& extent,
                     const LocalTile* same_place)
    : m_(m),
      g_(g),
      one_(m.b(), 1),
      x_(extent),
      memory_(same_place ? same_place->memory_
                         : g.local_array(m.b().getInt8Ty(),
                                         static_cast<int>(stretched(
                                             int64_t{vectors()} * extent.items * kVectorBytes)))) {}

int LocalTile::vectors() const {
  return static_cast<int>(divide_up(int64_t{x_.rounds} * size_of(x_.dtype), kVectorBytes));
}

llvm::Value* LocalTile::address(Ir* bytes) {
  if (!x_.gaps) return b().CreateGEP(b().getInt8Ty(), memory_, bytes);
  Ir* gaps = b().CreateShl(b().CreateLShr(bytes, 7), 4, "", true, true);
  static_assert(kStretch == 1 << 7 && kGap == 1 << 4);
  return b().CreateGEP(b().getInt8Ty(), memory_, b().CreateNSWAdd(bytes, gaps));
}

llvm::Value* LocalTile::address_in_run(Ir* first, int r) {
  const int64_t size = size_of(x_.dtype);
  Ir* start = address(b().CreateNSWMul(first, i64(size)));
  return b().CreateGEP(b().getInt8Ty(), start, i64(x_.gaps ? stretched(r * size) : r * size));
}

Element LocalTile::load(Ir* first, int r) {
  return one_.load(x_.dtype, address_in_run(first, r), i64(0));
}

void LocalTile::store(const Element& e, Ir* first, int r) {
  one_.store(x_.dtype, e, address_in_run(first, r), i64(0));
}

void LocalTile::store_at(const Element& e, Ir* n) {
  one_.store(x_.dtype, e, address(b().CreateNSWMul(n, i64(size_of(x_.dtype)))), i64(0));
}

LocalTile::Words LocalTile::read(Ir* at, int size, int alignment) {
  const int word = std::min(size, alignment == kVectorBytes ? 4 : 8);
  llvm::Type* type = b().getIntNTy(static_cast<unsigned>(word) * 8);
  Words words;
  for (int n = 0; n * word < size; ++n)
    words.push_back(b().CreateAlignedLoad(
        type, b().CreateGEP(type, at, i64(n)),
        llvm::commonAlignment(llvm::Align(static_cast<uint64_t>(alignment)),
                              static_cast<uint64_t>(n) * static_cast<uint64_t>(word))));
  return words;
}

void LocalTile::write(const Words& words, Ir* at, int alignment) {
  llvm::Type* type = words[0]->getType();
  const uint64_t word = type->getIntegerBitWidth() / 8;
  for (size_t n = 0; n < words.size(); ++n)
    b().CreateAlignedStore(
        words[n], b().CreateGEP(type, at, i64(static_cast<int64_t>(n))),
        llvm::commonAlignment(llvm::Align(static_cast<uint64_t>(alignment)), n * word));
}

void LocalTile::copy_one(Ir* from, Ir* to) {
  const int size = size_of(x_.dtype);
  write(read(from, size, std::min(size, 8)), to, std::min(size, 8));
}

void LocalTile::when(Ir* condition, const std::function<void()>& then) {
  if (!condition) return then();
  emit_if(b(), condition, {}, [&](const std::vector<Ir*>&) {
    then();
    return std::vector<Ir*>{};
  });
}

llvm::Value* LocalTile::end_of_iteration(int k, Ir* count) {
  if (count || !x_.wide) return count;
  const int64_t all = int64_t{x_.items} * x_.rounds * size_of(x_.dtype) / kVectorBytes;
  return int64_t{k + 1} * x_.items > all ? i64(all) : nullptr;
}

void LocalTile::fetch(Ir* from, Ir* count) {
  const int64_t size = size_of(x_.dtype);
  const int64_t each = x_.wide ? kVectorBytes : size;
  const int iterations = x_.wide ? vectors() : x_.rounds;
  Ir* item = g_.item();
  Ir* in_vectors =
      !count ? nullptr : (x_.wide ? b().CreateUDiv(count, i64(kVectorBytes / size)) : count);
  std::vector<Words> all;
  for (int k = 0; k < iterations; ++k) {  // all loads are issued before the first is used
    Ir* n = b().CreateNSWAdd(item, i64(int64_t{k} * x_.items));
    if (Ir* end = end_of_iteration(k, in_vectors))
      n = b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, n, b().CreateNSWSub(end, i64(1)));
    Ir* at = b().CreateGEP(b().getInt8Ty(), from, b().CreateNSWMul(n, i64(each)));
    all.push_back(read(at, static_cast<int>(each),
                       static_cast<int>(x_.wide ? each : std::min(each, int64_t{8}))));
  }
  for (int k = 0; k < iterations; ++k) {
    Ir* n = b().CreateNSWAdd(item, i64(int64_t{k} * x_.items));
    Ir* end = end_of_iteration(k, in_vectors);
    when(end ? b().CreateICmpSLT(n, end) : nullptr, [&] {
      write(all[static_cast<size_t>(k)], address(b().CreateNSWMul(n, i64(each))),
            static_cast<int>(x_.wide ? each : std::min(each, int64_t{8})));
    });
  }
  if (!count || !x_.wide) return;
  Ir* rest = b().CreateNSWAdd(b().CreateNSWMul(in_vectors, i64(kVectorBytes / size)), item);
  when(b().CreateICmpSLT(rest, count), [&] {
    Ir* bytes = b().CreateNSWMul(rest, i64(size));
    copy_one(b().CreateGEP(b().getInt8Ty(), from, bytes), address(bytes));
  });
}

void LocalTile::put_back(Ir* to, Ir* count, const std::function<Ir*(Ir*)>& place) {
  const int64_t size = size_of(x_.dtype);
  Ir* item = g_.item();
  auto in_memory = [&](Ir* element) {
    return b().CreateGEP(b().getInt8Ty(), to, b().CreateNSWMul(element, i64(size)));
  };
  if (!x_.wide) {
    for (int r = 0; r < x_.rounds; ++r) {
      Ir* n = b().CreateNSWAdd(item, i64(int64_t{r} * x_.items));
      when(count ? b().CreateICmpSLT(n, count) : nullptr,
           [&] { copy_one(address(b().CreateNSWMul(n, i64(size))), in_memory(place(n))); });
    }
    return;
  }
  const int64_t each = kVectorBytes / size;
  Ir* in_vectors = count ? b().CreateUDiv(count, i64(each)) : nullptr;
  for (int k = 0; k < vectors(); ++k) {
    Ir* n = b().CreateNSWAdd(item, i64(int64_t{k} * x_.items));
    Ir* end = end_of_iteration(k, in_vectors);
    when(end ? b().CreateICmpSLT(n, end) : nullptr, [&] {
      const Words words =
          read(address(b().CreateNSWMul(n, i64(kVectorBytes))), kVectorBytes, kVectorBytes);
      write(words, in_memory(b().CreateNSWMul(n, i64(each))), kVectorBytes);
    });
  }
  if (!count) return;
  Ir* rest = b().CreateNSWAdd(b().CreateNSWMul(in_vectors, i64(each)), item);
  when(b().CreateICmpSLT(rest, count),
       [&] { copy_one(address(b().CreateNSWMul(rest, i64(size))), in_memory(rest)); });
}

}  // namespace hither::array
