// Code that single-pass scan kernels share: the operation, and the look-back by which tiles
// exchange their totals.
#pragma once

#include <functional>
#include <vector>

#include "array/emit/group.h"
#include "array/emit/producers.h"
#include "array/emit/scan_tiles.h"

namespace hither::array {

/// Emits the position of a tile, the combination of elements, and the look-back.
class ScanFrame {
 protected:
  using Ir = llvm::Value;
  using Values = std::vector<Ir*>;

  explicit ScanFrame(const ScanTiles& k) : k_(k), m_("hither_scan"), g_(m_), one_(m_.b(), 1) {}

  struct Before {
    Ir* exists;
    Element total;
  };

  llvm::IRBuilder<>& b() { return m_.b(); }
  Ir* i64(int64_t v) { return b().getInt64(static_cast<uint64_t>(v)); }
  DType dtype() const { return k_.accumulation.dtype; }

  Element combined(const Element& x, const Element& y) {
    return Combiner(k_.accumulation).in_order(b(), one_, {x}, {y}).value;
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

  Ir* local_elements(int count) {
    const int parts = is_complex(dtype()) ? 2 : 1;
    return g_.local_array(one_.memory_type(dtype()), count * parts);
  }

  // Adds the total of one look-back level. Levels are added from the innermost to the outermost.
  // Elements that are in registers are combined with it at once.
  void comes_before(const Before& before) {
    if (run_elements_.empty())
      before_.push_back(before);
    else
      put_in_front(before);
  }

  void put_in_front(const Before& before) {
    run_elements_ = elements(emit_if(b(), before.exists, flat(run_elements_), [&](const Values& x) {
      std::vector<Element> then = elements(x);
      for (Element& e : then) e = combined(before.total, e);
      return flat(then);
    }));
  }

  void only_if(Ir* condition, const std::function<void()>& body) {
    emit_if(b(), condition, {}, [&](const Values&) {
      body();
      return Values{};
    });
  }

  Ir* own_column() { return k_.across ? lane_ : i64(0); }

  llvm::SyncScope::ID device() { return b().getContext().getOrInsertSyncScopeID("device"); }

  struct Level {
    Ir* first;   ///< entry of this line's first piece
    Ir* pieces;  ///< local memory for the pieces of one span
  };

  // An entry stores a value in 32-bit pieces, each in an i64 whose bit 32 marks it as present. A
  // reader that sees the bit has the value, so no fences are needed.
  Ir* word(const Level& level, Ir* piece, int n) {
    Ir* entry = b().CreateNSWAdd(
        level.first, b().CreateNSWAdd(b().CreateNSWMul(piece, i64(k_.width())), own_column()));
    Ir* at = b().CreateNSWAdd(b().CreateNSWMul(entry, i64(k_.words())), i64(n + 1));
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
        write->setAtomic(llvm::AtomicOrdering::Monotonic, device());
      }
      return Values{};
    });
  }

  Element wait_for(const Level& level, Ir* piece) {
    llvm::BasicBlock* wait = llvm::BasicBlock::Create(b().getContext(), "wait", m_.function());
    llvm::BasicBlock* there = llvm::BasicBlock::Create(b().getContext(), "there", m_.function());
    Values where, words;
    for (int n = 0; n < k_.words(); ++n) where.push_back(word(level, piece, n));
    b().CreateBr(wait);
    b().SetInsertPoint(wait);
    Ir* all = nullptr;
    for (Ir* address : where) {
      auto* read = b().CreateAlignedLoad(b().getInt64Ty(), address, llvm::Align(8));
      read->setAtomic(llvm::AtomicOrdering::Monotonic, device());
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

  // Items fetch the `count` pieces from `first` on, one each, and wait until they are present. `by`
  // numbers the items.
  void fetch(const Level& level, Ir* first, Ir* count, Ir* by) {
    Ir* width = i64(k_.width());
    emit_loop(b(), b().CreateUDiv(by, width), count, i64(k_.items / k_.width()), {},
              [&](Ir* n, const Values&) {
                const Element e = wait_for(level, b().CreateNSWAdd(first, n));
                one_.store(dtype(), e, level.pieces, piece_at(n));
                return Values{};
              });
  }

  // Combines `count` fetched pieces in order. The result is unspecified if there are none.
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

  // Tiles form spans, spans form larger spans, and the larger spans form a chain.
  void look_back(const Element& tile) {
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
    Ir* has_tiles = b().CreateICmpNE(in_span, zero);
    auto fetch_tiles = [&] { fetch(levels[0], b().CreateNSWMul(span, fan), in_span, item_); };
    auto up_to_here = [&](Element& tiles) {
      tiles = folded(levels[0], in_span);
      return after(has_tiles, tiles, tile);
    };
    publish(levels[0], chunk_, tile, b().getTrue());
    // Other tiles wait for the last tile of a span. So that tile first waits only for its own span
    // and publishes the span's total. All other tiles wait for all levels at once.
    only_if(ends_span, [&] {
      fetch_tiles();
      g_.barrier();
      Element tiles;
      publish(levels[1], span, up_to_here(tiles), b().getTrue());
    });
    only_if(b().CreateNot(ends_span), fetch_tiles);
    // Items of other sub-groups fetch the spans, and the last items fetch the chain.
    Ir* has_more = b().CreateICmpNE(wide, zero);
    Ir* one_more = b().CreateZExt(has_more, b().getInt64Ty());
    fetch(levels[2], b().CreateNSWSub(wide, one), one_more,
          b().CreateNSWSub(i64(k_.items - 1), item_));
    fetch(levels[1], b().CreateNSWMul(wide, fan), in_wide, b().CreateXor(item_, i64(k_.items / 2)));
    g_.barrier();
    Element tiles;
    const Element to_here = up_to_here(tiles);
    const Element in_spans = folded(levels[1], in_wide);
    Ir* has_spans = b().CreateICmpNE(in_wide, zero);
    const Element all_spans = after(has_spans, in_spans, to_here);
    const Element rest = folded(levels[2], one_more);
    publish(levels[2], wide, after(has_more, rest, all_spans), ends_wide);
    comes_before({has_tiles, tiles});
    comes_before({has_spans, in_spans});
    comes_before({has_more, rest});
  }

  const ScanTiles& k_;
  ModuleBuilder m_;
  GroupEmitter g_;
  ElementEmitter one_;
  Ir *chunks_ = nullptr, *state_ = nullptr, *lines_ = nullptr;
  Ir *item_ = nullptr, *lane_ = nullptr, *chunk_ = nullptr, *line_ = nullptr;
  std::vector<Element> run_elements_;
  std::vector<Before> before_;  ///< totals to combine with a run that stays in local memory
};

}  // namespace hither::array
