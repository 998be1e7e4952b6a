#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]
mod problems;
#[test]
#[ignore]
fn table() {
    for p in &problems::ALL {
        for exact in [true, false] {
            for k in 6..25 {
                let r = 10f64.powf(-0.5 * k as f64);
                match problems::run(p, r, exact) {
                    Ok((e, s)) => println!(
                        "{} {} {:.1} {:.3e} {} {} {} {} rej {} div {}",
                        p.name,
                        if exact { "exact" } else { "diff" },
                        0.5 * k as f64,
                        e,
                        s.evaluations,
                        s.steps,
                        s.jacobians,
                        2 * s.factorisations,
                        s.rejected,
                        s.diverged
                    ),
                    Err(e) => println!("{} {} {:.1} {e}", p.name, exact, 0.5 * k as f64),
                }
            }
        }
    }
}
