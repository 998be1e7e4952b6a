"""What can go wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import _carom
    from ._result import Result
    from ._sweep_table import SweepTable
    from .ode import Solution


class CaromError(Exception):
    """Whatever carom refuses or fails at."""


class CaromWarning(UserWarning):
    """What a run that came to its end warns of, as the program says it: that its audit is large, for one."""


class SceneError(CaromError, ValueError):
    """A scene that cannot be. Its text shows the place, with a caret, what is allowed, and the nearest valid word.

    >>> import carom
    >>> try:
    ...     carom.Scene.from_string("[run]\\nduratoin = 1")
    ... except carom.SceneError as error:
    ...     print(error.line, error.column, error.message)
    2 1 `run` has no key `duratoin`
    """

    #: what is wrong, in a line
    message: str
    #: of the place, from 1; None where there is none
    line: int | None
    #: of the place, from 1; None where there is none
    column: int | None

    def __init__(
        self, text: str, message: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(text)
        self.message = text if message is None else message
        self.line = line
        self.column = column


class RunError(CaromError, RuntimeError):
    """A run that failed. What it did up to there is in ``result``."""

    #: what there is of the run; None if it never began
    result: Result | None

    def __init__(self, text: str, result: Result | None = None) -> None:
        super().__init__(text)
        self.result = result


class ResultsError(CaromError, OSError):
    """A folder of results that cannot be written or read."""


class GeometryError(CaromError, ValueError):
    """Surfaces or poses that cannot be, or that no algorithm knows."""


class SweepError(CaromError, ValueError):
    """A sweep that cannot be, that could not go on, or of which every run failed; what was done is in its folder."""

    #: of a sweep of which every run failed
    table: SweepTable | None

    def __init__(self, text: str, table: SweepTable | None = None) -> None:
        super().__init__(text)
        self.table = table


class OdeError(CaromError, RuntimeError):
    """An integration that did not reach its end. What there is of it is in ``solution``."""

    #: the solution up to there
    solution: Solution | None

    def __init__(self, text: str, solution: _carom.Solution | None = None) -> None:
        super().__init__(text)
        from .ode import Solution

        self.solution = None if solution is None else Solution(solution)
