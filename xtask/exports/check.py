"""Reads exports of `carom` with the programs they are for: NumPy, SciPy, VTK; and .glb by hand.

    python check.py DIR...

Every DIR is a folder of results with run.npz, run.mat, run.glb and vtk/ in it; parquet/ is read if it is there. Numbers must be
those of the CSV files to the last bit (those of surfaces, which are single, to single precision). Ends with an error at
the first that is not.
"""

import csv
import json
import struct
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import scipy.io
from vtk.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

IN_TIME = {"states", "energy", "distances", "fields", "kinematics", "inverse"}
TEXTS = {"contact", "feature", "kind", "phase", "joint"}
WIDE = {"states", "energy", "distances", "fields", "kinematics", "inverse"}


def columns(path):
    """The columns of a CSV file by their heads."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    heads, rows = rows[0], rows[1:]
    out = {}
    for i, head in enumerate(heads):
        texts = [row[i] for row in rows]
        is_text = head in TEXTS and path.stem not in WIDE
        out[head] = texts if is_text else np.array([float(x) if x else np.nan for x in texts])
    return out


def same(a, b, what):
    """Bit for bit, NaN included."""
    a, b = np.asarray(a, dtype=float).ravel(), np.asarray(b, dtype=float).ravel()
    assert a.shape == b.shape, f"{what}: {a.shape} {b.shape}"
    assert a.tobytes() == b.tobytes() or (
        np.array_equal(np.isnan(a), np.isnan(b)) and a[~np.isnan(a)].tobytes() == b[~np.isnan(b)].tobytes()
    ), what


def check_npz(folder, files):
    arrays = np.load(folder / "run.npz")
    count = 0
    for stem, table in files.items():
        for head, values in table.items():
            plain = stem in IN_TIME and (head != "t" or stem == "states")
            array = arrays[head if plain else f"{stem}.{head}"]
            if isinstance(values, list):
                assert [str(x) for x in array] == values, f"npz {stem} {head}"
            else:
                assert array.dtype == np.float64
                same(array, values, f"npz {stem} {head}")
            count += 1
    assert count == len(arrays.files), "npz: arrays too many"
    return count


def check_mat(folder, files):
    mat = scipy.io.loadmat(folder / "run.mat", simplify_cells=False)
    for stem, table in files.items():
        struct = mat[stem][0, 0]
        own = [str(x[0][0]) for x in struct["names"]]
        assert own == list(table), f"mat {stem}: names"
        fields = [f for f in struct.dtype.names][:-1]
        assert len(fields) == len(table) and all(f.isidentifier() for f in fields)
        for field, (head, values) in zip(fields, table.items()):
            if isinstance(values, list):
                texts = [str(x[0][0]) if x[0].size else "" for x in struct[field]]
                assert texts == values, f"mat {stem} {head}"
            else:
                same(struct[field], values, f"mat {stem} {head}")
    return len(files)


def read_vtp(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()


def point_array(data, name):
    array = data.GetPointData().GetArray(name)
    assert array is not None, name
    return vtk_to_numpy(array)


def names(data, name):
    array = data.GetFieldData().GetAbstractArray(name)
    return [array.GetValue(i) for i in range(array.GetNumberOfValues())]


def check_vtk(folder, files):
    index = ET.parse(folder / "vtk" / "run.pvd").getroot()
    sets = index.find("Collection").findall("DataSet")
    states, contacts = files["states"], files.get("contacts")
    recorded = set(states["t"].tolist())
    points = 0
    for entry in sets:
        t = float(entry.get("timestep"))
        assert t in recorded, f"vtk: {t} is no output time"
        data = read_vtp(folder / "vtk" / entry.get("file"))
        kind = entry.get("name")
        if kind == "surfaces":
            assert data.GetNumberOfPolys() > 0
            body, velocity = point_array(data, "body"), point_array(data, "velocity")
            normals, places = point_array(data, "Normals"), vtk_to_numpy(data.GetPoints().GetData())
            assert np.allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-6)
            who = names(data, "body_names")
            i = int(np.flatnonzero(states["t"] == t)[0])
            for k in np.unique(body):
                check_motion(places[body == k], velocity[body == k], states, who[k], i)
        if kind == "contacts" and data.GetNumberOfPoints():
            now = contacts["t"] == t
            same(point_array(data, "normal_force"), contacts["fn"][now], "vtk normal_force")
            same(point_array(data, "indentation"), contacts["delta"][now], "vtk indentation")
            place = np.column_stack([contacts[c][now] for c in ("px", "py", "pz")])
            same(vtk_to_numpy(data.GetPoints().GetData()), place, "vtk contact points")
            normal = np.column_stack([contacts[c][now] for c in ("nx", "ny", "nz")])
            friction = np.column_stack([contacts[c][now] for c in ("ftx", "fty", "ftz")])
            force = friction - contacts["fn"][now][:, None] * normal
            same(point_array(data, "force"), force, "vtk force")
            who = [names(data, "contact_names")[k] for k in point_array(data, "contact")]
            assert who == [c for c, n in zip(contacts["contact"], now) if n]
            points += data.GetNumberOfPoints()
    assert contacts is None or not len(contacts["t"]) or points > 0
    return len(sets)


def check_motion(places, velocity, states, name, i):
    """v(x) = v + ω × (x − p), or v + Ḟ F⁻¹ (x − p) of a body that deforms."""
    p = np.array([states[f"{name}.{c}"][i] for c in "xyz"])
    v = np.array([states[f"{name}.v{c}"][i] for c in "xyz"])
    arm = places - p
    if f"{name}.F11" in states:
        tensor = lambda d: np.array([[states[f"{name}.{d}{r}{c}"][i] for c in "123"] for r in "123"])
        expected = v + arm @ (tensor("dF") @ np.linalg.inv(tensor("F"))).T
    else:
        w = np.array([states[f"{name}.w{c}"][i] for c in "xyz"])
        expected = v + np.cross(w, arm)
    scale = 1e-5 * max(1e-3, np.abs(expected).max(), np.abs(places).max())
    assert np.abs(velocity - expected).max() < scale, f"vtk: {name} at {i}: {np.abs(velocity - expected).max()}"


def read_glb(path):
    """The JSON of a .glb, and a function that reads its accessors."""
    data = path.read_bytes()
    magic, version, length, size = struct.unpack_from("<4sIII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    document, numbers = json.loads(data[20 : 20 + size]), data[28 + size :]

    def accessor(i):
        a = document["accessors"][i]
        view = document["bufferViews"][a["bufferView"]]
        kind = {5126: np.float32, 5125: np.uint32}[a["componentType"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
        return np.frombuffer(numbers, kind, a["count"] * width, view["byteOffset"]).reshape(-1, width)

    return document, accessor


def check_gltf(folder, files):
    """Where nodes are at every frame: p, the rotation, and F − 1 as weights, to single precision."""
    document, accessor = read_glb(folder / "run.glb")
    states = files["states"]
    channels = 0
    for channel in document.get("animations", [{"channels": []}])[0]["channels"]:
        sampler = document["animations"][0]["samplers"][channel["sampler"]]
        node = document["nodes"][channel["target"]["node"]]
        times, values = accessor(sampler["input"])[:, 0], accessor(sampler["output"])
        at = [int(np.argmin(np.abs(states["t"] - states["t"][0] - t))) for t in times]
        body, path = node["name"].split("/")[0], channel["target"]["path"]
        column = lambda c: states[f"{body}.{c}"][at]
        if path == "translation":
            expected = np.column_stack([column(c) for c in "xyz"])
            assert np.allclose(values, expected, rtol=1e-6, atol=1e-6), f"gltf {body} {path}"
        if path == "rotation":
            q = np.column_stack([column(c) for c in ("qx", "qy", "qz", "qw")])
            assert np.allclose(np.abs(np.sum(values * q, axis=1)), 1, atol=1e-6), f"gltf {body} {path}"
            assert np.all(np.sum(values[1:] * values[:-1], axis=1) >= 0), f"gltf {body}: it spins between frames"
        if path == "weights":
            mesh = document["meshes"][node["mesh"]]
            targets = mesh["extras"]["targetNames"]
            base = accessor(mesh["primitives"][0]["attributes"]["POSITION"])
            moved = [accessor(t["POSITION"]) for t in mesh["primitives"][0]["targets"]]
            weights = values.reshape(len(times), len(targets))
            for k in range(0, len(times), max(1, len(times) // 20)):
                place = base + sum(w * m for w, m in zip(weights[k], moved))
                F = np.array([[states[f"{body}.F{r}{c}"][at[k]] for c in "123"] for r in "123"])
                scale = np.abs(base).max() * np.abs(F).max()
                assert np.abs(place - base @ F.T).max() < 1e-6 * scale, f"gltf {body} weights"
        channels += 1
    return channels


def check_parquet(folder, files):
    import pyarrow.parquet

    for stem, table in files.items():
        read = pyarrow.parquet.read_table(folder / "parquet" / f"{stem}.parquet")
        assert read.column_names == list(table)
        for head, values in table.items():
            array = read.column(head).to_pylist()
            if isinstance(values, list):
                assert array == values, f"parquet {stem} {head}"
            else:
                same(array, values, f"parquet {stem} {head}")
    return len(files)


for folder in map(Path, sys.argv[1:]):
    files = {path.stem: columns(path) for path in sorted(folder.glob("*.csv"))}
    said = [f"npz {check_npz(folder, files)} arrays", f"mat {check_mat(folder, files)} structs"]
    said.append(f"vtk {check_vtk(folder, files)} files")
    said.append(f"gltf {check_gltf(folder, files)} channels")
    if (folder / "parquet").exists():
        said.append(f"parquet {check_parquet(folder, files)} tables")
    print(f"{folder.name}: {', '.join(said)}: as in the CSV files")
