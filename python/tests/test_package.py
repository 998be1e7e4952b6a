"""The package: its examples, and its types."""

import doctest
import importlib
import importlib.resources
import pkgutil
import subprocess

import carom


def test_the_examples_of_docstrings():
    tried = 0
    for module in pkgutil.iter_modules(carom.__path__, "carom."):
        if module.name == "carom._carom":
            continue
        outcome = doctest.testmod(
            importlib.import_module(module.name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        )
        assert outcome.failed == 0, module.name
        tried += outcome.attempted
    assert tried > 20


def test_the_licences_of_works_of_others_are_within(program):
    text = (importlib.resources.files("carom") / "THIRD-PARTY.txt").read_text(encoding="utf-8")
    assert "nalgebra" in text and "pyo3" in text and "Apache License" in text
    said = subprocess.run([program, "notices"], capture_output=True, check=True).stdout.decode("utf-8")
    assert said == text


def test_everything_public_has_a_docstring():
    for name in carom.__all__:
        thing = getattr(carom, name)
        assert name == "__version__" or thing.__doc__, name


def test_only_what_is_public_is_meant():
    assert carom.__all__ == sorted(carom.__all__)
