#error "<sys/mman.h> is not safe: read the file into a region with rfile_contents of <stdio.h>"
