#error "<tgmath.h> is not supported: use the functions of <math.h> by their own names"
