#include "array/index/gather_batches.h"

#include <llvm/IR/MDBuilder.h>

#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/form/divide_up.h"

namespace hither::array {

namespace {

using Ir = llvm::Value;

/// Indices of an item: so many that the check takes one instruction for each of them.
constexpr int kBatch = 16;

/// Everything that the code of a batch depends on.
struct BatchForm {
  int bytes;    ///< of an element
  DType index;  ///< the indices' dtype
  int outer;    ///< merged axes before the indexed one
  bool own;     ///< each outer element has indices of its own
  bool unit;    ///< the indexed axis has a stride of 1

  std::string key() const {
    std::string k = "gb1";
    for (int v :
         {bytes, static_cast<int>(index), outer, static_cast<int>(own), static_cast<int>(unit)})
      k.push_back(static_cast<char>(v));
    return k;
  }
};

/// Parameters: x, indices, dense, found, count, extent and stride of the indexed axis, outer
/// extents and strides. Items: (outer, batch). The last batch of a row overlaps the one before.
class BatchEmitter {
 public:
  explicit BatchEmitter(const BatchForm& form) : f_(form), m_("hither_gather") {}

  target::KernelModule run() {
    for (int i = 0; i < 4; ++i) m_.parameter(target::Parameter::kPointer);
    for (int i = 0; i < 3 + 2 * f_.outer - 1; ++i) m_.parameter(target::Parameter::kInt64);
    llvm::IRBuilder<>& b = m_.begin();
    Ir *x = m_.next_parameter(), *indices = m_.next_parameter(), *dense = m_.next_parameter();
    Ir *found = m_.next_parameter(), *count = m_.next_parameter(), *extent = m_.next_parameter();
    stride_ = m_.next_parameter();
    std::vector<Ir*> extents{nullptr}, strides;
    for (int d = 1; d < f_.outer; ++d) extents.push_back(m_.next_parameter());
    for (int d = 0; d < f_.outer; ++d) strides.push_back(m_.next_parameter());
    word_ = b.getIntNTy(8 * static_cast<unsigned>(f_.bytes));
    Ir *row = m_.global_id(0), *of_row = b.CreateNSWMul(row, count);
    Ir* first = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                        b.CreateNSWMul(m_.global_id(1), b.getInt64(kBatch)),
                                        b.CreateNSWSub(count, b.getInt64(kBatch)));
    x_ = b.CreateGEP(word_, x, emit_offsets(b, row, extents, {strides})[0]);
    dense_ = b.CreateGEP(word_, b.CreateGEP(word_, dense, of_row), first);
    ElementEmitter one(b, 1), wide(b, kBatch);
    if (f_.own) indices = b.CreateGEP(one.memory_type(f_.index), indices, of_row);
    Ir* given = wide.cast(wide.load(f_.index, indices, first), f_.index, DType::kInt64).re;
    correct_or_copy(given, extent, found, [&](int lane) {
      Ir* at = b.CreateNSWAdd(first, b.getInt64(static_cast<uint64_t>(lane)));
      return one.cast(one.load(f_.index, indices, at), f_.index, DType::kInt64).re;
    });
    b.CreateRetVoid();
    target::KernelModule module = m_.finish();
    module.independent_items = true;
    return module;
  }

 private:
  /// Copies the batch. If an index is out of range, or counts from the end, from other places.
  /// `given`: the indices as int64. `index_of` loads the index of a lane.
  template <class IndexOf>
  void correct_or_copy(Ir* given, Ir* extent, Ir* found, IndexOf&& index_of) {
    llvm::IRBuilder<>& b = m_.b();
    const auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(b.getContext(), name, m_.function());
    };
    llvm::BasicBlock *plain = block("plain"), *corrected = block("corrected"),
                     *done = block("done");
    Ir* all = b.CreateVectorSplat(kBatch, extent);
    Ir* odd = b.CreateOrReduce(b.CreateICmpUGE(given, all));  // negative ones are large
    b.CreateCondBr(odd, corrected, plain,
                   llvm::MDBuilder(b.getContext()).createUnlikelyBranchWeights());
    b.SetInsertPoint(plain);
    copy(index_of);
    b.CreateBr(done);
    b.SetInsertPoint(corrected);
    if (kind_of(f_.index) == DTypeKind::kInt) {
      Ir* negative = b.CreateICmpSLT(given, llvm::Constant::getNullValue(given->getType()));
      given = b.CreateSelect(negative, b.CreateNSWAdd(given, all), given);
    }
    emit_if(b, b.CreateOrReduce(b.CreateICmpUGE(given, all)), {}, [&](const std::vector<Ir*>&) {
      b.CreateStore(b.getInt8(1), found);
      return std::vector<Ir*>{};
    });
    Ir* last = b.CreateVectorSplat(kBatch, b.CreateNSWSub(extent, b.getInt64(1)));
    given = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, given, last);
    copy([&](int lane) { return b.CreateExtractElement(given, static_cast<uint64_t>(lane)); });
    b.CreateBr(done);
    b.SetInsertPoint(done);
  }

  template <class IndexOf>
  void copy(IndexOf&& index_of) {
    llvm::IRBuilder<>& b = m_.b();
    const llvm::Align align(static_cast<uint64_t>(std::min(f_.bytes, 4)));  // float32 pairs
    for (int lane = 0; lane < kBatch; ++lane) {
      Ir* at = index_of(lane);
      if (!f_.unit) at = b.CreateNSWMul(at, stride_);
      Ir* element = b.CreateAlignedLoad(word_, b.CreateGEP(word_, x_, at), align);
      b.CreateAlignedStore(element, b.CreateConstGEP1_64(word_, dense_, lane), align);
    }
  }

  const BatchForm& f_;
  ModuleBuilder m_;
  llvm::Type* word_ = nullptr;                              ///< an element as an integer
  Ir *x_ = nullptr, *dense_ = nullptr, *stride_ = nullptr;  ///< of the item
};

}  // namespace

bool takes_batches(int64_t count) noexcept { return count >= kBatch; }

void gather_batches(Value& result, const Operated& x, const Walk& outer, Value& indices,
                    int64_t count, bool own, const CheckedAxis& axis) {
  const int bytes = size_of(result.dtype);
  const BatchForm form{bytes, indices.dtype, outer.extents.size(), own, axis.stride == 1};
  const ReadyKernel kernel = find_kernel(
      result.queue, form.key(), [&] { return BatchEmitter(form).run(); },
      [] { return std::string("gather"); });
  allocate(result);
  const int64_t rows = outer.extents.product(), elements = rows * count;
  if (elements == 0) return;
  KernelCall call;
  call.reads(x, result.dtype);
  call.reads(indices);
  call.writes(result.memory);
  call.writes(axis.found);
  call.integer(count);
  call.integer(axis.extent);
  call.integer(axis.stride);
  outer.pack(call);
  result.written =
      call.submit(result.queue, kernel, Range(rows, divide_up(count, int64_t{kBatch})),
                  2 * bytes * elements + size_of(indices.dtype) * indices.layout->size, elements);
}

}  // namespace hither::array
