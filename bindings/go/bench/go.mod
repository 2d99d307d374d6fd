module tenure/stm/bench

go 1.24

require tenure/stm v0.0.0

require github.com/buger/jsonparser v1.1.1

replace tenure/stm => ../
