# SPDX-License-Identifier: Apache-2.0
"""Finds definitions in C++ by name, wherever they live.

Planted bugs are keyed by the function that they change. A function keeps its name when its file
moves or is split, so the list of bugs survives both.
"""
import glob
import os
import re
from collections import namedtuple

# The text of one definition is source[begin:end] of the file.
Definition = namedtuple("Definition", "file begin end")

CLOSING = {"(": ")", "{": "}", "[": "]"}
# Comments, raw strings, strings, characters (not the digit separators of 1'000).
UNREAD = re.compile(r"//[^\n]*|/\*.*?\*/|R\"(?P<d>[^(\s]*)\(.*?\)(?P=d)\""
                    r"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'", re.DOTALL)
# What may stand between a function's parameters and its body, or its members' initial values.
SPECIFIERS = re.compile(r"\s*(?:(?:const|noexcept|override|final)\b\s*|->\s*[\w:<>,&*\s]+?(?=\{))*")


def blanked(source):
    """The source with blanks for what is no code, character by character."""
    return UNREAD.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), source)


def closed(code, opening):
    """The place after the bracket that closes the one at `opening`; -1 where none does."""
    open_brackets = []
    for place in range(opening, len(code)):
        if code[place] in CLOSING:
            open_brackets.append(CLOSING[code[place]])
        elif code[place] in ")}]":
            if open_brackets.pop() != code[place]:
                return -1
            if not open_brackets:
                return place + 1
    return -1


def end_of_function(code, parameters):
    """The end of the function whose parameters open at `parameters`; -1 if it is no definition."""
    place = closed(code, parameters)
    if place < 0:
        return -1
    place = SPECIFIERS.match(code, place).end()
    while code[place:place + 1] in (":", ","):  # members' initial values
        member = re.compile(r"[:,]\s*\w+\s*(?=[({])").match(code, place)
        if not member:
            return -1
        place = closed(code, member.end())
        place += len(code[place:]) - len(code[place:].lstrip())
    return closed(code, place) if code[place:place + 1] == "{" else -1


def end_of_constant(code, place):
    """The end of `name = value;`, `name[] = {...};` or `name{...};` after its name; -1 if none."""
    value = re.compile(r"\s*(?:\[[^\]]*\])?\s*(?:=(?!=)|(?=\{))").match(code, place)
    if not value:
        return -1
    place = value.end()
    while place < len(code) and code[place] != ";":
        if code[place] in CLOSING:
            place = closed(code, place)
            if place < 0:
                return -1
        elif code[place] in ")}],":
            return -1
        else:
            place += 1
    return place


def definitions_in(source, name):
    """(begin, end) of every definition of a function or constant of this name, overloads too."""
    code = blanked(source)
    found = []
    for match in re.finditer(r"(?<![\w.>])" + re.escape(name) + r"\b", code):
        opening = re.compile(r"\s*\(").match(code, match.end())
        end = end_of_function(code, opening.end() - 1) if opening else \
            end_of_constant(code, match.end()) if name.startswith("k") else -1
        if end >= 0:
            found.append((match.start(), end))
    return found


def find(root, folders, name):
    """Every definition of the name below the folders, in the order of the files' names."""
    found = []
    for folder in folders:
        for extension in ("cc", "h"):
            pattern = os.path.join(root, folder, "**", "*." + extension)
            for path in sorted(glob.glob(pattern, recursive=True)):
                with open(path, encoding="utf-8") as file:
                    source = file.read()
                if name in source:
                    found += [Definition(os.path.relpath(path, root), begin, end)
                              for begin, end in definitions_in(source, name)]
    return found
