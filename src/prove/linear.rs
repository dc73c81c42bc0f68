//! Linear equations with whole coefficients, and the least set of them that some points satisfy.

use symbolic::sum::gcd;

/// `coefficients · x + constant == 0`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// One coefficient for each unknown.
    pub coefficients: Vec<i128>,
    pub constant: i128,
}

impl Equation {
    /// Returns the value of the left side at a point, if it fits.
    fn at(&self, point: &[i128]) -> Option<i128> {
        let mut sum = self.constant;
        for (a, x) in self.coefficients.iter().zip(point) {
            sum = sum.checked_add(a.checked_mul(*x)?)?;
        }
        Some(sum)
    }

    /// `a * self - b * other`, if that fits, with small coefficients.
    fn combined(&self, a: i128, other: &Self, b: i128) -> Option<Self> {
        let one = |x: i128, y: i128| a.checked_mul(x)?.checked_sub(b.checked_mul(y)?);
        let coefficients = self.coefficients.iter().zip(&other.coefficients);
        let coefficients = coefficients.map(|(x, y)| one(*x, *y));
        let made = Self {
            coefficients: coefficients.collect::<Option<_>>()?,
            constant: one(self.constant, other.constant)?,
        };
        Some(made.reduced())
    }

    /// Divides by the greatest common divisor; makes the first coefficient positive.
    fn reduced(mut self) -> Self {
        let all = || self.coefficients.iter().chain([&self.constant]);
        let divisor = all().fold(0, |d, &x| gcd(d, x.unsigned_abs()));
        let divisor = i128::try_from(divisor).unwrap_or(1);
        let first = self.coefficients.iter().find(|&&x| x != 0);
        let divisor = if first.is_some_and(|&x| x < 0) {
            -divisor
        } else {
            divisor
        };
        if divisor != 0 && divisor != 1 {
            for x in &mut self.coefficients {
                *x /= divisor;
            }
            self.constant /= divisor;
        }
        self
    }
}

/// The affine hull of points, as the equations that all of them satisfy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hull {
    /// The hull of no point.
    Empty,
    Points(Vec<Equation>),
}

impl Hull {
    /// Adds a point; says whether the hull has grown. Equations with too large numbers are lost: the hull is then larger.
    pub fn add(&mut self, point: &[i128]) -> bool {
        let Self::Points(equations) = self else {
            *self = Self::Points(of_point(point));
            return true;
        };
        let rest: Vec<Option<i128>> = equations.iter().map(|e| e.at(point)).collect();
        if rest.iter().all(|r| *r == Some(0)) {
            return false;
        }
        let pivot = rest
            .iter()
            .enumerate()
            .filter_map(|(i, r)| r.filter(|&r| r != 0).map(|r| (r.unsigned_abs(), i, r)))
            .min();
        let mut kept = Vec::new();
        for (i, equation) in equations.iter().enumerate() {
            match (rest[i], pivot) {
                (Some(0), _) => kept.push(equation.clone()),
                (Some(r), Some((_, p, at))) if i != p => {
                    kept.extend(equation.combined(at, &equations[p], r));
                }
                _ => {}
            }
        }
        *equations = kept;
        true
    }

    /// Forgets everything: any point is in it.
    pub fn give_up(&mut self) {
        *self = Self::Points(Vec::new());
    }

    /// Returns the equations, each with a variable that no other one has, as far as numbers fit. Earlier variables are preferred.
    #[must_use]
    pub fn solved(&self) -> Vec<Equation> {
        let Self::Points(equations) = self else {
            return Vec::new();
        };
        let mut rows = equations.clone();
        let columns = rows.first().map_or(0, |r| r.coefficients.len());
        let mut next = 0;
        for column in 0..columns {
            let found = (next..rows.len()).find(|&r| rows[r].coefficients[column] != 0);
            let Some(found) = found else { continue };
            rows.swap(next, found);
            let pivot = rows[next].clone();
            let lead = pivot.coefficients[column];
            for (i, row) in rows.iter_mut().enumerate() {
                let own = row.coefficients[column];
                if i != next
                    && own != 0
                    && let Some(made) = row.combined(lead, &pivot, own)
                {
                    *row = made;
                }
            }
            next += 1;
        }
        rows.into_iter().map(Equation::reduced).collect()
    }
}

/// `x_i == p_i`
fn of_point(point: &[i128]) -> Vec<Equation> {
    (0..point.len())
        .map(|i| Equation {
            coefficients: (0..point.len()).map(|j| i128::from(i == j)).collect(),
            constant: point[i].saturating_neg(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hull(points: &[&[i128]]) -> Vec<Equation> {
        let mut hull = Hull::Empty;
        for point in points {
            hull.add(point);
        }
        hull.solved()
    }

    #[test]
    fn a_line_has_its_equations() {
        let line = hull(&[&[0, 1, 5], &[1, 3, 5], &[4, 9, 5]]);
        let expected = [(vec![2, -1, 0], 1), (vec![0, 0, 1], -5)];
        let expected = expected.map(|(coefficients, constant)| Equation {
            coefficients,
            constant,
        });
        assert_eq!(line, expected);
    }

    #[test]
    fn points_in_general_position_have_none() {
        assert!(hull(&[&[0, 0], &[1, 0], &[0, 1]]).is_empty());
    }

    #[test]
    fn a_point_that_is_in_it_changes_nothing() {
        let mut hull = Hull::Empty;
        assert!(hull.add(&[1, 1]) && hull.add(&[2, 2]));
        assert!(!hull.add(&[7, 7]));
        assert!(hull.add(&[7, 8]));
    }

    #[test]
    fn too_large_numbers_lose_equations_and_nothing_else() {
        let mut hull = Hull::Empty;
        hull.add(&[i128::MAX, 0]);
        hull.add(&[i128::MIN + 1, 1]);
        hull.add(&[5, i128::MAX]);
        for equation in hull.solved() {
            assert_eq!(equation.at(&[5, i128::MAX]), Some(0));
        }
    }
}
