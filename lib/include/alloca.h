#error "<alloca.h> is not safe: open a region { region h; … } and use rmalloc(h, n)"
