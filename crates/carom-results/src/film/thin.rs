//! Chooses the output times that become frames.

/// Returns the indices of the output times to keep, at most `most` (at least 2) of them: the first and the last; half of the
/// rest evenly spaced in time; then those where `weight` (the contact force) is greatest in their part of the run; then those
/// just before and after `moments` (touches and releases).
///
/// ```
/// use carom_results::film::thin::keep;
/// let t: Vec<f64> = (0..1000).map(f64::from).collect();
/// let mut weight = vec![0.0; 1000];
/// weight[777] = 1.0;
/// let kept = keep(&t, &weight, &[123.4], 50);
/// assert!(kept.len() <= 50 && [0, 123, 124, 777, 999].iter().all(|i| kept.contains(i)));
/// ```
pub fn keep(t: &[f64], weight: &[f64], moments: &[f64], most: usize) -> Vec<usize> {
    let most = most.max(2);
    if t.len() <= most {
        return (0..t.len()).collect();
    }
    let last = t.len() - 1;
    let mut kept = vec![false; t.len()];
    let mut count = 0;
    let mut take = |i: usize| {
        if count < most && !kept[i] {
            kept[i] = true;
            count += 1;
        }
    };
    take(0);
    take(last);
    let even = most / 2;
    for k in 1..even {
        let at = t[0] + (t[last] - t[0]) * k as f64 / even as f64;
        take(t.partition_point(|x| *x < at).min(last));
    }
    let parts = most / 4;
    for k in 0..parts {
        let range = k * t.len() / parts..(k + 1) * t.len() / parts;
        let greatest = range.max_by(|&a, &b| of(weight, a).total_cmp(&of(weight, b)));
        if let Some(i) = greatest.filter(|&i| of(weight, i) > 0.0) {
            take(i);
        }
    }
    // if there are too many moments, every n-th is taken
    let stride = moments.len().div_ceil((most / 8).max(1)).max(1);
    for moment in moments.iter().step_by(stride) {
        let after = t.partition_point(|x| x < moment).min(last);
        take(after.saturating_sub(1));
        take(after);
    }
    (0..t.len()).filter(|&i| kept[i]).collect()
}

fn of(weight: &[f64], i: usize) -> f64 {
    weight.get(i).copied().filter(|w| w.is_finite()).unwrap_or(0.0)
}
