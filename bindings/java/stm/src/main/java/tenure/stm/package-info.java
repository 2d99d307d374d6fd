// SPDX-License-Identifier: MIT OR Apache-2.0

/**
 * Short-term memory: objects that expire instead of being collected, for programs with a rhythm: a request, a
 * frame, a step of a simulation.
 *
 * <pre>{@code
 * try (Clock clock = Clock.acquire()) {
 *     for (Request request : requests) {
 *         Region<Node> tree = clock.region(Node::new, 0); // lives until the tick below
 *         answer(request, tree);
 *         clock.tick(); // all of it has expired, and its memory serves the next request
 *     }
 * }
 * }</pre>
 *
 * <p>An object is made with an extension: it lives until the clock has ticked so often, and once more.
 * {@link tenure.stm.Clock#refresh Refresh} gives it another date. Nothing is freed by hand, and the garbage
 * collector has next to nothing to do: objects that expired are used again.
 *
 * <h2>Which of them</h2>
 *
 * <p>Lead with {@linkplain tenure.stm.Region regions}, arrays ({@link tenure.stm.Clock#doubles doubles},
 * {@link tenure.stm.Clock#bytes bytes} and so on) and {@linkplain tenure.stm.Clock#segments foreign memory}. A
 * {@link tenure.stm.Pool} of small objects with dates of their own takes more time than a young generation does,
 * on most collectors; it is for pauses that must not be, and for objects that are dear to make. A
 * {@link tenure.stm.Domain} is a time that threads share, for objects that they share.
 *
 * <h2>Safety</h2>
 *
 * <p>A {@link tenure.stm.Ref} knows when its object has expired, always, and so do regions, and segments by
 * Java's own check at every access. What {@link tenure.stm.Ref#get}, {@link tenure.stm.Region#make} and
 * {@link tenure.stm.Pool#make} return is a reference of Java's: it is good until the object's dates have passed,
 * and refers to an object of the same class after that, which is not yours any more. Run with
 * {@code -Dstm.debug=oracle} to have such references found: {@link tenure.stm.Oracle}.
 *
 * <p>A clock and what is on it belong to one thread; others get an exception, and no race. A clock goes to
 * another thread by {@link tenure.stm.Clock#give} and {@link tenure.stm.Clock#take}.
 *
 * <p>The model is that of Aigner, Haas, Kirsch, Lippautz, Sokolova, Stroka and Unterweger, Short-term Memory for
 * Self-collecting Mutators, ISMM 2011.
 */
package tenure.stm;
