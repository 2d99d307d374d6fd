// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import java.util.function.Consumer;
import tenure.stm.Clock;
import tenure.stm.Region;

/**
 * What a server does with arrays: a round copies 64 KiB, in buffers of 16, from one block after another of a
 * source, and mixes each into a block of samples.
 */
final class Buffers {
    static final int BYTES = 16 << 10;
    static final int SAMPLES = 2048;
    static final int BLOCKS = 4;
    static final byte[] SOURCE = new byte[1 << 20];

    private Buffers() {}

    static {
        new java.util.Random(18).nextBytes(SOURCE);
    }

    abstract static class Mixer implements Program {
        private double sum;

        final void mix(int block, byte[] buffer, double[] samples) {
            System.arraycopy(SOURCE, block * BYTES % SOURCE.length, buffer, 0, BYTES);
            for (int i = 0; i < SAMPLES; i++) {
                samples[i] = buffer[8 * i] * (1.0 / 128) + i;
            }
            sum += samples[block % SAMPLES];
        }

        @Override
        public double checksum() {
            return sum;
        }
    }

    static final class Plain extends Mixer {
        @Override
        public void round(int number) {
            for (int i = 0; i < BLOCKS; i++) {
                mix(number * BLOCKS + i & 0xffff, new byte[BYTES], new double[SAMPLES]);
            }
        }
    }

    static final class Arrays extends Mixer {
        private final Clock clock = Clock.acquire();

        @Override
        public void round(int number) {
            for (int i = 0; i < BLOCKS; i++) {
                mix(number * BLOCKS + i & 0xffff, clock.bytes(BYTES, 0).get(), clock.doubles(SAMPLES, 0).get());
            }
            clock.tick();
        }

        @Override
        public void close() {
            clock.close();
        }
    }

    /** Regions of arrays, which are not cleared, since all of each is overwritten. */
    static final class Regions extends Mixer {
        private static final Consumer<Object> AS_IT_IS = array -> {};
        private final Clock clock = Clock.acquire();
        private final Region<byte[]> buffers = clock.region(() -> new byte[BYTES], AS_IT_IS, 0);
        private final Region<double[]> samples = clock.region(() -> new double[SAMPLES], AS_IT_IS, 0);

        @Override
        public void round(int number) {
            buffers.renew(0);
            samples.renew(0);
            for (int i = 0; i < BLOCKS; i++) {
                mix(number * BLOCKS + i & 0xffff, buffers.make(), samples.make());
            }
            clock.tick();
        }

        @Override
        public void close() {
            clock.close();
        }
    }
}
