#include "array/emit_scan_tiles.h"

#include <algorithm>

#include "array/emit_group.h"
#include "array/emit_producers.h"

namespace hither::array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;
using llvm::AtomicOrdering;

constexpr int64_t kRadix = 8;

int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

int words_of(DType t) { return std::max(1, size_of(t) / 4); }

/// Emits the kernel. Everything is combined in an order that depends on places alone, and so that
/// running sums of what is not negative never fall: an element takes what comes before it level by
/// level (within its item, among eight items, among sixty-four, ..., among tiles), from left to
/// right in each, so that where one piece ends the next starts from the very value that ended it.
/// Nothing is combined with a neutral element: (inf + 0i) * (1 + 0i) has a NaN in it.
class TileEmitter {
 public:
  explicit TileEmitter(const ScanTiles& k) : k_(k), m_("hither_scan"), g_(m_), one_(m_.b(), 1) {}

  target::KernelModule run() {
    declare();
    m_.begin();
    take();
    find_tile();
    std::vector<Element> x = load();
    for (size_t r = 1; r < x.size(); ++r) x[r] = combined(x[r - 1], x[r]);
    Element total = x.back();
    for (int64_t done = k_.width(); done < k_.items; done *= kRadix) total = join(x, total, done);
    if (k_.chained) look_back(x, total);
    store(x);
    if (k_.initial) store_initial();
    b().CreateRetVoid();
    target::KernelModule module = m_.finish();
    module.local_size[0] = k_.items;
    module.local_size[1] = module.local_size[2] = 1;
    return module;
  }

 private:
  llvm::IRBuilder<>& b() { return m_.b(); }
  Ir* i64(int64_t v) { return b().getInt64(static_cast<uint64_t>(v)); }
  DType dtype() const { return k_.combiner.dtype(); }

  void declare() {
    for (int i = 0; i < 2; ++i) m_.parameter(target::Parameter::kPointer);
    for (int i = 0; i < 3; ++i) m_.parameter(target::Parameter::kInt64);
    if (!k_.chained) return;
    m_.parameter(target::Parameter::kPointer);
    m_.parameter(target::Parameter::kInt64);
  }

  void take() {
    out_ = m_.next_parameter();
    x_ = m_.next_parameter();
    along_ = m_.next_parameter();
    inner_ = m_.next_parameter();
    chunks_ = m_.next_parameter();
    if (k_.unit) inner_ = i64(1);
    item_ = g_.item();
    if (!k_.chained) return;
    state_ = m_.next_parameter();
    lines_ = m_.next_parameter();
  }

  // Groups start in any order. They take tiles by counting, so that whoever waits for a tile waits
  // for one that a group has already.
  Ir* next_tile() {
    if (!k_.chained) return b().CreateTrunc(g_.group(), b().getInt32Ty());
    const Values taken =
        emit_if(b(), b().CreateICmpEQ(item_, i64(0)), {b().getInt32(0)}, [&](const Values&) {
          return Values{b().CreateAtomicRMW(llvm::AtomicRMWInst::Add, state_, b().getInt32(1),
                                            llvm::Align(4), AtomicOrdering::Monotonic, device())};
        });
    return g_.from_first(taken[0]);
  }

  // In 32 bits: there are fewer groups than that, and long divisions take long.
  void find_tile() {
    Ir* tile = next_tile();
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
    if (!k_.across) return;
    is_full_ = b().CreateAnd(is_full_, b().CreateICmpSLE(b().CreateNSWAdd(column_, width), inner_));
    lane_ = b().CreateURem(item_, width);
    column_ = b().CreateNSWAdd(column_, lane_);
  }

  // Where the item's element `round` is in memory: neighbours side by side.
  Ir* along_at(int round) {
    if (!k_.across) return b().CreateNSWAdd(b().CreateNSWAdd(begin_, item_), i64(round * k_.items));
    Ir* row = b().CreateUDiv(item_, i64(k_.width()));
    return b().CreateNSWAdd(b().CreateNSWAdd(begin_, b().CreateNSWMul(row, i64(k_.rounds))),
                            i64(round));
  }
  Ir* place(Ir* row, Ir* column) { return b().CreateNSWAdd(b().CreateNSWMul(row, inner_), column); }
  Ir* smaller(Ir* x, Ir* y) { return b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y); }

  Element combined(const Element& x, const Element& y) {
    return k_.combiner.in_order(b(), one_, {x}, {y}).value;
  }
  Element chosen(Ir* condition, const Element& x, const Element& y) {
    return {b().CreateSelect(condition, x.re, y.re),
            x.im ? b().CreateSelect(condition, x.im, y.im) : nullptr};
  }

  static void append(Values& v, const Element& e) {
    v.push_back(e.re);
    if (e.im) v.push_back(e.im);
  }
  Values flat(const std::vector<Element>& x) {
    Values v;
    for (const Element& e : x) append(v, e);
    return v;
  }
  std::vector<Element> elements(const Values& v) {
    const size_t parts = is_complex(dtype()) ? 2 : 1;
    std::vector<Element> x;
    for (size_t i = 0; i < v.size(); i += parts)
      x.push_back({v[i], parts > 1 ? v[i + 1] : nullptr});
    return x;
  }

  // What lies beyond the end comes after everything that counts: any element serves.
  std::vector<Element> load() {
    auto all = [&](bool clamped) {
      std::vector<Element> x;
      Ir* row = b().CreateNSWMul(outer_, along_);
      Ir* column = clamped ? smaller(column_, b().CreateNSWSub(inner_, i64(1))) : column_;
      for (int r = 0; r < k_.rounds; ++r) {
        Ir* i = along_at(r);
        if (clamped) i = smaller(i, b().CreateNSWSub(along_, i64(1)));
        const Element e = one_.load(k_.read, x_, place(b().CreateNSWAdd(row, i), column));
        x.push_back(k_.combiner.prepare(one_, e, k_.read));
      }
      return flat(x);
    };
    const size_t parts = is_complex(dtype()) ? 2 : 1;
    const Values nothing(static_cast<size_t>(k_.rounds) * parts,
                         one_.select_zero(real_dtype(dtype())));
    Values x = emit_if(b(), is_full_, nothing, [&](const Values&) { return all(false); });
    x = emit_if(b(), b().CreateNot(is_full_), x, [&](const Values&) { return all(true); });
    return k_.across ? elements(x) : exchanged(elements(x), true);
  }

  // From neighbours for neighbouring items to neighbours for each item, or back. A place is left
  // free after those of each item, so that items ask for different banks.
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

  Ir* local_elements(int count) {
    const int parts = is_complex(dtype()) ? 2 : 1;
    return g_.local_array(one_.memory_type(dtype()), count * parts);
  }

  // Puts `before` in front of every element where `condition` holds.
  void put_before(std::vector<Element>& x, Ir* condition, const Element& before) {
    x = elements(emit_if(b(), condition, flat(x), [&](const Values& now) {
      std::vector<Element> then = elements(now);
      for (Element& e : then) e = combined(before, e);
      return flat(then);
    }));
  }

  void store_if(Ir* condition, const Element& e, Ir* base, Ir* index) {
    emit_if(b(), condition, {}, [&](const Values&) {
      one_.store(dtype(), e, base, index);
      return Values{};
    });
  }

  Ir* own_column() { return k_.across ? lane_ : i64(0); }

  // Pieces that `done` items made become one piece, eight at a time. Returns what the whole comes
  // to.
  Element join(std::vector<Element>& x, const Element& total, int64_t done) {
    const auto pieces = static_cast<int>(std::min<int64_t>(kRadix, k_.items / done));
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
    put_before(x, b().CreateICmpNE(own, i64(0)), before);
    return all;
  }

  llvm::SyncScope::ID device() { return b().getContext().getOrInsertSyncScopeID("device"); }

  struct Level {
    Ir* first;   ///< entry of this line's first piece
    Ir* pieces;  ///< local memory for a span of them
  };

  // An entry is a value, 32 bits in each word and above them a bit that says that they are there:
  // whoever sees the bit has the value, without fences.
  Ir* word(const Level& level, Ir* piece, int n) {
    Ir* entry = b().CreateNSWAdd(
        level.first, b().CreateNSWAdd(b().CreateNSWMul(piece, i64(k_.width())), own_column()));
    Ir* at = b().CreateNSWAdd(b().CreateNSWMul(entry, i64(words_of(dtype()))), i64(n + 1));
    return b().CreateGEP(b().getInt64Ty(), state_, at);
  }

  Values to_words(const Element& e) {
    Values words;
    Values parts;
    append(parts, e);
    for (Ir* part : parts) {
      const unsigned bits = part->getType()->getScalarSizeInBits();
      Ir* raw = b().CreateZExt(b().CreateBitCast(part, b().getIntNTy(bits)), b().getInt64Ty());
      words.push_back(b().CreateAnd(raw, i64(0xffffffff)));
      if (bits > 32) words.push_back(b().CreateLShr(raw, 32));
    }
    return words;
  }

  Element from_words(const Values& words) {
    llvm::Type* type = one_.part_type(real_dtype(dtype()));
    const unsigned bits = type->getScalarSizeInBits();
    Values parts;
    for (size_t i = 0; i < words.size(); i += bits > 32 ? 2 : 1) {
      Ir* raw = b().CreateAnd(words[i], i64(0xffffffff));
      if (bits > 32) raw = b().CreateOr(raw, b().CreateShl(words[i + 1], 32));
      parts.push_back(b().CreateBitCast(b().CreateTrunc(raw, b().getIntNTy(bits)), type));
    }
    return elements(parts)[0];
  }

  void publish(const Level& level, Ir* piece, const Element& value, Ir* condition) {
    Ir* is_first = b().CreateICmpULT(item_, i64(k_.width()));
    emit_if(b(), b().CreateAnd(condition, is_first), {}, [&](const Values&) {
      const Values words = to_words(value);
      for (size_t n = 0; n < words.size(); ++n) {
        Ir* flagged = b().CreateOr(words[n], i64(int64_t{1} << 32));
        auto* write = b().CreateAlignedStore(flagged, word(level, piece, static_cast<int>(n)),
                                             llvm::Align(8));
        write->setAtomic(AtomicOrdering::Monotonic, device());
      }
      return Values{};
    });
  }

  Element wait_for(const Level& level, Ir* piece) {
    llvm::BasicBlock* wait = llvm::BasicBlock::Create(b().getContext(), "wait", m_.function());
    llvm::BasicBlock* there = llvm::BasicBlock::Create(b().getContext(), "there", m_.function());
    Values where, words;
    for (int n = 0; n < words_of(dtype()); ++n) where.push_back(word(level, piece, n));
    b().CreateBr(wait);
    b().SetInsertPoint(wait);
    Ir* all = nullptr;
    for (Ir* address : where) {
      auto* read = b().CreateAlignedLoad(b().getInt64Ty(), address, llvm::Align(8));
      read->setAtomic(AtomicOrdering::Monotonic, device());
      words.push_back(read);
      all = all ? b().CreateAnd(all, read) : read;
    }
    Ir* flag = b().CreateAnd(all, i64(int64_t{1} << 32));
    b().CreateCondBr(b().CreateICmpNE(flag, i64(0)), there, wait);
    b().SetInsertPoint(there);
    return from_words(words);
  }

  Ir* piece_at(Ir* n) {
    return b().CreateNSWAdd(b().CreateNSWMul(n, i64(k_.width())), own_column());
  }

  // Items fetch a piece each of the `count` from `first` on, when they are there; `by` names items.
  void fetch(const Level& level, Ir* first, Ir* count, Ir* by) {
    Ir* width = i64(k_.width());
    emit_loop(b(), b().CreateUDiv(by, width), count, i64(k_.items / k_.width()), {},
              [&](Ir* n, const Values&) {
                const Element e = wait_for(level, b().CreateNSWAdd(first, n));
                one_.store(dtype(), e, level.pieces, piece_at(n));
                return Values{};
              });
  }

  // What `count` fetched pieces come to, one after another; without meaning if there are none.
  Element folded(const Level& level, Ir* count) {
    constexpr unsigned kTogether = 8;
    Values start;
    append(start, one_.load(dtype(), level.pieces, piece_at(i64(0))));
    const Values sum = emit_loop(
        b(), i64(1), count, i64(1), start,
        [&](Ir* n, const Values& now) {
          Values next;
          append(next, combined(elements(now)[0], one_.load(dtype(), level.pieces, piece_at(n))));
          return next;
        },
        kTogether);
    return elements(sum)[0];
  }

  // Tiles make spans, spans make spans of spans, and those are a chain.
  void look_back(std::vector<Element>& x, const Element& tile) {
    Ir *fan = i64(k_.span()), *last = i64(k_.span() - 1), *zero = i64(0), *one = i64(1);
    auto spans = [&](Ir* n) { return b().CreateUDiv(b().CreateNSWAdd(n, last), fan); };
    Ir* counts[3] = {chunks_, spans(chunks_), spans(spans(chunks_))};
    Level levels[3];
    Ir* first = zero;
    for (int i = 0; i < 3; ++i) {
      Ir* width = i64(k_.width());
      levels[i].first =
          b().CreateNSWAdd(first, b().CreateNSWMul(b().CreateNSWMul(line_, counts[i]), width));
      first = b().CreateNSWAdd(first, b().CreateNSWMul(b().CreateNSWMul(lines_, counts[i]), width));
      levels[i].pieces = local_elements(static_cast<int>((i < 2 ? k_.span() : 1) * k_.width()));
    }
    Ir* span = b().CreateUDiv(chunk_, fan);
    Ir* wide = b().CreateUDiv(span, fan);
    Ir* in_span = b().CreateURem(chunk_, fan);
    Ir* in_wide = b().CreateURem(span, fan);
    Ir* ends_span = b().CreateICmpEQ(in_span, last);
    Ir* ends_wide = b().CreateAnd(ends_span, b().CreateICmpEQ(in_wide, last));
    auto after = [&](Ir* condition, const Element& before, const Element& e) {
      return chosen(condition, combined(before, e), e);
    };
    publish(levels[0], chunk_, tile, b().getTrue());
    fetch(levels[0], b().CreateNSWMul(span, fan), in_span, item_);
    g_.barrier();
    const Element tiles = folded(levels[0], in_span);
    Ir* has_tiles = b().CreateICmpNE(in_span, zero);
    const Element to_here = after(has_tiles, tiles, tile);
    publish(levels[1], span, to_here, ends_span);
    // The last items, which have the fewest spans to wait for, see to the chain.
    Ir* has_more = b().CreateICmpNE(wide, zero);
    Ir* one_more = b().CreateZExt(has_more, b().getInt64Ty());
    fetch(levels[2], b().CreateNSWSub(wide, one), one_more,
          b().CreateNSWSub(i64(k_.items - 1), item_));
    fetch(levels[1], b().CreateNSWMul(wide, fan), in_wide, item_);
    g_.barrier();
    const Element in_spans = folded(levels[1], in_wide);
    Ir* has_spans = b().CreateICmpNE(in_wide, zero);
    const Element all_spans = after(has_spans, in_spans, to_here);
    const Element rest = folded(levels[2], one_more);
    publish(levels[2], wide, after(has_more, rest, all_spans), ends_wide);
    put_before(x, has_tiles, tiles);
    put_before(x, has_spans, in_spans);
    put_before(x, has_more, rest);
  }

  Ir* result_row(Ir* i) {
    Ir* rows = k_.initial ? b().CreateNSWAdd(along_, i64(1)) : along_;
    return b().CreateNSWAdd(b().CreateNSWMul(outer_, rows), i);
  }

  void store(const std::vector<Element>& scanned) {
    const std::vector<Element> x = k_.across ? scanned : exchanged(scanned, false);
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
    Ir* is_first =
        b().CreateAnd(b().CreateICmpEQ(chunk_, i64(0)), b().CreateICmpULT(item_, i64(k_.width())));
    emit_if(
        b(), b().CreateAnd(is_first, b().CreateICmpSLT(column_, inner_)), {}, [&](const Values&) {
          const DType part = real_dtype(dtype());
          Ir* zero = one_.select_zero(part);
          Ir* start = k_.combiner.reduction() == Reduction::kSum ? zero : one_.constant(part, 1);
          const Element e{start, is_complex(dtype()) ? zero : nullptr};
          one_.store(k_.stored, one_.cast(e, dtype(), k_.stored), out_,
                     place(result_row(i64(0)), column_));
          return Values{};
        });
  }

  const ScanTiles& k_;
  ModuleBuilder m_;
  GroupEmitter g_;
  ElementEmitter one_;
  Ir *out_ = nullptr, *x_ = nullptr, *along_ = nullptr, *inner_ = nullptr, *chunks_ = nullptr;
  Ir *state_ = nullptr, *lines_ = nullptr, *exchange_ = nullptr;
  Ir *item_ = nullptr, *lane_ = nullptr;
  Ir *chunk_ = nullptr, *outer_ = nullptr, *line_ = nullptr, *column_ = nullptr;
  Ir *begin_ = nullptr, *is_full_ = nullptr;
};

}  // namespace

int64_t ScanTiles::state_words(int64_t lines, int64_t chunks) const noexcept {
  const int64_t spans = divide_up(chunks, span());
  return 1 +
         lines * width() * (chunks + spans + divide_up(spans, span())) * words_of(combiner.dtype());
}

std::string ScanTiles::key() const {
  std::string k = "c2";
  for (int v : {static_cast<int>(combiner.reduction()), static_cast<int>(combiner.dtype()),
                static_cast<int>(read), static_cast<int>(stored), static_cast<int>(across),
                static_cast<int>(unit), static_cast<int>(initial), static_cast<int>(chained),
                items / 32, rounds})
    k.push_back(static_cast<char>(v));
  return k;
}

target::KernelModule emit(const ScanTiles& kernel) { return TileEmitter(kernel).run(); }

}  // namespace hither::array
