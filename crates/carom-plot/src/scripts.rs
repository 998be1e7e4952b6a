//! Draws sub- and superscripts: in SVG as shifted spans, elsewhere as texts of their own, placed by the widths of the letters.

use kuva::render::render::{Primitive, Scene, TextAnchor};

use crate::font::{font, width};
use crate::markup::{Level, has_marks, pieces};

/// The size of what is lowered or raised beside the text's, and how far it is shifted, in units of the text's size.
const SMALL: f64 = 0.7;
const DOWN: f64 = 0.22;
const UP: f64 = 0.38;

fn shift(level: Level) -> f64 {
    match level {
        Level::Line => 0.0,
        Level::Sub => DOWN,
        Level::Super => -UP,
    }
}

/// Returns an SVG in which marked texts have spans.
pub(crate) fn spans(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(at) = rest.find("<text ") {
        let (before, text) = rest.split_at(at);
        out.push_str(before);
        let end = text.find("</text>").unwrap_or(text.len());
        let (element, after) = text.split_at(end);
        match element.split_once('>').filter(|(_, content)| has_marks(content)) {
            Some((head, content)) => {
                let size = attribute(head, "font-size").unwrap_or(14.0);
                out.push_str(&started(head, content, size));
                out.push('>');
                out.push_str(&spanned(content, size));
            }
            None => out.push_str(element),
        }
        rest = after;
    }
    out + rest
}

/// Reads an attribute of an element.
fn attribute(head: &str, name: &str) -> Option<f64> {
    let (_, after) = head.split_once(&format!(" {name}=\""))?;
    after.split('"').next().and_then(|text| text.parse().ok())
}

/// Returns the beginning of an element such that its text starts at its place: not every reader of SVG centres spans as one.
fn started(head: &str, content: &str, size: f64) -> String {
    let share = [("middle", 0.5), ("end", 1.0)].into_iter().find(|(word, _)| head.contains(&anchored(word)));
    let Some((word, share)) = share else { return head.to_owned() };
    let Ok(face) = font(head.contains("font-weight=\"bold\"")).and_then(|font| font.face()) else {
        return head.to_owned();
    };
    let one = |(level, text): (Level, &str)| {
        let text =
            text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        width(&face, &text, if level == Level::Line { size } else { SMALL * size })
    };
    let x = attribute(head, "x").unwrap_or(0.0);
    let start = x - share * pieces(content).into_iter().map(one).sum::<f64>();
    let head = head.replacen(&format!(" x=\"{x}\""), &format!(" x=\"{start:.1}\""), 1);
    head.replace(&anchored(word), &anchored("start"))
}

fn anchored(word: &str) -> String {
    format!("text-anchor=\"{word}\"")
}

/// Writes the pieces of a text; each is shifted by the difference to the one before.
fn spanned(content: &str, size: f64) -> String {
    let (mut out, mut at) = (String::new(), 0.0);
    for (level, text) in pieces(content) {
        let to = size * shift(level);
        let small =
            if level == Level::Line { String::new() } else { format!(" font-size=\"{:.1}\"", SMALL * size) };
        out += &format!("<tspan dy=\"{:.1}\"{small}>{text}</tspan>", to - at);
        at = to;
    }
    out
}

/// Replaces marked texts of a scene by their pieces.
pub(crate) fn split(scene: &mut Scene) -> Result<(), String> {
    let marked = |p: &Primitive| matches!(p, Primitive::Text { content, .. } if has_marks(content));
    if !scene.elements.iter().any(marked) {
        return Ok(());
    }
    let elements = std::mem::take(&mut scene.elements);
    for element in elements {
        if marked(&element) {
            scene.elements.extend(placed(&element)?);
        } else {
            scene.elements.push(element);
        }
    }
    Ok(())
}

fn placed(element: &Primitive) -> Result<Vec<Primitive>, String> {
    let Primitive::Text { x, y, content, size, anchor, rotate, bold, color } = element else {
        return Ok(Vec::new());
    };
    let face = font(*bold)?.face()?;
    let sizes =
        |level: Level| if level == Level::Line { *size } else { (SMALL * f64::from(*size)).round() as u32 };
    let all: Vec<(Level, &str, f64)> = pieces(content)
        .into_iter()
        .map(|(level, text)| (level, text, width(&face, text, f64::from(sizes(level)))))
        .collect();
    let whole: f64 = all.iter().map(|(_, _, width)| width).sum();
    let mut along = match anchor {
        TextAnchor::Start => 0.0,
        TextAnchor::Middle => -0.5 * whole,
        TextAnchor::End => -whole,
    };
    // upright texts go up
    let (sin, cos) = rotate.unwrap_or(0.0).to_radians().sin_cos();
    let mut out = Vec::new();
    for (level, text, width) in all {
        let down = f64::from(*size) * shift(level);
        out.push(Primitive::Text {
            x: x + along * cos - down * sin,
            y: y + along * sin + down * cos,
            content: text.to_owned(),
            size: sizes(level),
            anchor: TextAnchor::Start,
            rotate: *rotate,
            bold: *bold,
            color: color.clone(),
        });
        along += width;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::marked;

    fn text(content: &str, anchor: TextAnchor, rotate: Option<f64>) -> Primitive {
        Primitive::Text {
            x: 100.0,
            y: 50.0,
            content: marked(content),
            size: 20,
            anchor,
            rotate,
            bold: false,
            color: None,
        }
    }

    #[test]
    fn svg_texts_have_spans_that_come_back_to_the_line() {
        let svg = format!(
            "<text x=\"1\" font-size=\"20\">{}</text><text x=\"2\">a_b</text>",
            marked("f_n [m/s^2]")
        );
        let spans = spans(&svg);
        assert_eq!(
            spans,
            "<text x=\"1\" font-size=\"20\"><tspan dy=\"0.0\">f</tspan><tspan dy=\"4.4\" font-size=\"14.0\">n</tspan>\
             <tspan dy=\"-4.4\"> [m/s</tspan><tspan dy=\"-7.6\" font-size=\"14.0\">2</tspan><tspan dy=\"7.6\">]</tspan></text>\
             <text x=\"2\">a_b</text>"
        );
    }

    #[test]
    fn centred_svg_texts_start_where_their_letters_begin() -> Result<(), String> {
        let face = font(false)?.face()?;
        let half = 0.5 * (width(&face, "f", 20.0) + width(&face, "n", 14.0));
        let head = "<text x=\"100\" y=\"3\" font-size=\"20\" text-anchor=\"middle\" transform=\"rotate(-90,100,3)\">";
        let start = format!(
            "<text x=\"{:.1}\" y=\"3\" font-size=\"20\" text-anchor=\"start\" transform=\"rotate(-90,100,3)\">",
            100.0 - half
        );
        let svg = spans(&format!("{head}{}</text>", marked("f_n")));
        assert!(svg.starts_with(&start), "{svg}");
        Ok(())
    }

    #[test]
    fn pieces_stand_one_after_the_other_about_their_anchor() -> Result<(), String> {
        let face = font(false)?.face()?;
        let (f, n) = (width(&face, "f", 20.0), width(&face, "n", 14.0));
        for (rotate, anchor, start) in [
            (None, TextAnchor::Start, (100.0, 50.0)),
            (None, TextAnchor::Middle, (100.0 - 0.5 * (f + n), 50.0)),
            (Some(-90.0), TextAnchor::End, (100.0, 50.0 + f + n)),
        ] {
            let mut scene = Scene::new(200.0, 100.0);
            scene.add(text("f_n", anchor, rotate));
            split(&mut scene)?;
            let [Primitive::Text { x, y, .. }, Primitive::Text { x: u, y: v, size, .. }] =
                &scene.elements[..]
            else {
                return Err(format!("{:?}", scene.elements));
            };
            assert!((x - start.0).abs() < 1e-9 && (y - start.1).abs() < 1e-9, "{x} {y}");
            let (along, down) = if rotate.is_some() { (y - v, u - x) } else { (u - x, v - y) };
            assert!(
                (along - f).abs() < 1e-9 && (down - 20.0 * DOWN).abs() < 1e-9 && *size == 14,
                "{along} {down}"
            );
        }
        Ok(())
    }
}
