"""A ball, or a plane, and another surface: distance, contact points and normal in closed form.

The signed distance of the ball's centre from a surface, the nearest point and the direction away from it, less the radius
of the ball. Of a plane and a convex solid or a torus: the lowest point of that. Cavities (`side` = "inside") have their
normal from the wall into the cavity, and a cylinder's cavity three contacts at once.
"""

from gmpy2 import mpfr, sign, sqrt

from .convex import support
from .geometry import Frame, add, expected, precise, scaled, unit, vector

RELATIVE = 0.0
ABSOLUTE = 2e-14


def nearest(surface, c):
    """(signed distance of the point `c` from the outside of a surface, unit vector away from it), in the surface's frame."""
    kind = surface["type"]
    if kind == "plane":
        return c[2], vector([0, 0, 1])
    if kind == "sphere":
        length = sqrt(sum(x * x for x in c))
        return length - mpfr(surface["radius"]), scaled(c, 1 / length)
    if kind == "torus":
        rho = sqrt(c[0] ** 2 + c[1] ** 2)
        major = mpfr(surface["major_radius"])
        foot = [c[0] * major / rho, c[1] * major / rho, mpfr(0)]
        away = add(c, foot, -1)
        length = sqrt(sum(x * x for x in away))
        return length - mpfr(surface["minor_radius"]), scaled(away, 1 / length)
    if kind == "box":
        half = [x / 2 for x in vector(surface["size"])]
        outwards = [vector([sign(c[0]), 0, 0]), vector([0, sign(c[1]), 0]), vector([0, 0, sign(c[2])])]
        return of_slabs([abs(x) - h for x, h in zip(c, half)], outwards)
    if kind == "cylinder":
        rho = sqrt(c[0] ** 2 + c[1] ** 2)
        over = [rho - mpfr(surface["radius"]), abs(c[2]) - mpfr(surface["length"]) / 2]
        return of_slabs(over, [[c[0] / rho, c[1] / rho, mpfr(0)], vector([0, 0, sign(c[2])])])
    raise ValueError(f"no closed form for a ball and a {kind}")


def of_slabs(over, outwards):
    """The distance from a product of sets, by how far a point is over the edge of each; `outwards` are orthogonal."""
    beyond = [max(x, mpfr(0)) for x in over]
    length = sqrt(sum(x * x for x in beyond))
    if length == 0:
        largest = max(range(len(over)), key=lambda i: over[i])
        return over[largest], outwards[largest]
    away = [sum(x * o[i] for x, o in zip(beyond, outwards)) / length for i in range(3)]
    return length, away


def ball(surface, frame, centre, radius):
    """A ball and a surface a."""
    c = frame.place(centre)
    distance, away = nearest(surface, c)
    out = -1 if surface.get("side") == "inside" else 1
    # The normal leads from a to b: away from a solid, into a cavity.
    normal = scaled(frame.turned(away), out)
    gap = out * distance - radius
    point_b = add(centre, normal, -radius)
    return {"distance": gap, "normal": normal, "point_a": add(point_b, normal, -gap), "point_b": point_b}


def cylinder_cavity(surface, frame, centre, radius):
    """The three contacts of a ball in a cylinder's cavity."""
    c = frame.place(centre)
    rho = sqrt(c[0] ** 2 + c[1] ** 2)
    half = mpfr(surface["length"]) / 2
    found = {
        "barrel": (mpfr(surface["radius"]) - rho - radius, [-c[0] / rho, -c[1] / rho, mpfr(0)]),
        "cap+": (half - c[2] - radius, vector([0, 0, -1])),
        "cap-": (half + c[2] - radius, vector([0, 0, 1])),
    }
    return {name: (distance, frame.turned(normal)) for name, (distance, normal) in found.items()}


def from_contacts(contacts, centre, radius):
    """The nearest of several contacts of a ball."""
    distance, normal = min(contacts.values(), key=lambda contact: contact[0])
    point_b = add(centre, normal, -radius)
    return {"distance": distance, "normal": normal, "point_a": add(point_b, normal, -distance), "point_b": point_b}


def on_plane(frame_a, surface, frame):
    """A plane and the point of a body that is lowest over it."""
    normal = frame_a.turned(vector([0, 0, 1]))
    lowest = frame.point(support(surface, frame.of(scaled(normal, -1))))
    distance = frame_a.place(lowest)[2]
    return {"distance": distance, "normal": normal, "point_a": add(lowest, normal, -distance), "point_b": lowest}


def values(rows):
    precise()
    for i, row in enumerate(rows):
        a, b = row["a"], row["b"]
        frame_a, frame_b = Frame(row["pose_a"]), Frame(row["pose_b"])
        if b["type"] != "sphere":
            found = on_plane(frame_a, b, frame_b)
        elif a["type"] == "cylinder" and a.get("side") == "inside":
            contacts = cylinder_cavity(a, frame_a, frame_b.p, mpfr(b["radius"]))
            found = from_contacts(contacts, frame_b.p, mpfr(b["radius"]))
            for k, contact in enumerate(row.get("expect", {}).get("all_contacts", [])):
                distance, normal = contacts[contact["feature"]]
                yield (i, "expect", "all_contacts", k, "signed_distance"), distance
                for j in range(3):
                    yield (i, "expect", "all_contacts", k, "normal", j), normal[j]
        else:
            found = ball(a, frame_a, frame_b.p, mpfr(b["radius"]))
        yield from expected(i, row.get("expect"), found)
