// Structures of sparse matrices in rows: which elements results have, and where. Functions have the
// item's number, a row or a chunk of rows, as the last argument. Indices are of one type.
#include <stdint.h>

namespace {

/// A matrix in rows whose columns increase in each row.
template <class I>
struct Rows {
  const I *pointers, *columns;
};

/// Calls visit(column, place in a or -1, place in b or -1) for each column of a row of a or b.
template <class I, class Visit>
void unite(Rows<I> a, Rows<I> b, int64_t row, Visit visit) {
  I i = a.pointers[row], j = b.pointers[row];
  const I a_end = a.pointers[row + 1], b_end = b.pointers[row + 1];
  while (i < a_end && j < b_end) {
    const I x = a.columns[i], y = b.columns[j];
    visit(x < y ? x : y, x <= y ? i : I(-1), y <= x ? j : I(-1));
    i += x <= y;
    j += y <= x;
  }
  for (; i < a_end; ++i) visit(a.columns[i], i, I(-1));
  for (; j < b_end; ++j) visit(b.columns[j], I(-1), j);
}

/// Rows begin to end of `chunks` about equal parts.
struct Chunk {
  int64_t begin, end;
  Chunk(int64_t rows, int64_t chunks, int64_t chunk)
      : begin(rows * chunk / chunks), end(rows * (chunk + 1) / chunks) {}
};

}  // namespace

/// For each number below `count`, the places of its occurrences in order, from starts[number] on.
/// The result has `size` places, and then `count` words that the function uses. One item.
#define HITHER_SPARSE_ORDER(NAME, I)                                                          \
  extern "C" void hither_sparse_order_##NAME(void* result, const void* numbers,               \
                                             const void* starts, int64_t size, int64_t count, \
                                             int64_t) {                                       \
    I* const order = static_cast<I*>(result);                                                 \
    I* const next = order + size;                                                             \
    for (int64_t n = 0; n < count; ++n) next[n] = static_cast<const I*>(starts)[n];           \
    for (int64_t k = 0; k < size; ++k)                                                        \
      order[next[static_cast<const I*>(numbers)[k]]++] = static_cast<I>(k);                   \
  }

/// For each element of a matrix in rows, its row.
#define HITHER_SPARSE_ROWS(NAME, I)                                                           \
  extern "C" void hither_sparse_rows_##NAME(void* result, const void* pointers, int64_t size, \
                                            int64_t row) {                                    \
    const I* const p = static_cast<const I*>(pointers);                                       \
    const I begin = p[row] < 0 ? I(0) : p[row];                                               \
    const I end = p[row + 1] < static_cast<I>(size) ? p[row + 1] : static_cast<I>(size);      \
    for (I k = begin; k < end; ++k) static_cast<I*>(result)[k] = static_cast<I>(row);         \
  }

/// The number of columns in which a or b has an element of the row.
#define HITHER_SPARSE_UNION_SIZES(NAME, I)                                               \
  extern "C" void hither_sparse_union_sizes_##NAME(void* result, const void* a,          \
                                                   const void* a_columns, const void* b, \
                                                   const void* b_columns, int64_t row) { \
    I count = 0;                                                                         \
    unite<I>({static_cast<const I*>(a), static_cast<const I*>(a_columns)},               \
             {static_cast<const I*>(b), static_cast<const I*>(b_columns)}, row,          \
             [&](I, I, I) { ++count; });                                                 \
    static_cast<I*>(result)[row] = count;                                                \
  }

/// These columns from pointers[row] on; `size` words behind each, the place of the element in a, or
/// -1; and another `size` words behind, that in b.
#define HITHER_SPARSE_UNION(NAME, I)                                                             \
  extern "C" void hither_sparse_union_##NAME(void* result, const void* pointers, const void* a,  \
                                             const void* a_columns, const void* b,               \
                                             const void* b_columns, int64_t size, int64_t row) { \
    I* to = static_cast<I*>(result) + static_cast<const I*>(pointers)[row];                      \
    unite<I>({static_cast<const I*>(a), static_cast<const I*>(a_columns)},                       \
             {static_cast<const I*>(b), static_cast<const I*>(b_columns)}, row,                  \
             [&](I column, I in_a, I in_b) {                                                     \
               *to = column;                                                                     \
               to[size] = in_a;                                                                  \
               to[2 * size] = in_b;                                                              \
               ++to;                                                                             \
             });                                                                                 \
  }

/// The numbers of elements of the rows of a product. Behind these `rows` words are `width` words
/// for each chunk, which the function uses.
#define HITHER_SPARSE_PRODUCT_SIZES(NAME, I)                                                    \
  extern "C" void hither_sparse_product_sizes_##NAME(                                           \
      void* result, const void* a, const void* a_columns, const void* b, const void* b_columns, \
      int64_t rows, int64_t width, int64_t chunks, int64_t chunk) {                             \
    I* const seen = static_cast<I*>(result) + rows + chunk * width;                             \
    for (int64_t c = 0; c < width; ++c) seen[c] = -1;                                           \
    const Chunk part(rows, chunks, chunk);                                                      \
    const I *p = static_cast<const I*>(a), *q = static_cast<const I*>(b);                       \
    for (int64_t row = part.begin; row < part.end; ++row) {                                     \
      I count = 0;                                                                              \
      for (I k = p[row]; k < p[row + 1]; ++k) {                                                 \
        const I of_b = static_cast<const I*>(a_columns)[k];                                     \
        for (I t = q[of_b]; t < q[of_b + 1]; ++t) {                                             \
          I& last = seen[static_cast<const I*>(b_columns)[t]];                                  \
          count += last != static_cast<I>(row);                                                 \
          last = static_cast<I>(row);                                                           \
        }                                                                                       \
      }                                                                                         \
      static_cast<I*>(result)[row] = count;                                                     \
    }                                                                                           \
  }

/// The columns of a product's elements (`size` words), in which element each of the `count`
/// products of an element of a and one of b is (`count` words), and `width` words for each chunk,
/// which the function uses. Row r's elements begin at pointers[r] and its products at firsts[r].
#define HITHER_SPARSE_PRODUCT_PLACES(NAME, I)                                                   \
  extern "C" void hither_sparse_product_places_##NAME(                                          \
      void* result, const void* pointers, const void* firsts, const void* a,                    \
      const void* a_columns, const void* b, const void* b_columns, int64_t rows, int64_t width, \
      int64_t size, int64_t count, int64_t chunks, int64_t chunk) {                             \
    I* const columns = static_cast<I*>(result);                                                 \
    I* const place = columns + size + count + chunk * width;                                    \
    for (int64_t c = 0; c < width; ++c) place[c] = -1;                                          \
    const Chunk part(rows, chunks, chunk);                                                      \
    const I *p = static_cast<const I*>(a), *q = static_cast<const I*>(b);                       \
    for (int64_t row = part.begin; row < part.end; ++row) {                                     \
      const I begin = static_cast<const I*>(pointers)[row];                                     \
      I next = begin;                                                                           \
      I* to = columns + size + static_cast<const I*>(firsts)[row];                              \
      for (I k = p[row]; k < p[row + 1]; ++k) {                                                 \
        const I of_b = static_cast<const I*>(a_columns)[k];                                     \
        for (I t = q[of_b]; t < q[of_b + 1]; ++t) {                                             \
          const I column = static_cast<const I*>(b_columns)[t];                                 \
          if (place[column] < begin) {                                                          \
            columns[next] = column;                                                             \
            place[column] = next++;                                                             \
          }                                                                                     \
          *to++ = place[column];                                                                \
        }                                                                                       \
      }                                                                                         \
    }                                                                                           \
  }

#define HITHER_SPARSE(NAME, I)         \
  HITHER_SPARSE_ORDER(NAME, I)         \
  HITHER_SPARSE_ROWS(NAME, I)          \
  HITHER_SPARSE_UNION_SIZES(NAME, I)   \
  HITHER_SPARSE_UNION(NAME, I)         \
  HITHER_SPARSE_PRODUCT_SIZES(NAME, I) \
  HITHER_SPARSE_PRODUCT_PLACES(NAME, I)

HITHER_SPARSE(i32, int32_t)
HITHER_SPARSE(i64, int64_t)
