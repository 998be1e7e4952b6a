//! Contender c: a bare loop, as one writes it for this ball and no other.
//!
//! DOP853 on fixed arrays with the step control of Hairer, Nørsett, Wanner, *Solving Ordinary Differential
//! Equations I*, II.4 and II.10; coefficients from their code. A step across a touch or release is repeated
//! with Newton on the gap until it ends there. No traits, no checks, nothing else can be simulated with it.

use crate::ball::{self, DURATION, G, MASS, N, Outcome, RADIUS, VZ, Z};

type State = [f64; N];
/// Slopes: twelve stages, and that at the end of the step.
type Slopes = [State; 13];

/// What an error of `rtol` means for a component near zero: length, 1, speed, angular speed.
const SCALE: State = {
    let (l, v) = (RADIUS, 0.5);
    [l, l, l, 1.0, 1.0, 1.0, 1.0, v, v, v, v / l, v / l, v / l]
};

/// One run; `see` is told height and speed at the end of every step.
pub(crate) fn run(rtol: f64, mut see: impl FnMut(f64, f64)) -> Outcome {
    let k_over_m = ball::stiffness() / MASS;
    let mut out = Outcome { evaluations: 1, ..Outcome::default() };
    let (mut t, mut y, mut touching) = (0.0, ball::start(), false);
    let mut k = [[0.0; N]; 13];
    k[0] = rates(&y, touching, k_over_m);
    // the first step: of a flight as of half of it; of an impact a share, learnt from the one before
    let (mut h, mut share, mut first) = ((2.0 * ball::DROP / G).sqrt(), 0.05, false);
    let mut rejected = false;
    while t < DURATION {
        h = h.min(DURATION - t);
        let mut y1 = attempt(&y, h, touching, k_over_m, &mut k);
        out.evaluations += 12;
        let error = error_norm(&y, &y1, &k, h, rtol);
        if !(error <= 1.0) {
            h *= (0.9 * error.powf(-0.125)).max(1.0 / 3.0);
            rejected = true;
            continue;
        }
        let most = if rejected { 1.0 } else { 6.0 };
        let wish = h * (0.9 * error.max(1e-16).powf(-0.125)).clamp(1.0 / 3.0, most);
        let gap = y1[Z] - RADIUS;
        if (gap < 0.0) == touching {
            // no event (in flight the gap is concave, in contact convex: the end tells)
            if first {
                share = h / ball::impact_duration(y[VZ].abs());
                first = false;
            }
            t = if h == DURATION - t { DURATION } else { t + h };
            h = wish;
            k[0] = k[12];
        } else {
            h = cubic_crossing(y[Z] - RADIUS, y[VZ], gap, y1[VZ], h);
            loop {
                y1 = attempt(&y, h, touching, k_over_m, &mut k);
                out.evaluations += 12;
                let dt = (RADIUS - y1[Z]) / y1[VZ];
                if dt.abs() <= 1e-7 * h {
                    // the last crumb with the slope
                    for i in 0..N {
                        y1[i] += dt * k[12][i];
                    }
                    t += h + dt;
                    break;
                }
                h += dt;
            }
            touching = !touching;
            first = touching;
            out.touches += usize::from(touching);
            h = if touching { share * ball::impact_duration(-y1[VZ]) } else { y1[VZ] / G };
            k[0] = rates(&y1, touching, k_over_m);
            out.evaluations += 1;
        }
        rejected = false;
        y = y1;
        out.steps += 1;
        see(y[Z], y[VZ]);
    }
    out.gap = y[Z] - RADIUS;
    out
}

/// The rates of the state.
#[inline(always)]
fn rates(y: &State, touching: bool, k_over_m: f64) -> State {
    let [_, _, z, q0, q1, q2, q3, vx, vy, vz, wx, wy, wz] = *y;
    let depth = RADIUS - z;
    let push = if touching && depth > 0.0 { k_over_m * depth * depth.sqrt() } else { 0.0 };
    [
        vx,
        vy,
        vz,
        0.5 * (-wx * q1 - wy * q2 - wz * q3),
        0.5 * (wx * q0 + wy * q3 - wz * q2),
        0.5 * (wy * q0 + wz * q1 - wx * q3),
        0.5 * (wz * q0 + wx * q2 - wy * q1),
        0.0,
        0.0,
        push - G,
        0.0,
        0.0,
        0.0,
    ]
}

/// Where the cubic through both ends' gaps and rates crosses zero, as a step from the start. It is the crossing
/// itself in flight, and a good guess in contact.
fn cubic_crossing(g0: f64, r0: f64, g1: f64, r1: f64, h: f64) -> f64 {
    let (d0, d1) = (h * r0, h * r1);
    let (b, a) = (3.0 * (g1 - g0) - 2.0 * d0 - d1, 2.0 * (g0 - g1) + d0 + d1);
    let mut s = 1.0;
    for _ in 0..50 {
        let ds = (g0 + s * (d0 + s * (b + s * a))) / (d0 + s * (2.0 * b + s * 3.0 * a));
        s -= ds;
        if ds.abs() <= 1e-15 {
            break;
        }
    }
    s * h
}

/// Σ a_j k_j of component i.
macro_rules! sum {
    ($k:ident, $i:ident: ($j0:literal, $a0:expr) $(, ($j:literal, $a:expr))* $(,)?) => {
        $a0 * $k[$j0][$i] $(+ $a * $k[$j][$i])*
    };
}

/// y + h Σ a_j k_j.
macro_rules! ahead {
    ($y:ident, $h:ident, $k:ident: $($row:tt)*) => {{
        let mut to = [0.0; N];
        for i in 0..N {
            to[i] = $y[i] + $h * (sum!($k, i: $($row)*));
        }
        to
    }};
}

/// A step of length `h`: fills the slopes from the second on, and gives the state at the end.
fn attempt(y: &State, h: f64, touching: bool, k_over_m: f64, k: &mut Slopes) -> State {
    let f = |y: &State| rates(y, touching, k_over_m);
    k[1] = f(&ahead!(y, h, k: (0, 5.26001519587677318785587544488e-2)));
    k[2] =
        f(&ahead!(y, h, k: (0, 1.97250569845378994544595329183e-2), (1, 5.91751709536136983633785987549e-2)));
    k[3] =
        f(&ahead!(y, h, k: (0, 2.95875854768068491816892993775e-2), (2, 8.87627564304205475450678981324e-2)));
    k[4] = f(&ahead!(y, h, k:
        (0, 2.41365134159266685502369798665e-1),
        (2, -8.84549479328286085344864962717e-1),
        (3, 9.24834003261792003115737966543e-1),
    ));
    k[5] = f(&ahead!(y, h, k:
        (0, 3.7037037037037037037037037037e-2),
        (3, 1.70828608729473871279604482173e-1),
        (4, 1.25467687566822425016691814123e-1),
    ));
    k[6] = f(&ahead!(y, h, k:
        (0, 3.7109375e-2),
        (3, 1.70252211019544039314978060272e-1),
        (4, 6.02165389804559606850219397283e-2),
        (5, -1.7578125e-2),
    ));
    k[7] = f(&ahead!(y, h, k:
        (0, 3.70920001185047927108779319836e-2),
        (3, 1.70383925712239993810214054705e-1),
        (4, 1.07262030446373284651809199168e-1),
        (5, -1.53194377486244017527936158236e-2),
        (6, 8.27378916381402288758473766002e-3),
    ));
    k[8] = f(&ahead!(y, h, k:
        (0, 6.24110958716075717114429577812e-1),
        (3, -3.36089262944694129406857109825),
        (4, -8.68219346841726006818189891453e-1),
        (5, 2.75920996994467083049415600797e1),
        (6, 2.01540675504778934086186788979e1),
        (7, -4.34898841810699588477366255144e1),
    ));
    k[9] = f(&ahead!(y, h, k:
        (0, 4.77662536438264365890433908527e-1),
        (3, -2.48811461997166764192642586468),
        (4, -5.90290826836842996371446475743e-1),
        (5, 2.12300514481811942347288949897e1),
        (6, 1.52792336328824235832596922938e1),
        (7, -3.32882109689848629194453265587e1),
        (8, -2.03312017085086261358222928593e-2),
    ));
    k[10] = f(&ahead!(y, h, k:
        (0, -9.3714243008598732571704021658e-1),
        (3, 5.18637242884406370830023853209),
        (4, 1.09143734899672957818500254654),
        (5, -8.14978701074692612513997267357),
        (6, -1.85200656599969598641566180701e1),
        (7, 2.27394870993505042818970056734e1),
        (8, 2.49360555267965238987089396762),
        (9, -3.0467644718982195003823669022),
    ));
    k[11] = f(&ahead!(y, h, k:
        (0, 2.27331014751653820792359768449),
        (3, -1.05344954667372501984066689879e1),
        (4, -2.00087205822486249909675718444),
        (5, -1.79589318631187989172765950534e1),
        (6, 2.79488845294199600508499808837e1),
        (7, -2.85899827713502369474065508674),
        (8, -8.87285693353062954433549289258),
        (9, 1.23605671757943030647266201528e1),
        (10, 6.43392746015763530355970484046e-1),
    ));
    let y1 = ahead!(y, h, k:
        (0, 5.42937341165687622380535766363e-2),
        (5, 4.45031289275240888144113950566),
        (6, 1.89151789931450038304281599044),
        (7, -5.8012039600105847814672114227),
        (8, 3.1116436695781989440891606237e-1),
        (9, -1.52160949662516078556178806805e-1),
        (10, 2.01365400804030348374776537501e-1),
        (11, 4.47106157277725905176885569043e-2),
    );
    k[12] = f(&y1);
    y1
}

/// The error of the step over the allowed one: the fifth-order estimate, tempered by the third-order one.
fn error_norm(y: &State, y1: &State, k: &Slopes, h: f64, rtol: f64) -> f64 {
    let (mut e5, mut e3) = (0.0f64, 0.0f64);
    for i in 0..N {
        let allowed = rtol * (SCALE[i] + y[i].abs().max(y1[i].abs()));
        let five = sum!(k, i:
            (0, 0.1312004499419488073250102996e-1),
            (5, -0.1225156446376204440720569753e+1),
            (6, -0.4957589496572501915214079952),
            (7, 0.1664377182454986536961530415e+1),
            (8, -0.3503288487499736816886487290),
            (9, 0.3341791187130174790297318841),
            (10, 0.8192320648511571246570742613e-1),
            (11, -0.2235530786388629525884427845e-1),
        );
        let three = sum!(k, i:
            (0, 5.42937341165687622380535766363e-2 - 0.244094488188976377952755905512),
            (5, 4.45031289275240888144113950566),
            (6, 1.89151789931450038304281599044),
            (7, -5.8012039600105847814672114227),
            (8, 3.1116436695781989440891606237e-1 - 0.733846688281611857341361741547),
            (9, -1.52160949662516078556178806805e-1),
            (10, 2.01365400804030348374776537501e-1),
            (11, 4.47106157277725905176885569043e-2 - 0.220588235294117647058823529412e-1),
        );
        e5 = e5.max((five / allowed).abs());
        e3 = e3.max((three / allowed).abs());
    }
    let d = e5 * e5 + 0.01 * e3 * e3;
    if d > 0.0 { h * e5 * e5 / d.sqrt() } else { 0.0 }
}
