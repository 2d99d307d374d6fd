// SPDX-License-Identifier: MIT OR Apache-2.0

/** Short-term memory: objects that expire instead of being collected. */
module tenure.stm {
    requires static jdk.jfr;

    exports tenure.stm;
}
