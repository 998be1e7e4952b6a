//! The patch of two solids: both surfaces, each within the other solid.

use std::cell::RefCell;

use carom_base::Pose;

use super::PressurePatch;
use super::body::Body;
use super::flat::{self, Rooms};
use crate::contact::Contact;
use crate::error::PairFailure;

/// Two solids, and the weights s_A and s_B of the depths in them.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    pub(crate) a: Body,
    pub(crate) b: Body,
    pub(crate) weights: [f64; 2],
}

thread_local! {
    static ROOMS: RefCell<Rooms> = RefCell::default();
}

/// Calls `go` with room that is kept from call to call.
fn with_rooms<T>(go: impl FnOnce(&mut Rooms) -> T) -> T {
    ROOMS.with(|rooms| match rooms.try_borrow_mut() {
        Ok(mut rooms) => go(&mut rooms),
        Err(_) => go(&mut Rooms::default()),
    })
}

fn is_finite(x: &Pose) -> bool {
    (x.p.sum() + x.r.sum()).is_finite()
}

impl PressurePatch for Patch {
    fn points(&self, x_a: &Pose, x_b: &Pose, points: &mut Vec<Contact>) -> Result<(), PairFailure> {
        points.clear();
        if !is_finite(x_a) || !is_finite(x_b) {
            return Err(PairFailure::NotFinite);
        }
        let [s_a, s_b] = self.weights;
        // the guest, the host with its pose, the weight of the host's depth, and whether the guest is A
        let sides = [(&self.a, &self.b, x_a, x_b, s_b, 1.0), (&self.b, &self.a, x_b, x_a, s_a, -1.0)];
        with_rooms(|rooms| {
            for (guest, host, x_guest, x_host, weight, sign) in sides {
                if weight == 0.0 {
                    continue;
                }
                flat::points(guest, host, &x_guest.seen_from(x_host), rooms, |p, n, delta, area| {
                    let (p, n) = (x_host.point(&p), x_host.direction(&n) * sign);
                    points.push(Contact { p_a: p, p_b: p, n, delta, share: area * weight });
                });
            }
        });
        Ok(())
    }

    fn stored(&self, x_a: &Pose, x_b: &Pose) -> Result<f64, PairFailure> {
        if !is_finite(x_a) || !is_finite(x_b) {
            return Err(PairFailure::NotFinite);
        }
        let [s_a, s_b] = self.weights;
        let sides = [(&self.a, &self.b, x_a, x_b, s_b), (&self.b, &self.a, x_b, x_a, s_a)];
        Ok(with_rooms(|rooms| {
            let of = |(guest, host, x_guest, x_host, weight): (&Body, &Body, &Pose, &Pose, f64)| match weight
            {
                0.0 => 0.0,
                _ => weight * flat::stored(guest, host, &x_guest.seen_from(x_host), rooms),
            };
            sides.into_iter().map(of).sum()
        }))
    }
}
