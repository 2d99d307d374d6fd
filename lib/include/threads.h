#error "<threads.h>: threads are not supported yet"
