// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A chart of lines, as SVG. With logarithmic counts the x axis counts doublings from 4. */
final class Chart {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int BOTTOM = 50;
    private static final int TOP = 40;
    private static final int RIGHT = 180;
    private static final String[] COLOURS = {"#c0392b", "#e67e22", "#8e44ad", "#7f8c8d", "#27ae60", "#2980b9"};

    private record Line(String name, double[] x, double[] y) {}

    private final String title;
    private final String xName;
    private final String yName;
    private final boolean histogram;
    private final List<Line> lines = new ArrayList<>();

    Chart(String title, String xName, String yName, boolean histogram) {
        this.title = title;
        this.xName = xName;
        this.yName = yName;
        this.histogram = histogram;
    }

    void line(String name, double[] x, double[] y) {
        lines.add(new Line(name, x, y));
    }

    private double scaled(double y) {
        return histogram ? Math.log10(Math.max(y, 0.5)) : y;
    }

    @Override
    public String toString() {
        double xMost = lines.stream().mapToDouble(l -> l.x[l.x.length - 1]).max().orElse(1);
        double yMost = lines.stream().flatMapToDouble(l -> java.util.Arrays.stream(l.y)).max().orElse(1);
        double low = histogram ? scaled(0.5) : 0;
        double xScale = (WIDTH - LEFT - RIGHT) / xMost;
        double yScale = (HEIGHT - TOP - BOTTOM) / (scaled(yMost) - low);
        StringBuilder s = new StringBuilder(String.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH, HEIGHT));
        text(s, LEFT, 22, "start", title);
        text(s, (WIDTH - RIGHT + LEFT) / 2.0, HEIGHT - 12, "middle", xName);
        text(s, LEFT, TOP - 6, "end", yName);
        for (int i = 0; i <= 4; i++) {
            double x = histogram ? 4 * i : xMost * i / 4;
            if (x > xMost) {
                break;
            }
            text(s, LEFT + x * xScale, HEIGHT - BOTTOM + 18, "middle",
                    histogram ? String.format("%.0f", 4 * Math.pow(2, x)) : String.format("%.0f", x));
        }
        double step = histogram ? 1 : yMost / 4;
        for (double y = 0; y <= scaled(yMost) + 1e-9; y += step) {
            double at = HEIGHT - BOTTOM - (y - low) * yScale;
            s.append(String.format(Locale.ROOT, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>%n", LEFT, at, WIDTH - RIGHT));
            text(s, LEFT - 6, at + 4, "end", String.format("%.0f", histogram ? Math.pow(10, y) : y));
        }
        for (int i = 0; i < lines.size(); i++) {
            draw(s, lines.get(i), i, xScale, yScale, low);
        }
        return s.append("</svg>\n").toString();
    }

    private void draw(StringBuilder s, Line l, int number, double xScale, double yScale, double low) {
        String colour = COLOURS[number % COLOURS.length];
        s.append("<polyline fill=\"none\" stroke-width=\"1.2\" stroke=\"").append(colour).append("\" points=\"");
        for (int i = 0; i < l.x.length; i++) {
            s.append(String.format(
                    Locale.ROOT, "%.1f,%.1f ", LEFT + l.x[i] * xScale,
                    HEIGHT - BOTTOM - (scaled(l.y[i]) - low) * yScale));
        }
        s.append("\"/>\n");
        int y = TOP + 20 * number;
        s.append(String.format(
                "<path d=\"M%d %dh20\" stroke=\"%s\" stroke-width=\"3\"/>%n", WIDTH - RIGHT + 15, y, colour));
        text(s, WIDTH - RIGHT + 42, y + 4, "start", l.name);
    }

    private static void text(StringBuilder s, double x, double y, String anchor, String text) {
        s.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text));
    }
}
