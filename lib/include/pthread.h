#error "<pthread.h>: threads are not supported yet"
