"""A chain of N links in MuJoCo, Drake or Exudyn: slender rods of 0.1 m and 0.1 kg, hinged about y, released from horizontal, 1 s.

    chain.py PEER N LONGEST SETTING...

The run ends after 1 s of simulated time, or after LONGEST seconds of CPU time. Says in a line of JSON: the CPU time, the time reached, the drift of the energy there,
|E(t) - E(0)| over M g min(half the chain's length, g t^2/2), and the peer's version. Building the model is not timed.
"""

import json
import sys
import time
from importlib.metadata import version

import numpy as np

LENGTH, MASS, G = 0.1, 0.1, 9.81
INERTIA = MASS * LENGTH**2 / 12.0
clock = time.process_time


def energy(q, q_dot):
    """Of angles between links, about +y: a link points along (cos, 0, -sin) of the sum of those up to it."""
    angle, spin = np.cumsum(q), np.cumsum(q_dot)
    along_z = -LENGTH * np.sin(angle)
    velocity = LENGTH * spin * np.array([-np.sin(angle), -np.cos(angle)])
    z = np.cumsum(along_z) - 0.5 * along_z
    v = np.cumsum(velocity, axis=1) - 0.5 * velocity
    return MASS * G * z.sum() + 0.5 * MASS * (v**2).sum() + 0.5 * INERTIA * (spin**2).sum()


def mujoco(n, longest, integrator, dt):
    import mujoco as mj

    dt = float(dt)
    spec = mj.MjSpec()
    spec.option.timestep = dt
    spec.option.gravity = [0, 0, -G]
    spec.option.integrator = getattr(mj.mjtIntegrator, "mjINT_" + integrator)
    body = spec.worldbody
    for i in range(n):
        body = body.add_body(
            pos=[LENGTH if i else 0, 0, 0],
            ipos=[LENGTH / 2, 0, 0],
            mass=MASS,
            inertia=[1e-9, INERTIA, INERTIA],
            explicitinertial=True,
        )
        body.add_joint(type=mj.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
    model = spec.compile()
    data = mj.MjData(model)
    steps, all_steps = 0, round(1 / dt)
    start = clock()
    while steps < all_steps and clock() - start < longest:
        mj.mj_step(model, data)
        steps += 1
    return clock() - start, steps * dt, energy(data.qpos, data.qvel)


def drake(n, longest, integrator, accuracy):
    from pydrake.all import (
        FixedOffsetFrame,
        MultibodyPlant,
        ResetIntegratorFromFlags,
        RevoluteJoint,
        RigidTransform,
        RotationalInertia,
        Simulator,
        SpatialInertia,
    )

    plant = MultibodyPlant(0.0)
    inertia = SpatialInertia.MakeFromCentralInertia(
        MASS, np.array([LENGTH / 2, 0, 0]), RotationalInertia(1e-9, INERTIA, INERTIA)
    )
    frame = plant.world_body().body_frame()
    for i in range(n):
        body = plant.AddRigidBody(f"link{i}", inertia)
        plant.AddJoint(RevoluteJoint(f"hinge{i}", frame, body.body_frame(), [0, 1, 0]))
        frame = plant.AddFrame(FixedOffsetFrame(f"end{i}", body, RigidTransform([LENGTH, 0, 0])))
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -G])
    plant.Finalize()
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    plant.SetPositions(context, np.zeros(n))
    plant.SetVelocities(context, np.zeros(n))
    ResetIntegratorFromFlags(simulator, integrator, 1e-2)
    simulator.get_mutable_integrator().set_target_accuracy(float(accuracy))
    simulator.get_mutable_integrator().set_maximum_step_size(0.1)
    simulator.Initialize()
    # in one go where it is certain to end
    part = 1.0 if n <= 100 else 0.005
    t, start = 0.0, clock()
    while t < 1 - 1e-9 and clock() - start < longest:
        t = min(1.0, t + part)
        simulator.AdvanceTo(t)
    cpu = clock() - start
    return cpu, t, energy(plant.GetPositions(context), plant.GetVelocities(context))


def exudyn(n, longest, mode, dt):
    import exudyn as exu
    from exudyn.utilities import (
        GenericJoint,
        LoadMassProportional,
        MarkerBodyMass,
        MarkerBodyRigid,
        NodeGenericODE2,
        NodeRigidBodyEP,
        ObjectGround,
        ObjectKinematicTree,
        ObjectRigidBody,
        RigidBodyInertia,
        eulerParameters0,
    )

    dt = float(dt)
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    nodes = []
    if mode == "joints":
        solver = exu.DynamicSolverType.GeneralizedAlpha
        last = mbs.AddMarker(MarkerBodyRigid(bodyNumber=mbs.AddObject(ObjectGround())))
        inertia = RigidBodyInertia(mass=MASS, com=[0, 0, 0], inertiaTensor=np.diag([1e-7, INERTIA, INERTIA]))
        for i in range(n):
            place = [(i + 0.5) * LENGTH, 0, 0]
            node = mbs.AddNode(NodeRigidBodyEP(referenceCoordinates=place + list(eulerParameters0)))
            body = mbs.AddObject(ObjectRigidBody(nodeNumber=node, mass=MASS, inertia=inertia.GetInertia6D()))
            nodes.append(node)
            weight = mbs.AddMarker(MarkerBodyMass(bodyNumber=body))
            mbs.AddLoad(LoadMassProportional(markerNumber=weight, loadVector=[0, 0, -G]))
            near, far = (
                mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0, 0]))
                for x in (-LENGTH / 2, LENGTH / 2)
            )
            mbs.AddObject(GenericJoint(markerNumbers=[last, near], constrainedAxes=[1, 1, 1, 1, 0, 1]))
            last = far
        settings.linearSolverType = exu.LinearSolverType.EigenSparse
        integration.generalizedAlpha.spectralRadius = 0.9
        integration.newton.useModifiedNewton = True
    else:
        solver = exu.DynamicSolverType.RK44
        node = mbs.AddNode(
            NodeGenericODE2(
                referenceCoordinates=[0] * n,
                initialCoordinates=[0] * n,
                initialCoordinates_t=[0] * n,
                numberOfODE2Coordinates=n,
            )
        )
        turns, inertias = exu.Matrix3DList(), exu.Matrix3DList()
        centres, offsets = exu.Vector3DList(), exu.Vector3DList()
        for i in range(n):
            turns.Append(np.eye(3))
            inertias.Append(np.diag([1e-9, INERTIA, INERTIA]))
            centres.Append([LENGTH / 2, 0, 0])
            offsets.Append([LENGTH if i else 0, 0, 0])
        mbs.AddObject(
            ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[exu.JointType.RevoluteY] * n,
                linkParents=list(range(-1, n - 1)),
                jointTransformations=turns,
                jointOffsets=offsets,
                linkInertiasCOM=inertias,
                linkCOMs=centres,
                linkMasses=[MASS] * n,
                gravity=[0, 0, -G],
            )
        )
    mbs.Assemble()
    integration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False

    def run(end):
        integration.endTime = end
        integration.numberOfSteps = max(1, round(end / dt))
        start = clock()
        mbs.SolveDynamic(settings, solverType=solver)
        return clock() - start

    # a few steps tell how far it gets in the time it has; every run starts anew
    one = run(5 * dt) / 5
    end = 1.0 if one / dt < longest else max(10 * dt, round(longest / one) * dt)
    cpu = run(end)
    if nodes:
        total = 0.0
        for node in nodes:
            p, v, w = (
                mbs.GetNodeOutput(node, kind)
                for kind in (
                    exu.OutputVariableType.Position,
                    exu.OutputVariableType.Velocity,
                    exu.OutputVariableType.AngularVelocity,
                )
            )
            total += MASS * G * p[2] + 0.5 * MASS * np.dot(v, v) + 0.5 * INERTIA * np.dot(w, w)
    else:
        total = energy(mbs.systemData.GetODE2Coordinates(), mbs.systemData.GetODE2Coordinates_t())
    return cpu, end, total


peer, n, longest = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
cpu, t, total = {"mujoco": mujoco, "drake": drake, "exudyn": exudyn}[peer](n, longest, *sys.argv[4:])
drift = abs(total) / (n * MASS * G * min(n * LENGTH / 2, 0.5 * G * t * t))
print(json.dumps({"cpu": cpu, "reached": t, "drift": drift, "version": version(peer)}), flush=True)
