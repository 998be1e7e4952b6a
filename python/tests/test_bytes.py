"""Python writes the same bytes as the program. (That Rust does too is tested in crates/carom-cli/tests/same_bytes.rs, for the same scenes.)"""

import filecmp
import os
import subprocess

import numpy as np
import pytest
from conftest import EXAMPLES

import carom

#: contacts, joints, fields, bodies that deform, wear, rings; then analyses
SCENES = [
    ("newtons-cradle.json", {"run/duration": 0.02}),
    ("four-bar.toml", {"run/duration": 0.02}),
    ("creeping-block.toml", {"run/duration": 0.02}),
    ("jelly-drop.toml", {"run/duration": 0.02}),
    ("slider-crank-wear.toml", {"run/duration": 0.002}),
    ("rolling-ring.toml", {"run/duration": 0.02}),
    ("slider-crank.toml", {"run/analysis": "kinematic"}),
    ("slider-crank.toml", {"run/analysis": "inverse"}),
    ("egg-on-table.toml", {"run/analysis": "static"}),
    ("egg-on-table.toml", {"run/analysis": "modes"}),
]


def same_files(a, b):
    names = sorted((set(os.listdir(a)) | set(os.listdir(b))) - {"timing.json"})
    assert len(names) >= 2
    same, different, missing = filecmp.cmpfiles(a, b, names, shallow=False)
    assert (different, missing) == ([], [])


@pytest.mark.parametrize(("name", "values"), SCENES)
def test_the_same_bytes_as_the_program(program, tmp_path, name, values):
    path = EXAMPLES / name
    sets = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
    subprocess.run([program, "run", path, "-o", tmp_path / "program", "--quiet", *sets], check=True)
    r = carom.Scene.load(path, values).run(tmp_path / "python")
    same_files(tmp_path / "program", tmp_path / "python")
    # (what is in memory has no checkpoint)
    (tmp_path / "program" / "checkpoint.bin").unlink(missing_ok=True)
    r.save(tmp_path / "saved")
    same_files(tmp_path / "program", tmp_path / "saved")
    # and the arrays are what is in the files, bit by bit
    if (tmp_path / "program" / "states.csv").exists():
        table = np.genfromtxt(tmp_path / "program" / "states.csv", delimiter=",", names=True, deletechars="")
        for i, (column, numbers) in enumerate(r.states.items()):
            assert np.array_equal(table[table.dtype.names[i]].reshape(-1), numbers), column
