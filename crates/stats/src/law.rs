//! The law of scalability fitted to points, with or without a step: what `usl` and `cliff` have in common.
//!
//! With D(N) = a + b (N - 1) + c N (N - 1) the Universal Scalability Law is X(N) = N / D(N), where a = 1 / lambda,
//! b = alpha / lambda, c = beta / lambda. Residuals are logarithms, as throughput scatters in proportion to itself. Least
//! squares by Levenberg and Marquardt (Marquardt, "An Algorithm for Least-Squares Estimation of Nonlinear Parameters",
//! 1963); where a coefficient would be negative, the best fit on the faces where it is zero.

/// Parameters of the law, at most four: a, b, c, step.
const PARAMETERS: usize = 4;

/// A fitted law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Law {
    /// Coefficients of D(N).
    pub(crate) coefficients: [f64; 3],
    /// Logarithm by which all points above the step lie above the law; 0 without a step.
    pub(crate) step: f64,
    /// Sum of the squared residuals.
    pub(crate) squares: f64,
}

impl Law {
    /// D(N).
    pub(crate) fn demand(&self, n: f64) -> f64 {
        let [a, b, c] = self.coefficients;
        a + b * (n - 1.0) + c * n * (n - 1.0)
    }
}

/// The coefficients that may differ from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All of them.
    Universal,
    /// c = 0.
    Amdahl,
}

/// Runs at one N.
#[derive(Debug, Clone, Copy)]
struct Level {
    n: f64,
    /// Geometric mean of their throughputs.
    x: f64,
    /// Number of values.
    weight: f64,
}

/// Points by N, and the squares of their logarithms within the same N. Residuals are logarithms, so that the squares of the
/// residuals are those of the means, weighted, and these: the same law, from a tenth of the points where every cell has ten runs.
fn by_level(points: &[(f64, f64)]) -> (Vec<Level>, f64) {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut found, mut within) = (Vec::new(), 0.0);
    for part in sorted.chunk_by(|a, b| a.0 == b.0) {
        let weight = part.len() as f64;
        let mean = part.iter().map(|(_, x)| x.ln()).sum::<f64>() / weight;
        within += part.iter().map(|(_, x)| (x.ln() - mean).powi(2)).sum::<f64>();
        let x = if part.len() == 1 { part[0].1 } else { mean.exp() };
        found.push(Level { n: part[0].0, x, weight });
    }
    (found, within)
}

/// Fits points (N, X), all positive and sorted or not; `step_above` is the N above which a step is fitted too. None if
/// there is no fit.
pub(crate) fn fit(points: &[(f64, f64)], shape: Shape, step_above: Option<f64>) -> Option<Law> {
    let step = step_above.is_some();
    let (points, within) = by_level(points);
    let on_face = |b: bool, c: bool| {
        let law = descend(&points, [true, b, c, step], step_above)?;
        let law = Law { squares: law.squares + within, ..law };
        law.coefficients.iter().all(|v| *v >= 0.0).then_some(law)
    };
    let universal = shape == Shape::Universal;
    if let Some(law) = on_face(true, universal) {
        return Some(law);
    }
    let faces =
        [on_face(true, false), if universal { on_face(false, true) } else { None }, on_face(false, false)];
    faces.into_iter().flatten().min_by(|a, b| a.squares.total_cmp(&b.squares))
}

/// Number of different N.
pub(crate) fn levels(points: &[(f64, f64)]) -> usize {
    let mut n: Vec<f64> = points.iter().map(|(n, _)| *n).collect();
    n.sort_by(f64::total_cmp);
    n.dedup();
    n.len()
}

/// Levenberg and Marquardt's descent in the free parameters.
fn descend(points: &[Level], free: [bool; PARAMETERS], step_above: Option<f64>) -> Option<Law> {
    const ROUNDS: usize = 100;
    const CHANGE_MIN: f64 = 1e-12;
    let mut law = start(points, free, step_above)?;
    let mut damping = 1e-3;
    for _ in 0..ROUNDS {
        let (matrix, gradient) = normal_equations(points, &law, free, step_above);
        let mut damped = matrix;
        for (i, row) in damped.iter_mut().enumerate() {
            row[i] *= 1.0 + damping;
        }
        let tried = solve(damped, gradient).map(|change| moved(points, &law, change, step_above));
        match tried {
            Some(better) if better.squares <= law.squares => {
                let gain = law.squares - better.squares;
                law = better;
                damping = (damping / 10.0).max(1e-12);
                if gain <= CHANGE_MIN * (law.squares + CHANGE_MIN) {
                    break;
                }
            }
            _ if damping > 1e12 => break,
            _ => damping *= 10.0,
        }
    }
    law.squares.is_finite().then_some(law)
}

/// A start from linear least squares of N / X, weighted so that errors are relative; if that is no law, a constant.
fn start(points: &[Level], free: [bool; PARAMETERS], step_above: Option<f64>) -> Option<Law> {
    let (mut matrix, mut right) = ([[0.0; PARAMETERS]; PARAMETERS], [0.0; PARAMETERS]);
    for Level { n, x, weight } in points {
        let row = [1.0, n - 1.0, n * (n - 1.0), 0.0].map(|v| v * x / n);
        for i in 0..PARAMETERS {
            right[i] += weight * row[i];
            for j in 0..PARAMETERS {
                matrix[i][j] += weight * row[i] * row[j];
            }
        }
    }
    pin(&mut matrix, &mut right, [free[0], free[1], free[2], false]);
    let linear = solve(matrix, right).map(|s| with_squares(points, [s[0], s[1], s[2]], 0.0, step_above));
    let runs: f64 = points.iter().map(|level| level.weight).sum();
    let mean = points.iter().map(|level| level.weight * level.n / level.x).sum::<f64>() / runs;
    let constant = with_squares(points, [mean, 0.0, 0.0], 0.0, step_above);
    linear.filter(|law| law.squares.is_finite()).or(constant.squares.is_finite().then_some(constant))
}

/// The law with its squares; infinite where it gives no throughput.
fn with_squares(points: &[Level], coefficients: [f64; 3], step: f64, step_above: Option<f64>) -> Law {
    let mut law = Law { coefficients, step, squares: 0.0 };
    law.squares = points
        .iter()
        .map(|point| {
            let squared = point.weight * residual(point, &law, step_above).powi(2);
            if squared.is_nan() { f64::INFINITY } else { squared }
        })
        .sum();
    law
}

/// Logarithm of the throughput over that of the law.
fn residual(Level { n, x, .. }: &Level, law: &Law, step_above: Option<f64>) -> f64 {
    let step = if step_above.is_some_and(|above| *n > above) { law.step } else { 0.0 };
    (x * law.demand(*n) / n).ln() - step
}

fn moved(points: &[Level], law: &Law, change: [f64; PARAMETERS], step_above: Option<f64>) -> Law {
    let [a, b, c] = law.coefficients;
    let coefficients = [a - change[0], b - change[1], c - change[2]];
    with_squares(points, coefficients, law.step - change[3], step_above)
}

fn normal_equations(
    points: &[Level],
    law: &Law,
    free: [bool; PARAMETERS],
    step_above: Option<f64>,
) -> ([[f64; PARAMETERS]; PARAMETERS], [f64; PARAMETERS]) {
    let (mut matrix, mut gradient) = ([[0.0; PARAMETERS]; PARAMETERS], [0.0; PARAMETERS]);
    for point in points {
        let (n, weight) = (point.n, point.weight);
        let demand = law.demand(n);
        let above = step_above.is_some_and(|above| n > above);
        let row = [1.0 / demand, (n - 1.0) / demand, n * (n - 1.0) / demand, if above { -1.0 } else { 0.0 }];
        let residual = residual(point, law, step_above);
        for i in 0..PARAMETERS {
            gradient[i] += weight * row[i] * residual;
            for j in 0..PARAMETERS {
                matrix[i][j] += weight * row[i] * row[j];
            }
        }
    }
    pin(&mut matrix, &mut gradient, free);
    (matrix, gradient)
}

/// Removes parameters that are not free from the equations.
fn pin(
    matrix: &mut [[f64; PARAMETERS]; PARAMETERS],
    right: &mut [f64; PARAMETERS],
    free: [bool; PARAMETERS],
) {
    for i in (0..PARAMETERS).filter(|i| !free[*i]) {
        right[i] = 0.0;
        matrix[i] = [0.0; PARAMETERS];
        matrix.iter_mut().for_each(|row| row[i] = 0.0);
        matrix[i][i] = 1.0;
    }
}

/// Gauss's elimination with the diagonal brought to 1 first, as coefficients differ by orders of magnitude. None for a
/// singular matrix.
fn solve(matrix: [[f64; PARAMETERS]; PARAMETERS], right: [f64; PARAMETERS]) -> Option<[f64; PARAMETERS]> {
    let mut scale = [0.0; PARAMETERS];
    for (i, scale) in scale.iter_mut().enumerate() {
        *scale = matrix[i][i].sqrt();
    }
    if scale.iter().any(|s| !s.is_finite() || *s <= 0.0) {
        return None;
    }
    let (mut m, mut r) = (matrix, right);
    for i in 0..PARAMETERS {
        r[i] /= scale[i];
        for j in 0..PARAMETERS {
            m[i][j] /= scale[i] * scale[j];
        }
    }
    for column in 0..PARAMETERS {
        let pivot =
            (column..PARAMETERS).max_by(|i, j| m[*i][column].abs().total_cmp(&m[*j][column].abs()))?;
        if m[pivot][column].abs() < 1e-14 {
            return None;
        }
        m.swap(column, pivot);
        r.swap(column, pivot);
        for row in column + 1..PARAMETERS {
            let factor = m[row][column] / m[column][column];
            let above = m[column];
            m[row].iter_mut().zip(above).for_each(|(value, above)| *value -= factor * above);
            r[row] -= factor * r[column];
        }
    }
    for row in (0..PARAMETERS).rev() {
        let known: f64 = (row + 1..PARAMETERS).map(|j| m[row][j] * r[j]).sum();
        r[row] = (r[row] - known) / m[row][row];
    }
    for (value, scale) in r.iter_mut().zip(scale) {
        *value /= scale;
    }
    Some(r)
}
