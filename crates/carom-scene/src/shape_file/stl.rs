//! Reads STL files, binary or text.

use super::{Corners, push};

/// Length [bytes] of the header of a binary file: 80 arbitrary bytes, and the number of triangles.
const HEADER: usize = 84;
/// Length [bytes] of a triangle in a binary file: normal and corners as 12 floats, and two bytes.
const TRIANGLE: usize = 50;

pub(super) fn triangles(bytes: &[u8]) -> Result<Vec<Corners>, String> {
    // a binary file may also begin with `solid`, so the file's length decides
    match count(bytes) {
        Some(n) if bytes.len() == HEADER + n * TRIANGLE => binary(bytes, n),
        _ if bytes.trim_ascii_start().starts_with(b"solid") => text(bytes),
        Some(n) => Err(format!(
            "it says {n} triangles, which take {} bytes, and has {}",
            HEADER + n * TRIANGLE,
            bytes.len()
        )),
        None => Err("it is no STL file: neither `solid` nor a header of 84 bytes".to_owned()),
    }
}

fn count(bytes: &[u8]) -> Option<usize> {
    let four: [u8; 4] = bytes.get(80..HEADER)?.try_into().ok()?;
    Some(u32::from_le_bytes(four) as usize)
}

fn binary(bytes: &[u8], n: usize) -> Result<Vec<Corners>, String> {
    let mut all = Vec::with_capacity(n.min(super::MOST_TRIANGLES));
    for (i, triangle) in bytes[HEADER..].chunks_exact(TRIANGLE).enumerate() {
        let mut numbers =
            triangle[12..48].as_chunks::<4>().0.iter().map(|b| f64::from(f32::from_le_bytes(*b)));
        let corners = [(); 3].map(|()| [(); 3].map(|()| numbers.next().unwrap_or(f64::NAN)));
        push(&mut all, corners, || format!("triangle {}", i + 1))?;
    }
    Ok(all)
}

fn text(bytes: &[u8]) -> Result<Vec<Corners>, String> {
    let text = String::from_utf8_lossy(bytes);
    let (mut all, mut corners) = (Vec::new(), Vec::new());
    for (i, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("vertex") => {
                let numbers: Vec<f64> = words.map_while(|w| w.parse().ok()).collect();
                let corner = <[f64; 3]>::try_from(numbers);
                let wrong = |_| format!("line {}: `{}` has not three numbers", i + 1, line.trim());
                corners.push(corner.map_err(wrong)?);
            }
            Some("endloop") => {
                let three = <[[f64; 3]; 3]>::try_from(std::mem::take(&mut corners));
                let three = three
                    .map_err(|c| format!("line {}: a facet with {} corners; expected: 3", i + 1, c.len()))?;
                push(&mut all, three, || format!("line {}", i + 1))?;
            }
            _ => {}
        }
    }
    if corners.is_empty() { Ok(all) } else { Err("it ends within a facet".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "solid one\n facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1e0 0\n \
                        endloop\n endfacet\nendsolid one\n";

    #[test]
    fn both_forms_are_read() {
        let expected = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(triangles(TEXT.as_bytes()).unwrap(), [expected]);
        let mut bytes = b"solid, says a binary file as well".to_vec();
        bytes.resize(80, 0);
        bytes.extend(1u32.to_le_bytes());
        let numbers = [0.0f32; 3].into_iter().chain(expected.into_iter().flatten().map(|x| x as f32));
        numbers.for_each(|x| bytes.extend(x.to_le_bytes()));
        bytes.extend([0, 0]);
        assert_eq!(triangles(&bytes).unwrap(), [expected]);
        bytes.pop();
        bytes[0] = b'S';
        assert_eq!(triangles(&bytes).unwrap_err(), "it says 1 triangles, which take 134 bytes, and has 133");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let bad = TEXT.replace("1e0", "one");
        assert_eq!(triangles(bad.as_bytes()).unwrap_err(), "line 6: `vertex 0 one 0` has not three numbers");
        let short = TEXT.replace("  vertex 1 0 0\n", "");
        assert_eq!(triangles(short.as_bytes()).unwrap_err(), "line 6: a facet with 2 corners; expected: 3");
        let cut = TEXT.split_once(" endloop").unwrap().0;
        assert_eq!(triangles(cut.as_bytes()).unwrap_err(), "it ends within a facet");
        assert!(triangles(b"PK").unwrap_err().starts_with("it is no STL file"));
        let nan = TEXT.replace("1e0", "nan");
        assert_eq!(triangles(nan.as_bytes()).unwrap_err(), "line 7: a corner is not finite");
    }
}
