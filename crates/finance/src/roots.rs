//! Real roots of a function on an interval: Brent's method, and a scan that finds all of them.
//!
//! The scan looks for sign changes between grid points and for touching points (double roots), so that a
//! function with several roots never silently yields only one.

/// The root between `low` and `high`, where `f` must change sign. `None` if it does not, or if `f` is not
/// finite there. Uses Brent's method: bisection with secant and inverse quadratic steps.
pub(crate) fn brent(f: impl Fn(f64) -> f64, low: f64, high: f64) -> Option<f64> {
    let (mut a, mut b) = (low, high);
    let (mut fa, mut fb) = (f(a), f(b));
    if !(fa.is_finite() && fb.is_finite()) {
        return None;
    }
    if fa == 0.0 {
        return Some(a);
    }
    if fb == 0.0 {
        return Some(b);
    }
    if (fa > 0.0) == (fb > 0.0) {
        return None;
    }
    let (mut c, mut fc) = (a, fa);
    let mut step = b - a;
    let mut previous = step;
    for _ in 0..200 {
        if (fb > 0.0) == (fc > 0.0) {
            (c, fc) = (a, fa);
            step = b - a;
            previous = step;
        }
        if fc.abs() < fb.abs() {
            (a, b, c) = (b, c, b);
            (fa, fb, fc) = (fb, fc, fb);
        }
        let tolerance = 2.0 * f64::EPSILON * b.abs() + 1e-16;
        let middle = 0.5 * (c - b);
        if middle.abs() <= tolerance || fb == 0.0 {
            return Some(b);
        }
        if previous.abs() >= tolerance && fa.abs() > fb.abs() {
            let s = fb / fa;
            let (mut p, mut q) = if a == c {
                (2.0 * middle * s, 1.0 - s)
            } else {
                let (u, v) = (fa / fc, fb / fc);
                (
                    s * (2.0 * middle * u * (u - v) - (b - a) * (v - 1.0)),
                    (u - 1.0) * (v - 1.0) * (s - 1.0),
                )
            };
            if p > 0.0 {
                q = -q;
            }
            p = p.abs();
            if 2.0 * p < (3.0 * middle * q - (tolerance * q).abs()).min((previous * q).abs()) {
                previous = step;
                step = p / q;
            } else {
                step = middle;
                previous = middle;
            }
        } else {
            step = middle;
            previous = middle;
        }
        (a, fa) = (b, fb);
        b += if step.abs() > tolerance {
            step
        } else {
            tolerance.copysign(middle)
        };
        fb = f(b);
        if !fb.is_finite() {
            return None;
        }
    }
    Some(b)
}

/// All roots of `f` at or between the ascending grid points, in ascending order. `touch` is the size below
/// which a value at a turning point counts as zero.
pub(crate) fn all(f: impl Fn(f64) -> f64, grid: &[f64], touch: f64) -> Vec<f64> {
    let points: Vec<(f64, f64)> = grid.iter().map(|&x| (x, f(x))).collect();
    let mut found = Vec::new();
    for pair in points.windows(2) {
        let &[(x0, y0), (x1, y1)] = pair else { continue };
        if y0 == 0.0 {
            found.push(x0);
        } else if y1 != 0.0
            && (y0 > 0.0) != (y1 > 0.0)
            && let Some(root) = brent(&f, x0, x1)
        {
            found.push(root);
        }
    }
    if let Some(&(x, y)) = points.last()
        && y == 0.0
    {
        found.push(x);
    }
    for triple in points.windows(3) {
        let &[(x0, y0), (_, y1), (x2, y2)] = triple else {
            continue;
        };
        let same = (y0 > 0.0) == (y1 > 0.0) && (y1 > 0.0) == (y2 > 0.0);
        if !same || y1.abs() > y0.abs() || y1.abs() > y2.abs() || y1 == 0.0 {
            continue;
        }
        let (x, y) = turning_point(&f, x0, x2, y1.signum());
        if y.abs() <= touch {
            found.push(x);
        } else if (y > 0.0) != (y1 > 0.0) {
            found.extend(brent(&f, x0, x));
            found.extend(brent(&f, x, x2));
        }
    }
    found.sort_by(f64::total_cmp);
    found.dedup_by(|later, first| (*later - *first).abs() <= 1e-7 * first.abs().max(1e-3));
    found
}

/// The point between `low` and `high` where `sign * f` is smallest, and the value of `f` there, by
/// golden-section search.
fn turning_point(f: impl Fn(f64) -> f64, low: f64, high: f64, sign: f64) -> (f64, f64) {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (low, high);
    let (mut left, mut right) = (b - GOLDEN * (b - a), a + GOLDEN * (b - a));
    let (mut at_left, mut at_right) = (sign * f(left), sign * f(right));
    for _ in 0..90 {
        if at_left < at_right {
            (b, right, at_right) = (right, left, at_left);
            left = b - GOLDEN * (b - a);
            at_left = sign * f(left);
        } else {
            (a, left, at_left) = (left, right, at_right);
            right = a + GOLDEN * (b - a);
            at_right = sign * f(right);
        }
    }
    let x = 0.5 * (a + b);
    (x, f(x))
}
