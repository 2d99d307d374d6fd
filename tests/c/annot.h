/* Annotations for programs that are C as well as the safe language: under a C compiler they vanish. */
#ifndef ANNOT_H
#define ANNOT_H

#ifdef __TENURE__
#define FAT(T) T ?      /* a pointer with bounds */
#define NN(T) T @       /* a pointer that is never NULL */
#define TAG(n) tag_t n  /* an int that bounds an array parameter */
#define FALLTHRU fallthru
#define HEAP `H          /* of the heap, and so are globals */
#define IN(r) `r         /* of one region, named r */
#else
#define FAT(T) T *
#define NN(T) T *
#define TAG(n) int n
#define FALLTHRU __attribute__((fallthrough))
#define HEAP
#define IN(r)
#endif

#endif
