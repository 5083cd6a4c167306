/* Texts read in one pass: where some literals stand, and with which letters words begin.
 *
 * A text comes as bytes where all of it is ASCII, else with four bytes for every sign.
 */

/* A place in the tree of all literals: its sign, where its children begin, its next sibling, the
 * literal that ends here (or -1), and which sides of that are a letter or digit. */
typedef struct {
    int64_t sign, child, next, literal, edges;
} Branch;

/* Whether a sign beside a literal is a letter or digit: 1, 0, or -1 beyond ASCII. */
INLINE int goes_on(uint32_t sign) {
    uint32_t letter = sign | 0x20;
    if (sign > 127) return -1;
    return (letter - 'a' < 26u) || (sign - '0' < 10u);
}

INLINE uint32_t sign_at(const int wide, const void *text, Py_ssize_t at) {
    return wide ? ((const uint32_t *)text)[at] : ((const unsigned char *)text)[at];
}

/* Adds (start, end, literal, how it stands) of every literal that begins at a place. */
INLINE int literals_at(const int wide, const void *text, Py_ssize_t n, Py_ssize_t at,
                       const Branch *tree, int64_t branch, PyObject *found) {
    for (Py_ssize_t end = at + 1;; end++) {
        const Branch *here = &tree[branch];
        if (here->literal >= 0) {
            int before = (here->edges & 1) && at ? goes_on(sign_at(wide, text, at - 1)) : 0;
            int after = (here->edges & 2) && end < n ? goes_on(sign_at(wide, text, end)) : 0;
            int glued = before > 0 || after > 0 ? 1 : before < 0 || after < 0 ? -1 : 0;
            PyObject *place = Py_BuildValue("(nnni)", at, end, (Py_ssize_t)here->literal, glued);
            int added = place ? PyList_Append(found, place) : -1;
            Py_XDECREF(place);
            if (added < 0) return -1;
        }
        if (end == n) return 0;
        uint32_t sign = sign_at(wide, text, end);
        branch = here->child;
        while (branch >= 0 && tree[branch].sign != sign) branch = tree[branch].next;
        if (branch < 0) return 0;
    }
}

#define PAIR(one, other) (((one) & 127) << 6 | ((other) & 63))

INLINE int all_places(const int wide, const void *text, Py_ssize_t n, const Branch *tree,
                      const int64_t *first, const char *pairs, PyObject *found) {
    uint32_t sign = n ? sign_at(wide, text, 0) : 0, after;
    for (Py_ssize_t at = 0; at < n; at++, sign = after) {
        after = at + 1 < n ? sign_at(wide, text, at + 1) : 0;
        if (!pairs[PAIR(sign, after)]) continue;
        int64_t branch = first[sign < 128 ? sign : 128];
        if (sign > 127)
            while (branch >= 0 && tree[branch].sign != sign) branch = tree[branch].next;
        if (branch >= 0 && literals_at(wide, text, n, at, tree, branch, found) < 0) return -1;
    }
    return 0;
}

/* text, four bytes a sign or one, tree (N, 5), where it begins with each sign of ASCII (128) and
 * with others (1), with which pairs of signs (8192) -> places */
static PyObject *literal_places(PyObject *self, PyObject *args) {
    Buffers buffers;
    long wide = PyLong_AsLong(PyTuple_GetItem(args, 1));
    char *text;
    Py_ssize_t n;
    if (PyErr_Occurred()) return NULL;
    if (PyBytes_AsStringAndSize(PyTuple_GetItem(args, 0), &text, &n) < 0) return NULL;
    if (acquire(args, 2, "iib", &buffers) < 0) return NULL;
    const Branch *tree = buffers.views[0].buf;
    const int64_t *first = POSITIONS(1);
    PyObject *found = PyList_New(0);
    const char *pairs = buffers.views[2].buf;
    int failed = !found || (wide ? all_places(1, text, n / 4, tree, first, pairs, found)
                                 : all_places(0, text, n, tree, first, pairs, found)) < 0;
    release(&buffers);
    if (failed) Py_CLEAR(found);
    return found;
}

/* Whether a literal stands at a place. */
INLINE int literal_at(const int wide, const void *text, Py_ssize_t n, Py_ssize_t at,
                      const Branch *tree, int64_t branch) {
    while (branch >= 0) {
        uint32_t sign = sign_at(wide, text, at);
        while (branch >= 0 && tree[branch].sign != sign) branch = tree[branch].next;
        if (branch < 0) return 0;
        if (tree[branch].literal >= 0) return 1;
        if (++at == n) return 0;
        branch = tree[branch].child;
    }
    return 0;
}

INLINE int any_place(const int wide, const void *text, Py_ssize_t n, const Branch *tree,
                     const int64_t *first, const char *pairs) {
    uint32_t sign = n ? sign_at(wide, text, 0) : 0, after;
    for (Py_ssize_t at = 0; at < n; at++, sign = after) {
        after = at + 1 < n ? sign_at(wide, text, at + 1) : 0;
        if (!pairs[PAIR(sign, after)]) continue;
        if (literal_at(wide, text, n, at, tree, first[sign < 128 ? sign : 128])) return 1;
    }
    return 0;
}

/* what `literal_places` takes -> whether there is any */
static PyObject *holds_literal(PyObject *self, PyObject *args) {
    Buffers buffers;
    long wide = PyLong_AsLong(PyTuple_GetItem(args, 1));
    char *text;
    Py_ssize_t n;
    if (PyErr_Occurred()) return NULL;
    if (PyBytes_AsStringAndSize(PyTuple_GetItem(args, 0), &text, &n) < 0) return NULL;
    if (acquire(args, 2, "iib", &buffers) < 0) return NULL;
    const Branch *tree = buffers.views[0].buf;
    const int64_t *first = POSITIONS(1);
    const char *pairs = buffers.views[2].buf;
    int found = wide ? any_place(1, text, n / 4, tree, first, pairs)
                     : any_place(0, text, n, tree, first, pairs);
    release(&buffers);
    return PyBool_FromLong(found);
}

INLINE int lone_places(const int wide, const void *text, Py_ssize_t n, PyObject *found) {
    int before = 0;
    for (Py_ssize_t at = 0; at < n; at++) {
        uint32_t sign = sign_at(wide, text, at);
        int here = goes_on(sign) > 0;
        if (here && !before && (sign | 0x20) >= 'a' && (sign | 0x20) <= 'z' &&
            !(at + 1 < n && goes_on(sign_at(wide, text, at + 1)) > 0)) {
            PyObject *place = PyLong_FromSsize_t(at);
            int added = place ? PyList_Append(found, place) : -1;
            Py_XDECREF(place);
            if (added < 0) return -1;
        }
        before = here;
    }
    return 0;
}

/* text, four bytes a sign or one -> where letters of ASCII stand with no other and no digit */
static PyObject *lone_letters(PyObject *self, PyObject *args) {
    char *text;
    Py_ssize_t n;
    long wide = PyLong_AsLong(PyTuple_GetItem(args, 1));
    if (PyErr_Occurred()) return NULL;
    if (PyBytes_AsStringAndSize(PyTuple_GetItem(args, 0), &text, &n) < 0) return NULL;
    PyObject *found = PyList_New(0);
    if (found && (wide ? lone_places(1, text, n / 4, found) : lone_places(0, text, n, found)) < 0)
        Py_CLEAR(found);
    return found;
}

#define SHORT_WORD 3

INLINE int is_link(const char *word, Py_ssize_t length) {
    return (length == 2 && !memcmp(word, "of", 2)) ||
           (length == 3 && (!memcmp(word, "and", 3) || !memcmp(word, "the", 3)));
}

/* A text of ASCII in small letters -> the first letters of its longer words, dots for others */
static PyObject *initials(PyObject *self, PyObject *args) {
    char *text;
    Py_ssize_t n, n_words = 0;
    if (PyBytes_AsStringAndSize(PyTuple_GetItem(args, 0), &text, &n) < 0) return NULL;
    char *room = malloc((size_t)n / 2 + 1);
    if (!room) return PyErr_NoMemory();
    for (Py_ssize_t at = 0; at < n; at++) {
        Py_ssize_t start = at;
        while (at < n && goes_on((unsigned char)text[at]) > 0) at++;
        if (at - start > SHORT_WORD) room[n_words++] = text[start];
        else if (at > start && !is_link(text + start, at - start)) room[n_words++] = '.';
    }
    PyObject *found = PyUnicode_FromStringAndSize(room, n_words);
    free(room);
    return found;
}

#define RECENT 512

/* A text of ASCII in small letters -> the set of its words. What stood there of late is not made
 * again: most words of a text are a few that it repeats. */
static PyObject *distinct_words(PyObject *self, PyObject *args) {
    char *text;
    Py_ssize_t n, starts[RECENT], lengths[RECENT] = {0};
    if (PyBytes_AsStringAndSize(PyTuple_GetItem(args, 0), &text, &n) < 0) return NULL;
    PyObject *found = PyFrozenSet_New(NULL);
    int failed = !found;
    for (Py_ssize_t at = 0; at < n && !failed; at++) {
        Py_ssize_t start = at;
        uint32_t mixed = 2166136261u;
        while (at < n && goes_on((unsigned char)text[at]) > 0)
            mixed = (mixed ^ (unsigned char)text[at++]) * 16777619u;
        Py_ssize_t length = at - start, place = (mixed ^ mixed >> 16) % RECENT;
        if (!length) continue;
        if (lengths[place] == length && !memcmp(text + starts[place], text + start, length))
            continue;
        starts[place] = start;
        lengths[place] = length;
        PyObject *word = PyUnicode_FromStringAndSize(text + start, length);
        failed = !word || PySet_Add(found, word) < 0;
        Py_XDECREF(word);
    }
    if (failed) Py_CLEAR(found);
    return found;
}

/* A text of ASCII -> the same with single spaces, where it leaves some out, how many up to there */
static PyObject *single_spaced(PyObject *self, PyObject *args) {
    char *text;
    Py_ssize_t n, kept = 0, skipped = 0;
    if (PyBytes_AsStringAndSize(PyTuple_GetItem(args, 0), &text, &n) < 0) return NULL;
    char *room = malloc((size_t)n + 1);
    if (!room) return PyErr_NoMemory();
    PyObject *places = PyList_New(0), *counts = Py_BuildValue("[i]", 0);
    int failed = !places || !counts;
    for (Py_ssize_t at = 0; at < n && !failed; at++) {
        room[kept++] = text[at];
        if (text[at] != ' ' || at + 1 == n || text[at + 1] != ' ') continue;
        while (at + 1 < n && text[at + 1] == ' ') at++, skipped++;
        PyObject *place = PyLong_FromSsize_t(kept - 1), *count = PyLong_FromSsize_t(skipped);
        failed = !place || !count || PyList_Append(places, place) || PyList_Append(counts, count);
        Py_XDECREF(place);
        Py_XDECREF(count);
    }
    PyObject *found = NULL;
    if (!failed) found = Py_BuildValue("(s#OO)", room, kept, places, counts);
    Py_XDECREF(places);
    Py_XDECREF(counts);
    free(room);
    return found;
}
