#ifndef _CORE_H
#define _CORE_H

#include <stdbool.h>
#include <tn/core.h>

using Core;

#endif
