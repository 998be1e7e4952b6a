"""Functions that sweeps send to other processes, which import this and nothing of the tests."""

import os
import signal
from pathlib import Path


def pull(length, rate):
    return 400.0 * (length - 0.5)


def lowest(result):
    return result["mass"].position[:, 2].min()


def half_height(result):
    return result["stone"].position[-1, 2] / 2


def dies_once(result):
    """The process that runs the fifth is killed, the first time."""
    mark = Path(os.environ["CAROM_TEST_MARK"])
    if result["stone"].velocity[0, 2] == 5 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 1.0


def dies_always(result):
    if result["stone"].velocity[0, 2] == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return 1.0
