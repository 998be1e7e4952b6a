"""A cart with a pole, to be learnt or controlled: reset, step, reward, as learning libraries have them.

``python cart_pole.py`` balances the pole for ten seconds, and compares the motion with the equations of the textbook.
"""

import numpy as np

import carom

M, m, l, g = 1.0, 0.1, 0.5, 9.81  # cart, pole [kg], half the pole [m], gravity [m/s²]
I = m * l**2 / 3  # of a thin rod about its middle [kg m²]
DT = 0.02  # between two actions [s]


def scene(angle: float, duration: float = 10.0) -> carom.Scene:
    """The cart on its rail along x, the pole at this angle from upright [rad]."""
    b = carom.Builder("cart and pole")
    b.run(duration=duration, rtol=1e-10, atol=1e-10, output_every=DT)
    b.world(gravity=[0, 0, -g])
    b.body("rail", fixed=True)
    b.body("cart", mass=M, inertia=[1, 1, 1])
    turn = {"axis": [0, 1, 0], "angle": angle}
    middle = [l * np.sin(angle), 0, l * np.cos(angle)]
    b.body("pole", mass=m, inertia=[I, I, 1e-4], position=middle, orientation=turn)
    b.joint("prismatic", name="slide", between=["cart", "rail"], axis=[1, 0, 0])
    b.joint("revolute", name="pivot", between=["pole", "cart"], point=[0, 0, 0], axis=[0, 1, 0])
    b.add("input", name="push")
    b.force("load", body="cart", force=["push", 0, 0])
    return b.scene()


class CartPole:
    """Observations are x [m], its rate, the angle from upright [rad], its rate; the action is a force on the cart [N]."""

    def reset(self, angle: float = 0.1) -> np.ndarray:
        self.sim = scene(angle).start()
        return self.observation()

    def observation(self) -> np.ndarray:
        s = self.sim.state
        angle = np.arctan2(s["pole.x"] - s["cart.x"], s["pole.z"] - s["cart.z"])
        return np.array([s["cart.x"], s["cart.vx"], angle, s["pole.wy"]])

    def step(self, push: float) -> tuple[np.ndarray, float, bool, bool]:
        """The observation after it, the reward, whether the pole has fallen, whether the time is over."""
        self.sim.set(push=push)
        goes_on = self.sim.advance(DT)
        now = self.observation()
        fallen = bool(abs(now[2]) > 0.5 or abs(now[0]) > 2.4)
        return now, 0.0 if fallen else 1.0, fallen, not goes_on


def balance(angle: float = 0.1) -> tuple[float, list[float], list[np.ndarray]]:
    """The sum of rewards of a state feedback, its actions, and all observations."""
    env = CartPole()
    seen, pushes, total, over = [env.reset(angle)], [], 0.0, False
    while not over:
        pushes.append(float(np.dot([1.0, 2.0, 30.0, 6.0], seen[-1])))
        now, reward, fallen, late = env.step(pushes[-1])
        seen.append(now)
        total, over = total + reward, fallen or late
    return total, pushes, seen


def textbook(t: float, y: np.ndarray, push: float) -> np.ndarray:
    """Rates of x, its rate, the angle and its rate: two equations of motion solved for the accelerations."""
    sin, cos = np.sin(y[2]), np.cos(y[2])
    matrix = [[M + m, m * l * cos], [m * l * cos, I + m * l**2]]
    a = np.linalg.solve(matrix, [push + m * l * y[3] ** 2 * sin, m * g * l * sin])
    return np.array([y[1], a[0], y[3], a[1]])


def check() -> float:
    """How far any observation is from the one that the textbook predicts from the observation and the action before it."""
    total, pushes, seen = balance()
    assert total == len(pushes) == 500, "the pole has fallen"
    apart = 0.0
    for push, before, after in zip(pushes, seen, seen[1:], strict=False):
        y = carom.ode.solve(textbook, (0, DT), before, args=(push,), rtol=1e-11, atol=1e-11, dense=False).y_end
        apart = max(apart, float(np.abs(after - y).max()))
    return apart


if __name__ == "__main__":
    print(f"balanced; {check():.1e} from the textbook")
