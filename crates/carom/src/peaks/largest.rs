//! The largest value of a function of time between two times.

/// Finds the time at which a function with a single maximum between two times is largest, and that value. Near its maximum a
/// function is flat, so its value there is known to twice as many digits as its time.
///
/// Uses golden sections, and the vertices of parabolas through the three highest points where these converge (Brent,
/// Algorithms for Minimization without Derivatives, 1973, ch. 5). Parabolas through the ends of the interval, one of which
/// stays fixed, would converge slowly.
pub(super) fn largest(mut f: impl FnMut(f64) -> f64, t0: f64, t1: f64) -> (f64, f64) {
    let golden = 0.5 * (3.0 - 5.0f64.sqrt());
    let (mut low, mut high) = (t0, t1);
    let close = 3e-6 * (t1 - t0);
    let start = t0 + golden * (t1 - t0);
    let mut top = (start, f(start));
    // the first parabola goes through the ends of the interval
    let mut others = [(t0, f(t0)), (t1, f(t1))];
    if others[0].1 < others[1].1 {
        others.swap(0, 1);
    }
    // if the function is higher at an end than anywhere inside, that end is the answer
    let best_end = others[0];
    let (mut step, mut before) = (t1 - t0, t1 - t0);
    for _ in 0..40 {
        let shift = parabola(top, others).filter(|s| {
            let t = top.0 + s;
            // it must converge faster than bisection
            t > low && t < high && s.abs() < 0.5 * before.abs()
        });
        let longer = if high - top.0 > top.0 - low { high - top.0 } else { low - top.0 };
        before = if shift.is_some() { step } else { longer };
        step = shift.unwrap_or(golden * before);
        let t = top.0 + step;
        let next = (t, f(t));
        if next.1 >= top.1 {
            (low, high) = if t > top.0 { (top.0, high) } else { (low, top.0) };
            others = [top, others[0]];
            top = next;
        } else {
            (low, high) = if t > top.0 { (low, t) } else { (t, high) };
            if next.1 >= others[0].1 {
                others = [next, others[0]];
            } else if next.1 >= others[1].1 {
                others[1] = next;
            }
        }
        if step.abs() <= close {
            break;
        }
    }
    if best_end.1 > top.1 { best_end } else { top }
}

/// Returns the distance from a point to the vertex of the parabola through it and two others, or `None` if there is no
/// vertex.
fn parabola((t, f): (f64, f64), [(t_1, f_1), (t_2, f_2)]: [(f64, f64); 2]) -> Option<f64> {
    let (d_1, d_2) = (t_1 - t, t_2 - t);
    let (r_1, r_2) = ((f_1 - f) * d_2, (f_2 - f) * d_1);
    let shift = 0.5 * (r_1 * d_2 - r_2 * d_1) / (r_1 - r_2);
    shift.is_finite().then_some(shift)
}

#[cfg(test)]
mod tests {
    use super::largest;

    /// A function, the time of its maximum, and the maximum.
    type Hump = (fn(f64) -> f64, f64, f64);

    /// Functions with known maxima, symmetric and skewed, near one end of the interval and in its middle.
    #[test]
    fn the_top_of_a_hump() {
        let humps: [Hump; 4] = [
            (f64::sin, std::f64::consts::FRAC_PI_2, 1.0),
            (|t| t * (-t).exp(), 1.0, (-1.0f64).exp()),
            (|t| t.powf(1.5) * (1.0 - 0.4 * t), 1.5, 1.5f64.powf(1.5) * 0.4),
            (|t| 3.0 + (2.0 * (t - 1.3)).cos(), 1.3, 4.0),
        ];
        for (f, at, height) in humps {
            for (t0, t1) in [(0.5, 2.0), (0.9, 1.7), (0.2, 2.3)] {
                let mut asked = 0;
                let (t, top) = largest(
                    |t| {
                        asked += 1;
                        f(t)
                    },
                    t0,
                    t1,
                );
                let near = 1e-5 * (t1 - t0);
                assert!(
                    (t - at).abs() < near && (top - height).abs() < 1e-10,
                    "{t} {top}, not {at} {height}"
                );
                assert!(asked <= 14, "{asked} points");
            }
        }
        // a monotonic function is largest at its higher end
        assert_eq!(largest(|t| 2.0 * t, 0.0, 1.0), (1.0, 2.0));
        assert_eq!(largest(|t| -t, 0.0, 1.0), (0.0, 0.0));
    }
}
