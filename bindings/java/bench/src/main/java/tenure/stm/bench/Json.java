// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import tenure.stm.Clock;
import tenure.stm.Pool;
import tenure.stm.Ref;
import tenure.stm.Region;
import tenure.stm.Reusable;
import tenure.stm.ShortTerm;

/**
 * The tree of a JSON document, a round: the parser is jackson-core's, as it is, and what is made of its events is
 * a tree, which is then walked. A round is a request; its tree is dead when it is answered.
 */
final class Json implements Program {
    private static final List<byte[]> DOCUMENTS = Documents.make(200);
    private final JsonFactory factory =
            JsonFactory.builder().enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER).build();
    private final Tree<?> tree;
    private double sum;

    Json(Tree<?> tree) {
        this.tree = tree;
    }

    @Override
    public void round(int number) {
        try (JsonParser parser = factory.createParser(DOCUMENTS.get(number % DOCUMENTS.size()))) {
            sum += tree.answer(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tree.tick();
    }

    @Override
    public double checksum() {
        return sum;
    }

    @Override
    public void close() {
        tree.close();
    }

    /** How trees are made, and walked. The kinds of nodes are the tokens that begin them. */
    abstract static class Tree<N> {
        /** A node, the next of its parent. */
        abstract N add(N parent, JsonToken kind, String name);

        abstract void number(N node, double value);

        abstract void text(N node, JsonParser parser) throws IOException;

        abstract double sum(N node);

        N root() {
            return null;
        }

        void begin() {}

        void tick() {}

        void close() {}

        final double answer(JsonParser parser) throws IOException {
            begin();
            parser.nextToken();
            N root = add(root(), parser.currentToken(), null);
            fill(root, parser);
            return sum(root);
        }

        private void fill(N node, JsonParser parser) throws IOException {
            switch (parser.currentToken()) {
                case START_OBJECT -> {
                    while (parser.nextToken() != JsonToken.END_OBJECT) {
                        String name = parser.currentName();
                        fill(add(node, parser.nextToken(), name), parser);
                    }
                }
                case START_ARRAY -> {
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        fill(add(node, parser.currentToken(), null), parser);
                    }
                }
                case VALUE_STRING -> text(node, parser);
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(node, parser.getDoubleValue());
                default -> {}
            }
        }
    }

    /** Nodes and Strings by Java's new. */
    static final class PlainTree extends Tree<PlainTree.Node> {
        static final class Node {
            JsonToken kind;
            String name;
            String text;
            double number;
            Node first;
            Node last;
            Node next;
        }

        @Override
        Node add(Node parent, JsonToken kind, String name) {
            Node n = new Node();
            n.kind = kind;
            n.name = name;
            if (parent != null) {
                if (parent.last == null) {
                    parent.first = n;
                } else {
                    parent.last.next = n;
                }
                parent.last = n;
            }
            return n;
        }

        @Override
        void number(Node n, double value) {
            n.number = value;
        }

        @Override
        void text(Node n, JsonParser parser) throws IOException {
            n.text = parser.getText();
        }

        @Override
        double sum(Node n) {
            double s = n.number + (n.text != null ? n.text.length() : 0);
            for (Node child = n.first; child != null; child = child.next) {
                s += sum(child);
            }
            return s;
        }
    }

    /** The letters of all texts of a document, in short-term arrays. */
    private static final class Letters {
        private static final int CHUNK = 8192;
        private final Clock clock;
        private Ref<char[]> chunk;
        private int used;

        Letters(Clock clock) {
            this.clock = clock;
        }

        void begin() {
            chunk = null;
        }

        /** Copies them; returns where they begin in {@link #chunk}. */
        int add(char[] from, int offset, int length) {
            if (chunk == null || used + length > chunk.get().length) {
                chunk = clock.chars(Math.max(CHUNK, length), 0);
                used = 0;
            }
            System.arraycopy(from, offset, chunk.get(), used, length);
            used += length;
            return used - length;
        }
    }

    /** A region of nodes a document. */
    static final class RegionTree extends Tree<RegionTree.Node> {
        static final class Node implements Reusable {
            JsonToken kind;
            String name;
            Ref<char[]> text;
            int from;
            int length;
            double number;
            Node first;
            Node last;
            Node next;

            @Override
            public void reset() {
                kind = null;
                name = null;
                text = null;
                from = 0;
                length = 0;
                number = 0;
                first = null;
                last = null;
                next = null;
            }
        }

        private final Clock clock = Clock.acquire();
        private final Region<Node> region = clock.region(Node::new, 0);
        private final Letters letters = new Letters(clock);

        @Override
        void begin() {
            region.renew(0);
            letters.begin();
        }

        @Override
        Node add(Node parent, JsonToken kind, String name) {
            Node n = region.make();
            n.kind = kind;
            n.name = name;
            if (parent != null) {
                if (parent.last == null) {
                    parent.first = n;
                } else {
                    parent.last.next = n;
                }
                parent.last = n;
            }
            return n;
        }

        @Override
        void number(Node n, double value) {
            n.number = value;
        }

        @Override
        void text(Node n, JsonParser parser) throws IOException {
            n.length = parser.getTextLength();
            n.from = letters.add(parser.getTextCharacters(), parser.getTextOffset(), n.length);
            n.text = letters.chunk;
        }

        @Override
        double sum(Node n) {
            double s = n.number + n.length;
            for (Node child = n.first; child != null; child = child.next) {
                s += sum(child);
            }
            return s;
        }

        @Override
        void tick() {
            clock.tick();
        }

        @Override
        void close() {
            clock.close();
        }
    }

    /** Nodes with dates of their own, and references that are checked. */
    static final class PoolTree extends Tree<Ref<PoolTree.Node>> {
        static final class Node extends ShortTerm {
            JsonToken kind;
            String name;
            Ref<char[]> text;
            int from;
            int length;
            double number;
            Ref<Node> first;
            Ref<Node> last;
            Ref<Node> next;

            @Override
            public void reset() {
                kind = null;
                name = null;
                text = null;
                from = 0;
                length = 0;
                number = 0;
                first = null;
                last = null;
                next = null;
            }
        }

        private final Clock clock = Clock.acquire();
        private final Pool<Node> pool = clock.pool(Node::new);
        private final Letters letters = new Letters(clock);

        @Override
        void begin() {
            letters.begin();
        }

        @Override
        Ref<Node> add(Ref<Node> parent, JsonToken kind, String name) {
            Ref<Node> r = pool.makeRef(0);
            Node n = r.get();
            n.kind = kind;
            n.name = name;
            if (parent != null) {
                Node p = parent.get();
                if (p.last == null) {
                    p.first = r;
                } else {
                    p.last.get().next = r;
                }
                p.last = r;
            }
            return r;
        }

        @Override
        void number(Ref<Node> n, double value) {
            n.get().number = value;
        }

        @Override
        void text(Ref<Node> r, JsonParser parser) throws IOException {
            Node n = r.get();
            n.length = parser.getTextLength();
            n.from = letters.add(parser.getTextCharacters(), parser.getTextOffset(), n.length);
            n.text = letters.chunk;
        }

        @Override
        double sum(Ref<Node> r) {
            Node n = r.get();
            double s = n.number + n.length;
            for (Ref<Node> child = n.first; child != null; child = child.get().next) {
                s += sum(child);
            }
            return s;
        }

        @Override
        void tick() {
            clock.tick();
        }

        @Override
        void close() {
            clock.close();
        }
    }
}
