"""Elementary functions: the nearest double to each value, and what is left of the exact one, so that errors can be told in parts of a last bit."""

from mpmath import mp, mpf

RELATIVE = 1e-12
ABSOLUTE = 0.0


def values(data):
    mp.prec = 400
    for i, row in enumerate(data):
        exact = getattr(mp, row["function"])(mpf(row["x"]))
        nearest = mpf(float(exact))
        yield (i, "nearest"), nearest, 0.0, 0.0
        yield (i, "rest"), exact - nearest
