/* Graphs: Dijkstra and Floyd-Warshall on one adjacency matrix must agree. */
#include <stdbool.h>
#include <stdio.h>

#define N 8
#define FAR 1000000

static int edge[N][N];
static int dist[N][N];

static void dijkstra(int from, int best[N]) {
    bool done[N] = {false};
    for (int i = 0; i < N; i++)
        best[i] = FAR;
    best[from] = 0;
    for (int round = 0; round < N; round++) {
        int at = -1;
        for (int i = 0; i < N; i++)
            if (!done[i] && (at < 0 || best[i] < best[at]))
                at = i;
        done[at] = true;
        for (int to = 0; to < N; to++)
            if (edge[at][to] < FAR && best[at] + edge[at][to] < best[to])
                best[to] = best[at] + edge[at][to];
    }
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            edge[i][j] = i == j ? 0 : (i * 7 + j * 3) % 5 == 0 ? (i * j) % 9 + 1 : FAR;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            dist[i][j] = edge[i][j];
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (dist[i][k] + dist[k][j] < dist[i][j])
                    dist[i][j] = dist[i][k] + dist[k][j];
    int disagree = 0;
    for (int i = 0; i < N; i++) {
        int best[N];
        dijkstra(i, best);
        for (int j = 0; j < N; j++) {
            if (best[j] >= FAR)
                printf("  .");
            else
                printf("%3d", best[j]);
            disagree += best[j] < FAR && best[j] != dist[i][j];
        }
        printf("\n");
    }
    printf("%d differences\n", disagree);
    return 0;
}
