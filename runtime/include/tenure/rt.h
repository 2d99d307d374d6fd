/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The one header that emitted C includes. Every name begins with tn_ or TN_.
 * Small on purpose: it brings in stddef.h and stdint.h and no other header of the system.
 */
#ifndef TENURE_RT_H
#define TENURE_RT_H

#include "tenure/arena.h"
#include "tenure/check.h"
#include "tenure/counted.h"
#include "tenure/dynamic.h"
#include "tenure/exception.h"
#include "tenure/heap.h"
#include "tenure/object.h"
#include "tenure/platform.h"
#include "tenure/signature.h"
#include "tenure/start.h"
#include "tenure/unique.h"
#include "tenure/value.h"

#endif
