"""The compiled half."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__version__: str

class Scene:
    @staticmethod
    def load(path: str | os.PathLike[str], set: list[str]) -> Scene: ...
    @staticmethod
    def from_text(
        text: str, format: str, name: str, set: list[str], functions: Functions | None = None
    ) -> Scene: ...
    @property
    def name(self) -> str: ...
    @property
    def origin(self) -> tuple[str, str, str, list[str]]: ...
    @property
    def title(self) -> str: ...
    @property
    def duration(self) -> float: ...
    @property
    def analysis(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def rtol(self) -> float: ...
    @property
    def atol(self) -> float: ...
    @property
    def bodies(self) -> list[str]: ...
    @property
    def moving_bodies(self) -> list[str]: ...
    @property
    def joints(self) -> list[str]: ...
    @property
    def probes(self) -> list[str]: ...
    @property
    def parameters(self) -> list[tuple[str, float]]: ...
    @property
    def source(self) -> str: ...
    def run(
        self,
        folder: str | os.PathLike[str] | None,
        force: bool,
        progress: Callable[[float], object] | None,
    ) -> tuple[Run | None, str | None, BaseException | None, BaseException | None]: ...
    def resume(
        self,
        folder: str | os.PathLike[str],
        title: str | None,
        progress: Callable[[float], object] | None,
    ) -> tuple[Run | None, str | None, BaseException | None, BaseException | None]: ...
    def start(
        self, progress: Callable[[float], object] | None
    ) -> tuple[Stepping, str | None, BaseException | None]: ...

class Stepping:
    @property
    def t(self) -> float: ...
    def advance(self, until: float) -> tuple[bool | None, str | None, BaseException | None]: ...
    def state(self) -> tuple[Run | None, str | None, BaseException | None]: ...
    def set(
        self, inputs: list[tuple[str, float]]
    ) -> tuple[bool | None, str | None, BaseException | None]: ...
    def checkpoint(
        self,
    ) -> tuple[tuple[bytes, Recorded] | None, str | None, BaseException | None]: ...
    def rewind(
        self, bytes: bytes, recorded: Recorded | None
    ) -> tuple[bool | None, str | None, BaseException | None]: ...
    def finish(
        self, folder: str | os.PathLike[str] | None, force: bool
    ) -> tuple[Run | None, str | None, BaseException | None]: ...
    def close(self) -> None: ...

class Recorded: ...

class Run:
    @property
    def text(self) -> str: ...
    @property
    def texts(self) -> list[tuple[str, str]]: ...
    @property
    def tables(self) -> list[str]: ...
    def table(self, name: str) -> dict[str, Any]: ...
    def column(self, name: str) -> tuple[NDArray[np.float64], str]: ...
    def curve(self, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64], str]: ...
    def quantities(self) -> list[tuple[str, str, str]]: ...
    def save(self, folder: str | os.PathLike[str], force: bool) -> None: ...
    def page(self, frames: int | None) -> str: ...

class Study:
    def __init__(
        self,
        origin: tuple[str, str, str, list[str]],
        functions: Functions | None,
        mark: str,
        vary: list[str],
        samples: int | None,
        design: str | None,
        seed: int | None,
        measures: list[tuple[str, str, bool]],
        function: Callable[[Scene, Run], list[float] | str] | None,
    ) -> None: ...
    @property
    def runs(self) -> int: ...
    def run(
        self, points: list[int], keep: str | os.PathLike[str] | None
    ) -> list[tuple[int, list[float] | None, str | None]]: ...
    def stop(self) -> None: ...
    def sweep(
        self,
        journal: Journal,
        jobs: int | None,
        keep: str | os.PathLike[str] | None,
        progress: Callable[[int, int], object] | None,
    ) -> None: ...

class Journal:
    def __init__(
        self, folder: str | os.PathLike[str], study: Study, keep: bool, restart: bool
    ) -> None: ...
    def done(self) -> tuple[int, int]: ...
    def pending(self) -> NDArray[np.uint64]: ...
    def append(
        self, study: Study, rows: list[tuple[int, list[float] | None, str | None]]
    ) -> None: ...
    def sync(self) -> None: ...
    def table(self) -> str: ...
    def close(self) -> None: ...

class Functions:
    def __init__(
        self,
        normal: list[
            tuple[
                str,
                Callable[[float, float, float], float],
                Callable[[float], float] | None,
                float,
                float,
                bool,
                bool,
            ]
        ],
        friction: list[tuple[str, Callable[..., Any], float, bool]],
        forces: list[
            tuple[str, Callable[[float, float], float], Callable[[float], float] | None, float, bool]
        ],
        surfaces: list[
            tuple[
                str,
                Callable[[float, float, float], float],
                Callable[[float, float, float], Any] | None,
                list[float],
                list[float],
            ]
        ],
        courses: list[tuple[str, Callable[[float], float], list[float]]],
    ) -> None: ...

class Solution:
    @property
    def t(self) -> NDArray[np.float64]: ...
    @property
    def y(self) -> NDArray[np.float64]: ...
    @property
    def t_end(self) -> float: ...
    @property
    def y_end(self) -> NDArray[np.float64]: ...
    @property
    def method(self) -> str: ...
    @property
    def ended_by(self) -> int | None: ...
    @property
    def stats(self) -> list[tuple[str, int]]: ...
    @property
    def events(
        self,
    ) -> list[tuple[float, int, bool, NDArray[np.float64], NDArray[np.float64]]]: ...
    def at(self, t: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def to_bytes(self) -> bytes: ...

class Pair:
    def __init__(self, request: str, functions: Functions | None) -> None: ...
    @property
    def method(self) -> str: ...
    def distances(
        self,
        position_a: NDArray[np.float64],
        quaternion_a: NDArray[np.float64],
        position_b: NDArray[np.float64],
        quaternion_b: NDArray[np.float64],
    ) -> tuple[
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64],
        str,
    ]: ...

def open_run(folder: str | os.PathLike[str], scene: Scene, text: str | None = None) -> Run: ...
def solution_from_bytes(bytes: bytes) -> Solution: ...
def scene_text(path: str | os.PathLike[str]) -> tuple[str, str]: ...
def sweep_table(folder: str | os.PathLike[str]) -> dict[str, Any]: ...
def surfaces() -> list[tuple[str, str, list[str]]]: ...
def answer(line: str) -> str: ...
def methods() -> list[tuple[str, str]]: ...
def solve(
    rates: Callable[[float, NDArray[np.float64]], Any],
    t0: float,
    y0: list[float],
    t_end: float,
    *,
    method: str,
    rtol: float,
    atol: list[float],
    t_eval: list[float] | None,
    events: list[
        tuple[
            Callable[[float, NDArray[np.float64]], float],
            int,
            int,
            Callable[[float, NDArray[np.float64]], Any] | None,
        ]
    ],
    jacobian: Callable[[float, NDArray[np.float64]], NDArray[np.float64]] | None,
    kinks: list[float],
    dense: bool,
    first_step: float | None,
    max_step: float | None,
    max_steps: int | None,
) -> Solution: ...
