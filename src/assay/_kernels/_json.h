/* JSON in one pass: whether it is valid and no object has a key twice, and cells on the way.
 *
 * Whatever this does not know for certain is refused; a slower reader then says what it is. The
 * text is a bytes object, so a NUL follows it, which ends every loop.
 */

typedef const unsigned char *Text;

/* One key of an object that is still open. */
typedef struct {
    Text start;
    Py_ssize_t length;
    uint64_t hash;
} Key;

/* What is wanted at a place: its key, its children, and the column it is written to (or -1). */
typedef struct {
    int64_t start, length, first, n_children, column, kind;
} Place;

enum { OPEN, ARRAY, ROWS_HERE };
/* The first five are those of `State`; a float is a NUMBER. */
enum { NUMBER, EMPTY, MISSING, BOOLEAN, OTHER, WHOLE, OBJECT };

static const Place NOWHERE = {0, 0, 0, 0, -1, OPEN};

typedef struct {
    Text end;
    Key *keys; /* of all open objects, the innermost last */
    Py_ssize_t n_keys, most_keys;
    const Place *places;
    Text names;
    uint64_t *hashes; /* of the keys of places */
    Py_ssize_t width, row, n_rows, most_rows; /* `row` is -1 outside of rows */
    PyObject *values, *states, *spans;        /* two bytearrays, and where rows were found */
    double *value; /* of the row */
    char *state;
    Text text;
} Pass;

#define FEW_KEYS 24
#define PROBES 32
#define DEEPEST 200
#define EACH_BYTE 0x0101010101010101u

static int same_key(const Key *one, const Key *other) {
    return one->hash == other->hash && one->length == other->length &&
           !memcmp(one->start, other->start, (size_t)one->length);
}

/* Whether no two keys are the same; 0 also where that cannot be told in a few probes a key. */
static int distinct(const Key *keys, Py_ssize_t n) {
    if (n <= FEW_KEYS) {
        uint64_t met = 0;
        for (Py_ssize_t k = 0; k < n; k++) {
            uint64_t bit = (uint64_t)1 << (keys[k].hash >> 58);
            for (Py_ssize_t before = 0; met & bit && before < k; before++)
                if (same_key(&keys[k], &keys[before])) return 0;
            met |= bit;
        }
        return 1;
    }
    size_t size = 64;
    while (size < 2 * (size_t)n) size *= 2;
    const Key **table = calloc(size, sizeof *table);
    int result = table != NULL;
    Py_ssize_t probes = 0;
    for (Py_ssize_t k = 0; result && k < n; k++) {
        uint64_t hash = keys[k].hash * 0x9E3779B97F4A7C15u;
        size_t at = (size_t)(hash ^ hash >> 32) & (size - 1);
        for (; table[at] && result; at = (at + 1) & (size - 1))
            if (++probes > PROBES * n || same_key(table[at], &keys[k])) result = 0;
        table[at] = &keys[k];
    }
    free(table);
    return result;
}

/* Not zero where one of eight bytes is this one. */
INLINE uint64_t holds(uint64_t eight, unsigned char one) {
    eight ^= EACH_BYTE * one;
    return (eight - EACH_BYTE) & ~eight & 0x80 * EACH_BYTE;
}

/* The next quote, backslash or control character of a string. */
INLINE Text marked(Text at, Text end) {
    for (uint64_t eight; at + 8 <= end; at += 8) {
        memcpy(&eight, at, 8);
        uint64_t control = (eight - 0x20 * EACH_BYTE) & ~eight & 0x80 * EACH_BYTE;
        if (holds(eight, '"') | holds(eight, '\\') | control) break;
    }
    while (*at != '"' && *at != '\\' && *at >= 0x20) at++;
    return at;
}

INLINE uint64_t hash_of(Text text, Py_ssize_t n) {
    uint64_t hash = (uint64_t)n, eight = 0;
    for (Py_ssize_t at = 0; at + 8 < n; at += 8) {
        memcpy(&eight, text + at, 8);
        hash = (hash ^ eight) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    if (n >= 8)
        memcpy(&eight, text + n - 8, 8);
    else
        for (Py_ssize_t at = 0; at < n; at++) eight = eight << 8 | text[at];
    return (hash ^ eight) * 0x9E3779B97F4A7C15u;
}

INLINE Text blanks(Text at) {
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t') at++;
    return at;
}

/* The code of \uXXXX behind its u, or -1. */
static int escaped(Text at) {
    int code = 0;
    for (int digit = 0; digit < 4; digit++, at++) {
        int letter = *at | 0x20;
        if (*at >= '0' && *at <= '9') code = code << 4 | (*at - '0');
        else if (letter >= 'a' && letter <= 'f') code = code << 4 | (letter - 'a' + 10);
        else return -1;
    }
    return code;
}

/* Behind the string whose inside starts here, or NULL. */
static Text behind_string(Text at, Text end) {
    for (;;) {
        at = marked(at, end);
        if (*at == '"') return at + 1;
        if (*at != '\\') return NULL;
        if (at[1] == 'u') {
            int code = escaped(at + 2);
            if (code < 0 || (code >= 0xDC00 && code < 0xE000)) return NULL;
            at += 6;
            if (code < 0xD800 || code >= 0xE000) continue;
            if (at[0] != '\\' || at[1] != 'u') return NULL; /* half of a pair */
            code = escaped(at + 2);
            if (code < 0xDC00 || code >= 0xE000) return NULL;
            at += 6;
        } else if (at[1] && strchr("\"\\/bfnrt", at[1])) {
            at += 2;
        } else {
            return NULL;
        }
    }
}

INLINE void put(Pass *pass, const Place *place, double value, char state) {
    if (place->column < 0 || pass->row < 0) return;
    pass->value[place->column] = value;
    pass->state[place->column] = state;
}

#define MOST_DIGITS 18
#define IS_DIGIT(letter) ((unsigned)(letter) - '0' < 10u)

/* Behind the number that starts here, or NULL; a double is the nearest one. */
static Text number(Pass *pass, Text start, const Place *place) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    Text at = start + (*start == '-');
    uint64_t digits = 0;
    int n_digits = 0, scale = 0, exponent = 0, whole = 1;
    if (!IS_DIGIT(*at) || (*at == '0' && IS_DIGIT(at[1]))) return NULL;
    for (; IS_DIGIT(*at); at++, n_digits += digits > 0 && n_digits <= MOST_DIGITS)
        digits = digits * 10 + (*at - '0');
    if (*at == '.') {
        whole = 0;
        if (!IS_DIGIT(*++at)) return NULL;
        for (; IS_DIGIT(*at); at++, n_digits += digits > 0 && n_digits <= MOST_DIGITS)
            digits = digits * 10 + (*at - '0'), scale -= scale > -1000;
    }
    if (*at == 'e' || *at == 'E') {
        int sign = at[1] == '-' ? -1 : 1;
        whole = 0;
        at += 1 + (at[1] == '-' || at[1] == '+');
        if (!IS_DIGIT(*at)) return NULL;
        for (; IS_DIGIT(*at); at++)
            if (exponent < 10000) exponent = exponent * 10 + (*at - '0');
        scale += sign * exponent;
    }
    if (place->column < 0 || pass->row < 0) return at;
    double value;
    if (n_digits <= MOST_DIGITS && whole) {
        value = (double)(*start == '-' ? -(int64_t)digits : (int64_t)digits);
    } else if (n_digits <= MOST_DIGITS && digits <= (uint64_t)1 << 53 && abs(scale) <= 22) {
        /* Both are doubles, so the one rounding is that of the number. */
        value = scale < 0 ? (double)digits / tens[-scale] : (double)digits * tens[scale];
        if (*start == '-') value = -value;
    } else {
        char *behind = NULL;
        value = PyOS_string_to_double((const char *)start, &behind, NULL);
        if (PyErr_Occurred()) PyErr_Clear();
        if (whole || (Text)behind != at || !isfinite(value)) return NULL;
    }
    put(pass, place, value, whole ? WHOLE : NUMBER);
    return at;
}

/* Room for one more row, with nothing in it. */
static int new_row(Pass *pass) {
    if (pass->n_rows == pass->most_rows) {
        pass->most_rows = pass->most_rows ? 2 * pass->most_rows : 64;
        Py_ssize_t cells = pass->most_rows * pass->width;
        if (PyByteArray_Resize(pass->values, cells * (Py_ssize_t)sizeof(double)) < 0 ||
            PyByteArray_Resize(pass->states, cells) < 0)
            return 0;
    }
    pass->row = pass->n_rows++;
    pass->value = (double *)PyByteArray_AsString(pass->values) + pass->row * pass->width;
    pass->state = PyByteArray_AsString(pass->states) + pass->row * pass->width;
    for (Py_ssize_t cell = 0; cell < pass->width; cell++) pass->value[cell] = NAN;
    memset(pass->state, MISSING, (size_t)pass->width);
    return 1;
}

static Text behind_value(Pass *pass, Text at, const Place *place, int depth);

static Text behind_array(Pass *pass, Text at, const Place *place, int depth) {
    int rows = place->kind == ROWS_HERE && pass->row < 0;
    const Place *inner = place->kind == OPEN ? &NOWHERE : &pass->places[place->first];
    Py_ssize_t from = at - pass->text, before = pass->n_rows;
    at = blanks(at + 1);
    if (*at == ']') at++;
    else
        for (;;) {
            if (rows && !new_row(pass)) return NULL;
            if (!(at = behind_value(pass, blanks(at), inner, depth + 1))) return NULL;
            at = blanks(at);
            if (*at++ == ',') continue;
            if (at[-1] == ']') break;
            return NULL;
        }
    if (!rows) return at;
    pass->row = -1;
    PyObject *span = Py_BuildValue("(nnnn)", from, at - pass->text, before, pass->n_rows);
    int bad = !span || PyList_Append(pass->spans, span) < 0;
    Py_XDECREF(span);
    return bad ? NULL : at;
}

static const Place *child_of(Pass *pass, const Place *place, const Key *key, int64_t *next) {
    if (place->kind != OPEN) return &NOWHERE;
    for (int64_t turn = 0; turn < place->n_children; turn++) {
        int64_t at = *next + turn;
        if (at >= place->n_children) at -= place->n_children;
        const Place *child = &pass->places[place->first + at];
        if (pass->hashes[place->first + at] != key->hash || child->length != key->length ||
            memcmp(pass->names + child->start, key->start, (size_t)key->length))
            continue;
        *next = at + 1; /* keys mostly come in one order */
        return child;
    }
    return &NOWHERE;
}

static Text behind_object(Pass *pass, Text at, const Place *place, int depth) {
    Py_ssize_t first = pass->n_keys;
    int64_t next = 0;
    at = blanks(at + 1);
    if (*at == '}') at++;
    else
        for (;;) {
            at = blanks(at);
            if (*at != '"') return NULL;
            Text start = at + 1;
            at = marked(start, pass->end);
            if (*at != '"') return NULL; /* with an escape: two spellings may be one key */
            if (pass->n_keys == pass->most_keys) {
                pass->most_keys = pass->most_keys ? 2 * pass->most_keys : 64;
                Key *moved = realloc(pass->keys, (size_t)pass->most_keys * sizeof *moved);
                if (!moved) return NULL;
                pass->keys = moved;
            }
            Key *key = &pass->keys[pass->n_keys++];
            *key = (Key){start, at - start, hash_of(start, at - start)};
            const Place *child = child_of(pass, place, key, &next);
            at = blanks(at + 1);
            if (*at != ':') return NULL;
            if (!(at = behind_value(pass, blanks(at + 1), child, depth + 1))) return NULL;
            at = blanks(at);
            if (*at++ == ',') continue;
            if (at[-1] == '}') break;
            return NULL;
        }
    if (!distinct(pass->keys + first, pass->n_keys - first)) return NULL;
    put(pass, place, (double)(pass->n_keys - first), OBJECT);
    pass->n_keys = first;
    return at;
}

/* Behind the value that starts here, or NULL; what is neither number nor word is known by where
 * it starts. */
static Text behind_value(Pass *pass, Text at, const Place *place, int depth) {
    if (depth > DEEPEST) return NULL;
    switch (*at) {
    case '{':
        return behind_object(pass, at, place, depth);
    case '[':
        put(pass, place, (double)(at - pass->text), OTHER);
        return behind_array(pass, at, place, depth);
    case '"':
        put(pass, place, (double)(at - pass->text), OTHER);
        return behind_string(at + 1, pass->end);
    case 'n':
        put(pass, place, NAN, EMPTY);
        return strncmp((const char *)at, "null", 4) ? NULL : at + 4;
    case 't':
        put(pass, place, 1.0, BOOLEAN);
        return strncmp((const char *)at, "true", 4) ? NULL : at + 4;
    case 'f':
        put(pass, place, 0.0, BOOLEAN);
        return strncmp((const char *)at, "false", 5) ? NULL : at + 5;
    default:
        return number(pass, at, place);
    }
}

static int passed(Pass *pass, Text text, Py_ssize_t n, const Place *place) {
    pass->text = text, pass->end = text + n, pass->row = -1;
    Text at = behind_value(pass, blanks(text), place, 0);
    int valid = at && blanks(at) == pass->end;
    free(pass->keys);
    return valid;
}

/* JSON text -> whether no object has a key twice; False also where this does not tell */
static PyObject *distinct_keys(PyObject *self, PyObject *args) {
    Pass pass = {0};
    char *text;
    Py_ssize_t n;
    if (PyBytes_AsStringAndSize(PyTuple_GetItem(args, 0), &text, &n) < 0) return NULL;
    int result;
    Py_BEGIN_ALLOW_THREADS
    result = passed(&pass, (Text)text, n, &NOWHERE);
    Py_END_ALLOW_THREADS
    return PyBool_FromLong(result);
}

/* JSON text, names of places, places (P, 6), width -> values, states, spans of rows; or None */
static PyObject *json_cells(PyObject *self, PyObject *args) {
    Buffers buffers;
    char *text;
    Py_ssize_t n;
    if (PyBytes_AsStringAndSize(PyTuple_GetItem(args, 0), &text, &n) < 0) return NULL;
    Py_ssize_t width = PyLong_AsSsize_t(PyTuple_GetItem(args, 3));
    if (PyErr_Occurred() || acquire(args, 1, "bi", &buffers) < 0) return NULL;
    Pass pass = {.places = buffers.views[1].buf, .names = buffers.views[0].buf, .width = width};
    pass.hashes = malloc((size_t)ROWS(1) * sizeof *pass.hashes);
    pass.values = PyByteArray_FromStringAndSize(NULL, 0);
    pass.states = PyByteArray_FromStringAndSize(NULL, 0);
    pass.spans = PyList_New(0);
    PyObject *found = NULL;
    if (pass.hashes && pass.values && pass.states && pass.spans) {
        for (Py_ssize_t at = 0; at < ROWS(1); at++)
            pass.hashes[at] = hash_of(pass.names + pass.places[at].start, pass.places[at].length);
        if (passed(&pass, (Text)text, n, pass.places))
            found = PyTuple_Pack(3, pass.values, pass.states, pass.spans);
    }
    free(pass.hashes);
    Py_XDECREF(pass.values), Py_XDECREF(pass.states), Py_XDECREF(pass.spans);
    release(&buffers);
    if (found || PyErr_Occurred()) return found;
    Py_RETURN_NONE;
}
