// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import java.util.SplittableRandom;
import tenure.stm.Clock;
import tenure.stm.Ref;
import tenure.stm.Region;
import tenure.stm.Reusable;

/**
 * The paper's program for Java, after the description of the Java Grande benchmark: the price of an asset is
 * simulated by random walks whose returns have the mean and the fluctuation of a series of historical prices. A
 * round makes a walk: the fluctuations, the path of prices, its rates and its returns, each an array of 1000, and
 * a result of three numbers, which is kept. The original's results also keep the walk, which is a leak.
 *
 * <p>The code is this project's; so is the historical series, a walk with a seed.
 */
final class MonteCarlo {
    static final int STEPS = 1000;
    private static final double PRICE = 100;
    private static final double MEAN;
    private static final double VOLATILITY;

    private MonteCarlo() {}

    static {
        double[] history = new double[STEPS];
        double[] returns = new double[STEPS];
        fluctuate(history, -1, 0.0004, 0.012);
        double[] prices = new double[STEPS];
        walk(prices, history);
        returns(returns, prices);
        MEAN = mean(returns);
        VOLATILITY = Math.sqrt(variance(returns, MEAN));
    }

    static void fluctuate(double[] fluctuations, int seed) {
        fluctuate(fluctuations, seed, MEAN, VOLATILITY);
    }

    private static void fluctuate(double[] fluctuations, int seed, double mean, double volatility) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < fluctuations.length; i++) {
            fluctuations[i] = mean + volatility * random.nextGaussian();
        }
    }

    static void walk(double[] prices, double[] fluctuations) {
        double price = PRICE;
        for (int i = 0; i < prices.length; i++) {
            prices[i] = price;
            price *= Math.exp(fluctuations[i]);
        }
    }

    static void rates(double[] rates, double[] prices) {
        for (int i = 1; i < rates.length; i++) {
            rates[i] = prices[i] / prices[i - 1];
        }
        rates[0] = 1;
    }

    static void returns(double[] returns, double[] prices) {
        for (int i = 1; i < returns.length; i++) {
            returns[i] = Math.log(prices[i] / prices[i - 1]);
        }
        returns[0] = 0;
    }

    static double mean(double[] values) {
        double sum = 0;
        for (double v : values) {
            sum += v;
        }
        return sum / values.length;
    }

    static double variance(double[] values, double mean) {
        double sum = 0;
        for (double v : values) {
            sum += (v - mean) * (v - mean);
        }
        return sum / (values.length - 1);
    }

    /** The results of all rounds, by columns, so that they take no memory of the rounds'; of more, the last ones. */
    abstract static class Results implements Program {
        private static final int KEPT = 60_000;
        private final double[] expectedReturns = new double[KEPT];
        private final double[] volatilities = new double[KEPT];
        private final double[] prices = new double[KEPT];
        private final Object[] walks = new Object[KEPT];

        /** All of a round but where the arrays are from. */
        final void simulate(int number, double[] f, double[] path, double[] rates, double[] returns, Object walk) {
            fluctuate(f, number);
            walk(path, f);
            rates(rates, path);
            returns(returns, path);
            double mean = mean(returns);
            int i = number % KEPT;
            expectedReturns[i] = mean;
            volatilities[i] = Math.sqrt(variance(returns, mean));
            prices[i] = path[path.length - 1] * rates[1];
            walks[i] = walk;
        }

        @Override
        public double checksum() {
            double sum = 0;
            for (int i = 0; i < KEPT; i++) {
                sum += expectedReturns[i] + volatilities[i] + prices[i];
            }
            return sum;
        }
    }

    /** By Java's new. */
    static final class Plain extends Results {
        private final boolean leaky;

        Plain(boolean leaky) {
            this.leaky = leaky;
        }

        @Override
        public void round(int number) {
            double[][] walk = {new double[STEPS], new double[STEPS], new double[STEPS], new double[STEPS]};
            simulate(number, walk[0], walk[1], walk[2], walk[3], leaky ? walk : null);
        }
    }

    /** Four short-term arrays a round; the result keeps references, which do not keep the arrays. */
    static final class Arrays extends Results {
        private final Clock clock = Clock.acquire();

        private record Walk(
                Ref<double[]> fluctuations, Ref<double[]> path, Ref<double[]> rates, Ref<double[]> returns) {}

        @Override
        public void round(int number) {
            Walk w = new Walk(
                    clock.doubles(STEPS, 0), clock.doubles(STEPS, 0), clock.doubles(STEPS, 0), clock.doubles(STEPS, 0));
            simulate(number, w.fluctuations.get(), w.path.get(), w.rates.get(), w.returns.get(), w);
            clock.tick();
        }

        @Override
        public void close() {
            clock.close();
        }
    }

    /** A region of walks, renewed each round: nothing is allocated. */
    static final class Regions extends Results {
        private static final class Walk implements Reusable {
            private final double[] fluctuations = new double[STEPS];
            private final double[] path = new double[STEPS];
            private final double[] rates = new double[STEPS];
            private final double[] returns = new double[STEPS];

            @Override
            public void reset() {} // a walk overwrites all of them
        }

        private final Clock clock = Clock.acquire();
        private final Region<Walk> region = clock.region(Walk::new, 0);

        @Override
        public void round(int number) {
            region.renew(0);
            Walk w = region.make();
            simulate(number, w.fluctuations, w.path, w.rates, w.returns, null);
            clock.tick();
        }

        @Override
        public void close() {
            clock.close();
        }
    }
}
