// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/**
 * What has dates, and expires when all of them have passed: what {@link Clock#refresh} and
 * {@link Domain.Member#globalRefresh} take.
 */
public sealed interface Dated permits Ref, Region, Segments, ShortTerm {}
