#include "array/emit/scan_tiles.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "array/emit/local_tile.h"
#include "array/emit/scan_frame.h"
#include "array/form/divide_up.h"
#include "array/form/user_function.h"

namespace hither::array {

namespace {

constexpr int64_t kRadix = 8;
// Elements that an item scans at a time when its run stays in local memory. The number is so small
// that a CUDA work-item needs only 48 registers and a multiprocessor can hold five groups.
constexpr int kPiece = 8, kPieceOfLarge = 2;
// Computed elements of an item whose loads are issued before the first of them is stored.
constexpr int kComputedAtOnce = 8;

/// Emits the kernel. The order of operations depends only on positions. An element is combined with
/// the elements before it level by level (within its item, among eight items, among sixty-four,
/// ..., among tiles), from left to right in each level. A piece therefore starts from exactly the
/// value with which the piece before it ended, and running sums of non-negative elements never
/// decrease. No identity is combined with an element, because (inf + 0i) * (1 + 0i) contains a NaN.
class TileEmitter final : ScanFrame {
 public:
  explicit TileEmitter(const ScanTiles& k) : ScanFrame(k), operand_(k.producers, k.read) {}

  target::KernelModule run() {
    declare();
    m_.begin();
    take();
    find_tile();
    Element total = k_.unit ? fetch() : load();
    for (int64_t done = k_.width(); done < k_.joined(); done *= kRadix) total = join(total, done);
    if (k_.chained) look_back(total);
    k_.unit ? put_back() : store();
    if (k_.initial) store_initial();
    b().CreateRetVoid();
    target::KernelModule module = m_.finish();
    add_user_code(module, {k_.producers.form}, k_.accumulation.user);
    module.local_size[0] = k_.items;
    module.local_size[1] = module.local_size[2] = 1;
    return module;
  }

 private:
  void declare() {
    m_.parameter(target::Parameter::kPointer);
    operand_.declare(m_);
    for (int i = 0; i < 3; ++i) m_.parameter(target::Parameter::kInt64);
    if (!k_.chained) return;
    m_.parameter(target::Parameter::kPointer);
    m_.parameter(target::Parameter::kInt64);
  }

  void take() {
    out_ = m_.next_parameter();
    operand_.take(m_);
    along_ = m_.next_parameter();
    inner_ = m_.next_parameter();
    chunks_ = m_.next_parameter();
    if (k_.unit) inner_ = i64(1);
    item_ = g_.item();
    if (!k_.chained) return;
    state_ = m_.next_parameter();
    lines_ = m_.next_parameter();
  }

  // Groups start in any order. A group takes its tile from a counter, so all earlier tiles already
  // belong to running groups and waiting for them cannot deadlock.
  Ir* next_tile() {
    if (!k_.chained) return b().CreateTrunc(g_.group(), b().getInt32Ty());
    const Values taken =
        emit_if(b(), b().CreateICmpEQ(item_, i64(0)), {b().getInt32(0)}, [&](const Values&) {
          return Values{b().CreateAtomicRMW(llvm::AtomicRMWInst::Add, state_, b().getInt32(1),
                                            llvm::Align(4), llvm::AtomicOrdering::Monotonic,
                                            device())};
        });
    return g_.from_first(taken[0]);
  }

  // Computed in 32 bits, which suffice for the number of groups and make the divisions faster.
  void find_tile() {
    Ir* tile = next_tile();
    if (k_.team > 0) return find_lines(b().CreateZExt(tile, b().getInt64Ty()));
    Ir* width = i64(k_.width());
    Ir* blocks = b().CreateUDiv(b().CreateNSWAdd(inner_, i64(k_.width() - 1)), width);
    auto narrow = [&](Ir* v) { return b().CreateTrunc(v, b().getInt32Ty()); };
    auto wide = [&](Ir* v) { return b().CreateZExt(v, b().getInt64Ty()); };
    Ir* block = wide(b().CreateURem(tile, narrow(blocks)));
    Ir* rest = b().CreateUDiv(tile, narrow(blocks));
    chunk_ = wide(b().CreateURem(rest, narrow(chunks_)));
    outer_ = wide(b().CreateUDiv(rest, narrow(chunks_)));
    line_ = b().CreateNSWAdd(b().CreateNSWMul(outer_, blocks), block);
    column_ = b().CreateNSWMul(block, width);
    begin_ = b().CreateNSWMul(chunk_, i64(k_.length()));
    is_full_ = b().CreateICmpSLE(b().CreateNSWAdd(begin_, i64(k_.length())), along_);
    if (k_.unit) {
      count_ = smaller(b().CreateNSWSub(along_, begin_), i64(k_.length()));
      run_ = b().CreateNSWMul(item_, i64(k_.rounds));
    }
    if (!k_.across) return;
    is_full_ = b().CreateAnd(is_full_, b().CreateICmpSLE(b().CreateNSWAdd(column_, width), inner_));
    lane_ = b().CreateURem(item_, width);
    column_ = b().CreateNSWAdd(column_, lane_);
  }

  // The lines of the tile. Each team has one.
  void find_lines(Ir* tile) {
    Ir *lines = i64(k_.items / k_.team), *team = i64(k_.team);
    outer_ = b().CreateNSWMul(tile, lines);
    Ir* left = b().CreateNSWSub(chunks_, outer_);
    is_full_ = k_.gaps ? b().CreateICmpSGE(left, lines) : b().getFalse();
    count_ = b().CreateNSWMul(smaller(left, lines), along_);
    begin_ = i64(0);
    Ir* in_line = b().CreateNSWMul(b().CreateURem(item_, team), i64(k_.rounds));
    left_ = k_.exact ? nullptr : b().CreateNSWSub(along_, in_line);
    run_ = b().CreateNSWAdd(b().CreateNSWMul(b().CreateUDiv(item_, team), along_), in_line);
  }

  // The position of the item's element `round`; consecutive items have neighbouring elements.
  Ir* along_at(int round) {
    if (!k_.across) return b().CreateNSWAdd(b().CreateNSWAdd(begin_, item_), i64(round * k_.items));
    Ir* row = b().CreateUDiv(item_, i64(k_.width()));
    return b().CreateNSWAdd(b().CreateNSWAdd(begin_, b().CreateNSWMul(row, i64(k_.rounds))),
                            i64(round));
  }
  Ir* place(Ir* row, Ir* column) { return b().CreateNSWAdd(b().CreateNSWMul(row, inner_), column); }
  Ir* smaller(Ir* x, Ir* y) { return b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y); }

  Element scan_run() {
    for (size_t r = 1; r < run_elements_.size(); ++r)
      run_elements_[r] = combined(run_elements_[r - 1], run_elements_[r]);
    return run_elements_.back();
  }

  // Loads the tile into local memory and returns the total of the item's run. Tiles of a long line
  // stay there during the look-back, so items need few registers and many tiles are in flight.
  Element fetch() {
    in_.emplace(m_, g_, extent(k_.read, k_.reads_wide), nullptr);
    const bool in_place = size_of(k_.read) == size_of(k_.stored);
    out_tile_.emplace(m_, g_, extent(k_.stored, k_.writes_wide), in_place ? &*in_ : nullptr);
    Ir* first = b().CreateNSWAdd(b().CreateNSWMul(outer_, along_), begin_);
    full_or_not([&](Ir* count) {
      if (operand_.is_computed()) return compute(first, count);
      Ir* offset = b().CreateNSWMul(first, i64(size_of(k_.read)));
      in_->fetch(b().CreateGEP(b().getInt8Ty(), operand_.address(), offset), count);
    });
    g_.barrier();
    for (int r = 0; r < k_.rounds; ++r) {
      const Element e = element_of_run(r);
      if (!k_.chained || r == 0)
        run_elements_.push_back(e);
      else
        run_elements_[0] = combined(run_elements_[0], e);
    }
    if (!k_.chained) return scan_run();
    const Element total = run_elements_[0];
    run_elements_.clear();
    return total;
  }

  // Computes the `count` elements from `first` on (null: a full tile), like LocalTile::fetch().
  void compute(Ir* first, Ir* count) {
    const auto index = [&](int r) { return b().CreateNSWAdd(item_, i64(int64_t{r} * k_.items)); };
    const auto element = [&](Ir* n) {
      return operand_.load(one_,
                           operand_.place_of(b(), b().CreateNSWAdd(first, n), along_, inner_));
    };
    for (int begin = 0; begin < k_.rounds; begin += kComputedAtOnce) {
      const int end = std::min(begin + kComputedAtOnce, k_.rounds);
      std::vector<Element> computed;
      for (int r = begin; r < end; ++r) {
        if (!count)
          computed.push_back(element(index(r)));
        else
          only_if(b().CreateICmpSLT(index(r), count),
                  [&] { in_->store_at(element(index(r)), index(r)); });
      }
      for (size_t n = 0; n < computed.size(); ++n)
        in_->store_at(computed[n], index(begin + static_cast<int>(n)));
    }
  }

  LocalTile::Extent extent(DType t, bool wide) const {
    return {t, k_.items, k_.rounds, wide, k_.gaps};
  }

  // Local memory past the end of the tile is undefined. A user's function might loop for ever.
  Element element_of_run(int r) {
    const Combiner combiner(k_.accumulation);
    const Element e = combiner.prepare(one_, in_->load(run_, r), k_.read);
    if (!k_.accumulation.user) return e;
    Ir* inside = b().CreateICmpSLT(b().CreateNSWAdd(run_, i64(r)), count_);
    return chosen(inside, e, combiner.identity(one_, nullptr).value);
  }

  void full_or_not(const std::function<void(Ir* count)>& body) {
    if (k_.gaps || k_.chained) only_if(is_full_, [&] { body(nullptr); });
    only_if(b().CreateNot(is_full_), [&] { body(count_); });
  }

  void write_run(int from) {
    for (size_t r = 0; r < run_elements_.size(); ++r) {
      const int at = from + static_cast<int>(r);
      const Element e = one_.cast(run_elements_[r], dtype(), k_.stored);
      auto write = [&] { out_tile_->store(e, run_, at); };
      left_ ? only_if(b().CreateICmpSLT(i64(at), left_), write) : write();
    }
  }

  void put_back() {
    if (!k_.chained) {
      if (k_.joined() == 1 && !k_.exact)
        g_.barrier();  // other items have read the elements that are overwritten now
      write_run(0);
    }
    Element last;
    const int piece = size_of(dtype()) < 8 ? kPiece : kPieceOfLarge;
    for (int from = 0; k_.chained && from < k_.rounds; from += piece) {
      run_elements_.clear();
      for (int r = from; r < std::min(k_.rounds, from + piece); ++r)
        run_elements_.push_back(element_of_run(r));
      if (from > 0) run_elements_[0] = combined(last, run_elements_[0]);
      last = scan_run();
      for (const Before& before : before_) put_in_front(before);
      write_run(from);
    }
    g_.barrier();
    Ir* first = b().CreateNSWAdd(result_row(b().getInt64(0)), begin_);
    Ir* to = b().CreateGEP(b().getInt8Ty(), out_, b().CreateNSWMul(first, i64(size_of(k_.stored))));
    full_or_not([&](Ir* count) {
      out_tile_->put_back(to, count, [&](Ir* i) { return place_in_result(i); });
    });
  }

  // The index of the tile's element i, relative to the start of the result row of the tile's first
  // element.
  Ir* place_in_result(Ir* i) {
    if (!k_.initial) return i;
    Ir* line = i64(0);
    if (k_.team > 0)
      line = b().CreateZExt(b().CreateUDiv(b().CreateTrunc(i, b().getInt32Ty()),
                                           b().CreateTrunc(along_, b().getInt32Ty())),
                            b().getInt64Ty());
    return b().CreateNSWAdd(i, b().CreateNSWAdd(line, i64(1)));
  }

  // Elements past the end only affect results past the end, so any element may be loaded for them.
  Element load() {
    auto all = [&](bool clamped) {
      std::vector<Element> x;
      Ir* row = b().CreateNSWMul(outer_, along_);
      Ir* column = clamped ? smaller(column_, b().CreateNSWSub(inner_, i64(1))) : column_;
      for (int r = 0; r < k_.rounds; ++r) {
        Ir* i = along_at(r);
        if (clamped) i = smaller(i, b().CreateNSWSub(along_, i64(1)));
        const Element e =
            operand_.load(one_, {outer_, i, column, place(b().CreateNSWAdd(row, i), column)});
        x.push_back(Combiner(k_.accumulation).prepare(one_, e, k_.read));
      }
      return flat(x);
    };
    const size_t parts = is_complex(dtype()) ? 2 : 1;
    const Values nothing(static_cast<size_t>(k_.rounds) * parts,
                         one_.select_zero(real_dtype(dtype())));
    Values x = emit_if(b(), is_full_, nothing, [&](const Values&) { return all(false); });
    x = emit_if(b(), b().CreateNot(is_full_), x, [&](const Values&) { return all(true); });
    run_elements_ = k_.across ? elements(x) : exchanged(elements(x), true);
    return scan_run();
  }

  // Exchanges elements in local memory, from an order in which consecutive items have neighbouring
  // elements to one in which each item has neighbouring elements, or back. One unused slot after
  // each item's elements avoids bank conflicts.
  std::vector<Element> exchanged(const std::vector<Element>& x, bool to_items) {
    if (!exchange_) exchange_ = local_elements(k_.items * (k_.rounds + 1));
    auto place = [&](int round, bool of_item) {
      if (of_item) return b().CreateNSWAdd(b().CreateNSWMul(item_, i64(k_.rounds + 1)), i64(round));
      Ir* at = b().CreateNSWAdd(item_, i64(round * k_.items));
      return b().CreateNSWAdd(at, b().CreateUDiv(at, i64(k_.rounds)));
    };
    std::vector<Element> result;
    for (int r = 0; r < k_.rounds; ++r)
      one_.store(dtype(), x[static_cast<size_t>(r)], exchange_, place(r, !to_items));
    g_.barrier();
    for (int r = 0; r < k_.rounds; ++r)
      result.push_back(one_.load(dtype(), exchange_, place(r, to_items)));
    return result;
  }

  // Combines pieces of `done` items each into larger pieces, eight at a time. Returns the total of
  // the larger piece.
  Element join(const Element& total, int64_t done) {
    const auto pieces = static_cast<int>(std::min<int64_t>(kRadix, k_.joined() / done));
    const int64_t width = k_.width();
    Ir* table = local_elements(static_cast<int>(k_.items / done * width));
    Ir* piece = b().CreateUDiv(item_, i64(done));
    auto at = [&](Ir* n) {
      return b().CreateNSWAdd(b().CreateNSWMul(n, i64(width)), own_column());
    };
    Ir* is_first = b().CreateICmpULT(b().CreateURem(item_, i64(done)), i64(width));
    emit_if(b(), is_first, {}, [&](const Values&) {
      one_.store(dtype(), total, table, at(piece));
      return Values{};
    });
    g_.barrier();
    Ir* own = b().CreateURem(piece, i64(pieces));
    Ir* first = b().CreateNSWSub(piece, own);
    Element all = one_.load(dtype(), table, at(first)), before = all;
    for (int n = 1; n < pieces; ++n) {
      before = chosen(b().CreateICmpEQ(own, i64(n)), all, before);
      all = combined(all, one_.load(dtype(), table, at(b().CreateNSWAdd(first, i64(n)))));
    }
    comes_before({b().CreateICmpNE(own, i64(0)), before});
    return all;
  }

  Ir* result_row(Ir* i) {
    Ir* rows = k_.initial ? b().CreateNSWAdd(along_, i64(1)) : along_;
    return b().CreateNSWAdd(b().CreateNSWMul(outer_, rows), i);
  }

  void store() {
    const std::vector<Element> x = k_.across ? run_elements_ : exchanged(run_elements_, false);
    auto write = [&](const Element& e, Ir* i) {
      if (k_.initial) i = b().CreateNSWAdd(i, i64(1));
      one_.store(k_.stored, one_.cast(e, dtype(), k_.stored), out_, place(result_row(i), column_));
    };
    emit_if(b(), is_full_, {}, [&](const Values&) {
      for (int r = 0; r < k_.rounds; ++r) write(x[static_cast<size_t>(r)], along_at(r));
      return Values{};
    });
    emit_if(b(), b().CreateNot(is_full_), {}, [&](const Values&) {
      for (int r = 0; r < k_.rounds; ++r) {
        Ir* i = along_at(r);
        Ir* inside =
            b().CreateAnd(b().CreateICmpSLT(i, along_), b().CreateICmpSLT(column_, inner_));
        emit_if(b(), inside, {}, [&](const Values&) {
          write(x[static_cast<size_t>(r)], i);
          return Values{};
        });
      }
      return Values{};
    });
  }

  void store_initial() {
    Ir* is_first = nullptr;
    Ir* row = outer_;
    if (k_.team > 0) {
      row = b().CreateNSWAdd(outer_, b().CreateUDiv(item_, i64(k_.team)));
      is_first = b().CreateAnd(b().CreateICmpEQ(b().CreateURem(item_, i64(k_.team)), i64(0)),
                               b().CreateICmpSLT(row, chunks_));
      column_ = i64(0);
    } else {
      is_first = b().CreateAnd(b().CreateICmpEQ(chunk_, i64(0)),
                               b().CreateICmpULT(item_, i64(k_.width())));
      is_first = b().CreateAnd(is_first, b().CreateICmpSLT(column_, inner_));
    }
    emit_if(b(), is_first, {}, [&](const Values&) {
      const Element e = Combiner(k_.accumulation).identity(one_, nullptr).value;
      one_.store(k_.stored, one_.cast(e, dtype(), k_.stored), out_,
                 place(b().CreateNSWMul(row, b().CreateNSWAdd(along_, i64(1))), column_));
      return Values{};
    });
  }

  ScanOperand operand_;
  Ir *out_ = nullptr, *along_ = nullptr, *inner_ = nullptr, *exchange_ = nullptr;
  Ir *outer_ = nullptr, *column_ = nullptr;
  Ir *begin_ = nullptr, *is_full_ = nullptr;
  // For lines whose elements are neighbours: number of elements in the tile, index of the item's
  // run, and number of the run's elements that belong to the line (null: all).
  Ir *count_ = nullptr, *run_ = nullptr, *left_ = nullptr;
  std::optional<LocalTile> in_, out_tile_;
};

}  // namespace

int64_t ScanTiles::state_words(int64_t lines, int64_t chunks) const noexcept {
  const int64_t spans = divide_up(chunks, span());
  return 1 + lines * width() * (chunks + spans + divide_up(spans, span())) * words();
}

std::string ScanTiles::key() const {
  std::string k = "c5";
  for (int v :
       {static_cast<int>(accumulation.reduction), static_cast<int>(accumulation.dtype),
        static_cast<int>(read), static_cast<int>(stored), static_cast<int>(across),
        static_cast<int>(unit), static_cast<int>(initial), static_cast<int>(chained), items / 32,
        rounds, team / 2, static_cast<int>(team == 1), static_cast<int>(exact),
        static_cast<int>(gaps), static_cast<int>(reads_wide), static_cast<int>(writes_wide)})
    k.push_back(static_cast<char>(v));
  producers.append_key(k);
  return accumulation.user ? k + accumulation.user->key : k;
}

target::KernelModule emit(const ScanTiles& kernel) { return TileEmitter(kernel).run(); }

}  // namespace hither::array
