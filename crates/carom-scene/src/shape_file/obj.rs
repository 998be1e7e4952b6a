//! Reads OBJ files: vertices, and faces that refer to them. A face with more than three corners becomes a fan of triangles.

use super::{Corners, push};

pub(super) fn triangles(bytes: &[u8]) -> Result<Vec<Corners>, String> {
    let text = String::from_utf8_lossy(bytes);
    let (mut vertices, mut all, mut face) = (Vec::<[f64; 3]>::new(), Vec::new(), Vec::new());
    for (i, line) in text.lines().enumerate() {
        let here = || format!("line {}", i + 1);
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                // a fourth number is a weight, more are a colour
                let numbers: Vec<f64> = words.take(3).map_while(|w| w.parse().ok()).collect();
                let vertex = <[f64; 3]>::try_from(numbers);
                vertices.push(vertex.map_err(|_| format!("{}: `{line}` has not three numbers", here()))?);
            }
            Some("f") => {
                face.clear();
                for word in words {
                    face.push(corner(word, &vertices).map_err(|why| format!("{}: {why}", here()))?);
                }
                if face.len() < 3 {
                    return Err(format!("{}: a face with {} corners", here(), face.len()));
                }
                for pair in face[1..].windows(2) {
                    push(&mut all, [face[0], pair[0], pair[1]], here)?;
                }
            }
            _ => {}
        }
    }
    Ok(all)
}

/// Finds the vertex that a face refers to: `7`, `7/1/3`, `-1` (the last one so far).
fn corner(word: &str, vertices: &[[f64; 3]]) -> Result<[f64; 3], String> {
    let number: Option<i64> = word.split('/').next().and_then(|n| n.parse().ok());
    let number = number.ok_or_else(|| format!("`{word}` is no vertex"))?;
    let index = if number < 0 { vertices.len() as i64 + number } else { number - 1 };
    let vertex = usize::try_from(index).ok().and_then(|i| vertices.get(i));
    vertex.copied().ok_or_else(|| format!("there is no vertex {number}: {} so far", vertices.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_become_fans() {
        let text = "# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0 1.0\nv 0 1 0\nvn 0 0 1\nf 1/1/1 2//1 3 -1\n";
        let [a, b, c, d] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(triangles(text.as_bytes()).unwrap(), [[a, b, c], [a, c, d]]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let said = |text: &str| triangles(text.as_bytes()).unwrap_err();
        assert_eq!(said("v 0 0 0\nf 1 2 3"), "line 2: there is no vertex 2: 1 so far");
        assert_eq!(said("v 0 0 0\nf 0 1 1"), "line 2: there is no vertex 0: 1 so far");
        assert_eq!(said("v 0 0 0\nf 1 1"), "line 2: a face with 2 corners");
        assert_eq!(said("v 0 0\n"), "line 1: `v 0 0` has not three numbers");
        assert_eq!(said("v 0 0 0\nf a b c"), "line 2: `a` is no vertex");
    }
}
