#error "<ucontext.h> is not safe: use try { … } catch { … } and throw"
