#!/usr/bin/env python3
"""Writes the tables of src/corpus/unicode_tables.h from Python's own copy of the Unicode database.

  /usr/bin/python3 tools/unicode_tables.py --check     # are those in the header the same? (Unicode 14: Debian 12)
  /usr/bin/python3 tools/unicode_tables.py             # the header, with new tables, to standard output
"""
import os
import re
import sys
import unicodedata

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "corpus", "unicode_tables.h")
LAST = 0x110000


def kind_of(code):
    """'L', 'D', 'P', 'S', '' (none of them), or None: not assigned, ranges run over it."""
    category = unicodedata.category(chr(code))
    if category == "Cn":
        return None
    return {"L": "L", "M": "L", "P": "P", "S": "S"}.get(category[0], "D" if category == "Nd" else "")


def class_ranges(kind):
    out = []
    for code in range(0x80, LAST):
        k = kind(code)
        if k is None:
            continue
        if k and out and out[-1][2] == k and out[-1][3]:
            out[-1][1] = code
        elif k:
            out.append([code, code, k, True])
        if not k and out:
            out[-1][3] = False
    return [(a, b, k) for a, b, k, _ in out]


def simple(code, mapped):
    """Its one-character mapping, or itself."""
    return ord(mapped) if len(mapped) == 1 else code


def case_ranges(convert):
    """(first, last, stride, delta), greedily."""
    out = []
    for code in range(0x80, LAST):
        to = simple(code, convert(chr(code)))
        if to == code:
            continue
        delta = to - code
        if out:
            first, last, stride, d = out[-1]
            step = code - last
            if d == delta and step <= 2 and (stride == 0 or step == stride):
                out[-1] = (first, code, step, d)
                continue
        out.append((code, code, 0, delta))
    return [(a, b, s or 1, d) for a, b, s, d in out]


def only_lower(code):
    c = chr(code)
    if unicodedata.category(c) == "Cn":
        return None
    if unicodedata.category(c) != "Ll":
        return ""
    return "L" if simple(code, c.upper()) == code else ""


def lines(entries):
    text, line = [], " "
    for e in entries:
        if len(line) + 1 + len(e) + 1 > 99:
            text.append(line)
            line = " "
        line += " " + e + ","
    return "\n".join(text + [line])


def tables():
    classes = lambda r: ["{0x%X,0x%X,'%s'}" % x for x in r]
    cases = lambda r: ["{0x%X,0x%X,%d,%d}" % x for x in r]
    return {
        "kClasses": classes(class_ranges(kind_of)),
        "kToLower": cases(case_ranges(str.lower)),
        "kToUpper": cases(case_ranges(str.upper)),
        "kOnlyLower": classes(class_ranges(only_lower)),
    }


def main():
    text = open(HEADER, encoding="utf-8").read()
    made = text
    for name, entries in tables().items():
        made = re.sub(r"(%s\[\] = \{\n).*?(\n\};)" % name, lambda m: m.group(1) + lines(entries) + m.group(2), made,
                      flags=re.S)
    if "--check" not in sys.argv:
        sys.stdout.write(made)
        return 0
    for name, entries in tables().items():
        there = re.findall(r"\{[^{}]*\}", re.search(r"%s\[\] = \{\n(.*?)\n\};" % name, text, re.S).group(1))
        if there != entries:
            odd = sorted(set(there) ^ set(entries))
            print("%s: %d here, %d made; differing: %s" % (name, len(there), len(entries), " ".join(odd[:12])))
            return 1
    print("the tables are those of Unicode " + unicodedata.unidata_version)
    return 0


if __name__ == "__main__":
    sys.exit(main())
