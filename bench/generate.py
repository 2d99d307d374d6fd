#!/usr/bin/env python3
"""A large program for timing the checker: modules like those of a real one, each different in its sizes and names.

usage: generate.py LINES

Each module has a struct, a table, a list in an arena, a small interpreter over a datatype, string handling and sorting. The same number gives
the same program; main runs a few of them, so that it can also be compiled and run.
"""
import random
import sys

MODULE = '''
/* Module @N: records of type @T and what is done with them. */
enum Kind@N { PLAIN@N, MARKED@N, CLOSED@N };

struct Item@N {
  int key;
  unsigned long stamp;
  enum Kind@N kind;
  double weight;
  char name[@S];
};

struct Link@N<`r> {
  struct Item@N *`r item;
  struct Link@N<`r> *`r next;
};

datatype Term@N {
  Leaf@N(int);
  Sum@N(datatype Term@N @, datatype Term@N @);
  Product@N(datatype Term@N @, datatype Term@N @);
  Negated@N(datatype Term@N @);
};

static int counts@N[@K];

static int hash@N(char ?text) {
  unsigned h = @Hu;
  for (unsigned i = 0; i < numelts(text) && text[i] != 0; i++)
    h = h * 31 + (unsigned char)text[i];
  return (int)(h % @K);
}

static void set_name@N(struct Item@N @item, char ?name) {
  unsigned i;
  for (i = 0; i + 1 < @S && i < numelts(name) && name[i] != 0; i++)
    item->name[i] = name[i];
  item->name[i] = 0;
}

static int compare@N(struct Item@N @a, struct Item@N @b) {
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  if (a->stamp < b->stamp)
    return -1;
  return a->stamp > b->stamp;
}

static void sort@N(struct Item@N ?items, int n) {
  for (int i = 1; i < n; i++) {
    struct Item@N moved = items[i];
    int j = i;
    while (j > 0 && items[j - 1].key > moved.key) {
      items[j] = items[j - 1];
      j--;
    }
    items[j] = moved;
  }
}

static int find@N(struct Item@N ?items, int n, int key) {
  int low = 0, high = n - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (items[middle].key == key)
      return middle;
    if (items[middle].key < key)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

static struct Link@N<`r> *`r push@N(region_t<`r> h, struct Item@N *`r item, struct Link@N<`r> *`r rest) {
  return rnew(h) Link@N(item, rest);
}

static double total@N(struct Link@N<`r> *`r list) {
  double sum = 0;
  for (; list != NULL; list = list->next) {
    let item = list->item;
    if (item == NULL)
      continue;
    switch (item->kind) {
    case PLAIN@N: sum += item->weight; break;
    case MARKED@N: sum += 2 * item->weight; break;
    case CLOSED@N: break;
    }
  }
  return sum;
}

static int evaluate@N(datatype Term@N @term) {
  switch (term) {
  case &Leaf@N(value): return value;
  case &Sum@N(a, b): return evaluate@N(a) + evaluate@N(b);
  case &Product@N(a, b): return evaluate@N(a) * evaluate@N(b);
  case &Negated@N(a): return -evaluate@N(a);
  }
}

int run@N(int seed) {
  struct Item@N items[@R];
  unsigned state = (unsigned)seed * 2654435761u + @Hu;
  for (int i = 0; i < @R; i++) {
    state = state * 1103515245u + 12345u;
    items[i].key = (int)(state >> 16) % 1000;
    items[i].stamp = state;
    items[i].kind = i % 3 == 0 ? MARKED@N : PLAIN@N;
    items[i].weight = i * 0.5;
    set_name@N(&items[i], "item @N");
    counts@N[hash@N(items[i].name)] += 1;
  }
  sort@N(items, @R);
  int found = find@N(items, @R, items[@R / 2].key);
  int order = compare@N(&items[0], &items[1]);
  region h;
  struct Link@N *list = NULL;
  for (int i = 0; i < @R; i++) {
    let copy = rnew(h) items[i];
    list = push@N(h, copy, list);
  }
  datatype Term@N @term = new Sum@N(new Leaf@N(seed), new Product@N(new Leaf@N(found), new Negated@N(new Leaf@N(@K))));
  return evaluate@N(term) + (int)total@N(list) + order;
}
'''


def main():
    wanted = int(sys.argv[1])
    r = random.Random(7)
    lines = MODULE.count('\n') + 1
    modules = max(1, wanted // lines)
    out = ['#include <stdio.h>']
    for number in range(modules):
        text = MODULE.replace('@N', str(number)).replace('@T', f'Item{number}')
        text = text.replace('@S', str(r.randrange(16, 64))).replace('@K', str(r.randrange(5, 200)))
        text = text.replace('@H', str(r.randrange(1, 10 ** 9))).replace('@R', str(r.randrange(4, 30)))
        out.append(text)
    calls = ' + '.join(f'run{number}({number})' for number in range(min(modules, 20)))
    out.append(f'int main() {{\n  printf("%d\\n", {calls});\n  return 0;\n}}')
    print('\n'.join(out))


if __name__ == '__main__':
    main()
