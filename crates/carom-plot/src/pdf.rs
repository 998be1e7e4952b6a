//! Writes a drawing as PDF: one page of its size, lines and areas as they are, texts as text in the font of all figures, of
//! which the letters that occur are embedded.
//!
//! A unit of the drawing is 3/4 point, 1/96 inch, as browsers have it. PDF has y upwards, drawings have it downwards: one
//! transformation of the whole page turns it round, and texts turn back.

use std::collections::BTreeMap;

use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive, Scene, TextAnchor};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str};

use crate::font::{advance, font, glyph, width};
use crate::pdf_font::{Letters, deflated, embed};
use crate::raster::Image;

/// Points for a unit of the drawing.
const POINT: f32 = 0.75;
/// Length of the handles of a cubic curve that is a quarter of a circle, beside the radius: 4/3 (√2 − 1).
const QUARTER: f32 = 0.552_284_8;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
/// The first number of each font, which has several, and of the states of opacity.
const FONTS: [i32; 2] = [10, 20];
const STATES: i32 = 30;
/// That of pictures.
const IMAGES: i32 = 1000;

/// Returns the scene as PDF, with pictures behind it; `width` is its width in print [mm].
pub(crate) fn pdf(scene: &Scene, images: &[Image], width: Option<f64>) -> Result<Vec<u8>, String> {
    let mut page = Page { out: Content::new(), letters: Default::default(), opacities: BTreeMap::new() };
    let point = width.map_or(POINT, |mm| (mm / 25.4 * 72.0 / scene.width) as f32);
    page.out.transform([point, 0.0, 0.0, -point, 0.0, point * scene.height as f32]);
    if let Some(colour) = scene.background_color.as_deref().and_then(|c| rgb(&c.into())) {
        page.fill(colour);
        page.out.rect(0.0, 0.0, scene.width as f32, scene.height as f32).fill_nonzero();
    }
    for (i, image) in images.iter().enumerate() {
        page.image(i, image);
    }
    for element in &scene.elements {
        page.add(element)?;
    }
    page.file([point * scene.width as f32, point * scene.height as f32], images)
}

/// The name of a picture in the page.
fn image_name(number: usize) -> String {
    format!("I{number}")
}

struct Page {
    out: Content,
    /// the letters of regular and bold texts
    letters: [Letters; 2],
    /// opacities in hundredths, and their numbers
    opacities: BTreeMap<u32, i32>,
}

impl Page {
    fn add(&mut self, element: &Primitive) -> Result<(), String> {
        match element {
            Primitive::Circle { cx, cy, r, fill, fill_opacity, stroke, stroke_width } => {
                self.opaque(*fill_opacity, |page| {
                    let painted = page.paint(Some(fill), stroke.as_ref(), stroke_width.unwrap_or(1.0));
                    circle(&mut page.out, *cx, *cy, *r);
                    page.end(painted);
                });
            }
            Primitive::CircleBatch { cx, cy, r, fill, fill_opacity, stroke, stroke_width } => {
                self.opaque(*fill_opacity, |page| {
                    let painted = page.paint(Some(fill), stroke.as_ref(), stroke_width.unwrap_or(1.0));
                    for (x, y) in cx.iter().zip(cy) {
                        circle(&mut page.out, *x, *y, *r);
                        page.end(painted);
                    }
                });
            }
            Primitive::Rect { x, y, width, height, fill, stroke, stroke_width, opacity } => {
                self.opaque(*opacity, |page| {
                    let painted = page.paint(Some(fill), stroke.as_ref(), stroke_width.unwrap_or(1.0));
                    page.out.rect(*x as f32, *y as f32, *width as f32, *height as f32);
                    page.end(painted);
                });
            }
            Primitive::RectBatch { x, y, w, h, fills } => {
                for ((x, y), ((w, h), fill)) in x.iter().zip(y).zip(w.iter().zip(h).zip(fills)) {
                    let painted = self.paint(Some(fill), None, 0.0);
                    self.out.rect(*x as f32, *y as f32, *w as f32, *h as f32);
                    self.end(painted);
                }
            }
            Primitive::Line { x1, y1, x2, y2, stroke, stroke_width, stroke_dasharray } => {
                self.line(&[(*x1, *y1), (*x2, *y2)], stroke, *stroke_width, stroke_dasharray.as_deref());
            }
            Primitive::PolyLine { points, stroke, stroke_width, stroke_dasharray } => {
                self.line(points, stroke, *stroke_width, stroke_dasharray.as_deref());
            }
            Primitive::Path(path) => self.path(path)?,
            Primitive::Text { x, y, content, size, anchor, rotate, bold, color } => {
                let place = Place { x: *x, y: *y, anchor: *anchor, rotate: rotate.unwrap_or(0.0) };
                self.text(content, f64::from(*size), *bold, color.as_ref(), &place)?;
            }
            Primitive::RichText { x, y, spans, size, anchor, color } => {
                let content: String = spans.iter().map(|span| span.text.as_str()).collect();
                let place = Place { x: *x, y: *y, anchor: *anchor, rotate: 0.0 };
                self.text(&content, f64::from(*size), false, color.as_ref(), &place)?;
            }
            Primitive::GroupStart { transform, .. } => {
                self.out.save_state();
                if let Some((x, y)) = transform.as_deref().and_then(crate::upright::translation) {
                    self.out.transform([1.0, 0.0, 0.0, 1.0, x as f32, y as f32]);
                }
            }
            Primitive::ClipStart { x, y, width, height, .. } => {
                self.out.save_state();
                self.out.rect(*x as f32, *y as f32, *width as f32, *height as f32);
                self.out.clip_nonzero().end_path();
            }
            Primitive::GroupEnd | Primitive::ClipEnd => {
                self.out.restore_state();
            }
        }
        Ok(())
    }

    /// Puts a picture where it belongs; PDF has its first row below.
    fn image(&mut self, number: usize, image: &Image) {
        let [width, height] = [image.size.0, image.size.1].map(|n| (n / image.density) as f32);
        let (x, y) = (image.corner.0 as f32, image.corner.1 as f32);
        self.out.save_state();
        self.out.transform([width, 0.0, 0.0, -height, x, y + height]);
        self.out.x_object(Name(image_name(number).as_bytes()));
        self.out.restore_state();
    }

    fn fill(&mut self, [r, g, b]: [f32; 3]) {
        self.out.set_fill_rgb(r, g, b);
    }

    /// Sets colours and the width of lines; returns whether to fill and whether to draw the edge.
    fn paint(&mut self, fill: Option<&Color>, stroke: Option<&Color>, width: f64) -> (bool, bool) {
        let (fill, stroke) = (fill.and_then(rgb), stroke.and_then(rgb));
        if let Some(colour) = fill {
            self.fill(colour);
        }
        if let Some([r, g, b]) = stroke {
            self.out.set_stroke_rgb(r, g, b).set_line_width(width as f32);
        }
        (fill.is_some(), stroke.is_some())
    }

    /// Ends a path.
    fn end(&mut self, painted: (bool, bool)) {
        match painted {
            (true, true) => self.out.fill_nonzero_and_stroke(),
            (true, false) => self.out.fill_nonzero(),
            (false, true) => self.out.stroke(),
            (false, false) => self.out.end_path(),
        };
    }

    /// Draws with an opacity, if it is less than 1.
    fn opaque(&mut self, opacity: Option<f64>, draw: impl FnOnce(&mut Page)) {
        let Some(hundredths) = opacity.filter(|x| *x < 1.0).map(|x| (100.0 * x.max(0.0)).round() as u32)
        else {
            return draw(self);
        };
        let next = self.opacities.len() as i32;
        let number = *self.opacities.entry(hundredths).or_insert(next);
        self.out.save_state();
        self.out.set_parameters(Name(format!("G{number}").as_bytes()));
        draw(self);
        self.out.restore_state();
    }

    fn line(&mut self, points: &[(f64, f64)], stroke: &Color, width: f64, dashes: Option<&str>) {
        let painted = self.paint(None, Some(stroke), width);
        let Some(((x, y), rest)) = points.split_first() else { return };
        self.out.save_state();
        self.dashes(dashes);
        self.out.set_line_join(pdf_writer::types::LineJoinStyle::RoundJoin);
        self.out.move_to(*x as f32, *y as f32);
        for (x, y) in rest {
            self.out.line_to(*x as f32, *y as f32);
        }
        self.end(painted);
        self.out.restore_state();
    }

    fn dashes(&mut self, dashes: Option<&str>) {
        let lengths = dashes.unwrap_or_default().split([' ', ',']).filter_map(|x| x.parse::<f32>().ok());
        let lengths: Vec<f32> = lengths.filter(|x| *x > 0.0).collect();
        if !lengths.is_empty() {
            self.out.set_dash_pattern(lengths, 0.0);
        }
    }

    fn path(&mut self, path: &PathData) -> Result<(), String> {
        let steps = steps(&path.d)?;
        self.opaque(path.opacity, |page| {
            let painted = page.paint(path.fill.as_ref(), Some(&path.stroke), path.stroke_width);
            page.out.save_state();
            page.dashes(path.stroke_dasharray.as_deref());
            for step in steps {
                match step {
                    Step::Move([x, y]) => page.out.move_to(x, y),
                    Step::Line([x, y]) => page.out.line_to(x, y),
                    Step::Curve([a, b, c, d, e, f]) => page.out.cubic_to(a, b, c, d, e, f),
                    Step::Close => page.out.close_path(),
                };
            }
            page.end(painted);
            page.out.restore_state();
        });
        Ok(())
    }

    fn text(
        &mut self,
        content: &str,
        size: f64,
        bold: bool,
        colour: Option<&Color>,
        at: &Place,
    ) -> Result<(), String> {
        let face = font(bold)?.face()?;
        let length = width(&face, content, size);
        let back = match at.anchor {
            TextAnchor::Start => 0.0,
            TextAnchor::Middle => 0.5 * length,
            TextAnchor::End => length,
        };
        let mut codes = Vec::new();
        for letter in content.chars() {
            let glyph = glyph(&face, letter);
            let code = self.letters[usize::from(bold)].code(letter, glyph, advance(&face, glyph));
            codes.extend(code.to_be_bytes());
        }
        let (sin, cos) = at.rotate.to_radians().sin_cos();
        let (x, y) = (at.x - back * cos, at.y - back * sin);
        self.fill(colour.and_then(rgb).unwrap_or([0.0; 3]));
        self.out.begin_text();
        self.out.set_font(Name(if bold { b"F1" } else { b"F0" }), size as f32);
        // the page is turned round: letters are turned back
        let [sin, cos] = [sin as f32, cos as f32];
        self.out.set_text_matrix([cos, sin, sin, -cos, x as f32, y as f32]);
        self.out.show(Str(&codes));
        self.out.end_text();
        Ok(())
    }

    fn file(self, size: [f32; 2], images: &[Image]) -> Result<Vec<u8>, String> {
        let mut pdf = Pdf::new();
        pdf.catalog(CATALOG).pages(PAGES);
        pdf.pages(PAGES).kids([PAGE]).count(1);
        let mut page = pdf.page(PAGE);
        page.parent(PAGES).contents(CONTENT);
        page.media_box(Rect::new(0.0, 0.0, size[0], size[1]));
        let mut resources = page.resources();
        let mut fonts = resources.fonts();
        for (i, first) in FONTS.iter().enumerate().filter(|(i, _)| !self.letters[*i].is_empty()) {
            fonts.pair(Name(format!("F{i}").as_bytes()), Ref::new(*first));
        }
        fonts.finish();
        let mut states = resources.ext_g_states();
        for number in self.opacities.values() {
            states.pair(Name(format!("G{number}").as_bytes()), Ref::new(STATES + number));
        }
        states.finish();
        let mut pictures = resources.x_objects();
        for i in 0..images.len() {
            pictures.pair(Name(image_name(i).as_bytes()), Ref::new(IMAGES + i as i32));
        }
        pictures.finish();
        resources.finish();
        page.finish();
        for (hundredths, number) in &self.opacities {
            let opacity = *hundredths as f32 / 100.0;
            pdf.ext_graphics(Ref::new(STATES + number)).non_stroking_alpha(opacity).stroking_alpha(opacity);
        }
        for (i, image) in images.iter().enumerate() {
            let bytes = deflated(&image.rgb);
            let mut picture = pdf.image_xobject(Ref::new(IMAGES + i as i32), &bytes);
            picture.filter(Filter::FlateDecode);
            picture.width(image.size.0 as i32).height(image.size.1 as i32);
            picture.color_space().device_rgb();
            picture.bits_per_component(8);
        }
        pdf.stream(CONTENT, &deflated(&self.out.finish())).filter(Filter::FlateDecode);
        for (i, first) in FONTS.iter().enumerate().filter(|(i, _)| !self.letters[*i].is_empty()) {
            embed(&mut pdf, *first, &self.letters[i], i == 1)?;
        }
        Ok(pdf.finish())
    }
}

/// Where a text is.
struct Place {
    x: f64,
    y: f64,
    anchor: TextAnchor,
    /// clockwise [°]
    rotate: f64,
}

fn rgb(colour: &Color) -> Option<[f32; 3]> {
    match colour {
        Color::Rgb(r, g, b) => Some([*r, *g, *b].map(|x| f32::from(x) / 255.0)),
        Color::None => None,
        Color::Css(_) => Some([0.0; 3]),
    }
}

fn circle(out: &mut Content, cx: f64, cy: f64, r: f64) {
    let (x, y, r) = (cx as f32, cy as f32, r as f32);
    let k = QUARTER * r;
    out.move_to(x + r, y);
    out.cubic_to(x + r, y + k, x + k, y + r, x, y + r);
    out.cubic_to(x - k, y + r, x - r, y + k, x - r, y);
    out.cubic_to(x - r, y - k, x - k, y - r, x, y - r);
    out.cubic_to(x + k, y - r, x + r, y - k, x + r, y).close_path();
}

/// A step of a path.
#[derive(Debug, PartialEq)]
enum Step {
    Move([f32; 2]),
    Line([f32; 2]),
    Curve([f32; 6]),
    Close,
}

/// Reads a path: absolute moves, lines, cubic curves and ends.
fn steps(d: &str) -> Result<Vec<Step>, String> {
    let mut all = Vec::new();
    let (mut letter, mut numbers) = ('M', Vec::new());
    let words = d.split([' ', ',', '\n']).flat_map(|word| {
        let at = word.find(|c: char| c.is_ascii_alphabetic() && c != 'e');
        let (letter, rest) = at.map_or(("", word), |at| word.split_at(at + 1));
        [letter, rest]
    });
    for word in words.filter(|word| !word.is_empty()) {
        match word.parse::<f32>() {
            Ok(x) => numbers.push(x),
            Err(_) => letter = word.chars().next().unwrap_or('M'),
        }
        match (letter, &numbers[..]) {
            ('Z' | 'z', _) => all.push(Step::Close),
            ('M', [x, y]) => all.push(Step::Move([*x, *y])),
            ('L', [x, y]) => all.push(Step::Line([*x, *y])),
            ('C', [a, b, c, d, e, f]) => all.push(Step::Curve([*a, *b, *c, *d, *e, *f])),
            ('M' | 'L' | 'C', _) => continue,
            (other, _) => return Err(format!("a path with `{other}`")),
        }
        numbers.clear();
        // further pairs after a move are lines
        letter = if letter == 'M' { 'L' } else { letter };
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read() {
        let read = steps("M 1 2 L3,4 5 6 C 1 2 3 4 5 6 Z");
        let wanted = [
            Step::Move([1.0, 2.0]),
            Step::Line([3.0, 4.0]),
            Step::Line([5.0, 6.0]),
            Step::Curve([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            Step::Close,
        ];
        assert_eq!(read.as_deref(), Ok(&wanted[..]));
        assert!(steps("M 1 2 A 1 1 0 0 1 2 2").is_err());
    }

    #[test]
    fn texts_are_text_and_the_page_has_the_size_of_the_drawing() -> Result<(), String> {
        let mut scene = Scene::new(400.0, 200.0);
        let (content, anchor) = ("force [N]".to_owned(), TextAnchor::Middle);
        scene.add(Primitive::Text {
            x: 200.0,
            y: 100.0,
            content,
            size: 14,
            anchor,
            rotate: Some(-90.0),
            bold: false,
            color: None,
        });
        let (stroke, stroke_dasharray) = ("#CC0000".into(), Some("8 3".to_owned()));
        scene.add(Primitive::PolyLine {
            points: vec![(0.0, 0.0), (400.0, 200.0)],
            stroke,
            stroke_width: 2.0,
            stroke_dasharray,
        });
        let file = pdf(&scene, &[], None)?;
        let text = String::from_utf8_lossy(&file);
        assert!(text.starts_with("%PDF-") && text.contains("/MediaBox [0 0 300 150]"), "{text}");
        // one font is embedded, and its letters can be read back: `f` is 66 in hexadecimal
        assert_eq!((text.matches("/FontFile2").count(), text.matches("/ToUnicode").count()), (1, 1));
        assert!(file.len() < 20_000, "{}", file.len());
        Ok(())
    }
}
