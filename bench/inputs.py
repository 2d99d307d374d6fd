"""The runs of programs/runs.txt, and their inputs."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


class Inputs:
    """Makes each input once."""

    def __init__(self, folder, binaries, small):
        self.folder, self.binaries, self.small, self.made = folder, binaries, small, {}

    def path(self, spec):
        if spec == '-':
            return os.devnull
        if not spec.startswith('@'):
            return os.path.join(ROOT, spec)
        if spec not in self.made:
            target = os.path.join(self.folder, f'input{len(self.made)}')
            maker, _, rest = spec[1:].partition(':')
            with open(target, 'wb') as out:
                if maker == 'pack':
                    program, arguments, source = rest.split(':', 2)
                    with open(self.path(source), 'rb') as text:
                        subprocess.run([self.binaries[program, 'c'], *arguments.split()], stdin=text, stdout=out, check=True)
                elif maker == 'repeat':
                    times, source = rest.split(':', 1)
                    with open(os.path.join(ROOT, source), 'rb') as text:
                        out.write(text.read() * int(*self.scaled(maker, times)))
                else:
                    subprocess.run([self.maker(), maker, *self.scaled(maker, rest)], stdout=out, check=True)
            self.made[spec] = target
        return self.made[spec]

    def maker(self):
        """The program that makes inputs, by the C compiler."""
        program = os.path.join(self.folder, 'inputs')
        if not os.path.exists(program):
            source = os.path.join(ROOT, 'examples', 'inputs', 'inputs.c')
            subprocess.run(['cc', '-O2', '-o', program, source, '-lm'], check=True)
        return program

    def scaled(self, maker, arguments):
        parts = arguments.split()
        if self.small and maker in ('text', 'json', 'csv', 'repeat'):
            parts[0] = str(max(1, int(parts[0]) // 10))
        return parts


def read_runs(only):
    runs = []
    with open(os.path.join(HERE, 'programs', 'runs.txt')) as lines:
        for line in lines:
            if line.strip() and not line.startswith('#'):
                name, program, stdin, arguments = line.rstrip('\n').split('|')
                if not only or name in only or program in only:
                    runs.append((name, program, stdin, arguments))
    return runs
