//! Expressions in an inner loop.

use carom_base::expression::{Expression, Side};
use carom_base::{Jet, Range};
use carom_testkit::allocations_of;

/// Loads are evaluated many times a step: that takes no memory, whatever the functions and the numbers.
#[test]
fn an_evaluation_allocates_nothing() {
    let text = "if(x > 1 and not y < 2 or x == 3, abs(x), -y) + min(x, y)*sign(y) + mod(x, 2) + floor(y)
        + step(x, 0, 1, 2, 3) + pulse(y, 0, 1, 2, 3) + linear(x, 0, 0, 1, 1, 2, 5) + spline(y, 0, 0, 1, 1, 3, 5)
        + monotone(x*y, 0, 0, 1, 1, 3, 5)*sin(x)^2/hypot(x, y)";
    let e = Expression::parse(text).unwrap();
    let sides = vec![Side::Positive; e.switches().len()];
    let mut sum = 0.0;
    let count = allocations_of(|| {
        sum += e.at(&[1.5, 2.5])
            + e.at_sides(&[1.5, 2.5], &sides)
            + e.at(&[Jet::time(1.5), Jet::time(2.5)]).rate;
        sum += e.at(&[Range::new(1.0, 2.0), Range::new(0.5, 1.5)]).hi;
    });
    assert!(sum.is_finite() && count == 0, "{sum} with {count} allocations");
    assert!(allocations_of(|| drop(e.clone())) > 0, "the allocator counts");
}
