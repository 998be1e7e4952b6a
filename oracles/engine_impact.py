"""The standard impacts once more, under the names of `crates/carom/tests/data/impact.json`, and friction in closed form."""

from mpmath import atanh, mp, mpf, pi, tan

from . import impact

RELATIVE = 1e-12
ABSOLUTE = 1e-14
DIGITS = 14

FAMILY = {
    "hunt-crossley": "hunt_crossley_1975",
    "herbert-mcwhannell": "herbert_mcwhannell_1977",
    "lee-wang": "lee_wang_1983",
    "lankarani-nikravesh": "lankarani_nikravesh_1990",
    "gonthier": "gonthier_2004",
    "gonthier-implicit": "exact_hunt_crossley_(gonthier_implicit)",
    "zhiying-qishao": "zhiying_qishao_2006",
    "flores": "flores_2011",
    "hu-guo": "hu_guo_2015",
    "safaeifar-farshidianfar": "safaeifar_farshidianfar_2020",
}
DASHPOT = {
    "tsuji": "tsuji_1992|c_r",
    "jankowski": "jankowski_2005_2006|c_r",
    "kuwabara-kono": "kuwabara_kono_gamma|a",
    "ristow": "ristow_1992_gamma|a",
}
NAMES = {
    "eta": "eta=chi*v0/K",
    "max_indentation": "max_indentation/dstar",
    "peak_force": "peak_force/(K dstar^n)",
    "duration": "contact_duration*v0/dstar",
    "compression": "compression_duration*v0/dstar",
}
LINEAR = "anagnostopoulos_1988_2004_linear"
OTHERS = "other_laws_n1.5 (phi=X^1.5+a X^p X')"


def values(data):
    for kind, law, key, found in impact.rows():
        if kind == "elastic":
            for name, value in found.items():
                yield ("hertz", f"n={key}", NAMES.get(name, name)), value
            yield ("hertz", f"n={key}", "duration*v0/max_indentation"), found["duration"] / found["max_indentation"]
        elif kind == "family" and law in FAMILY:
            # a law that is not listed here is tested by the rows of `impact.py` alone
            for name, value in found.items():
                name = "effective_restitution" if name == "restitution" else NAMES[name]
                yield ("hunt_crossley_family", FAMILY[law], f"c_r={key}", name), value
        elif law == "kelvin-voigt":
            row = (LINEAR, f"c_r={key}")
            yield (*row, "zeta"), found["a"] / 2
            yield (*row, "Xm"), found["max_indentation"]
            yield (*row, "Fp"), found["peak_force"]
            for end, name in (("indentation", "x0"), ("force", "F0")):
                yield (*row, f"T_{name}"), found[end]["duration"]
                yield (*row, f"e_{name}"), found[end]["restitution"]
        elif law in DASHPOT:
            row = (OTHERS, f"{DASHPOT[law]}={key}")
            yield (*row, "damping_coefficient_a"), found["a"]
            yield (*row, "max_indentation"), found["max_indentation"]
            yield (*row, "peak_force"), found["peak_force"]
            yield (*row, "compression_duration"), found["compression"]
            for end, name in (("indentation", "x"), ("force", "F")):
                yield (*row, f"restitution_exit_at_{name}=0"), found[end]["restitution"]
                yield (*row, f"duration_exit_at_{name}=0"), found[end]["duration"]
    mp.dps = 30
    degree, creep = pi / 180, mpf("1e-3")
    friction = "friction_closed_forms"
    yield (friction, "ambrosio_example v0=5,deadband=1e-3"), (5 * mpf(5) + 2 * creep) / 7
    yield (friction, "example theta=20deg mu=0.3 vt=1e-3"), creep * atanh(2 * tan(20 * degree) / 7 / mpf("0.3"))
    yield (friction, "block theta=10deg mu=0.3 vt=1e-3"), creep * atanh(tan(10 * degree) / mpf("0.3"))
