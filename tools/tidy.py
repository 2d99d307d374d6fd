#!/usr/bin/env python3
"""Checks of form that no compiler makes, over the files that git knows.

    tools/tidy.py           what does not hold, one line each; status 1 if there is any
    tools/tidy.py --wrap    wraps comments and prose that are too wide

What is checked stands in tools/tidy.toml: lines of a file and of a function, columns of comments and prose, which folder of
the runtime may include which, and what is known not to hold yet. A known debt that is paid must be taken out of that list.
"""

import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = tomllib.loads((ROOT / "tools/tidy.toml").read_text())

LINE_COMMENT = {".rs": "//", ".c": "//", ".h": "//", ".go": "//", ".java": "//", ".cyc": "//", ".py": "#", ".sh": "#"}
SOURCE = (".rs", ".c", ".h", ".cyc", ".go", ".java", ".py")
# Lines of a paragraph that stand for themselves.
ALONE = re.compile(r"\s*(\||```|#|<|!\[|\[[^]]+\]:|$)")
ITEM = re.compile(r"(\s*)([-*+]|\d+\.)\s+")


def tracked():
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in names.decode().split("\0"):
        path = ROOT / name
        if name and path.is_file() and not path.is_symlink():
            try:
                yield name, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def exempt(rule, name):
    return any(name == known or name.startswith(known.rstrip("*")) and known.endswith("*") for known in RULES[rule].get("except", []))


def prose_paragraphs(text):
    """Pieces of Markdown (first line, past the last line) that may be wrapped, in order."""
    lines = text.split("\n")
    fenced, start = False, None
    for number, line in enumerate([*lines, ""]):
        fence = line.lstrip().startswith("```")
        stops = fence or fenced or ALONE.match(line) or ITEM.match(line)
        if stops and start is not None:
            yield start, number
            start = None
        if fence:
            fenced = not fenced
        elif not fenced and not ALONE.match(line) and start is None:
            start = number


def comment_paragraphs(text, mark):
    """Runs of whole-line comments with one indentation and no line that stands for itself."""
    pattern = re.compile(rf"(\s*)({re.escape(mark)}[/!]?)( ?)(.*)")
    lines, start, prefix, fenced, hang = text.split("\n"), None, None, False, ""
    for number, line in enumerate([*lines, ""]):
        match = pattern.fullmatch(line)
        found = match.group(1) + match.group(2) if match else None
        body = match.group(4) if match else ""
        if body.lstrip().startswith("```"):
            fenced = not fenced
        elif not match:
            fenced = False
        item = ITEM.match(body)
        indent = body[: len(body) - len(body.lstrip())]
        plain = match and body.strip() and not fenced and not ALONE.match(body)
        # What is indented goes on with an item, or is a drawing.
        goes_on = plain and found == prefix and indent == hang and not item
        if start is not None and not goes_on:
            yield start, number
            start = None
        if plain and start is None and (item or not indent):
            start, prefix, hang = number, found, " " * item.end() if item else ""


def block_comments(text):
    """C's comments that have their lines for themselves."""
    lines, start = text.split("\n"), None
    for number, line in enumerate(lines):
        if start is None and re.match(r"\s*/\*+ ", line):
            start = number
        if start is not None and "*/" in line:
            if line.rstrip().endswith("*/") and line.count("*/") == 1:
                yield start, number + 1
            start = None


def wrapped_block(lines):
    """A whole block comment: its paragraphs that are too wide, the others as they are."""
    width = RULES["columns"]["most"]
    indent, opening = re.match(r"(\s*)(/\*+) ", lines[0]).groups()
    bodies = [lines[0][len(indent) + len(opening) + 1:]]
    bodies += [re.sub(r"^\s*\* ?", "", line) if not re.match(r"\s*\*/", line) else "*/" for line in lines[1:]]
    alone = bodies[-1] == "*/"
    bodies[-1] = bodies[-1].rstrip().removesuffix("*/").rstrip()
    if alone:
        bodies.pop()
    pieces, room = [], width - len(indent) - 3
    for body in bodies:
        plain = body.strip() and not ALONE.match(body)
        hang = len(body) - len(body.lstrip())
        goes_on = plain and pieces and pieces[-1][0] is not None and hang == pieces[-1][0] and not ITEM.match(body)
        if goes_on:
            pieces[-1][1].append(body)
        else:
            item = ITEM.match(body)
            pieces.append((item.end() if item else 0 if plain and not hang else None, [body]))
    done = []
    for at, (hang, piece) in enumerate(pieces):
        last = at == len(pieces) - 1 and not alone
        if hang is None or max(map(len, piece)) <= room - 3 * last:
            done += piece
            continue
        words = re.sub(r"`[^`]{1,60}`", lambda code: code.group().replace(" ", "\0"), " ".join(line.strip() for line in piece))
        if last:
            words += "\0*/"
        filled = textwrap.wrap(words, room, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False)
        done += [line.replace("\0", " ") for line in filled]
    if not alone and not done[-1].endswith("*/"):
        done[-1] += " */"
    first, *rest = done
    ends = [indent + " */"] if alone else []
    return [f"{indent}{opening} {first}"] + [f"{indent} * {line}".rstrip() for line in rest] + ends


def paragraphs(name, text):
    suffix = Path(name).suffix
    if suffix == ".md":
        return list(prose_paragraphs(text))
    if suffix in LINE_COMMENT:
        blocks = block_comments(text) if suffix in (".c", ".h", ".cyc") else []
        return [*comment_paragraphs(text, LINE_COMMENT[suffix]), *blocks]
    return []


def too_wide(name, text):
    lines = text.split("\n")
    for start, end in paragraphs(name, text):
        for number in range(start, end):
            # A line of one word, as an address is, cannot be wrapped.
            if len(lines[number]) > RULES["columns"]["most"] and " " in lines[number].strip().lstrip("/#!-* ").removesuffix(" */"):
                yield number + 1, start, end


def wrapped(name, lines):
    """One paragraph within the columns. What is between backquotes stays whole where it is short."""
    width = RULES["columns"]["most"]
    if re.match(r"\s*/\*", lines[0]) and not name.endswith(".md"):
        return wrapped_block(lines)
    if name.endswith(".md"):
        item = ITEM.match(lines[0])
        indent = re.match(r"\s*", lines[0]).group()
        rest = " " * item.end() if item else indent
        words = " ".join(line.strip() for line in lines)
        first = indent
    else:
        mark = LINE_COMMENT[Path(name).suffix]
        match = re.match(rf"(\s*{re.escape(mark)}[/!]?) ?", lines[0])
        bodies = [line[len(match.group(1)):].strip() for line in lines]
        item = ITEM.match(bodies[0])
        first = match.group(1) + " "
        rest = first + (" " * item.end() if item else "")
        words = " ".join(bodies)
    kept = re.sub(r"`[^`]{1,60}`|``[^`].{1,60}?``", lambda code: code.group().replace(" ", "\0"), words)
    done = textwrap.wrap(kept, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in done]


def wrap_all():
    for name, text in tracked():
        if exempt("columns", name):
            continue
        while True:
            lines = text.split("\n")
            wide = next((found for found in too_wide(name, text) if wrapped(name, lines[found[1]:found[2]]) != lines[found[1]:found[2]]), None)
            if wide is None:
                break
            _, start, end = wide
            lines[start:end] = wrapped(name, lines[start:end])
            text = "\n".join(lines)
        if text != (ROOT / name).read_text(encoding="utf-8"):
            (ROOT / name).write_text(text, encoding="utf-8")
            print(f"wrapped {name}")


def long_functions(name, text):
    """By their layout, which rustfmt, gofmt and clang-format keep: a head, and a brace that closes in the head's own column."""
    if name.endswith(".rs"):
        head = re.compile(r"(\s*)(?:pub(?:\([^)]*\))? )?(?:const )?(?:unsafe )?(?:extern \"C\" )?fn (\w+)")
    elif name.endswith(".go"):
        head = re.compile(r"()func (?:\([^)]*\) )?(\w+)")
    elif name.endswith((".c", ".h", ".cyc")):
        head = re.compile(r"()(?!struct|union|enum|static const|typedef|extern|namespace|datatype|@|#|/|\s)[\w`].*?(\w+)\(")
    else:
        return
    lines, number = text.split("\n"), 0
    while number < len(lines):
        match = head.match(lines[number])
        number += 1
        if not match:
            continue
        begin = number - 1
        opened = begin
        while opened < min(begin + 14, len(lines)) and not lines[opened].rstrip().endswith(("{", ";", "}")):
            opened += 1
        if opened >= len(lines) or not lines[opened].rstrip().endswith("{"):
            continue
        end = next((at for at in range(opened + 1, len(lines)) if lines[at].startswith(match.group(1) + "}")), opened)
        if end - begin + 1 > RULES["functions"]["most"]:
            yield begin + 1, match.group(2), end - begin + 1
        if match.group(1) == "":
            number = end + 1 if not name.endswith(".rs") else number


def includes_upward():
    """Folders of the runtime include what stands below them; what is not named in the data may not be included."""
    layers = RULES["runtime"]["layers"]
    for name, text in tracked():
        parts = name.split("/")
        if parts[0] != "runtime" or len(parts) < 3 or parts[1] not in layers or "tests" in parts or "examples" in parts:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            match = re.match(r'\s*#\s*include "(?:\.\./)?([\w]+)/[\w/.]+"', line)
            if match and match.group(1) in layers and match.group(1) not in [parts[1], *layers[parts[1]]]:
                yield f"{name}:{number}: {parts[1]} includes {match.group(1)}, which is not below it"


def main():
    if sys.argv[1:] == ["--wrap"]:
        wrap_all()
        return 0
    problems, paid = [], {(rule, known) for rule in ("lines", "columns", "functions") for known in RULES[rule].get("except", [])}

    def report(rule, name, text):
        if exempt(rule, name):
            paid.discard((rule, name))
            paid.difference_update({(r, k) for r, k in paid if r == rule and k.endswith("*") and name.startswith(k.rstrip("*"))})
        else:
            problems.append(text)

    for name, text in tracked():
        count = text.count("\n")
        if name.endswith(SOURCE) and count > RULES["lines"]["most"]:
            report("lines", name, f"{name}: {count} lines, at most {RULES['lines']['most']}")
        for number, _, _ in too_wide(name, text):
            report("columns", name, f"{name}:{number}: a comment or prose beyond column {RULES['columns']['most']}")
        for number, function, length in long_functions(name, text):
            report("functions", name, f"{name}:{number}: {function} has {length} lines, at most {RULES['functions']['most']}")
    problems += includes_upward()
    problems += [f"tools/tidy.toml: {known} keeps the rule of {rule} now: take it out" for rule, known in sorted(paid)]
    print("\n".join(problems))
    print(f"tidy: {0 if problems else 1} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
