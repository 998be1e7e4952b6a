"""Reference files: reading them, comparing their numbers with computed ones, putting computed ones in."""

import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path


def load(path):
    """The content of a `.json` or `.toml` file, or the list of the lines of a `.jsonl` file."""
    text = Path(path).read_text()
    if str(path).endswith(".toml"):
        return tomllib.loads(text)
    if str(path).endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    return json.loads(text)


def layout(path, module):
    """The function that makes the file's text of its content, with the line breaks it has now; None if none does."""
    ways = [getattr(module, "dump", None)]
    if str(path).endswith(".jsonl"):
        ways += [lambda rows: "".join(json.dumps(row) + "\n" for row in rows)]
    ways += [lambda data, n=n, end=end: json.dumps(data, indent=n) + end for n in (0, 1, 2) for end in ("\n", "")]
    text, data = Path(path).read_text(), load(path)
    for way in ways:
        if way is not None and way(data) == text:
            return way
    return None


def at(data, place):
    """The entry at a place, a tuple of keys and indices; None if there is none."""
    for key in place:
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def put(data, place, value):
    """Puts a value at a place; tables and lists on the way are made."""
    for key, following in zip(place, place[1:]):
        if isinstance(data, dict):
            data = data.setdefault(key, [] if isinstance(following, int) else {})
        else:
            data = data[key]
    if isinstance(data, list) and place[-1] == len(data):
        data.append(value)
    else:
        data[place[-1]] = value


@dataclass
class Report:
    """What a comparison found."""

    compared: int = 0
    worst: float = 0.0  # the largest difference in units of its tolerance
    worst_at: tuple = ()
    missing: list = field(default_factory=list)
    wrong: list = field(default_factory=list)  # (place, committed, computed)

    @property
    def good(self):
        return self.compared > 0 and not self.missing and not self.wrong


def each(module, data):
    """(place, computed number, tolerance relative, tolerance absolute) of all that a module computes of a file."""
    for place, value, *tolerance in module.values(data):
        relative, absolute = tolerance if tolerance else (module.RELATIVE, module.ABSOLUTE)
        yield place, value, relative, absolute


def compare(module, data):
    """Compares the numbers in `data` with those that the module computes from its inputs."""
    report = Report()
    for place, value, relative, absolute in each(module, data):
        committed = at(data, place)
        if committed is None:
            report.missing.append(place)
            continue
        # The difference is taken in the precision of the computed value where the committed one is a text of many digits.
        difference = abs(float(value - type(value)(committed)))
        allowed = absolute + relative * abs(float(value))
        part = difference / allowed if allowed > 0 else (0.0 if difference == 0 else float("inf"))
        report.compared += 1
        if not part <= report.worst:
            report.worst, report.worst_at = part, place
        if not part <= 1:
            report.wrong.append((place, committed, value))
    return report


def renew(module, data):
    """Puts in what is missing or wrong; numbers that agree stay as they are written. Returns the places."""
    changed = []
    computed = list(each(module, data))
    for place, value, relative, absolute in computed:
        committed = at(data, place)
        if committed is not None and abs(float(value - type(value)(committed))) <= absolute + relative * abs(float(value)):
            continue
        digits = getattr(module, "DIGITS", 17)
        text = f"{float(value):.{digits}g}"
        put(data, place, text if isinstance(committed, str) else float(text))
        changed.append(place)
    return changed
