#include "array/emit/rows_team.h"

#include <algorithm>

#include "array/emit/group.h"
#include "array/emit/rows_frame.h"

namespace hither::array {

namespace {

/// Emits kernels in which a team of items has a row. Consecutive items take consecutive words of
/// it. Words of the first rounds stay in registers. Every walk reads the other words again.
class TeamEmitter final : public RowFrame {
 public:
  explicit TeamEmitter(const RowForm& rows)
      : RowFrame(rows), g_(m_), team_(rows.team), width_(rows.word) {}

 private:
  using Word = std::vector<Place>;

  Ir* smaller(Ir* x, Ir* y) { return b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y); }

  Values find_rows() override {
    Ir* item = g_.item();
    item_ = b().CreateURem(item, i64(team_));
    Ir* teams = i64(items_of_group(r_.team) / team_);
    Ir* first = b().CreateNSWMul(
        b().CreateNSWAdd(b().CreateNSWMul(g_.group(), teams), b().CreateUDiv(item, i64(team_))),
        i64(r_.side_by_side));
    Values rows;
    for (int n = 0; n < r_.side_by_side; ++n) {
      Ir* row = b().CreateNSWAdd(first, i64(n));
      exist_.push_back(b().CreateICmpSLT(row, rows_));
      rows.push_back(smaller(row, b().CreateNSWSub(rows_, i64(1))));
    }
    return rows;
  }

  // ---- words

  int64_t step() const { return int64_t{team_} * width_; }

  Word word(Ir* lane) {
    Word w;
    w.reserve(static_cast<size_t>(width_));
    for (int n = 0; n < width_; ++n) w.emplace_back(&one_, b().CreateNSWAdd(lane, i64(n)), nullptr);
    for (Place& p : w) p.word = w.data();
    return w;
  }

  // A word of the row. Past the end it is the last word; `inside` tells whether it is within the
  // row.
  Word word_from(Ir* round, Ir*& inside) {
    Ir* lane = b().CreateNSWAdd(round, b().CreateNSWMul(item_, i64(width_)));
    inside = b().CreateICmpSLT(lane, length_);
    return word(smaller(lane, b().CreateNSWSub(length_, i64(width_))));
  }

  void prepare() override {
    Ir* own = b().CreateNSWMul(item_, i64(width_));
    // All rounds but the last are full.
    for (int k = 0; k < r_.kept; ++k)
      words_.push_back(r_.all_kept && k + 1 == r_.kept
                           ? word_from(i64(k * step()), in_last_)
                           : word(b().CreateNSWAdd(own, i64(k * step()))));
  }

  Ir* inside_of(const Word& w) { return &w == &words_.back() ? in_last_ : nullptr; }

  // Calls body(words, whether they are inside the row, carried) for the words that are not in
  // registers, several at a time.
  Values for_rest(
      const Values& start,
      const std::function<Values(std::vector<Word>&, const Values&, const Values&)>& body) {
    if (r_.all_kept) return start;
    return emit_loop(b(), i64(r_.kept * step()), length_, i64(r_.together * step()), start,
                     [&](Ir* first, const Values& carried) {
                       std::vector<Word> words;
                       Values inside;
                       for (int n = 0; n < r_.together; ++n)
                         words.push_back(word_from(b().CreateNSWAdd(first, i64(n * step())),
                                                   inside.emplace_back(nullptr)));
                       return body(words, inside, carried);
                     });
  }

  static int parts_of(DType t) { return is_complex(t) ? 2 : 1; }

  llvm::Type* type_of_word(DType t) {
    return llvm::FixedVectorType::get(one_.memory_type(t),
                                      static_cast<unsigned>(width_ * parts_of(t)));
  }

  Ir* address(DType t, Ir* base, Ir* at) {
    return b().CreateGEP(one_.memory_type(t), base, b().CreateNSWMul(at, i64(parts_of(t))));
  }

  llvm::Align alignment(DType t) const { return llvm::Align(bytes_of_word(r_.word, t)); }

  Element load(Place& p, int leaf) override {
    if (r_.access[leaf] != RowAccess::kWords) return RowFrame::load(p, leaf);
    const DType t = c_.leaves[leaf].dtype;
    const int parts = parts_of(t);
    Ir* at = b().CreateNSWAdd(at_->bases[static_cast<size_t>(leaf)], p.word->lane);
    Ir* all = b().CreateAlignedLoad(type_of_word(t), address(t, producers_.address(leaf), at),
                                    alignment(t));
    auto part = [&](int n) { return b().CreateExtractElement(all, static_cast<uint64_t>(n)); };
    for (int n = 0; n < width_; ++n) {
      Element& x = p.word[n].leaves[leaf];
      x = {part(n * parts), parts > 1 ? part(n * parts + 1) : nullptr};
      if (t == DType::kBool) x.re = b().CreateIsNotNull(x.re);
    }
    return p.leaves[leaf];
  }

  void store(Word& w) {
    Ir* at = b().CreateNSWAdd(at_->start, w.front().lane);
    for (int i = 0; i < c_.output_count; ++i) {
      const Slot slot = c_.outputs[i];
      if (r_.per_row[slot]) continue;
      const DType t = c_.nodes[slot].dtype;
      Ir* all = llvm::PoisonValue::get(type_of_word(t));
      uint64_t n = 0;
      for (Place& p : w) {
        const Element x = value(p, slot);
        Ir* re = t == DType::kBool ? b().CreateZExt(x.re, one_.memory_type(t)) : x.re;
        all = b().CreateInsertElement(all, re, n++);
        if (x.im) all = b().CreateInsertElement(all, x.im, n++);
      }
      b().CreateAlignedStore(all, address(t, outputs_[i], at), alignment(t));
    }
  }

  void store_if(Word& w, Ir* inside) {
    auto all = [&](const Values&) {
      store(w);
      return Values{};
    };
    if (inside)
      emit_if(b(), inside, {}, all);
    else
      all({});
  }

  // Computes the outputs of a word. This comes before any store, because a load would have to wait
  // for earlier stores.
  void evaluate(Word& w) {
    for (Place& p : w)
      for (int i = 0; i < c_.output_count; ++i)
        if (!r_.per_row[c_.outputs[i]]) value(p, c_.outputs[i]);
  }

  void store_elements() override {
    emit_if(b(), exist_.front(), {}, [&](const Values&) {
      for (size_t first = 0; first < words_.size(); first += static_cast<size_t>(r_.together)) {
        const size_t end = std::min(first + static_cast<size_t>(r_.together), words_.size());
        for (size_t n = first; n < end; ++n) evaluate(words_[n]);
        for (size_t n = first; n < end; ++n) store_if(words_[n], inside_of(words_[n]));
      }
      for_rest({}, [&](std::vector<Word>& words, const Values& inside, const Values&) {
        for (Word& w : words) evaluate(w);
        for (size_t n = 0; n < words.size(); ++n) store_if(words[n], inside[n]);
        return Values{};
      });
      return Values{};
    });
  }

  void store_rows() override {
    Ir* is_first = b().CreateICmpEQ(item_, i64(0));
    auto exists = exist_.begin();
    for_rows([&] {
      emit_if(b(), b().CreateAnd(*exists++, is_first), {}, [&](const Values&) {
        store_row_values();
        return Values{};
      });
    });
  }

  // ---- reductions

  std::vector<Element> reduce(const std::vector<int>& nodes) override {
    std::vector<Running> best(nodes.size() * all_.size());
    for (size_t k = 0; k < words_.size(); ++k)
      with_word(nodes, best, words_[k], inside_of(words_[k]),
                b().getInt32(static_cast<uint32_t>(k) * static_cast<uint32_t>(width_)));
    const Values totals =
        for_rest(values_of(best),
                 [&](std::vector<Word>& words, const Values& inside, const Values& carried) {
                   std::vector<Running> all = running_of(nodes, carried);
                   for (size_t n = 0; n < words.size(); ++n)
                     with_word(nodes, all, words[n], inside[n], count_of(words[n]));
                   return values_of(all);
                 });
    best = running_of(nodes, totals);
    const std::vector<Combiner> combiners = combiners_of(nodes);
    for (size_t n = 0; n < best.size(); ++n) {
      if (best[n].index) best[n].index = lane_of(best[n].index);
      best[n] = between_items(combiners[n], best[n], std::min(team_, kSubGroup));
    }
    if (team_ > kSubGroup) between_sub_groups(combiners, best);
    std::vector<Element> results;
    for (const Running& r : best) results.push_back(r.index ? Element{r.index} : r.value);
    return results;
  }

  /// The combiner of each reduction, row by row.
  std::vector<Combiner> combiners_of(const std::vector<int>& nodes) const {
    std::vector<Combiner> all;
    for (size_t row = 0; row < all_.size(); ++row)
      for (int node : nodes) all.push_back(combiner(node));
    return all;
  }

  // Combines a word of each row.
  void with_word(const std::vector<int>& nodes, std::vector<Running>& best, Word& w, Ir* inside,
                 Ir* count) {
    auto running = best.begin();
    for_rows([&] {
      Word other;
      if (at_ != &all_.front()) other = of_another_row(w);
      for (int node : nodes) {
        *running = with_word(node, *running, other.empty() ? w : other, inside, count);
        ++running;
      }
    });
  }

  // The same word of another row. What the first row has loaded of shared leaves is known.
  Word of_another_row(const Word& w) {
    Word other;
    other.reserve(w.size());
    for (const Place& p : w) {
      other.emplace_back(&one_, p.lane, nullptr).word = other.data();
      for (int i = 0; i < c_.leaf_count; ++i)
        if (r_.shared[i]) other.back().leaves[i] = p.leaves[i];
    }
    return other;
  }

  // `count` is the number of elements that the item has combined. It serves as the index until
  // lane_of().
  Running with_word(int node, Running before, Word& w, Ir* inside, Ir* count) {
    const Combiner combiner(c_.nodes[node].accumulation());
    for (Place& p : w) {
      Running x{operand(p, node)};
      if (combiner.with_index()) {
        x.index = count;
        count = b().CreateNSWAdd(count, b().getInt32(1));
      }
      if (!before.value
               .re) {  // the first round, which is full because there are at least two rounds
        before = combiner.first(b(), one_, x);
        continue;
      }
      const Running next = combiner.in_order(b(), one_, before, x);
      before = inside ? chosen(inside, next, before) : next;
    }
    return before;
  }

  // 32 bits suffice: rows of reductions with an index have at most 4096 elements.
  Ir* count_of(const Word& w) {
    return b().CreateTrunc(b().CreateMul(b().CreateUDiv(w.front().lane, i64(step())), i64(width_)),
                           b().getInt32Ty());
  }

  Ir* lane_of(Ir* count) {
    Ir* n = b().CreateZExt(count, b().getInt64Ty());
    Ir* round = b().CreateMul(b().CreateUDiv(n, i64(width_)), i64(step()));
    Ir* own = b().CreateAdd(b().CreateMul(item_, i64(width_)), b().CreateURem(n, i64(width_)));
    return b().CreateAdd(round, own);
  }

  using RowFrame::chosen;
  Running chosen(Ir* which, const Running& x, const Running& y) {
    return {chosen(which, x.value, y.value),
            x.index ? b().CreateSelect(which, x.index, y.index) : nullptr};
  }

  static Values values_of(const std::vector<Running>& all) {
    Values values;
    for (const Running& r : all) {
      if (r.index) values.push_back(r.index);
      append(values, RowFrame::values_of(r.value));
    }
    return values;
  }
  std::vector<Running> running_of(const std::vector<int>& nodes, const Values& values) const {
    std::vector<Running> all;
    size_t at = 0;
    for (const Combiner& combine : combiners_of(nodes)) {
      Running r;
      if (combine.with_index()) r.index = values[at++];
      r.value = element_of(next(values, at, parts_of(combine.dtype())));
      all.push_back(r);
    }
    return all;
  }

  // Combines the results of `count` neighbouring items. On both sides the lower item's value comes
  // first, so all items get the same bits.
  Running between_items(const Combiner& combiner, Running best, int count) {
    for (int mask = count / 2; mask > 0; mask /= 2) {
      Running other{g_.exchanged(best.value, mask)};
      if (best.index) other.index = g_.exchanged({best.index}, mask).re;
      Ir* is_upper = b().CreateICmpNE(b().CreateAnd(item_, i64(mask)), i64(0));
      best = combiner.any_order(b(), one_, chosen(is_upper, other, best),
                                chosen(is_upper, best, other));
    }
    return best;
  }

  // Every sub-group combines the results of all sub-groups.
  void between_sub_groups(const std::vector<Combiner>& combiners, std::vector<Running>& best) {
    const int count = items_of_group(r_.team) / kSubGroup, own = team_ / kSubGroup;
    Values tables, places;
    for (size_t n = 0; n < best.size(); ++n) {
      const DType t = combiners[n].dtype();
      tables.push_back(g_.local_array(one_.memory_type(t), count * parts_of(t)));
      places.push_back(best[n].index ? g_.local_array(b().getInt64Ty(), count) : nullptr);
    }
    Ir* item = g_.item();
    emit_if(b(), b().CreateICmpEQ(b().CreateURem(item, i64(kSubGroup)), i64(0)), {},
            [&](const Values&) {
              Ir* at = b().CreateUDiv(item, i64(kSubGroup));
              for (size_t n = 0; n < best.size(); ++n) {
                one_.store(combiners[n].dtype(), best[n].value, tables[n], at);
                if (places[n]) one_.store(DType::kInt64, {best[n].index}, places[n], at);
              }
              return Values{};
            });
    g_.barrier();
    Ir* first = b().CreateNSWMul(b().CreateUDiv(item, i64(team_)), i64(own));
    Ir* at = b().CreateNSWAdd(first, b().CreateURem(item_, i64(own)));
    for (size_t n = 0; n < best.size(); ++n) {
      best[n].value = one_.load(combiners[n].dtype(), tables[n], at);
      if (places[n]) best[n].index = one_.load(DType::kInt64, places[n], at).re;
      best[n] = between_items(combiners[n], best[n], own);
    }
  }

  GroupEmitter g_;
  const int team_, width_;
  Ir* item_ = nullptr;
  Values exist_;  ///< whether each row exists
  std::vector<Word> words_;
  Ir* in_last_ = nullptr;  ///< null when words_ does not contain the last round
};

}  // namespace

target::KernelModule emit_team(const RowForm& rows) {
  target::KernelModule module = TeamEmitter(rows).run();
  module.local_size[0] = items_of_group(rows.team);
  module.local_size[1] = module.local_size[2] = 1;
  return module;
}

}  // namespace hither::array
