use carom_base::*;
use carom_field::pieces::*;
use carom_field::*;
use std::time::Instant;
fn time(mut f: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let n = 300;
        let t = Instant::now();
        for _ in 0..n {
            f();
        }
        best = best.min(t.elapsed().as_secs_f64() / n as f64 * 1e6);
    }
    best
}
fn main() {
    let c0 = Mat3::identity() + Mat3::new(0.5, -0.25, 0.0, 0.375, -0.25, 0.0, 0.0, 0.0, 0.0) * 0.4;
    let barrel = Barrel::new(0.5, 1.0).unwrap();
    for (nu, order) in [(2u32, 2u32), (4, 2), (8, 1), (8, 2), (12, 2)] {
        for h in [0.1, 0.02, 0.01, 0.002, 1e-4] {
            print!("nu {nu} order {order} gap {h:7}: ");
            for bz in [0.0, 0.1, 0.7] {
                for cof in [None, Some(c0)] {
                    let b = Vec3::new(-0.6, 0.8, 0.0) * f64::sqrt(1.0 - bz * bz) + Vec3::z() * bz;
                    let a = h + 0.5 * b.xy().norm() + 0.5 * bz;
                    let asked = [Asked { nu, order }];
                    let mut out = [Moments::zero()];
                    let t = time(|| {
                        Piece::moments(&barrel, &asked, &Height { a, b }, cof.as_ref(), &mut out);
                    });
                    let mut out13 = [Moments::zero()];
                    let mut out4 = [Moments::zero()];
                    let td = match cof {
                        None => {
                            let d4 = Height {
                                a: Dual::<4>::variable(a, 0),
                                b: Vec3::from_fn(|i, _| Dual::variable(b[i], i + 1)),
                            };
                            time(|| {
                                barrel.moments_by_height(&asked, &d4, &mut out4);
                            })
                        }
                        Some(c) => {
                            let d = Height {
                                a: Dual::<13>::variable(a, 0),
                                b: Vec3::from_fn(|i, _| Dual::variable(b[i], i + 1)),
                            };
                            let c = Mat3::from_fn(|i, j| Dual::variable(c[(i, j)], 4 + i + 3 * j));
                            time(|| {
                                barrel.moments_by_all(&asked, &d, &c, &mut out13);
                            })
                        }
                    };
                    print!(" {}{bz} {t:6.2}/{td:6.2} ", if cof.is_some() { "def " } else { "rig " });
                }
            }
            println!();
        }
    }
}
