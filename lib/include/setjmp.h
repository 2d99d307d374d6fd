#error "<setjmp.h> is not safe: use try { … } catch { … } and throw"
