/* A simulation: bank accounts in an array of structs, commands from standard input. */
#include <stdio.h>
#include <string.h>

#define MAX 8

struct Account {
    char owner[16];
    long balance;
    int moves;
};

static struct Account accounts[MAX];
static int count;

static struct Account *find(const char name[16]) {
    for (int i = 0; i < count; i++)
        if (strcmp(accounts[i].owner, name) == 0)
            return &accounts[i];
    return NULL;
}

static int open_account(const char name[16]) {
    if (find(name) != NULL || count == MAX)
        return 0;
    strcpy(accounts[count++].owner, name);
    return 1;
}

static int transfer(struct Account *from, struct Account *to, long amount) {
    if (from == NULL || to == NULL || amount <= 0 || from->balance < amount)
        return 0;
    from->balance -= amount;
    to->balance += amount;
    from->moves++;
    to->moves++;
    return 1;
}

int main(void) {
    char line[80], command[16], a[16], b[16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        long amount = 0;
        int done = 0;
        if (sscanf(line, "%15s", command) != 1)
            continue;
        if (strcmp(command, "open") == 0 && sscanf(line, "%*s %15s", a) == 1) {
            done = open_account(a);
        } else if (strcmp(command, "pay") == 0 && sscanf(line, "%*s %15s %ld", a, &amount) == 2) {
            struct Account *account = find(a);
            if (account != NULL) {
                account->balance += amount;
                account->moves++;
                done = 1;
            }
        } else if (strcmp(command, "move") == 0 && sscanf(line, "%*s %15s %15s %ld", a, b, &amount) == 3) {
            done = transfer(find(a), find(b), amount);
        }
        printf("%s: %s\n", command, done ? "done" : "refused");
    }
    for (int i = 0; i < count; i++)
        printf("%-8s %6ld %d\n", accounts[i].owner, accounts[i].balance, accounts[i].moves);
    return 0;
}
