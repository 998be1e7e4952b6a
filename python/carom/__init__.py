"""Multibody dynamics for bodies that touch, with a known error.

Scenes are read (:meth:`Scene.load`) or built (:class:`Builder`, :meth:`Scene.from_dict`) and run; a :class:`Result` has
arrays by name. :func:`sweep` runs a scene many times with other values. :func:`distance` asks how far surfaces are apart; :mod:`carom.ode` solves
differential equations. SI units everywhere; values of scenes may have
others (``"20 mm"``).
"""

from . import ode
from ._analysis import Drive, Equilibrium, Modes, Place
from ._carom import __version__
from ._distance import CommonNormals, Distances, Pair, common_normals, distance, surface, surfaces
from ._errors import CaromError, CaromWarning, GeometryError, OdeError, ResultsError, RunError, SceneError, SweepError
from ._own import Curve, ForceLaw, FrictionLaw, ImplicitSurface, NormalLaw
from ._result import Result
from ._resume import resume
from ._scene import Builder, Scene
from ._stepping import BodyState, Checkpoint, State, Stepping
from ._sweep import sweep
from ._sweep_table import SweepTable
from ._table import Table
from ._track import Track, View

__all__ = [
    "BodyState",
    "Builder",
    "CaromError",
    "CaromWarning",
    "Checkpoint",
    "CommonNormals",
    "Curve",
    "Distances",
    "Drive",
    "Equilibrium",
    "ForceLaw",
    "FrictionLaw",
    "GeometryError",
    "ImplicitSurface",
    "Modes",
    "NormalLaw",
    "OdeError",
    "Pair",
    "Place",
    "Result",
    "ResultsError",
    "RunError",
    "Scene",
    "SceneError",
    "State",
    "Stepping",
    "SweepError",
    "SweepTable",
    "Table",
    "Track",
    "View",
    "__version__",
    "common_normals",
    "distance",
    "ode",
    "resume",
    "surface",
    "surfaces",
    "sweep",
]
