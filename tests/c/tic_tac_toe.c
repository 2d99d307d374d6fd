/* Games: tic-tac-toe played by minimax on a board of nine chars. */
#include <stdio.h>

static char board[9] = {' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '};
static long positions;

static char winner(void) {
    static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (int i = 0; i < 8; i++) {
        char c = board[lines[i][0]];
        if (c != ' ' && c == board[lines[i][1]] && c == board[lines[i][2]])
            return c;
    }
    return ' ';
}

static int best(char player, int *move) {
    char other = player == 'X' ? 'O' : 'X';
    int value = -2, ignored = 0;
    positions++;
    if (winner() == other)
        return -1;
    for (int i = 0; i < 9; i++) {
        if (board[i] != ' ')
            continue;
        board[i] = player;
        int v = -best(other, &ignored);
        board[i] = ' ';
        if (v > value) {
            value = v;
            *move = i;
        }
    }
    return value == -2 ? 0 : value;
}

int main(void) {
    char player = 'X';
    board[0] = 'X';
    board[4] = 'O';
    for (int turn = 2; turn < 9 && winner() == ' '; turn++) {
        int move = 0;
        int value = best(player, &move);
        board[move] = player;
        printf("%c to %d (%d)\n", player, move, value);
        player = player == 'X' ? 'O' : 'X';
    }
    for (int i = 0; i < 9; i++)
        printf("%c%s", board[i] == ' ' ? '.' : board[i], i % 3 == 2 ? "\n" : " ");
    printf("winner '%c', %ld positions\n", winner(), positions);
    return 0;
}
