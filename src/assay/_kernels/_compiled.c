/* The hot loops of numpy_form.py, one resample after the other, without the interpreter lock.
 *
 * Every function takes C-contiguous buffers (float64, or int64 for positions) and writes into
 * buffers that compiled_form.py has allocated. The definitions are those of numpy_form.py.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BUFFERS 10
#define TABULATED 32
#define SHORT_RUN 8
#define ROUNDING 1e-12

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static __forceinline
#endif

/* Loops that gain from wider registers are built for them too, and chosen when the module loads.
 * Both round alike: nothing is fused, and no sum is reordered. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

static double harmonic[TABULATED + 1];

typedef struct {
    Py_buffer views[MOST_BUFFERS];
    int n;
} Buffers;

static void release(Buffers *buffers) {
    while (buffers->n > 0) PyBuffer_Release(&buffers->views[--buffers->n]);
}

/* `kinds` names each argument: d float64 read, i int64 read, b bytes read, D and I written. */
static int acquire(PyObject *args, Py_ssize_t offset, const char *kinds, Buffers *buffers) {
    buffers->n = 0;
    for (; kinds[buffers->n]; buffers->n++) {
        char kind = kinds[buffers->n];
        int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT;
        if (kind == 'D' || kind == 'I') flags |= PyBUF_WRITABLE;
        PyObject *item = PyTuple_GetItem(args, offset + buffers->n);
        if (!item || PyObject_GetBuffer(item, &buffers->views[buffers->n], flags) < 0) {
            release(buffers);
            return -1;
        }
        if (buffers->views[buffers->n].itemsize != (kind == 'b' ? 1 : 8)) {
            buffers->n++;
            release(buffers);
            PyErr_SetString(PyExc_TypeError, "buffers must hold 64-bit values, or bytes for text");
            return -1;
        }
    }
    return 0;
}

#define DOUBLES(at) ((double *)buffers.views[at].buf)
#define POSITIONS(at) ((int64_t *)buffers.views[at].buf)
#define ROWS(at) (buffers.views[at].shape[0])
#define COLUMNS(at) (buffers.views[at].shape[1])

#include "_json.h"
#include "_text.h"

/* Several resamples side by side hide the latency of the running sums. */
#define LANES 4

INLINE void accumulate_lanes(const int lanes, const int both, const double *counts,
                             Py_ssize_t n_clusters, const int64_t *start, const int64_t *cluster,
                             const double *size, const double *loss, Py_ssize_t n_points,
                             double *restrict accepted, double *restrict lost) {
    double k[LANES] = {0}, s[LANES] = {0};
    for (Py_ssize_t m = 0; m < n_points; m++) {
        double point_k[LANES] = {0}, point_s[LANES] = {0};
        for (int64_t cell = start[m]; cell < start[m + 1]; cell++) {
            const double *drawn = counts + cluster[cell];
            for (int lane = 0; lane < lanes; lane++) {
                double copies = drawn[lane * n_clusters];
                point_k[lane] += copies * size[cell];
                if (both) point_s[lane] += copies * loss[cell];
            }
        }
        for (int lane = 0; lane < lanes; lane++) {
            accepted[lane * n_points + m] = k[lane] += point_k[lane];
            if (both) lost[lane * n_points + m] = s[lane] += point_s[lane];
        }
    }
}

/* counts (R, P), start (M + 1), cluster, size, loss (cells) -> accepted, lost (R, M) */
static PyObject *accumulate(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "diiddDD", &buffers) < 0) return NULL;
    const double *counts = DOUBLES(0), *size = DOUBLES(3), *loss = DOUBLES(4);
    const int64_t *start = POSITIONS(1), *cluster = POSITIONS(2);
    double *accepted = DOUBLES(5), *lost = DOUBLES(6);
    Py_ssize_t n_resamples = ROWS(0), n_clusters = COLUMNS(0), n_points = ROWS(1) - 1, r = 0;
    Py_BEGIN_ALLOW_THREADS
    if (size == loss) {
        /* One quantity given twice is added up once. */
        for (; r + LANES <= n_resamples; r += LANES)
            accumulate_lanes(LANES, 0, counts + r * n_clusters, n_clusters, start, cluster, size,
                             loss, n_points, accepted + r * n_points, lost + r * n_points);
        for (; r < n_resamples; r++)
            accumulate_lanes(1, 0, counts + r * n_clusters, n_clusters, start, cluster, size, loss,
                             n_points, accepted + r * n_points, lost + r * n_points);
        memcpy(lost, accepted, sizeof(double) * n_resamples * n_points);
    }
    for (; r + LANES <= n_resamples; r += LANES)
        accumulate_lanes(LANES, 1, counts + r * n_clusters, n_clusters, start, cluster, size, loss,
                         n_points, accepted + r * n_points, lost + r * n_points);
    for (; r < n_resamples; r++)
        accumulate_lanes(1, 1, counts + r * n_clusters, n_clusters, start, cluster, size, loss,
                         n_points, accepted + r * n_points, lost + r * n_points);
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

WIDE static void subtract(const double *left, const double *right, Py_ssize_t n,
                          double *restrict found) {
    for (Py_ssize_t i = 0; i < n; i++) {
        double a = fabs(left[i]), b = fabs(right[i]), gap = left[i] - right[i];
        double kept = fabs(gap) <= ROUNDING * (a > b ? a : b) ? 0.0 : gap;
        found[i] = (a <= DBL_MAX) & (b <= DBL_MAX) ? kept : NAN;
    }
}

/* left, right (n) -> what is between them (n) */
static PyObject *differences(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "ddD", &buffers) < 0) return NULL;
    Py_BEGIN_ALLOW_THREADS
    subtract(DOUBLES(0), DOUBLES(1), buffers.views[2].len / 8, DOUBLES(2));
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* How many of the first points accept no more than this; `accepted` never falls. */
static Py_ssize_t points_within(const double *accepted, Py_ssize_t n_points, double upto) {
    Py_ssize_t low = 0, high = n_points;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (accepted[middle] <= upto) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* accepted, lost (R, M), upto (R) -> selective, generalized (R) */
static PyObject *trapezoid_areas(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "dddDD", &buffers) < 0) return NULL;
    const double *accepted = DOUBLES(0), *lost = DOUBLES(1), *upto = DOUBLES(2);
    double *selective = DOUBLES(3), *generalized = DOUBLES(4);
    Py_ssize_t n_resamples = ROWS(0), n_points = COLUMNS(0);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t r = 0; r < n_resamples; r++, accepted += n_points, lost += n_points) {
        Py_ssize_t m = points_within(accepted, n_points, 0.0);
        Py_ssize_t end = points_within(accepted, n_points, upto[r]);
        double k_before = 0.0, s_before = 0.0, area = 0.0, joint = 0.0;
        double risk_before = m < n_points ? lost[m] / accepted[m] : 0.0;
        /* A point that a resample leaves empty has no width, so it needs no branch. */
        for (; m < end; m++) {
            double k = accepted[m], s = lost[m], risk = s / k, width = k - k_before;
            area += width * (risk_before + risk);
            joint += width * (s_before + s);
            k_before = k, s_before = s, risk_before = risk;
        }
        area /= 2, joint /= 2;
        if (m < n_points && upto[r] > k_before) {
            double width = upto[r] - k_before, part = width / (accepted[m] - k_before);
            area += width * (risk_before + part * (lost[m] / accepted[m] - risk_before) / 2);
            joint += width * (s_before + part * (lost[m] - s_before) / 2);
        }
        selective[r] = area;
        generalized[r] = joint;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

static double stirling(double x) {
    double square = 1 / (x * x);
    return -square * (1.0 / 12 - square * (1.0 / 120 - square * (1.0 / 252 - square / 240)));
}

static double harmonic_between(double low, double high) {
    double sum = 0.0;
    if (high - low <= SHORT_RUN) {
        for (double j = low + 1; j <= high; j++) sum += 1 / j;
        return sum;
    }
    if (low < TABULATED) {
        double end = high < TABULATED ? high : TABULATED;
        sum = harmonic[(int)end] - harmonic[(int)low];
        low = TABULATED;
    }
    if (high > low)
        sum += log1p((high - low) / low) + (low - high) / (2 * low * high) + stirling(high)
               - stirling(low);
    return sum;
}

/* accepted, lost (R, M), upto (R) -> selective, generalized (R) */
static PyObject *step_areas(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "dddDD", &buffers) < 0) return NULL;
    const double *accepted = DOUBLES(0), *lost = DOUBLES(1), *upto = DOUBLES(2);
    double *selective = DOUBLES(3), *generalized = DOUBLES(4);
    Py_ssize_t n_resamples = ROWS(0), n_points = COLUMNS(0);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t r = 0; r < n_resamples; r++, accepted += n_points, lost += n_points) {
        double k_before = 0.0, s_before = 0.0, area = 0.0, joint = 0.0;
        for (Py_ssize_t m = 0; m < n_points && k_before < upto[r]; m++) {
            double k = accepted[m], s = lost[m];
            if (!(k > k_before)) continue;
            double loss = (s - s_before) / (k - k_before);
            double taken = (k < upto[r] ? k : upto[r]) - k_before;
            double n = floor(taken), part = taken - n;
            area += loss * n + (s_before - loss * k_before) * harmonic_between(k_before, k_before + n);
            joint += s_before * n + loss * n * (n + 1) / 2;
            if (part > 0.0) {
                double last = s_before + loss * (n + 1);
                area += part * last / (k_before + n + 1);
                joint += part * last;
            }
            k_before = k, s_before = s;
        }
        selective[r] = area;
        generalized[r] = joint;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* Cross product: not above 0 where b lies on or above the line from a to c. */
static double turn(const double *x, const double *y, Py_ssize_t a, Py_ssize_t b, Py_ssize_t c) {
    return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
}

/* Drop points that lie on or above the line between their neighbours; they are on no lower hull.
 * Without a branch this halves a ragged curve several times faster than the stack below can. */
static Py_ssize_t shaved(double *x, double *y, Py_ssize_t n) {
    if (n < 3) return n;
    Py_ssize_t kept = 1;
    double x0 = x[0], y0 = y[0], x1 = x[1], y1 = y[1];
    for (Py_ssize_t m = 2; m < n; m++) {
        double x2 = x[m], y2 = y[m];
        x[kept] = x1, y[kept] = y1;
        kept += (x1 - x0) * (y2 - y0) > (y1 - y0) * (x2 - x0);
        x0 = x1, y0 = y1, x1 = x2, y1 = y2;
    }
    x[kept] = x1, y[kept] = y1;
    return kept + 1;
}

/* accepted, lost (R, M), total (R), room for the hull x, y (M + 1) -> area (R) */
static PyObject *hull_area(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "dddDDD", &buffers) < 0) return NULL;
    const double *accepted = DOUBLES(0), *lost = DOUBLES(1), *total = DOUBLES(2);
    double *x = DOUBLES(3), *y = DOUBLES(4), *area = DOUBLES(5);
    Py_ssize_t n_resamples = ROWS(0), n_points = COLUMNS(0);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t r = 0; r < n_resamples; r++, accepted += n_points, lost += n_points) {
        double scale = total[r] > 0.0 ? total[r] : 1.0, k_before = 0.0, sum = 0.0;
        Py_ssize_t n = 0, depth = 0;
        for (Py_ssize_t m = points_within(accepted, n_points, 0.0); m < n_points; m++) {
            double k = accepted[m];
            n += k > k_before && k_before > 0.0;
            x[n] = k / scale, y[n] = lost[m] / k;
            k_before = k;
        }
        n += k_before > 0.0;
        for (int round = 0; round < 3; round++) n = shaved(x, y, n);
        for (Py_ssize_t m = 0; m < n; m++) {
            while (depth > 1 && !(turn(x, y, depth - 2, depth - 1, m) > 0.0)) depth--;
            x[depth] = x[m], y[depth++] = y[m];
        }
        for (Py_ssize_t m = 0; m < depth; m++)
            sum += m ? (x[m] - x[m - 1]) * (y[m] + y[m - 1]) / 2 : x[0] * y[0];
        area[r] = sum * scale;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* accepted (R, M), needed (R) -> point (R) */
static PyObject *first_reaching(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "ddI", &buffers) < 0) return NULL;
    const double *accepted = DOUBLES(0), *needed = DOUBLES(1);
    int64_t *point = POSITIONS(2);
    Py_ssize_t n_resamples = ROWS(0), n_points = COLUMNS(0);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t r = 0; r < n_resamples; r++, accepted += n_points) {
        Py_ssize_t low = 0, high = n_points;
        while (low < high) {
            Py_ssize_t middle = low + (high - low) / 2;
            if (accepted[middle] < needed[r]) low = middle + 1;
            else high = middle;
        }
        point[r] = low;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* target, accepted, lost (R, M) -> point (R) */
static PyObject *last_within(PyObject *self, PyObject *args) {
    Buffers buffers;
    double target = PyFloat_AsDouble(PyTuple_GetItem(args, 0));
    if (PyErr_Occurred() || acquire(args, 1, "ddI", &buffers) < 0) return NULL;
    const double *accepted = DOUBLES(0), *lost = DOUBLES(1);
    int64_t *point = POSITIONS(2);
    Py_ssize_t n_resamples = ROWS(0), n_points = COLUMNS(0);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t r = 0; r < n_resamples; r++, accepted += n_points, lost += n_points) {
        Py_ssize_t m = n_points - 1;
        for (; m >= 0; m--)
            if (accepted[m] > 0.0 && lost[m] <= target * accepted[m] * (1 + ROUNDING)) break;
        point[r] = m;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* Long rankings are swept without being written out: eight resamples side by side, their counts
 * in 8 bits and next to each other, so that one cache line serves eight clusters. What is kept are the
 * sums at the end of every tile of points; whoever needs a point inside a tile adds it up again. */
#define SWEPT 8
#define TILE 64
#define AHEAD 32

typedef struct {
    const int64_t *start, *cluster;
    const double *size, *loss;
    Py_ssize_t n_points;
} Ranked;

typedef struct {
    double k[SWEPT], s[SWEPT], area[SWEPT], joint[SWEPT], risk[SWEPT], least[SWEPT];
} Swept;

#if defined(__GNUC__)
/* Four lanes in a register, or in two where registers are narrow. */
typedef double Four __attribute__((vector_size(32)));
typedef int64_t Mask __attribute__((vector_size(32)));
typedef int32_t Whole __attribute__((vector_size(16)));
typedef uint8_t Small __attribute__((vector_size(4)));
#define N_FOURS (SWEPT / 4)
#define CHOSEN(mask, one, other) ((Four)(((mask) & (Mask)(one)) | (~(mask) & (Mask)(other))))
#define LOADED(into, from) memcpy(&(into), from, sizeof(into))

/* `single`: every point is one cell. `slope` is what the lowest risk is counted from. */
INLINE void sweep_points(const int single, const Ranked *at, const uint8_t *drawn, Py_ssize_t first,
                         Py_ssize_t last, double slope, Swept *now) {
    const Four zero = {0.0, 0.0, 0.0, 0.0}, one = zero + 1.0, most = zero + INFINITY;
    Four k[N_FOURS], s[N_FOURS], area[N_FOURS], joint[N_FOURS], risk[N_FOURS], least[N_FOURS];
    LOADED(k, now->k), LOADED(s, now->s), LOADED(area, now->area);
    LOADED(joint, now->joint), LOADED(risk, now->risk), LOADED(least, now->least);
    int64_t cell = at->start[first], ahead = at->start[at->n_points];
    for (Py_ssize_t m = first; m < last; m++) {
        Four point_k[N_FOURS] = {zero, zero}, point_s[N_FOURS] = {zero, zero};
        for (int64_t end = single ? cell + 1 : at->start[m + 1]; cell < end; cell++) {
            const uint8_t *copies = drawn + SWEPT * at->cluster[cell];
            double size = at->size[cell], loss = at->loss[cell];
            __builtin_prefetch(drawn + SWEPT * at->cluster[cell + AHEAD < ahead ? cell + AHEAD : cell]);
            for (int f = 0; f < N_FOURS; f++) {
                Small given;
                LOADED(given, copies + 4 * f);
                Four each = __builtin_convertvector(__builtin_convertvector(given, Whole), Four);
                point_k[f] += each * size;
                point_s[f] += each * loss;
            }
        }
        for (int f = 0; f < N_FOURS; f++) {
            Four k_now = k[f] + point_k[f], s_now = s[f] + point_s[f], width = k_now - k[f];
            Mask some = k_now > zero, begun = k[f] > zero;
            Four r = s_now / CHOSEN(some, k_now, one), before = CHOSEN(begun, risk[f], r);
            Four seen = CHOSEN(some, r - slope * k_now, most);
            area[f] += width * (before + r);
            joint[f] += width * (s[f] + s_now);
            least[f] = CHOSEN(seen < least[f], seen, least[f]);
            k[f] = k_now, s[f] = s_now, risk[f] = r;
        }
    }
    LOADED(now->k, k), LOADED(now->s, s), LOADED(now->area, area);
    LOADED(now->joint, joint), LOADED(now->risk, risk), LOADED(now->least, least);
}
#else
INLINE void sweep_points(const int single, const Ranked *at, const uint8_t *drawn, Py_ssize_t first,
                         Py_ssize_t last, double slope, Swept *now) {
    (void)single;
    for (Py_ssize_t m = first; m < last; m++) {
        double point_k[SWEPT] = {0}, point_s[SWEPT] = {0};
        for (int64_t cell = at->start[m]; cell < at->start[m + 1]; cell++) {
            const uint8_t *copies = drawn + SWEPT * at->cluster[cell];
            for (int lane = 0; lane < SWEPT; lane++) {
                point_k[lane] += copies[lane] * at->size[cell];
                point_s[lane] += copies[lane] * at->loss[cell];
            }
        }
        for (int lane = 0; lane < SWEPT; lane++) {
            double k_before = now->k[lane], s_before = now->s[lane];
            double k = k_before + point_k[lane], s = s_before + point_s[lane];
            double risk = s / (k > 0.0 ? k : 1.0), width = k - k_before;
            double risk_before = k_before > 0.0 ? now->risk[lane] : risk;
            double seen = k > 0.0 ? risk - slope * k : INFINITY;
            now->area[lane] += width * (risk_before + risk);
            now->joint[lane] += width * (s_before + s);
            now->least[lane] = seen < now->least[lane] ? seen : now->least[lane];
            now->k[lane] = k, now->s[lane] = s, now->risk[lane] = risk;
        }
    }
}
#endif

/* Sweep up to eight resamples; their tiles are (5, lanes of n_kept resamples, T + 1) apart. */
WIDE static void sweep_lanes(const Ranked *at, const uint8_t *drawn, int lanes, const double *slope,
                             double *tiles, Py_ssize_t apart) {
    Py_ssize_t n_points = at->n_points;
    Py_ssize_t n_tiles = (n_points + TILE - 1) / TILE, row = n_tiles + 1;
    Swept now = {{0}};
    for (Py_ssize_t tile = 0; tile <= n_tiles; tile++) {
        for (int lane = 0; lane < lanes; lane++) {
            double *to = tiles + lane * row + tile;
            to[0] = now.k[lane], to[apart] = now.s[lane], to[2 * apart] = now.area[lane];
            to[3 * apart] = now.joint[lane], to[4 * apart] = now.least[lane];
        }
        if (tile == n_tiles) return;
        for (int lane = 0; lane < SWEPT; lane++) now.least[lane] = INFINITY;
        Py_ssize_t first = tile * TILE, last = first + TILE < n_points ? first + TILE : n_points;
        if (at->start[last] - at->start[first] == last - first)
            sweep_points(1, at, drawn, first, last, slope[tile], &now);
        else
            sweep_points(0, at, drawn, first, last, slope[tile], &now);
    }
}

/* Lay the counts of some resamples side by side; 0 if one is no whole number of 8 bits. */
WIDE static int beside(const double *counts, Py_ssize_t n_clusters, int lanes, uint8_t *drawn) {
    int sound = 1;
    for (Py_ssize_t p = 0; p < n_clusters; p++)
        for (int lane = 0; lane < SWEPT; lane++) {
            double copies = lane < lanes ? counts[lane * n_clusters + p] : 0.0;
            int fits = copies >= 0.0 && copies <= 255.0;
            int32_t whole = fits ? (int32_t)copies : 0;
            sound &= fits && (double)whole == copies;
            drawn[SWEPT * p + lane] = (uint8_t)whole;
        }
    return sound;
}

/* counts (R, P), start (M + 1), cluster, size, loss (cells), slope (T), room (P)
 * -> tiles (5, R, T + 1): accepted, lost, twice both areas so far, and how low a line of that slope
 * starts that no risk inside is below; returns whether the counts are whole numbers of 8 bits */
static PyObject *sweep(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "diidddDD", &buffers) < 0) return NULL;
    const double *counts = DOUBLES(0), *slope = DOUBLES(5);
    Ranked at = {POSITIONS(1), POSITIONS(2), DOUBLES(3), DOUBLES(4), ROWS(1) - 1};
    uint8_t *drawn = (uint8_t *)DOUBLES(6);
    double *tiles = DOUBLES(7);
    Py_ssize_t n_resamples = ROWS(0), n_clusters = COLUMNS(0), n_points = ROWS(1) - 1;
    Py_ssize_t row = (n_points + TILE - 1) / TILE + 1;
    int sound = 1;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t r = 0; r < n_resamples && sound; r += SWEPT) {
        int lanes = n_resamples - r < SWEPT ? (int)(n_resamples - r) : SWEPT;
        sound = beside(counts + r * n_clusters, n_clusters, lanes, drawn);
        if (sound) sweep_lanes(&at, drawn, lanes, slope, tiles + r * row, n_resamples * row);
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    return PyBool_FromLong(sound);
}

/* One resample, point after point. */
typedef struct {
    double k, s, k_before, s_before;
} Step;

INLINE void next_point(const Ranked *at, const double *counts, Py_ssize_t m, Step *step) {
    double point_k = 0.0, point_s = 0.0;
    for (int64_t cell = at->start[m]; cell < at->start[m + 1]; cell++) {
        double copies = counts[at->cluster[cell]];
        point_k += copies * at->size[cell];
        point_s += copies * at->loss[cell];
    }
    step->k_before = step->k, step->s_before = step->s;
    step->k += point_k, step->s += point_s;
}

/* counts, start, cluster, size, loss, tiles (5, R, T + 1), upto (R) -> at the first point that
 * accepts at least as much: accepted, lost; and both areas up to there (4, R) */
static PyObject *swept_to(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "diiddddD", &buffers) < 0) return NULL;
    const double *counts = DOUBLES(0), *tiles = DOUBLES(5), *upto = DOUBLES(6);
    Ranked at = {POSITIONS(1), POSITIONS(2), DOUBLES(3), DOUBLES(4), ROWS(1) - 1};
    double *found = DOUBLES(7);
    Py_ssize_t n = ROWS(0), n_clusters = COLUMNS(0), n_points = ROWS(1) - 1;
    Py_ssize_t row = (n_points + TILE - 1) / TILE + 1, apart = n * row;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t r = 0; r < n; r++, tiles += row, counts += n_clusters) {
        Py_ssize_t tile = points_within(tiles + 1, row - 1, upto[r]);
        Py_ssize_t reached = 0, m;
        for (Py_ssize_t high = row - 1; reached < high;) {
            Py_ssize_t middle = reached + (high - reached) / 2;
            if (tiles[middle + 1] < upto[r]) reached = middle + 1;
            else high = middle;
        }
        Step step = {tiles[reached], tiles[apart + reached], 0.0, 0.0};
        Py_ssize_t last = (reached + 1) * TILE < n_points ? (reached + 1) * TILE : n_points;
        for (m = reached * TILE; m < last; m++) {
            next_point(&at, counts, m, &step);
            if (step.k >= upto[r]) break;
        }
        found[r] = m < last ? step.k : NAN, found[n + r] = m < last ? step.s : NAN;
        double area = tiles[2 * apart + tile], joint = tiles[3 * apart + tile];
        double risk = tiles[tile] > 0.0 ? tiles[apart + tile] / tiles[tile] : 0.0;
        step = (Step){tiles[tile], tiles[apart + tile], 0.0, 0.0};
        last = (tile + 1) * TILE < n_points ? (tile + 1) * TILE : n_points;
        for (m = tile * TILE; m < last; m++) {
            next_point(&at, counts, m, &step);
            double now = step.k > 0.0 ? step.s / step.k : 0.0, width = step.k - step.k_before;
            if (!(step.k_before > 0.0)) risk = now;
            if (step.k > upto[r]) break;
            area += width * (risk + now);
            joint += width * (step.s_before + step.s);
            risk = now;
        }
        area /= 2, joint /= 2;
        if (m < last && upto[r] > step.k_before) {
            double width = upto[r] - step.k_before, part = width / (step.k - step.k_before);
            area += width * (risk + part * (step.s / step.k - risk) / 2);
            joint += width * (step.s_before + part * (step.s - step.s_before) / 2);
        }
        found[2 * n + r] = area, found[3 * n + r] = joint;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

static Py_ssize_t on_hull(double *x, double *y, Py_ssize_t depth, double k, double risk) {
    x[depth] = k, y[depth] = risk;
    Py_ssize_t last = depth;
    while (depth > 1 && !(turn(x, y, depth - 2, depth - 1, last) > 0.0)) depth--;
    x[depth] = x[last], y[depth] = y[last];
    return depth + 1;
}

/* The height of a hull; abscissas rise from call to call. */
static double height(const double *x, const double *y, Py_ssize_t n, Py_ssize_t *edge, double at) {
    while (*edge + 1 < n && x[*edge + 1] < at) (*edge)++;
    Py_ssize_t e = *edge;
    if (e + 1 == n || at <= x[e]) return y[e];
    return y[e] + (at - x[e]) / (x[e + 1] - x[e]) * (y[e + 1] - y[e]);
}

/* One edge of a hull over what is accepted, and how much rounding may hide. */
typedef struct {
    double at_0, slope, noise, steep, until;
} Line;

static Line line_over(const double *x, const double *y, Py_ssize_t n, double scale, double k) {
    Py_ssize_t low = 0, high = n - 1;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (x[middle] * scale < k) low = middle + 1;
        else high = middle;
    }
    if (low == 0) return (Line){0.0, 0.0, INFINITY, 0.0, x[0] * scale};
    double left = x[low - 1] * scale, right = x[low] * scale;
    double slope = (y[low] - y[low - 1]) / (right - left), at_0 = y[low - 1] - slope * left;
    double noise = ROUNDING * fabs(at_0) + ROUNDING * fabs(y[low]);
    return (Line){at_0, slope, noise, ROUNDING * fabs(slope), right};
}

/* counts, start, cluster, size, loss, tiles (5, R, T + 1), slope (T), total (R), room (2, 2, M + T + 2)
 * -> area of the lower hull (R). The hull of the ends of the tiles lies on or above the true one,
 * so a tile that is above it everywhere holds no vertex. */
static PyObject *swept_hull(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "diiddddDD", &buffers) < 0) return NULL;
    const double *counts = DOUBLES(0), *tiles = DOUBLES(5), *slope = DOUBLES(6);
    Ranked at = {POSITIONS(1), POSITIONS(2), DOUBLES(3), DOUBLES(4), ROWS(1) - 1};
    double *out = DOUBLES(7), *x = DOUBLES(8);
    Py_ssize_t n = ROWS(0), n_clusters = COLUMNS(0), n_points = ROWS(1) - 1;
    Py_ssize_t n_tiles = (n_points + TILE - 1) / TILE, row = n_tiles + 1, apart = n * row;
    Py_ssize_t most = n_points + n_tiles + 2;
    double *y = x + most, *coarse_x = y + most, *coarse_y = coarse_x + most;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t r = 0; r < n; r++, tiles += row, counts += n_clusters) {
        double scale = out[r] > 0.0 ? out[r] : 1.0, sum = 0.0;
        Py_ssize_t n_coarse = 0, depth = 0, edge = 0, placed = 0;
        Line line = {0.0, 0.0, INFINITY, 0.0, -1.0};
        for (Py_ssize_t tile = 1; tile <= n_tiles; tile++)
            if (tiles[tile] > tiles[tile - 1])
                n_coarse = on_hull(coarse_x, coarse_y, n_coarse, tiles[tile] / scale,
                                   tiles[apart + tile] / tiles[tile]);
        for (Py_ssize_t tile = 0; tile < n_tiles && n_coarse; tile++) {
            if (!(tiles[tile + 1] > tiles[tile])) continue;
            double left = tiles[tile] / scale, right = tiles[tile + 1] / scale;
            /* A hull is nowhere above the line between two of its points. */
            double at_left = height(coarse_x, coarse_y, n_coarse, &edge, left);
            double at_right = height(coarse_x, coarse_y, n_coarse, &edge, right);
            double start = tiles[4 * apart + tile + 1];
            double noise = ROUNDING * (fabs(at_left) + fabs(at_right) + fabs(start));
            int above = start + slope[tile] * tiles[tile] > at_left + noise
                        && start + slope[tile] * tiles[tile + 1] > at_right + noise;
            if (above && left >= coarse_x[0]) continue;
            for (; placed < n_coarse && coarse_x[placed] <= left; placed++)
                if (!depth || coarse_x[placed] > x[depth - 1])
                    depth = on_hull(x, y, depth, coarse_x[placed], coarse_y[placed]);
            Step step = {tiles[tile], tiles[apart + tile], 0.0, 0.0};
            Py_ssize_t last = (tile + 1) * TILE < n_points ? (tile + 1) * TILE : n_points;
            for (Py_ssize_t m = tile * TILE; m < last; m++) {
                next_point(&at, counts, m, &step);
                if (step.k > line.until) line = line_over(coarse_x, coarse_y, n_coarse, scale, step.k);
                /* Above the line a point is no vertex, and most are: one branch that is foreseen,
                 * together with points that the resample leaves empty, which nothing foresees. */
                double height_k = step.k * (line.at_0 + line.slope * step.k);
                double noise_k = step.k * (line.noise + line.steep * step.k);
                if ((step.s > height_k + noise_k) | !(step.k > step.k_before)) continue;
                depth = on_hull(x, y, depth, step.k / scale, step.s / step.k);
            }
        }
        for (; placed < n_coarse; placed++)
            if (!depth || coarse_x[placed] > x[depth - 1])
                depth = on_hull(x, y, depth, coarse_x[placed], coarse_y[placed]);
        for (Py_ssize_t m = 0; m < depth; m++)
            sum += m ? (x[m] - x[m - 1]) * (y[m] + y[m - 1]) / 2 : x[0] * y[0];
        out[r] = sum * scale;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* right-closed bins?, outcome, score (n), edges (B + 1) -> count, right, stated (3, B)
 *
 * Four sets of sums side by side, because neighbouring rows often fall into the same bin. */
#define SETS 4
#define BINNED_AT_ONCE 32768

INLINE void bin_rows(const int closed, const double *outcome, const double *score, Py_ssize_t n,
                     const double *edges, double scale, Py_ssize_t n_bins, double *sums) {
    for (Py_ssize_t i = 0; i < n; i++) {
        double p = score[i];
        int64_t k = (int64_t)(p * scale);
        k -= closed ? p <= edges[k] : p < edges[k];
        double *at = sums + ((i % SETS) * n_bins + k) * 3;
        at[0] += 1.0, at[1] += outcome[i], at[2] += p;
    }
}

static PyObject *binned_sums(PyObject *self, PyObject *args) {
    Buffers buffers;
    int closed = PyObject_IsTrue(PyTuple_GetItem(args, 0));
    if (closed < 0 || acquire(args, 1, "dddDD", &buffers) < 0) return NULL;
    const double *outcome = DOUBLES(0), *score = DOUBLES(1), *edges = DOUBLES(2);
    double *room = DOUBLES(3), *sums = DOUBLES(4);
    Py_ssize_t n_rows = ROWS(0), n_bins = ROWS(2) - 1;
    double scale = n_bins * (1 + 0x1p-40);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t m = 0; m < 3 * n_bins; m++) sums[m] = 0.0;
    for (Py_ssize_t first = 0; first < n_rows; first += BINNED_AT_ONCE) {
        Py_ssize_t n = n_rows - first < BINNED_AT_ONCE ? n_rows - first : BINNED_AT_ONCE;
        for (Py_ssize_t m = 0; m < SETS * 3 * n_bins; m++) room[m] = 0.0;
        if (closed) bin_rows(1, outcome + first, score + first, n, edges, scale, n_bins, room);
        else bin_rows(0, outcome + first, score + first, n, edges, scale, n_bins, room);
        for (Py_ssize_t m = 0; m < SETS * n_bins; m++)
            for (int column = 0; column < 3; column++)
                sums[column * n_bins + m % n_bins] += room[3 * m + column];
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

static uint64_t mixed(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94D049BB133111EB);
    return bits ^ (bits >> 31);
}

/* seed, first replicate -> counts (R, P) */
static PyObject *counter_counts(PyObject *self, PyObject *args) {
    const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
    Buffers buffers;
    uint64_t seed = PyLong_AsUnsignedLongLongMask(PyTuple_GetItem(args, 0));
    uint64_t first = PyLong_AsUnsignedLongLong(PyTuple_GetItem(args, 1));
    if (PyErr_Occurred() || acquire(args, 2, "D", &buffers) < 0) return NULL;
    double *counts = DOUBLES(0);
    Py_ssize_t n_resamples = ROWS(0), n_clusters = COLUMNS(0);
    Py_BEGIN_ALLOW_THREADS
    uint64_t base = mixed(seed + golden);
    for (Py_ssize_t r = 0; r < n_resamples; r++, counts += n_clusters) {
        uint64_t stream = mixed(base ^ ((first + (uint64_t)r) * golden));
        for (Py_ssize_t p = 0; p < n_clusters; p++) counts[p] = 0.0;
        for (Py_ssize_t p = 1; p <= n_clusters; p++) {
            uint64_t bits = mixed(stream + (uint64_t)p * golden) >> 32;
            counts[(bits * (uint64_t)n_clusters) >> 32] += 1.0;
        }
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

#define WORDS 624
#define MIDDLE 397

/* The 32-bit Mersenne twister, as NumPy's RandomState runs it. */
static uint32_t next_word(uint32_t high, uint32_t low, uint32_t far) {
    uint32_t bits = (high & 0x80000000u) | (low & 0x7fffffffu);
    return far ^ (bits >> 1) ^ ((bits & 1u) * 0x9908b0dfu);
}

WIDE static void twist(uint32_t *state) {
    int i = 0;
    for (; i < WORDS - MIDDLE; i++) state[i] = next_word(state[i], state[i + 1], state[i + MIDDLE]);
    for (; i < WORDS - 1; i++)
        state[i] = next_word(state[i], state[i + 1], state[i + MIDDLE - WORDS]);
    state[i] = next_word(state[i], state[0], state[MIDDLE - 1]);
    state[WORDS] = 0;
}

WIDE static void temper(const uint32_t *state, uint32_t mask, uint32_t *words) {
    for (int i = 0; i < WORDS; i++) {
        uint32_t bits = state[i];
        bits ^= bits >> 11;
        bits ^= (bits << 7) & 0x9d2c5680u;
        bits ^= (bits << 15) & 0xefc60000u;
        words[i] = (bits ^ (bits >> 18)) & mask;
    }
}

/* Take the next words that are at most `last`, no more than `wanted` of them. */
static Py_ssize_t bounded_words(uint32_t *state, const uint32_t *words, uint32_t last,
                                uint32_t *chosen, Py_ssize_t wanted) {
    Py_ssize_t n = 0;
    uint32_t at = state[WORDS];
    for (; at < WORDS && n < wanted; at++) {
        chosen[n] = words[at];
        n += words[at] <= last;
    }
    state[WORDS] = at;
    return n;
}

/* One resample, counted in so few bytes that they stay near; no cluster is drawn 65,536 times. */
static void draw_legacy(uint32_t *state, uint32_t *words, uint32_t mask, uint16_t *drawn,
                        Py_ssize_t n_clusters) {
    uint32_t last = (uint32_t)(n_clusters - 1), chosen[WORDS + 1];
    memset(drawn, 0, n_clusters * sizeof *drawn);
    for (Py_ssize_t left = n_clusters, n; left > 0; left -= n) {
        if (state[WORDS] >= WORDS) {
            twist(state);
            temper(state, mask, words);
        }
        n = bounded_words(state, words, last, chosen, left);
        for (Py_ssize_t p = 0; p < n; p++) drawn[chosen[p]]++;
    }
}

/* state (625 words in 64-bit units, kept between calls), room (P / 4) -> counts (R, P) */
static PyObject *legacy_counts(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "IDD", &buffers) < 0) return NULL;
    uint32_t *state = (uint32_t *)buffers.views[0].buf, words[WORDS];
    uint16_t *drawn = (uint16_t *)DOUBLES(1);
    double *counts = DOUBLES(2);
    Py_ssize_t n_resamples = ROWS(2), n_clusters = COLUMNS(2);
    Py_BEGIN_ALLOW_THREADS
    uint32_t last = (uint32_t)(n_clusters - 1), mask = last;
    for (int shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
    temper(state, mask, words);
    for (Py_ssize_t r = 0; r < n_resamples; r++, counts += n_clusters) {
        if (last) draw_legacy(state, words, mask, drawn, n_clusters);
        for (Py_ssize_t p = 0; p < n_clusters; p++) counts[p] = last ? (double)drawn[p] : 1.0;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* Words of texts: letters, digits, underscore, hyphen and all that is not ASCII, in lower case. */
typedef struct {
    int64_t batch, at, length, hash, step, head; /* of the case, the word, and its gold steps */
} Word;

typedef struct {
    int64_t gold, next;
} Node;

static unsigned char folded[256];

static void fold_bytes(void) {
    for (int b = 0; b < 256; b++) {
        int upper = b >= 'A' && b <= 'Z', kept = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9');
        folded[b] = upper ? b + 32 : kept || b == '_' || b == '-' || b >= 128 ? b : 0;
    }
}

/* Return the next word from `at` on, its length and hash; length 0 at the end. */
INLINE const unsigned char *next_word_of(const unsigned char *at, const unsigned char *end,
                                         uint64_t seed, int64_t *length, uint64_t *hash) {
    while (at < end && !folded[*at]) at++;
    const unsigned char *first = at;
    uint64_t bits = seed;
    for (; at < end && folded[*at]; at++) bits = (bits ^ folded[*at]) * UINT64_C(0x100000001B3);
    *length = at - first, *hash = mixed(bits);
    return first;
}

static int same_word(const unsigned char *one, const unsigned char *other, int64_t length) {
    for (int64_t i = 0; i < length; i++)
        if (folded[one[i]] != folded[other[i]]) return 0;
    return 1;
}

/* Find a word in the table of this case, or put it there. */
INLINE Word *word_at(Word *table, uint64_t mask, const unsigned char *text, int64_t batch,
                     const unsigned char *word, int64_t length, uint64_t hash) {
    for (uint64_t slot = hash & mask;; slot = (slot + 1) & mask) {
        Word *entry = table + slot;
        if (entry->batch != batch) {
            *entry = (Word){batch, word - text, length, (int64_t)hash, -1, -1};
            return entry;
        }
        if (entry->hash == (int64_t)hash && entry->length == length
            && same_word(text + entry->at, word, length))
            return entry;
    }
}

/* text (bytes), start (texts + 1), cases (C, 2), room for words (2^k, 6), nodes (n, 2) and for the
 * sizes and hits of gold steps (g, 2) -> overlaps (sum over cases of steps times gold steps) */
static PyObject *step_overlaps(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "biiIIID", &buffers) < 0) return NULL;
    const unsigned char *text = (const unsigned char *)buffers.views[0].buf;
    const int64_t *start = POSITIONS(1), *cases = POSITIONS(2);
    Word *table = (Word *)buffers.views[3].buf;
    Node *nodes = (Node *)buffers.views[4].buf;
    int64_t *gold = POSITIONS(5);
    double *overlaps = DOUBLES(6);
    Py_ssize_t n_cases = ROWS(2);
    uint64_t mask = (uint64_t)ROWS(3) - 1, hash;
    Py_BEGIN_ALLOW_THREADS
    /* Where the room lies differs from run to run, so that no text can foresee its slots. */
    uint64_t seed = mixed((uint64_t)(uintptr_t)table);
    int64_t first = 0, length;
    for (Py_ssize_t c = 0; c < n_cases; c++, cases += 2) {
        int64_t n_steps = cases[0], n_gold = cases[1], n_nodes = 0;
        for (int64_t turn = 0; turn < n_gold + n_steps; turn++) {
            int64_t is_gold = turn < n_gold, g, size = 0;
            int64_t step = first + (is_gold ? n_steps + turn : turn - n_gold);
            const unsigned char *at = text + start[step], *end = text + start[step + 1];
            for (g = 0; !is_gold && g < n_gold; g++) gold[2 * g + 1] = 0;
            for (;; at += length) {
                at = next_word_of(at, end, seed, &length, &hash);
                if (!length) break;
                Word *word = word_at(table, mask, text, c + 1, at, length, hash);
                if (word->step == step) continue;
                word->step = step, size++;
                if (is_gold) {
                    nodes[n_nodes] = (Node){turn, word->head};
                    word->head = n_nodes++;
                } else {
                    for (int64_t node = word->head; node >= 0; node = nodes[node].next)
                        gold[2 * nodes[node].gold + 1]++;
                }
            }
            if (is_gold) gold[2 * turn] = size;
            for (g = 0; !is_gold && g < n_gold; g++) {
                double both = (double)(2 * gold[2 * g + 1]);
                *overlaps++ = both > 0.0 ? both / (double)(size + gold[2 * g]) : 0.0;
            }
        }
        first += n_steps + n_gold;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* Return what follows the spaces from `at` on up to the next one, its length and hash. */
INLINE const unsigned char *next_token(const unsigned char *at, const unsigned char *end,
                                       const unsigned char *as, uint64_t seed, int64_t *length,
                                       uint64_t *hash) {
    while (at < end && as[*at] == ' ') at++;
    const unsigned char *first = at;
    uint64_t bits = seed;
    for (; at < end && as[*at] != ' '; at++) bits = (bits ^ *at) * UINT64_C(0x100000001B3);
    *length = at - first, *hash = mixed(bits);
    return first;
}

/* Find a token in the table of this batch, else the free slot where it belongs. */
INLINE Word *token_at(Word *table, uint64_t mask, const unsigned char *text, int64_t batch,
                      const unsigned char *token, int64_t length, uint64_t hash) {
    for (uint64_t slot = hash & mask;; slot = (slot + 1) & mask) {
        Word *entry = table + slot;
        if (entry->batch != batch) return entry;
        if (entry->hash == (int64_t)hash && entry->length == length
            && !memcmp(text + entry->at, token, length))
            return entry;
    }
}

/* text, what each byte is read as (256), start (texts + 1), how many quotations a document has (C),
 * room (2^k, 6) -> distinct tokens of each quotation, and those that its document lacks (quotations, 2) */
static PyObject *lacking_words(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "bbiiII", &buffers) < 0) return NULL;
    const unsigned char *text = (const unsigned char *)buffers.views[0].buf, *at, *end;
    const unsigned char *as = (const unsigned char *)buffers.views[1].buf;
    const int64_t *start = POSITIONS(2), *sizes = POSITIONS(3);
    Word *table = (Word *)buffers.views[4].buf, *word;
    int64_t *counts = POSITIONS(5), length;
    Py_ssize_t n_documents = ROWS(3);
    uint64_t mask = (uint64_t)ROWS(4) - 1, hash;
    Py_BEGIN_ALLOW_THREADS
    uint64_t seed = mixed((uint64_t)(uintptr_t)table);
    for (Py_ssize_t c = 0; c < n_documents; start += sizes[c] + 1, c++) {
        /* What is quoted goes into the table, the document marks it, then it is counted. */
        for (int64_t turn = 0; turn < 2 * sizes[c] + 1; turn++) {
            int64_t q = turn > sizes[c] ? turn - sizes[c] - 1 : turn, *count = counts + 2 * q;
            if (turn > sizes[c]) count[0] = count[1] = 0;
            for (at = text + start[q], end = text + start[q + 1];; at += length) {
                at = next_token(at, end, as, seed, &length, &hash);
                if (!length) break;
                word = token_at(table, mask, text, c + 1, at, length, hash);
                if (turn < sizes[c]) {
                    if (word->batch != c + 1)
                        *word = (Word){c + 1, at - text, length, (int64_t)hash, -1, 0};
                } else if (turn == sizes[c]) {
                    if (word->batch == c + 1) word->head = 1;
                } else if (word->step != q) {
                    word->step = q, count[0]++, count[1] += !word->head;
                }
            }
        }
        counts += 2 * sizes[c];
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* threshold, overlaps, cases (C, 2), room (g) -> nearest gold step, whether it is kept (steps) */
static PyObject *nearest_steps(PyObject *self, PyObject *args) {
    Buffers buffers;
    double threshold = PyFloat_AsDouble(PyTuple_GetItem(args, 0));
    if (PyErr_Occurred() || acquire(args, 1, "diIII", &buffers) < 0) return NULL;
    const double *overlaps = DOUBLES(0);
    const int64_t *cases = POSITIONS(1);
    int64_t *taken = POSITIONS(2), *nearest = POSITIONS(3), *kept = POSITIONS(4);
    Py_ssize_t n_cases = ROWS(1);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t c = 0; c < n_cases; c++, cases += 2) {
        for (int64_t step = 0; step < cases[0]; step++, overlaps += cases[1]) {
            double most = 0.0;
            int64_t best = -1;
            for (int64_t g = 0; g < cases[1]; g++)
                if (overlaps[g] >= threshold && overlaps[g] > most) most = overlaps[g], best = g;
            *nearest++ = best;
            *kept++ = best >= 0 && taken[best] != c + 1;
            if (best >= 0) taken[best] = c + 1;
        }
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* A score and what is lost on its row; keys rise as scores fall. */
typedef struct {
    uint64_t key;
    double loss;
} Scored;

#define DIGIT 256
#define INSERTED 24

static uint64_t falling(double score) {
    uint64_t bits;
    score += 0.0; /* both zeros are one score */
    memcpy(&bits, &score, sizeof bits);
    return bits >> 63 ? bits : ~(bits | (uint64_t)1 << 63);
}

static double risen(uint64_t key) {
    double score;
    uint64_t bits = key >> 63 ? key : ~key & ~((uint64_t)1 << 63);
    memcpy(&score, &bits, sizeof score);
    return score;
}

static void insert_rows(Scored *rows, Py_ssize_t n) {
    for (Py_ssize_t i = 1; i < n; i++) {
        Scored row = rows[i];
        Py_ssize_t at = i;
        for (; at > 0 && rows[at - 1].key > row.key; at--) rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

/* Sort by the bits of the key below `shift` + 8, equal keys in their order; the result is in `to`
 * if `moved`, else in `from`. */
static void sort_rows(Scored *from, Scored *to, Py_ssize_t n, int shift, int moved) {
    if (n <= INSERTED) {
        insert_rows(from, n);
        if (moved) memcpy(to, from, n * sizeof *from);
        return;
    }
    Py_ssize_t end[DIGIT] = {0};
    for (Py_ssize_t i = 0; i < n; i++) end[from[i].key >> shift & (DIGIT - 1)]++;
    for (Py_ssize_t sum = 0, digit = 0; digit < DIGIT; digit++) {
        Py_ssize_t size = end[digit];
        end[digit] = sum;
        sum += size;
    }
    for (Py_ssize_t i = 0; i < n; i++) to[end[from[i].key >> shift & (DIGIT - 1)]++] = from[i];
    if (!shift) {
        if (!moved) memcpy(from, to, n * sizeof *from);
        return;
    }
    for (Py_ssize_t first = 0, digit = 0; digit < DIGIT; first = end[digit++])
        if (end[digit] > first)
            sort_rows(to + first, from + first, end[digit] - first, shift > 8 ? shift - 8 : 0, !moved);
}

/* The room behind the rows is used too. */
static void sort_all(Scored *rows, Py_ssize_t n) {
    uint64_t differs = 0;
    for (Py_ssize_t i = 0; i < n; i++) differs |= rows[i].key ^ rows[0].key;
    int shift = 0;
    while (differs >> shift >= DIGIT) shift++;
    if (differs) sort_rows(rows, rows + n, n, shift, 0);
}

/* score, loss (n), room (4 n) -> points; their thresholds are in the third quarter of the room,
 * what they accept in the fourth, what they lose in the first */
static PyObject *plateaus(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "ddD", &buffers) < 0) return NULL;
    const double *score = DOUBLES(0), *loss = DOUBLES(1);
    Py_ssize_t n = ROWS(0), m = 0;
    double *lost = DOUBLES(2), *threshold = lost + 2 * n, *accepted = lost + 3 * n, sum = 0.0;
    Scored *rows = (Scored *)lost;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < n; i++) rows[i] = (Scored){falling(score[i]), loss[i]};
    sort_all(rows, n);
    for (Py_ssize_t i = 0; i < n; m++) {
        uint64_t key = rows[i].key;
        double point = 0.0;
        for (; i < n && rows[i].key == key; i++) point += rows[i].loss;
        threshold[m] = risen(key);
        accepted[m] = (double)i;
        lost[m] = sum += point;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    return PyLong_FromSsize_t(m);
}

static uint64_t rising(double score) {
    return ~falling(score == score ? score : (double)NAN);
}

/* score (n), room (4 n) -> order (n): from the lowest up, equal scores as they come, NaN last */
static PyObject *rising_order(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "dDI", &buffers) < 0) return NULL;
    const double *score = DOUBLES(0);
    Py_ssize_t n = ROWS(0);
    Scored *rows = (Scored *)DOUBLES(1);
    int64_t *order = POSITIONS(2);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < n; i++) rows[i] = (Scored){rising(score[i]), (double)i};
    sort_all(rows, n);
    for (Py_ssize_t i = 0; i < n; i++) order[i] = (int64_t)rows[i].loss;
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* score, verdict (n), weight (n or 0), room (4 n) -> by step: positive cases, and the sum of the
 * precisions at them (2, steps + 1); the first is not used */
static PyObject *step_precisions(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "dddDD", &buffers) < 0) return NULL;
    const double *score = DOUBLES(0), *verdict = DOUBLES(1), *weight = ROWS(2) ? DOUBLES(2) : NULL;
    Py_ssize_t n = ROWS(0), n_steps = COLUMNS(4);
    Scored *rows = (Scored *)DOUBLES(3);
    double *found = DOUBLES(4), *area = found + n_steps, *drawn = DOUBLES(3) + 2 * n;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < n; i++)
        rows[i] = (Scored){falling(score[i]), weight ? (double)i : verdict[i]};
    sort_all(rows, n);
    for (Py_ssize_t i = 0; i < n && weight; i++) {
        Py_ssize_t row = (Py_ssize_t)rows[i].loss;
        rows[i].loss = verdict[row], drawn[i] = weight[row];
    }
    for (Py_ssize_t step = 0; step < 2 * n_steps; step++) found[step] = 0.0;
    for (Py_ssize_t step = 1; step < n_steps; step++) {
        double positive = 0.0, sum = 0.0, called = 0.0, least = (double)step;
        for (Py_ssize_t i = 0; i < n;) {
            uint64_t key = rows[i].key;
            double more = 0.0;
            for (; i < n && rows[i].key == key; i++) {
                double w = weight ? drawn[i] : 1.0;
                more += rows[i].loss >= least ? w : 0.0, called += w;
            }
            positive += more;
            if (called > 0.0) sum += more * (positive / called);
        }
        found[step] = positive, area[step] = sum;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* true, given (n), weight (n or 0) -> counts (2 S, S) of pairs, in the first half; returns the highest verdict, -1 if one is no whole
 * number below S. Two tables side by side, because neighbouring rows often hold the same pair. */
static PyObject *verdict_pairs(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "dddD", &buffers) < 0) return NULL;
    const double *true_ = DOUBLES(0), *given = DOUBLES(1), *weight = ROWS(2) ? DOUBLES(2) : NULL;
    double *counts = DOUBLES(3);
    Py_ssize_t n = ROWS(0), size = COLUMNS(3), most = -1;
    int sound = 1;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t m = 0; m < 2 * size * size; m++) counts[m] = 0.0;
    for (Py_ssize_t i = 0; i < n; i++) {
        double a = true_[i], b = given[i];
        if (!(a >= 0.0 && b >= 0.0 && a < (double)size && b < (double)size)) {
            sound = 0;
            break;
        }
        Py_ssize_t t = (Py_ssize_t)a, g = (Py_ssize_t)b;
        sound &= (double)t == a && (double)g == b;
        counts[((i & 1) * size + t) * size + g] += weight ? weight[i] : 1.0;
        most = t > most ? t : most, most = g > most ? g : most;
    }
    for (Py_ssize_t m = 0; m < size * size; m++) {
        counts[m] += counts[size * size + m];
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    return PyLong_FromSsize_t(sound ? most : -1);
}

#define ABREAST 8
#define SPANS_AT_ONCE 4096

typedef struct {
    double covered[ABREAST], width[ABREAST], under[ABREAST], over[ABREAST], n[ABREAST],
        least[ABREAST], most[ABREAST];
    double fault[ABREAST];
} Spans;

INLINE void add_span(const int weighted, Spans *at, int lane, double y, double low, double up,
                     double w) {
    double width = up - low, under = low - y, over = y - up;
    under = under > 0.0 ? under : 0.0, over = over > 0.0 ? over : 0.0;
    double covered = under + over > 0.0 ? 0.0 : 1.0;
    /* NaN and infinite values make a difference with themselves that is not 0. */
    at->fault[lane] += width >= 0.0 ? (width - width) + (y - y) : 1.0;
    at->width[lane] += weighted ? w * width : width;
    at->under[lane] += weighted ? w * under : under;
    at->over[lane] += weighted ? w * over : over;
    at->covered[lane] += weighted ? w * covered : covered;
    if (weighted) at->n[lane] += w;
    double low_y = !weighted || w > 0.0 ? y : INFINITY, high_y = !weighted || w > 0.0 ? y : -INFINITY;
    at->least[lane] = low_y < at->least[lane] ? low_y : at->least[lane];
    at->most[lane] = high_y > at->most[lane] ? high_y : at->most[lane];
}

INLINE void add_spans(const int weighted, Spans *at, const double *y, const double *low,
                      const double *up, const double *w, Py_ssize_t n) {
    Spans own = *at; /* no row can be a part of it, so that it may stay in registers */
    Py_ssize_t i = 0;
    for (; i + ABREAST <= n; i += ABREAST)
        for (int lane = 0; lane < ABREAST; lane++)
            add_span(weighted, &own, lane, y[i + lane], low[i + lane], up[i + lane],
                     weighted ? w[i + lane] : 1.0);
    for (; i < n; i++)
        add_span(weighted, &own, (int)(i % ABREAST), y[i], low[i], up[i], weighted ? w[i] : 1.0);
    if (!weighted) own.n[0] = (double)n;
    *at = own;
}

/* A sum and what was rounded off it. */
static void add_exactly(double *sum, double *rest, const double *lanes) {
    for (int lane = 0; lane < ABREAST; lane++) {
        double more = lanes[lane], total = *sum + more;
        *rest += fabs(*sum) >= fabs(more) ? (*sum - total) + more : (more - total) + *sum;
        *sum = total;
    }
}

WIDE static void sum_spans(const double *y, const double *low, const double *up, const double *w,
                           Py_ssize_t n, double *sums) {
    double rest[6] = {0};
    sums[5] = INFINITY, sums[6] = -INFINITY, sums[7] = 0.0;
    for (int m = 0; m < 5; m++) sums[m] = 0.0;
    for (Py_ssize_t first = 0; first < n; first += SPANS_AT_ONCE) {
        Py_ssize_t size = n - first < SPANS_AT_ONCE ? n - first : SPANS_AT_ONCE;
        Spans at = {0};
        int faultless = 1;
        for (int lane = 0; lane < ABREAST; lane++) at.least[lane] = sums[5], at.most[lane] = sums[6];
        if (w) add_spans(1, &at, y + first, low + first, up + first, w + first, size);
        else add_spans(0, &at, y + first, low + first, up + first, NULL, size);
        add_exactly(&sums[0], &rest[0], at.covered);
        add_exactly(&sums[1], &rest[1], at.width);
        add_exactly(&sums[2], &rest[2], at.under);
        add_exactly(&sums[3], &rest[3], at.over);
        add_exactly(&sums[4], &rest[4], at.n);
        for (int lane = 0; lane < ABREAST; lane++) {
            sums[5] = at.least[lane] < sums[5] ? at.least[lane] : sums[5];
            sums[6] = at.most[lane] > sums[6] ? at.most[lane] : sums[6];
            faultless &= at.fault[lane] == 0.0;
        }
        for (Py_ssize_t i = first; !faultless && i < first + size; i++)
            sums[7] += low[i] <= up[i] && up[i] - low[i] < INFINITY && fabs(y[i]) < INFINITY ? 0.0 : 1.0;
    }
    for (int m = 0; m < 5; m++) sums[m] += rest[m];
}

/* truth, low, up (n), weight (n or 0) -> covered, width, under, over, weight, smallest and largest
 * truth, and how many rows are crossed or not finite (8) */
static PyObject *span_sums(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "ddddD", &buffers) < 0) return NULL;
    const double *y = DOUBLES(0), *low = DOUBLES(1), *up = DOUBLES(2), *w = DOUBLES(3);
    double *sums = DOUBLES(4);
    Py_ssize_t n = ROWS(0);
    int weighted = ROWS(3) == n && n > 0;
    Py_BEGIN_ALLOW_THREADS
    sum_spans(y, low, up, weighted ? w : NULL, n, sums);
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

/* right-closed bins?, tolerance, label (n), probabilities (n, K), edges (B + 1), weight (n or 0),
 * room (K, B, 3) -> rows, right ones and what was stated, by label and bin (K, B, 3); returns whether every row
 * is sound: numbers from 0 to 1 that sum to 1, a label below K */
static PyObject *top_label_sums(PyObject *self, PyObject *args) {
    Buffers buffers;
    int closed = PyObject_IsTrue(PyTuple_GetItem(args, 0)), sound = 1;
    double tolerance = PyFloat_AsDouble(PyTuple_GetItem(args, 1));
    if (PyErr_Occurred() || acquire(args, 2, "ddddDD", &buffers) < 0) return NULL;
    const double *label = DOUBLES(0), *p = DOUBLES(1), *edges = DOUBLES(2);
    const double *weight = ROWS(3) ? DOUBLES(3) : NULL;
    double *room = DOUBLES(4), *sums = DOUBLES(5);
    Py_ssize_t n = ROWS(0), n_classes = COLUMNS(1), n_bins = ROWS(2) - 1;
    Py_ssize_t size = 3 * n_classes * n_bins, at_once = size > BINNED_AT_ONCE ? size : BINNED_AT_ONCE;
    double scale = n_bins * (1 + 0x1p-40);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t m = 0; m < size; m++) sums[m] = room[m] = 0.0;
    for (Py_ssize_t i = 0; i < n && sound; i++, p += n_classes) {
        double best = p[0], least = p[0], sum = p[0];
        Py_ssize_t top = 0;
        for (Py_ssize_t k = 1; k < n_classes; k++) {
            top = p[k] > best ? k : top;
            best = p[k] > best ? p[k] : best;
            least = p[k] < least ? p[k] : least;
            sum += p[k];
        }
        sound = least >= 0.0 && best <= 1.0 && fabs(sum - 1.0) <= tolerance && label[i] >= 0.0
                && label[i] < (double)n_classes && floor(label[i]) == label[i];
        if (!sound) break;
        int64_t bin = (int64_t)(best * scale);
        bin -= closed ? best <= edges[bin] : best < edges[bin];
        double *at = room + 3 * (top * n_bins + bin);
        double w = weight ? weight[i] : 1.0;
        at[0] += w, at[1] += label[i] == (double)top ? w : 0.0, at[2] += w * best;
        if ((i + 1) % at_once && i + 1 < n) continue;
        for (Py_ssize_t m = 0; m < size; m++) sums[m] += room[m], room[m] = 0.0;
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    return PyBool_FromLong(sound);
}

/* score, loss (n), room (3, slots), where the slots are a power of 2 and `taken` starts at 0
 * -> how many scores there are, -1 if more than a quarter of the slots; by slot: how often a score
 * occurs (0: an empty slot), what it is, what is lost on its rows */
static PyObject *few_scores(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "ddD", &buffers) < 0) return NULL;
    const double *score = DOUBLES(0), *loss = DOUBLES(1);
    Py_ssize_t n = ROWS(0), slots = COLUMNS(2), found = 0;
    double *count = DOUBLES(2), *held = count + slots, *lost = held + slots;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < n && found >= 0; i++) {
        double given = score[i] + 0.0;
        uint64_t bits;
        memcpy(&bits, &given, sizeof bits);
        Py_ssize_t at = (bits ^ bits >> 32) * 0x9E3779B97F4A7C15u >> 40 & (slots - 1);
        while (count[at] != 0.0 && held[at] != given) at = (at + 1) & (slots - 1);
        if (count[at] == 0.0) {
            held[at] = given;
            if (++found > slots / 4) found = -1;
        }
        count[at] += 1.0;
        lost[at] += loss[i];
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    return PyLong_FromSsize_t(found);
}

/* Gaps smoothed by a Gaussian mirrored at 0 and 1 are a short sum of cosines. The grid is symmetric:
 * even cosines are the same on both halves of it, odd ones turned round. */
#define FADED 2.85 /* cosines from this many bandwidths on are below the last digit */

WIDE static void cosine_sums(const double *restrict cosines, double bandwidth, Py_ssize_t n_cosines,
                             const double *restrict table, Py_ssize_t half, double *restrict even,
                             double *restrict odd) {
    const double pi = 3.14159265358979323846, rate = pi * bandwidth * pi * bandwidth / 2;
    double damping = 1.0, ratio = exp(-rate), fall = exp(-2 * rate);
    double reach = FADED / bandwidth;
    if (reach < (double)n_cosines) n_cosines = (Py_ssize_t)reach + 1;
    memset(even, 0, (size_t)half * sizeof(double));
    memset(odd, 0, (size_t)half * sizeof(double));
    for (Py_ssize_t k = 0; k < n_cosines; k += 4) {
        double of[4] = {0.0, 0.0, 0.0, 0.0};
        for (Py_ssize_t i = 0; i < 4 && k + i < n_cosines; i++) {
            of[i] = cosines[k + i] * damping * (k + i ? 2.0 : 1.0);
            damping *= ratio;
            ratio *= fall;
        }
        const double *at = table + k * half; /* four rows are there: of 256 */
        for (Py_ssize_t j = 0; j < half; j++) {
            even[j] += of[0] * at[j] + of[2] * at[2 * half + j];
            odd[j] += of[1] * at[half + j] + of[3] * at[3 * half + j];
        }
    }
}

/* What is lost of the area between two points where straight lines cross 0. */
INLINE double crossed(double one, double other) {
    return one * other < 0.0 ? fabs(one) * fabs(other) / (fabs(one) + fabs(other)) : 0.0;
}

/* cosines (R, K), bandwidth (R), table (K, H), room (2, H) -> area (R) */
static PyObject *smoothed_areas(PyObject *self, PyObject *args) {
    Buffers buffers;
    if (acquire(args, 0, "dddDD", &buffers) < 0) return NULL;
    const double *cosines = DOUBLES(0), *bandwidth = DOUBLES(1), *table = DOUBLES(2);
    double *area = DOUBLES(4);
    Py_ssize_t n_resamples = ROWS(0), n_cosines = COLUMNS(0), half = COLUMNS(2);
    double *even = DOUBLES(3), *odd = even + half;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t r = 0; r < n_resamples; r++, cosines += n_cosines) {
        cosine_sums(cosines, bandwidth[r], n_cosines, table, half, even, odd);
        double lower = even[0] + odd[0], upper = even[0] - odd[0];
        double sum = (fabs(lower) + fabs(upper)) / 2, lost = 0.0;
        for (Py_ssize_t j = 1; j < half; j++) {
            double below = even[j] + odd[j], above = even[j] - odd[j];
            sum += fabs(below) + fabs(above);
            lost += crossed(lower, below) + crossed(upper, above);
            lower = below;
            upper = above;
        }
        /* The middle was met from both sides. */
        area[r] = (sum - fabs(lower) - lost) / (double)(2 * (half - 1));
    }
    Py_END_ALLOW_THREADS
    release(&buffers);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"plateaus", plateaus, METH_VARARGS, NULL},
    {"few_scores", few_scores, METH_VARARGS, NULL},
    {"sweep", sweep, METH_VARARGS, NULL},
    {"swept_to", swept_to, METH_VARARGS, NULL},
    {"swept_hull", swept_hull, METH_VARARGS, NULL},
    {"rising_order", rising_order, METH_VARARGS, NULL},
    {"step_precisions", step_precisions, METH_VARARGS, NULL},
    {"verdict_pairs", verdict_pairs, METH_VARARGS, NULL},
    {"smoothed_areas", smoothed_areas, METH_VARARGS, NULL},
    {"span_sums", span_sums, METH_VARARGS, NULL},
    {"top_label_sums", top_label_sums, METH_VARARGS, NULL},
    {"accumulate", accumulate, METH_VARARGS, NULL},
    {"differences", differences, METH_VARARGS, NULL},
    {"trapezoid_areas", trapezoid_areas, METH_VARARGS, NULL},
    {"step_areas", step_areas, METH_VARARGS, NULL},
    {"hull_area", hull_area, METH_VARARGS, NULL},
    {"first_reaching", first_reaching, METH_VARARGS, NULL},
    {"last_within", last_within, METH_VARARGS, NULL},
    {"binned_sums", binned_sums, METH_VARARGS, NULL},
    {"counter_counts", counter_counts, METH_VARARGS, NULL},
    {"legacy_counts", legacy_counts, METH_VARARGS, NULL},
    {"step_overlaps", step_overlaps, METH_VARARGS, NULL},
    {"lacking_words", lacking_words, METH_VARARGS, NULL},
    {"nearest_steps", nearest_steps, METH_VARARGS, NULL},
    {"distinct_keys", distinct_keys, METH_VARARGS, NULL},
    {"json_cells", json_cells, METH_VARARGS, NULL},
    {"literal_places", literal_places, METH_VARARGS, NULL},
    {"initials", initials, METH_VARARGS, NULL},
    {"distinct_words", distinct_words, METH_VARARGS, NULL},
    {"holds_literal", holds_literal, METH_VARARGS, NULL},
    {"lone_letters", lone_letters, METH_VARARGS, NULL},
    {"single_spaced", single_spaced, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_compiled", "Hot loops over resamples and points.", -1, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__compiled(void) {
    for (int j = 1; j <= TABULATED; j++) harmonic[j] = harmonic[j - 1] + 1.0 / j;
    fold_bytes();
    return PyModule_Create(&module);
}
