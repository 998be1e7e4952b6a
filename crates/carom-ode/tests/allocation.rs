//! No method allocates within steps once it is warm.

use carom_ode::{Options, Solver, methods, problems};
use carom_testkit::allocations;

/// Steps, with dense output, from the first tenth of all steps to the last; small and large, stiff or not.
#[test]
fn steady_steps_allocate_nothing() {
    for method in methods::ALL.iter().filter(|m| m.is_adaptive()) {
        for name in ["kepler", "vdpol", "brusselator"] {
            let p = problems::find(name).unwrap();
            if p.stiff && !method.suits_stiff() && name == "vdpol" {
                continue;
            }
            for exact in [true, false] {
                let options = Options { rtol: 1e-6, atol: 1e-6, scale: p.scales(), ..Options::default() };
                let mut ode = p.ode();
                ode.exact = exact;
                let mut solver = Solver::new(*method, &mut ode, p.t0, &p.start(), p.t_end, options).unwrap();
                let mut y = vec![0.0; p.dim()];
                let (mut warm, mut steps) = (0, 0);
                while !solver.done() {
                    solver.step(&mut ode).unwrap();
                    solver.prepare_dense(&mut ode).unwrap();
                    let middle = 0.5 * (solver.t_start() + solver.t());
                    solver.dense().unwrap().at(middle, 0..p.dim(), &mut y);
                    steps += 1;
                    // auto makes its implicit half when it first turns to it
                    if steps == 40 {
                        warm = allocations();
                    }
                }
                let after = allocations();
                assert!(steps > 60, "{} on {name}: {steps} steps", method.name());
                assert_eq!(after, warm, "{} on {name}, exact Jacobian: {exact}", method.name());
            }
        }
    }
}
