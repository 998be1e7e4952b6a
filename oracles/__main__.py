"""python -m oracles check | write | list [file ...]: see README.md."""

import argparse
import importlib
import os
import sys
from pathlib import Path

from . import compare

ROOT = Path(__file__).resolve().parent.parent

# Reference file: the module that computes it.
FILES = {
    "crates/carom-portable/tests/data/powers.jsonl": "powers",
    "crates/carom-portable/tests/data/functions.jsonl": "functions",
    "crates/carom-law/tests/data/impact.json": "impact",
    "crates/carom-law/tests/data/maugis.json": "maugis",
    "crates/carom-law/tests/data/shear.json": "shear",
    "crates/carom-geometry/tests/data/pairs.jsonl": "pairs",
    "crates/carom-geometry/tests/data/ellipsoids.jsonl": "convex",
    "crates/carom-geometry/tests/data/supers.jsonl": "convex",
    "crates/carom-geometry/tests/data/convex.jsonl": "convex",
    "crates/carom-geometry/tests/data/hard.jsonl": "convex",
    "crates/carom-geometry/tests/data/rings.jsonl": "rings",
    "crates/carom-geometry/tests/data/common_normals.jsonl": "common_normals",
    "crates/carom-field/tests/data/simplex.json": "simplex",
    "crates/carom-field/tests/data/planar.json": "planar",
    "crates/carom-field/tests/data/near_surfaces.json": "near_surfaces",
    "crates/carom/tests/data/impact.json": "engine_impact",
    "crates/carom/tests/data/mechanisms.json": "mechanisms",
    "crates/carom/tests/data/dynamics.json": "dynamics",
    "crates/carom/tests/data/field.json": "field",
    "crates/carom/tests/data/torus.json": "torus",
    "crates/carom/tests/data/oblique.json": "oblique",
    "papers/short-range-fields/paper.toml": "short_range",
    "crates/carom-cli/tests/data/loads.json": "loads",
    "crates/carom-cli/tests/data/dominoes.json": "dominoes",
    "papers/sphere-algorithms/paper.toml": "corral",
    "papers/torus-plane/paper.toml": "wheel",
    "papers/quadric-superquadric/paper.toml": "lopes",
}


def chosen(names):
    """The files whose path contains one of the names; all if none is given."""
    found = [path for path in FILES if not names or any(name in path for name in names)]
    if not found:
        sys.exit(f"No reference file has one of {', '.join(names)} in its path; `python -m oracles list` shows them.")
    return found


def module_of(path):
    return importlib.import_module(f".{FILES[path]}", __package__)


def computing():
    """The processor's time so far, with that of processes that have ended [s]."""
    return sum(os.times()[:4])


def check(paths):
    """A line a file; returns whether all agree."""
    good = True
    for path in paths:
        start = computing()
        report = compare.compare(module_of(path), compare.load(ROOT / path))
        good &= report.good
        print(
            f"{'agrees ' if report.good else 'DIFFERS'} {path}: {report.compared} numbers, the largest difference "
            f"{report.worst:.2g} of its tolerance at {place_text(report.worst_at)}; {computing() - start:.0f} s of computing",
            flush=True,
        )
        for place, committed, value in report.wrong:
            print(f"    {place_text(place)}: {committed} in the file, {value} computed")
        for place in report.missing:
            print(f"    {place_text(place)}: not in the file")
    return good


def write(paths, into):
    """Writes the files with what was missing or wrong put in, there or into a folder."""
    for path in paths:
        module, source = module_of(path), ROOT / path
        way = compare.layout(source, module)
        if way is None:
            sys.exit(f"{path} cannot be written: its line breaks are not those of any layout in oracles/compare.py.")
        data = compare.load(source)
        changed = compare.renew(module, data)
        target = Path(into) / path if into else source
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(way(data))
        print(f"{target}: {len(changed)} numbers put in", flush=True)
        for place in changed:
            print(f"    {place_text(place)}: {compare.at(data, place)}")


def place_text(place):
    return "/".join(str(key) for key in place)


def main():
    parser = argparse.ArgumentParser(prog="python -m oracles", description="Independent programs for the reference data of the tests.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in [
        ("check", "compute the numbers anew and compare them with the files"),
        ("write", "put numbers that are missing or wrong into the files"),
        ("list", "show the files and the programs that compute them"),
    ]:
        command = commands.add_parser(name, help=text)
        command.add_argument("file", nargs="*", help="parts of paths of reference files (default: all)")
        if name == "write":
            command.add_argument("--into", help="write copies into this folder instead")
    options = parser.parse_args()
    paths = chosen(options.file)
    if options.command == "check":
        sys.exit(0 if check(paths) else 1)
    if options.command == "write":
        write(paths, options.into)
    else:
        for path in paths:
            print(f"{path}  oracles/{FILES[path]}.py")


if __name__ == "__main__":
    main()
