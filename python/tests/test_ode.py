"""Differential equations with Python functions."""

import pickle

import numpy as np
import pytest

import carom
from carom.ode import Event, solve


def circle(t, y):
    return [y[1], -y[0]]


@pytest.mark.parametrize("method", ["dop853", "ode45", "ode113", "radau5", "ode15s", "auto", "tsit5"])
def test_a_circle_by_every_method(method):
    s = solve(circle, (0, 10), [0, 1], method=method, rtol=1e-9, atol=1e-9)
    t = np.linspace(0, 10, 101)
    np.testing.assert_allclose(s(t), np.stack([np.sin(t), np.cos(t)], axis=1), atol=2e-6)
    assert s.method == method and s.stats["steps"] > 0 and s.y.shape == (len(s.t), 2)


def test_output_times_backward_and_arrays_of_any_kind():
    s = solve(lambda t, y: -y, (2, 0), np.array([1], dtype=np.int8), t_eval=np.array([2, 1, 0]), rtol=1e-11)
    np.testing.assert_allclose(s.y[:, 0], np.exp(2 - s.t), rtol=1e-9)


def test_events_end_on_their_zero_and_act():
    bounce = Event(lambda t, y: y[0], direction="falling", terminal=3, action=lambda t, y: [0.0, -0.9 * y[1]])
    s = solve(lambda t, y: [y[1], -9.81], (0, 60), [1, 0], events=bounce, rtol=1e-10)
    first = np.sqrt(2 / 9.81)
    times = [o.t for o in s.events]
    np.testing.assert_allclose(times, [first, first * 2.8, first * (2.8 + 1.62)], rtol=1e-12)
    assert s.ended_by == 0 and s.t_end == times[-1]
    assert s.events[0].y_after[1] == -0.9 * s.events[0].y[1] and not s.events[0].rising


def test_a_jacobian_saves_evaluations():
    def stiff(t, y):
        return [-1000 * (y[0] - np.cos(t)) - np.sin(t), 0.0]

    def jacobian(t, y):
        return [[-1000, 0], [0, 0]]

    exact = solve(stiff, (0, 3), [1, 0], method="radau5", jacobian=jacobian)
    plain = solve(stiff, (0, 3), [1, 0], method="radau5")
    assert abs(exact.y_end[0] - np.cos(3)) < 1e-7
    assert exact.stats["evaluations"] < plain.stats["evaluations"]


def test_what_a_function_raises_is_raised():
    def bad(t, y):
        if t > 0.5:
            raise KeyError("lost")
        return [1.0]

    with pytest.raises(KeyError, match="lost"):
        solve(bad, (0, 1), [0])
    with pytest.raises(ZeroDivisionError):
        solve(circle, (0, 1), [0, 1], events=[lambda t, y: 1 / 0])
    with pytest.raises(ZeroDivisionError):
        solve(circle, (0, 1), [0, 1], method="radau5", jacobian=lambda t, y: 1 / 0)


@pytest.mark.parametrize(
    ("gives", "error", "text"),
    [
        (lambda t, y: [1.0], ValueError, "gives 1 numbers; allowed: 2"),
        (lambda t, y: np.zeros(3), ValueError, "gives 3 numbers; allowed: 2"),
        (lambda t, y: "ab", TypeError, "gives a str"),
        (lambda t, y: None, TypeError, "gives a NoneType"),
    ],
)
def test_wrong_answers_are_refused_clearly(gives, error, text):
    with pytest.raises(error, match=text):
        solve(gives, (0, 1), [0, 1])


def test_wrong_options_are_refused_clearly():
    with pytest.raises(carom.OdeError, match="dop853"):
        solve(circle, (0, 1), [0, 1], method="dop835")
    with pytest.raises(ValueError, match="rising"):
        Event(lambda t, y: 0.0, direction="up")
    with pytest.raises(TypeError, match="y0"):
        solve(circle, (0, 1), [1j, 0])
    with pytest.raises(ValueError, match="`at`: t = 2 is not between 0 and 1"):
        solve(circle, (0, 1), [0, 1])(2)


def test_a_solution_that_ends_too_soon_is_kept():
    with pytest.raises(carom.OdeError) as caught:
        solve(lambda t, y: y * y, (0, 2), [1])
    so_far = caught.value.solution
    assert abs(so_far.t_end - 1) < 1e-6 and abs(so_far(0.5)[0] - 2) < 1e-6


def van_der_pol(t, y, mu):
    return [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]


def test_stiff_equations_are_solved_by_default():
    s = solve(van_der_pol, (0, 2000), [2.0, 0.0], args=(1000.0,), rtol=1e-7, atol=1e-7)
    assert s.method == "auto"
    # an explicit method takes about a million steps
    assert s.stats["steps"] < 20_000
    radau = solve(van_der_pol, (0, 2000), [2.0, 0.0], args=(1000.0,), rtol=1e-10, atol=1e-10, method="radau5")
    np.testing.assert_allclose(s.y_end[0], radau.y_end[0], rtol=1e-5)


def test_further_arguments_reach_every_function():
    seen = set()

    def rates(t, y, a, b):
        seen.add(("rates", a, b))
        return -a * y + b

    def jacobian(t, y, a, b):
        seen.add(("jacobian", a, b))
        return [[-a]]

    def level(t, y, a, b):
        seen.add(("event", a, b))
        return y[0] - 0.5

    def action(t, y, a, b):
        seen.add(("action", a, b))
        return y - b

    event = Event(level, direction="falling", action=action)
    s = solve(rates, (0, 1), [1.0], args=(2.0, 0.25), jacobian=jacobian, events=event, method="radau5", rtol=1e-9)
    assert seen == {(what, 2.0, 0.25) for what in ("rates", "jacobian", "event", "action")}
    # y = b/a + (y0 − b/a) exp(−a t), 0.5 at the event, 0.25 after it
    rest = 0.125
    t = np.log((1 - rest) / (0.5 - rest)) / 2
    assert s.events[0].t == pytest.approx(t, abs=1e-8)
    assert s.y_end[0] == pytest.approx(rest + (0.25 - rest) * np.exp(-2 * (1 - t)), abs=1e-8)
    with pytest.raises(TypeError, match=r"args is 3; allowed: a tuple, as in args=\(mu,\)"):
        solve(lambda t, y, a: -y, (0, 1), [1.0], args=3)


@pytest.mark.parametrize("dense", [True, False])
def test_a_solution_pickles(dense):
    bounce = Event(lambda t, y: y[0], direction="falling", terminal=3, action=lambda t, y: [0.0, -0.9 * y[1]])
    s = solve(lambda t, y: [y[1], -9.81], (0, 60), [1, 0], events=bounce, dense=dense)
    again = pickle.loads(pickle.dumps(s))
    assert again == s and again is not s
    np.testing.assert_array_equal(again.y, s.y)
    assert (again.t_end, again.ended_by, again.stats, again.method) == (s.t_end, s.ended_by, s.stats, s.method)
    assert [o.t for o in again.events] == [o.t for o in s.events]
    if dense:
        t = np.linspace(0, s.t_end, 57)
        np.testing.assert_array_equal(again(t), s(t))
    other = solve(lambda t, y: [y[1], -9.8], (0, 60), [1, 0], events=bounce, dense=dense)
    assert other != s
    with pytest.raises(ValueError, match="no solution"):
        carom._carom.solution_from_bytes(b"nothing")
