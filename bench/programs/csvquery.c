/* Answers questions about a table that is read from a CSV file (RFC 4180), one query a line:
 *   select ITEM,... [where CONDITION] [group by COLUMN,...] [order by ITEM [desc],...] [limit N]
 * ITEM is *, a column, count(*), or sum, avg, min or max of a column; a condition compares columns with
 * numbers and 'strings' by = != < <= > >= under not, and, or and parentheses. */
#include "arena.h"
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_COLUMNS 64
#define MAX_ITEMS 64
#define MAX_KEYS 8
#define MAX_LINE 4096
#define BUCKETS 1024

/* What is wrong with a query. */
static jmp_buf bad_query;
static char message[200];

static _Noreturn void fail(const char *what, const char *where) {
    snprintf(message, sizeof message, "%s '%s'", what, where);
    longjmp(bad_query, 1);
}

/* The table. A cell's text begins at a place of the table's text and ends with a zero; an empty cell of a column
 * of numbers holds NaN. */

struct Column {
    const char *name;
    int numeric;
};

struct Cell {
    int start;
    double number;
};

struct Table {
    int columns, rows;
    struct Column column[MAX_COLUMNS];
    char *text;
    struct Cell *cells;
};

/* The only place that knows how rows and columns lie. */
static struct Cell *cell_at(const struct Table *t, int row, int column) {
    return &t->cells[row * t->columns + column];
}

static const char *text_at(const struct Table *t, int row, int column) {
    return t->text + cell_at(t, row, column)->start;
}

static char *read_all(struct Arena *arena, FILE *f, size_t *size) {
    size_t room = 65536, used = 0, n;
    char *text = allocate(arena, room);
    while ((n = fread(text + used, 1, room - used, f)) > 0) {
        used += n;
        if (used == room) {
            char *bigger = allocate(arena, 2 * room);
            memcpy(bigger, text, room);
            text = bigger;
            room *= 2;
        }
    }
    *size = used;
    text[used] = '\0';
    return text;
}

/* A place in the text of a CSV file. Fields are ended by zeros that overwrite what delimited them. */
struct Reader {
    char *text;
    size_t size;
    size_t pos; /* at most size */
};

/* Reads a field and gives where it begins; *last says whether its record ends with it. */
static int read_field(struct Reader *r, int *last) {
    size_t start = r->pos, to = r->pos;
    if (r->pos < r->size && r->text[r->pos] == '"') {
        r->pos++;
        while (r->pos < r->size) {
            char c = r->text[r->pos++];
            if (c == '"') {
                if (r->pos < r->size && r->text[r->pos] == '"')
                    r->pos++;
                else
                    break;
            }
            r->text[to++] = c;
        }
    } else {
        while (r->pos < r->size && r->text[r->pos] != ',' && r->text[r->pos] != '\n' && r->text[r->pos] != '\r')
            r->text[to++] = r->text[r->pos++];
    }
    char end = r->pos < r->size ? r->text[r->pos] : '\n';
    if (end == '\r' && r->pos + 1 < r->size && r->text[r->pos + 1] == '\n')
        end = r->text[++r->pos];
    if (r->pos < r->size)
        r->pos++;
    r->text[to] = '\0';
    *last = end != ',';
    return (int)start;
}

static int parse_number(const char *s, double *number) {
    char *end;
    if (*s == '\0')
        return 0;
    *number = strtod(s, &end);
    return *end == '\0';
}

/* Makes a column one of numbers if each of its cells is a number or empty. */
static void type_column(struct Table *t, int c) {
    int numbers = 0;
    for (int row = 0; row < t->rows; row++) {
        struct Cell *cell = cell_at(t, row, c);
        const char *text = t->text + cell->start;
        if (text[0] == '\0')
            cell->number = NAN;
        else if (parse_number(text, &cell->number))
            numbers++;
        else
            return;
    }
    t->column[c].numeric = numbers > 0;
}

/* Reads the table; says what is wrong with it and returns 0, or returns 1. */
static int read_table(struct Arena *arena, struct Table *t, FILE *f) {
    struct Reader r;
    int last = 0, room = 1024;
    r.text = read_all(arena, f, &r.size);
    r.pos = 0;
    t->text = r.text;
    t->columns = 0;
    t->rows = 0;
    while (!last) {
        if (t->columns == MAX_COLUMNS) {
            fprintf(stderr, "csvquery: more than %d columns\n", MAX_COLUMNS);
            return 0;
        }
        t->column[t->columns].name = t->text + read_field(&r, &last);
        t->column[t->columns++].numeric = 0;
    }
    t->cells = allocate(arena, (size_t)room * t->columns * sizeof(struct Cell));
    while (r.pos < r.size) {
        if (t->rows == room) {
            struct Cell *bigger = allocate(arena, 2 * (size_t)room * t->columns * sizeof(struct Cell));
            for (int i = 0; i < room * t->columns; i++)
                bigger[i] = t->cells[i];
            t->cells = bigger;
            room *= 2;
        }
        for (int c = 0; c < t->columns; c++) {
            cell_at(t, t->rows, c)->start = read_field(&r, &last);
            if (last != (c == t->columns - 1)) {
                fprintf(stderr, "csvquery: record %d has not %d fields\n", t->rows + 1, t->columns);
                return 0;
            }
        }
        t->rows++;
    }
    for (int c = 0; c < t->columns; c++)
        type_column(t, c);
    return 1;
}

/* Queries. */

enum Function { PLAIN, COUNT, SUM, AVG, MIN, MAX };
enum Compare { EQ, NE, LT, LE, GT, GE };

static const char *const function_names[] = {"", "count", "sum", "avg", "min", "max"};
static const char *const compare_names[] = {"=", "!=", "<", "<=", ">", ">="};

struct Item {
    enum Function function;
    int column; /* -1 in count(*) */
};

struct Order {
    int item;
    int descending;
};

enum Kind { AND, OR, NOT, COMPARE };

struct Expr {
    enum Kind kind;
    union {
        struct {
            struct Expr *left, *right;
        } two;
        struct Expr *one;
        struct {
            int column;
            enum Compare op;
            const char *text;
            double number;
        } compare;
    } u;
};

struct Query {
    int items, groups, orders, limit;
    int aggregate;
    struct Item item[MAX_ITEMS];
    int group[MAX_KEYS];
    struct Order order[MAX_KEYS];
    struct Expr *where;
};

/* The words of a query: names, numbers, 'strings' and signs; a string keeps its first quote. */
struct Words {
    struct Arena *arena;
    const struct Table *table;
    const char *line;
    size_t pos;
    const char *word;
};

static int is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* A character of the line. */
static char at(const struct Words *w, size_t i) {
    return w->line[i];
}

static void next(struct Words *w) {
    while (at(w, w->pos) == ' ' || at(w, w->pos) == '\t' || at(w, w->pos) == '\n' || at(w, w->pos) == '\r')
        w->pos++;
    size_t start = w->pos, end = start;
    char c = at(w, start);
    if (c == '\'') {
        for (end = start + 1; at(w, end) != '\''; end++)
            if (at(w, end) == '\0')
                fail("string without an end", "'");
        w->pos = end + 1;
    } else {
        if (is_name(c) || (c == '-' && isdigit((unsigned char)at(w, start + 1))))
            for (end = start + 1; is_name(at(w, end)); end++)
                ;
        else if ((c == '<' || c == '>' || c == '!') && at(w, start + 1) == '=')
            end = start + 2;
        else if (c != '\0')
            end = start + 1;
        w->pos = end;
    }
    char *word = allocate(w->arena, end - start + 1);
    memcpy(word, w->line + start, end - start);
    word[end - start] = '\0';
    w->word = word;
}

static int accept(struct Words *w, const char *word) {
    if (strcasecmp(w->word, word) != 0)
        return 0;
    next(w);
    return 1;
}

static void expect(struct Words *w, const char *word) {
    if (!accept(w, word))
        fail("something else was expected at", w->word);
}

static int parse_column(struct Words *w) {
    for (int c = 0; c < w->table->columns; c++)
        if (accept(w, w->table->column[c].name))
            return c;
    fail("no such column:", w->word);
}

static struct Item parse_item(struct Words *w) {
    for (int f = COUNT; f <= MAX; f++) {
        if (strcasecmp(w->word, function_names[f]) == 0 && at(w, w->pos) == '(') {
            struct Item item = {(enum Function)f, -1};
            next(w);
            expect(w, "(");
            if (f == COUNT) {
                expect(w, "*");
            } else {
                int column = parse_column(w);
                if (!w->table->column[column].numeric)
                    fail("not a column of numbers:", w->table->column[column].name);
                item.column = column;
            }
            expect(w, ")");
            return item;
        }
    }
    return (struct Item){PLAIN, parse_column(w)};
}

static struct Expr *parse_or(struct Words *w);

static struct Expr *new_expr(struct Words *w, enum Kind kind) {
    struct Expr *e = allocate(w->arena, sizeof *e);
    e->kind = kind;
    return e;
}

static struct Expr *parse_test(struct Words *w) {
    struct Expr *e;
    if (accept(w, "not")) {
        e = new_expr(w, NOT);
        e->u.one = parse_test(w);
        return e;
    }
    if (accept(w, "(")) {
        e = parse_or(w);
        expect(w, ")");
        return e;
    }
    e = new_expr(w, COMPARE);
    e->u.compare.column = parse_column(w);
    for (int op = EQ; op <= GE; op++) {
        if (!accept(w, compare_names[op]))
            continue;
        e->u.compare.op = (enum Compare)op;
        e->u.compare.number = 0;
        if (w->table->column[e->u.compare.column].numeric) {
            if (!parse_number(w->word, &e->u.compare.number))
                fail("a number was expected at", w->word);
        } else if (w->word[0] != '\'') {
            fail("a 'string' was expected at", w->word);
        }
        e->u.compare.text = w->word + (w->word[0] == '\'');
        next(w);
        return e;
    }
    fail("a comparison was expected at", w->word);
}

static struct Expr *parse_and(struct Words *w) {
    struct Expr *left = parse_test(w);
    while (accept(w, "and")) {
        struct Expr *e = new_expr(w, AND);
        e->u.two.left = left;
        e->u.two.right = parse_test(w);
        left = e;
    }
    return left;
}

static struct Expr *parse_or(struct Words *w) {
    struct Expr *left = parse_and(w);
    while (accept(w, "or")) {
        struct Expr *e = new_expr(w, OR);
        e->u.two.left = left;
        e->u.two.right = parse_and(w);
        left = e;
    }
    return left;
}

static void parse_order(struct Words *w, struct Query *q) {
    do {
        const char *word = w->word;
        struct Item item = parse_item(w);
        int found = -1;
        for (int i = 0; i < q->items; i++)
            if (q->item[i].function == item.function && q->item[i].column == item.column)
                found = i;
        if (found < 0)
            fail("order by something that is not selected:", word);
        if (q->orders == MAX_KEYS)
            fail("too many keys at", word);
        q->order[q->orders++] = (struct Order){found, accept(w, "desc")};
    } while (accept(w, ","));
}

static void add_item(struct Query *q, struct Item item) {
    if (q->items == MAX_ITEMS)
        fail("too many items in", "select");
    if (item.function != PLAIN)
        q->aggregate = 1;
    q->item[q->items++] = item;
}

static int is_grouped(const struct Query *q, int column) {
    for (int g = 0; g < q->groups; g++)
        if (q->group[g] == column)
            return 1;
    return 0;
}

static void parse_query(struct Words *w, struct Query *q) {
    q->items = q->groups = q->orders = q->aggregate = 0;
    q->limit = w->table->rows;
    q->where = NULL;
    expect(w, "select");
    do {
        if (accept(w, "*"))
            for (int c = 0; c < w->table->columns; c++)
                add_item(q, (struct Item){PLAIN, c});
        else
            add_item(q, parse_item(w));
    } while (accept(w, ","));
    if (accept(w, "where"))
        q->where = parse_or(w);
    if (accept(w, "group")) {
        expect(w, "by");
        q->aggregate = 1;
        do {
            if (q->groups == MAX_KEYS)
                fail("too many keys at", w->word);
            q->group[q->groups++] = parse_column(w);
        } while (accept(w, ","));
    }
    if (accept(w, "order")) {
        expect(w, "by");
        parse_order(w, q);
    }
    if (accept(w, "limit")) {
        q->limit = atoi(w->word);
        next(w);
    }
    if (w->word[0] != '\0')
        fail("the query should end before", w->word);
    for (int i = 0; i < q->items; i++)
        if (q->aggregate && q->item[i].function == PLAIN && !is_grouped(q, q->item[i].column))
            fail("neither grouped nor aggregated:", w->table->column[q->item[i].column].name);
}

static int holds(const struct Expr *e, const struct Table *t, int row) {
    switch (e->kind) {
    case AND: return holds(e->u.two.left, t, row) && holds(e->u.two.right, t, row);
    case OR: return holds(e->u.two.left, t, row) || holds(e->u.two.right, t, row);
    case NOT: return !holds(e->u.one, t, row);
    case COMPARE: break;
    }
    const struct Cell *cell = cell_at(t, row, e->u.compare.column);
    int order;
    if (t->column[e->u.compare.column].numeric) {
        if (isnan(cell->number))
            return 0;
        order = (cell->number > e->u.compare.number) - (cell->number < e->u.compare.number);
    } else {
        order = strcmp(t->text + cell->start, e->u.compare.text);
    }
    switch (e->u.compare.op) {
    case EQ: return order == 0;
    case NE: return order != 0;
    case LT: return order < 0;
    case LE: return order <= 0;
    case GT: return order > 0;
    case GE: return order >= 0;
    }
    return 0;
}

/* What one item gathers over the rows of a group. */
struct Sum {
    int count;
    double sum, min, max;
};

struct Group {
    struct Group *next;      /* in its bucket */
    struct Group *following; /* in order of appearance */
    int row;                 /* the first row of the group */
    struct Sum sums[];
};

/* A cell of an answer: where its text begins, or -1 and a number. */
struct Value {
    int start;
    double number;
};

struct Row {
    struct Row *next;
    struct Value values[];
};

static unsigned hash_row(const struct Query *q, const struct Table *t, int row) {
    unsigned h = 2166136261u;
    for (int g = 0; g < q->groups; g++) {
        const char *s = text_at(t, row, q->group[g]);
        size_t length = strlen(s);
        for (size_t i = 0; i < length; i++)
            h = (h ^ (unsigned char)s[i]) * 16777619u;
        h *= 16777619u;
    }
    return h;
}

static int same_group(const struct Query *q, const struct Table *t, int a, int b) {
    for (int g = 0; g < q->groups; g++)
        if (strcmp(text_at(t, a, q->group[g]), text_at(t, b, q->group[g])) != 0)
            return 0;
    return 1;
}

static void add_to_group(struct Group *group, const struct Query *q, const struct Table *t, int row) {
    for (int i = 0; i < q->items; i++) {
        struct Sum *s = &group->sums[i];
        if (q->item[i].column < 0) {
            s->count++;
            continue;
        }
        double v = cell_at(t, row, q->item[i].column)->number;
        if (q->item[i].function == PLAIN || isnan(v))
            continue;
        s->min = s->count == 0 || v < s->min ? v : s->min;
        s->max = s->count == 0 || v > s->max ? v : s->max;
        s->sum += v;
        s->count++;
    }
}

static struct Group *new_group(struct Arena *arena, const struct Query *q, int row) {
    struct Group *g = allocate(arena, sizeof *g + q->items * sizeof(struct Sum));
    g->next = NULL;
    g->following = NULL;
    g->row = row;
    for (int i = 0; i < q->items; i++)
        g->sums[i] = (struct Sum){0, 0, 0, 0};
    return g;
}

static struct Value cell_value(const struct Table *t, int row, int column) {
    const struct Cell *cell = cell_at(t, row, column);
    if (t->column[column].numeric)
        return (struct Value){-1, cell->number};
    return (struct Value){cell->start, 0};
}

static struct Value sum_value(enum Function f, struct Sum s) {
    if (f == COUNT)
        return (struct Value){-1, s.count};
    if (s.count == 0)
        return (struct Value){-1, NAN};
    switch (f) {
    case SUM: return (struct Value){-1, s.sum};
    case AVG: return (struct Value){-1, s.sum / s.count};
    case MIN: return (struct Value){-1, s.min};
    default: return (struct Value){-1, s.max};
    }
}

static struct Row *new_row(struct Arena *arena, int items) {
    struct Row *r = allocate(arena, sizeof *r + items * sizeof(struct Value));
    r->next = NULL;
    return r;
}

/* The rows of the answer, last one first, of a query without groups. */
static struct Row *plain_rows(struct Arena *arena, const struct Query *q, const struct Table *t) {
    struct Row *rows = NULL;
    for (int row = 0; row < t->rows; row++) {
        if (q->where != NULL && !holds(q->where, t, row))
            continue;
        struct Row *r = new_row(arena, q->items);
        for (int i = 0; i < q->items; i++)
            r->values[i] = cell_value(t, row, q->item[i].column);
        r->next = rows;
        rows = r;
    }
    return rows;
}

static struct Row *grouped_rows(struct Arena *arena, const struct Query *q, const struct Table *t) {
    struct Group *buckets[BUCKETS] = {NULL};
    struct Group *groups = NULL;
    if (q->groups == 0)
        groups = buckets[hash_row(q, t, 0) % BUCKETS] = new_group(arena, q, 0);
    for (int row = 0; row < t->rows; row++) {
        if (q->where != NULL && !holds(q->where, t, row))
            continue;
        unsigned h = hash_row(q, t, row) % BUCKETS;
        struct Group *g = buckets[h];
        while (g != NULL && !same_group(q, t, g->row, row))
            g = g->next;
        if (g == NULL) {
            g = new_group(arena, q, row);
            g->next = buckets[h];
            buckets[h] = g;
            g->following = groups;
            groups = g;
        }
        add_to_group(g, q, t, row);
    }
    struct Row *rows = NULL;
    struct Row *last = NULL;
    for (struct Group *g = groups; g != NULL; g = g->following) {
        struct Row *r = new_row(arena, q->items);
        for (int i = 0; i < q->items; i++) {
            struct Item item = q->item[i];
            r->values[i] = item.function == PLAIN ? cell_value(t, g->row, item.column) : sum_value(item.function, g->sums[i]);
        }
        if (last == NULL)
            rows = r;
        else
            last->next = r;
        last = r;
    }
    return rows;
}

static struct Row *reverse(struct Row *rows) {
    struct Row *done = NULL;
    while (rows != NULL) {
        struct Row *next = rows->next;
        rows->next = done;
        done = rows;
        rows = next;
    }
    return done;
}

/* Numbers before strings, empty cells before numbers. */
static int compare_values(const struct Table *t, struct Value a, struct Value b) {
    if (a.start >= 0 && b.start >= 0)
        return strcmp(t->text + a.start, t->text + b.start);
    if (isnan(a.number) || isnan(b.number))
        return isnan(b.number) - isnan(a.number);
    return (a.number > b.number) - (a.number < b.number);
}

static int compare_rows(const struct Query *q, const struct Table *t, const struct Row *a, const struct Row *b) {
    for (int i = 0; i < q->orders; i++) {
        int item = q->order[i].item;
        int c = compare_values(t, a->values[item], b->values[item]);
        if (c != 0)
            return q->order[i].descending ? -c : c;
    }
    return 0;
}

/* A stable merge sort of the first n rows; what follows them is left in *rest. */
static struct Row *sort_rows(const struct Query *q, const struct Table *t, struct Row *rows, int n, struct Row **rest) {
    if (n <= 1 || rows == NULL) {
        *rest = rows == NULL || n < 1 ? rows : rows->next;
        if (rows != NULL)
            rows->next = NULL;
        return rows;
    }
    struct Row *middle;
    struct Row *a = sort_rows(q, t, rows, n / 2, &middle);
    struct Row *b = sort_rows(q, t, middle, n - n / 2, rest);
    struct Row *merged = NULL;
    while (a != NULL || b != NULL) {
        struct Row *next;
        if (b == NULL || (a != NULL && compare_rows(q, t, a, b) <= 0)) {
            next = a->next;
            a->next = merged;
            merged = a;
            a = next;
        } else {
            next = b->next;
            b->next = merged;
            merged = b;
            b = next;
        }
    }
    return reverse(merged);
}

static int count_rows(const struct Row *rows) {
    int n = 0;
    for (; rows != NULL; rows = rows->next)
        n++;
    return n;
}

static void print_value(const struct Table *t, struct Value v) {
    if (v.start >= 0)
        fputs(t->text + v.start, stdout);
    else if (v.number == floor(v.number) && fabs(v.number) < 1e15)
        printf("%.0f", v.number);
    else if (!isnan(v.number))
        printf("%.12g", v.number);
}

static void print_answer(const struct Query *q, const struct Table *t, const struct Row *rows) {
    for (int i = 0; i < q->items; i++) {
        struct Item item = q->item[i];
        const char *column = item.column < 0 ? "*" : t->column[item.column].name;
        const char *separator = i + 1 < q->items ? "\t" : "\n";
        if (item.function == PLAIN)
            printf("%s%s", column, separator);
        else
            printf("%s(%s)%s", function_names[item.function], column, separator);
    }
    for (int n = 0; n < q->limit && rows != NULL; n++, rows = rows->next) {
        for (int i = 0; i < q->items; i++) {
            print_value(t, rows->values[i]);
            putchar(i + 1 < q->items ? '\t' : '\n');
        }
    }
    putchar('\n');
}

/* Answers one query; everything that it makes lives in an arena of its own. */
static int answer(const struct Table *t, const char *line, int number) {
    static struct Arena arena;
    static struct Query q;
    struct Words w = {&arena, t, line, 0, ""};
    if (setjmp(bad_query) != 0) {
        fprintf(stderr, "line %d: %s\n", number, message);
        release(&arena);
        return 1;
    }
    next(&w);
    if (w.word[0] != '\0') {
        struct Row *rest;
        parse_query(&w, &q);
        struct Row *rows = reverse(q.aggregate ? grouped_rows(&arena, &q, t) : plain_rows(&arena, &q, t));
        if (q.orders > 0)
            rows = sort_rows(&q, t, rows, count_rows(rows), &rest);
        print_answer(&q, t, rows);
    }
    release(&arena);
    return 0;
}

int main(int argc, char **argv) {
    static char line[MAX_LINE];
    static struct Table table;
    struct Arena arena = {NULL, NULL, 0};
    int failed = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: csvquery TABLE.csv < QUERIES\n");
        return 2;
    }
    FILE *f = fopen(argv[1], "rb");
    if (f == NULL) {
        fprintf(stderr, "csvquery: cannot open %s\n", argv[1]);
        return 1;
    }
    if (!read_table(&arena, &table, f))
        return 1;
    fclose(f);
    for (int number = 1; fgets(line, MAX_LINE, stdin) != NULL; number++)
        failed |= answer(&table, line, number);
    release(&arena);
    return failed;
}
