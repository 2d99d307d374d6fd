#error "<stdatomic.h>: threads are not supported yet"
