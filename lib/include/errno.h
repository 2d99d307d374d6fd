#ifndef _ERRNO_H
#define _ERRNO_H

#include <tn/features.h>
#include <linux/errno.h>
#include <tn/link.h>

#define ENOTSUP EOPNOTSUPP

extern "C" {
  int @tn_errno_location(void) TN_LINK(__errno_location);
}
#define errno (*tn_errno_location())

#endif
