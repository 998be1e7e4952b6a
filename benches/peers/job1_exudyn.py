"""The bouncing ball in Exudyn: elastic sphere, m 0.1 kg, R 0.02 m, E* 1e9 Pa (Hertz), gap 0.05 m, 1 s.

First finds the cheapest DOPRI5 settings that reach each energy error with all touches: relative tolerances from 1e-3
to 1e-13, with a longest step of 1/200 s, which is on the safe side, and with the best one of 1/30, 1/50, 1/100 and
1/200 s (with 1/25 s it misses contacts at some tolerances). Prints one JSON line of what it is, and one per setting. Then, for every
line it reads, runs once with every setting and prints one JSON line each: CPU milliseconds of SolveDynamic
alone; building is not timed. An empty line ends it.

pip install exudyn numpy
"""
import json
import sys
import time
import warnings

import numpy as np

warnings.simplefilter('ignore')  # names of settings that newer versions call otherwise
import exudyn as exu
from exudyn.utilities import (InertiaSphere, LoadForceVector, MarkerBodyRigid, NodeGenericData,
                              NodeRigidBodyRotVecLG, ObjectContactSphereTriangle, ObjectGround, ObjectRigidBody,
                              SensorNode)

m, R, Es, h, g, T = 0.1, 0.02, 1e9, 0.05, 9.81, 1.0
K = 4/3*Es*np.sqrt(R)
CLASSES = (1e-3, 1e-6, 1e-9, 1e-12)
TOUCHES = 5


def build():
    SC = exu.SystemContainer()
    mbs = SC.AddSystem()
    ground = mbs.AddObject(ObjectGround())
    node = mbs.AddNode(NodeRigidBodyRotVecLG(referenceCoordinates=[0.01, 0.01, R + h, 0, 0, 0]))
    inertia = InertiaSphere(mass=m, radius=R).GetInertia6D()
    ball = mbs.AddObject(ObjectRigidBody(nodeNumber=node, mass=m, inertia=inertia))
    on_ball = mbs.AddMarker(MarkerBodyRigid(bodyNumber=ball))
    on_ground = mbs.AddMarker(MarkerBodyRigid(bodyNumber=ground))
    mbs.AddLoad(LoadForceVector(markerNumber=on_ball, loadVector=[0, 0, -m*g]))
    data = mbs.AddNode(NodeGenericData(numberOfDataCoordinates=4, initialCoordinates=[h, 0, 0, 0]))
    mbs.AddObject(ObjectContactSphereTriangle(
        markerNumbers=[on_ball, on_ground], nodeNumber=data, sphereRadius=R, contactStiffness=K,
        contactStiffnessExponent=1.5, trianglePoints=exu.Vector3DList([[-1, -1, 0], [1, -1, 0], [0, 1, 0]])))
    sensors = [mbs.AddSensor(SensorNode(nodeNumber=node, outputVariableType=what, storeInternal=True,
                                        writeToFile=False))
               for what in (exu.OutputVariableType.Position, exu.OutputVariableType.Velocity)]
    mbs.Assemble()
    return SC, mbs, sensors


def run(rtol, steps, watch):
    """CPU seconds; with `watch` every step is seen: energy error in flight and number of touches too."""
    SC, mbs, sensors = build()
    s = exu.SimulationSettings()
    s.solutionSettings.writeSolutionToFile = False
    s.solutionSettings.sensorsWritePeriod = 1e-12 if watch else 0.1
    ti = s.timeIntegration
    ti.endTime = T
    ti.verboseMode = 0
    ti.automaticStepSize = True
    ti.relativeTolerance = rtol
    ti.absoluteTolerance = rtol*1e-4
    ti.numberOfSteps = steps
    ti.minimumStepSize = 1e-12
    ti.initialStepSize = 1e-5
    start = time.process_time()
    mbs.SolveDynamic(s, solverType=exu.DynamicSolverType.DOPRI5)
    cpu = time.process_time() - start
    if not watch:
        return cpu
    position, velocity = (mbs.GetSensorStoredData(i) for i in sensors)
    gap, v = position[:, 3] - R, velocity[:, 3]
    flight = gap > 0
    energy = (g*gap + 0.5*v*v)/(g*h)
    touches = int(np.sum((gap[1:] <= 0) & (gap[:-1] > 0)))
    done = abs(position[-1, 0] - T) < 1e-9
    return float(np.max(np.abs(energy[flight] - 1))) if done else float('inf'), touches


def say(**what):
    print(json.dumps(what), flush=True)


RTOLS = [float(f'{a}e-{p}') for p in range(3, 14) for a in (1, 0.3)][:-1]
SAFE, LONGEST = 200, (200, 100, 50, 30)

tried = []
for rtol in RTOLS:
    for steps in LONGEST:
        error, touches = run(rtol, steps, True)
        if touches == TOUCHES:
            tried.append([float('inf'), error, rtol, steps])
for _ in range(12):
    for x in tried:
        x[0] = min(x[0], run(x[2], x[3], False))
chosen = []
for c in CLASSES:
    for allowed in ((SAFE,), LONGEST):
        reach = [x for x in tried if x[1] <= c and x[3] in allowed]
        if reach and (c, min(reach)) not in chosen:
            chosen.append((c, min(reach)))
say(version=exu.__version__, settings=len(chosen), best_error=min(x[1] for x in tried))
for c, (cpu, error, rtol, steps) in chosen:
    say(**{'class': c, 'setting': f'rtol {rtol:.0e}, longest step 1/{steps} s', 'energy_error': error})
for line in sys.stdin:
    if not line.strip():
        break
    for c, (_, _, rtol, steps) in chosen:
        say(**{'class': c, 'cpu_ms': 1e3*run(rtol, steps, False)})
