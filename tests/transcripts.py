"""Transcripts as tests: runs the commands in ```console blocks and compares what they print.

A block holds lines "$ command", each followed by what it prints on standard output and standard error, and
"[n]" if its exit code n is not 0. A line "..." stands for any number of lines. Commands run in one fresh
folder a file, with the examples and tests/golden/inputs copied into it, and `entente` on the path.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def blocks(text):
    """Yields (begin, end) of the insides of ```console blocks."""
    for match in re.finditer(r"^```console\n(.*?)^```$", text, re.M | re.S):
        yield match.start(1), match.end(1)


def steps(block):
    """Splits a block into [command, expected output]."""
    out = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            out.append([line[2:].rstrip("\n"), ""])
        elif out and out[-1][0].endswith("\\") and line.startswith("> "):
            out[-1][0] = out[-1][0][:-1] + line[2:].rstrip("\n")
        elif out:
            out[-1][1] += line
        else:
            sys.exit("a console block must begin with a command")
    return out


def without_effort(text):
    """How hard a solver worked may change from version to version; what it found may not."""
    text = re.sub(r'"(iterations|nodes)": \d+', r'"\1": _', text)
    return re.sub(r"[\d,]+ (iteration|node)s?\b", r"_ \1s", text)


def matches(expected, actual):
    expected, actual = without_effort(expected), without_effort(actual)
    parts = re.split(r"^\.\.\.\n", expected, flags=re.M)
    pattern = "(?:.*\n)*?".join(re.escape(p) for p in parts)
    return re.fullmatch(pattern, actual) is not None


def run(command, folder, environment):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    text = done.stdout.decode("utf-8", "replace")
    if text and not text.endswith("\n"):
        text += "\n"
    return text + (f"[{done.returncode}]\n" if done.returncode else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary-dir", required=True)
    parser.add_argument("--source-dir", default=str(pathlib.Path(__file__).parent.parent))
    parser.add_argument("--update", action="store_true", help="write what the commands print into the files")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    source = pathlib.Path(args.source_dir)
    failures = count = 0
    for file in args.files:
        text = pathlib.Path(file).read_text()
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(source / "examples", folder + "/examples")
            shutil.copytree(source / "tests/golden/inputs", folder, dirs_exist_ok=True)
            os.makedirs(folder + "/build")
            os.symlink(os.path.abspath(args.binary_dir) + "/entente", folder + "/build/entente")
            environment = dict(os.environ, PATH=os.path.abspath(args.binary_dir) + ":" + os.environ["PATH"],
                               NO_COLOR="1", LC_ALL="C.UTF-8")
            pieces, last = [], 0
            for begin, end in blocks(text):
                fresh = ""
                for command, expected in steps(text[begin:end]):
                    actual = run(command, folder, environment)
                    count += 1
                    fresh += f"$ {command}\n" + (expected if matches(expected, actual) else actual)
                    if not args.update and not matches(expected, actual):
                        failures += 1
                        print(f"{file}: $ {command}\n--- expected\n{expected}--- got\n{actual}")
                pieces += [text[last:begin], fresh]
                last = end
            if args.update:
                pathlib.Path(file).write_text("".join(pieces) + text[last:])
    if count == 0:
        sys.exit("no commands found")
    print(f"{count} commands, {failures} failures")
    sys.exit(1 if failures else 0)


main()
