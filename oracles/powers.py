"""Powers x^y: the nearest double to each, and what is left of the exact value, so that errors can be told in parts of a last bit."""

from mpmath import mp, mpf

RELATIVE = 1e-12
ABSOLUTE = 0.0


def values(data):
    mp.prec = 400
    for i, row in enumerate(data):
        exact = mpf(row["x"]) ** mpf(row["y"])
        nearest = mpf(float(exact))
        yield (i, "nearest"), nearest, 0.0, 0.0
        yield (i, "rest"), exact - nearest
