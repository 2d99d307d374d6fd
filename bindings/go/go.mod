module tenure/stm

go 1.24
