/* Graphs: the shortest way through a maze by breadth-first search. */
#include <stdio.h>

#define H 9
#define W 15

static char maze[H][W + 1] = {
    "###############", "#S    #   #   #", "# ### # # # # #", "#   # # # # # #", "### # # # # # #",
    "#   #   #   # #", "# ########### #", "#            E#", "###############",
};

static int came_from[H * W];
static int queue[H * W];

int main(void) {
    static const int dy[4] = {-1, 0, 1, 0}, dx[4] = {0, 1, 0, -1};
    int start = -1, goal = -1;
    for (int i = 0; i < H * W; i++) {
        came_from[i] = -1;
        if (maze[i / W][i % W] == 'S')
            start = i;
        if (maze[i / W][i % W] == 'E')
            goal = i;
    }
    int head = 0, tail = 0;
    queue[tail++] = start;
    came_from[start] = start;
    while (head < tail && came_from[goal] < 0) {
        int at = queue[head++];
        for (int d = 0; d < 4; d++) {
            int y = at / W + dy[d], x = at % W + dx[d];
            int to = y * W + x;
            if (maze[y][x] != '#' && came_from[to] < 0) {
                came_from[to] = at;
                queue[tail++] = to;
            }
        }
    }
    int steps = 0;
    for (int at = came_from[goal]; at != start; at = came_from[at]) {
        maze[at / W][at % W] = '.';
        steps++;
    }
    for (int y = 0; y < H; y++)
        printf("%.15s\n", maze[y]);
    printf("%d steps, %d cells seen\n", steps + 1, tail);
    return 0;
}
