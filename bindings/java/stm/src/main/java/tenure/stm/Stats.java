// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/**
 * What {@link Clock#stats} counts. A region, an array and an allocator of segments count as one object each.
 *
 * @param now the clock's time
 * @param ticks since the clock's memory was made: a clock from {@link Clock#acquire} may have that of others
 * @param allocated objects, since then
 * @param collected objects deallocated, since then
 * @param live objects that have not expired by the clock's time
 * @param expired objects that have, and are not deallocated yet
 * @param free places for objects that the clock keeps
 */
public record Stats(long now, long ticks, long allocated, long collected, int live, int expired, int free) {}
