#error "<dlfcn.h> is not safe: declare what the object holds in extern 'C' { … } and link it"
