#ifndef _SYS_FILE_H
#define _SYS_FILE_H

#include <fcntl.h>

#endif
