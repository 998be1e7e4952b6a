//! The font of all figures, DejaVu Sans: the widths of its letters, and its file. kuva has it in its picture writer and gives it
//! away only within an SVG that embeds it, from which it is taken here.

use std::sync::OnceLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kuva::backend::svg::SvgBackend;
use kuva::render::render::Scene;
use ttf_parser::Face;

/// A weight of the font.
pub(crate) struct Font {
    /// the TrueType file
    pub(crate) file: Vec<u8>,
}

/// What stands before a font in the style of an SVG.
const BEFORE: &str = "data:font/truetype;base64,";

/// Returns the font, upright and regular or bold.
pub(crate) fn font(bold: bool) -> Result<&'static Font, String> {
    static FONTS: OnceLock<Vec<Font>> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| {
        let svg = SvgBackend::new().with_embedded_font(true).render_scene(&Scene::new(1.0, 1.0));
        let files = svg.split(BEFORE).skip(1).filter_map(|rest| rest.split('\'').next());
        files.take(2).filter_map(|text| STANDARD.decode(text).ok()).map(|file| Font { file }).collect()
    });
    fonts.get(usize::from(bold)).ok_or_else(|| "the font of figures is missing".to_owned())
}

impl Font {
    pub(crate) fn face(&self) -> Result<Face<'_>, String> {
        Face::parse(&self.file, 0).map_err(|e| e.to_string())
    }
}

/// Returns the glyph of a letter; a box for one that the font does not have.
pub(crate) fn glyph(face: &Face<'_>, letter: char) -> u16 {
    face.glyph_index(letter).map_or(0, |glyph| glyph.0)
}

/// Returns the width of a glyph in units of the text size.
pub(crate) fn advance(face: &Face<'_>, glyph: u16) -> f64 {
    let width = face.glyph_hor_advance(ttf_parser::GlyphId(glyph)).unwrap_or(0);
    f64::from(width) / f64::from(face.units_per_em())
}

/// Returns the width of a text [px].
pub(crate) fn width(face: &Face<'_>, text: &str, size: f64) -> f64 {
    text.chars().map(|c| size * advance(face, glyph(face, c))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_weights_are_there_with_the_letters_of_units() -> Result<(), String> {
        for bold in [false, true] {
            let face = font(bold)?.face()?;
            for letter in "Am²³⁻⁹µωζδ·−√".chars() {
                assert!(glyph(&face, letter) > 0, "{letter}");
            }
        }
        // as its table says: a digit of DejaVu Sans is 1303 of 2048 wide
        let face = font(false)?.face()?;
        assert!((width(&face, "00", 10.0) - 20.0 * 1303.0 / 2048.0).abs() < 1e-12);
        Ok(())
    }
}
