//! The letters of a PDF: those that occur are embedded as a font of their own, with what they mean, so that texts can be found
//! and copied.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;

use crate::font::font;

/// The registry of letters that are numbered as the font numbers them.
const SYSTEM: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The letters of a font that occur.
#[derive(Default)]
pub(crate) struct Letters {
    numbers: GlyphRemapper,
    /// letter and width by number; the width is in units of the text size
    used: BTreeMap<u16, (char, f64)>,
}

impl Letters {
    /// Returns the number of a letter in the embedded font.
    pub(crate) fn code(&mut self, letter: char, glyph: u16, width: f64) -> u16 {
        let number = self.numbers.remap(glyph);
        self.used.entry(number).or_insert((letter, width));
        number
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.used.is_empty()
    }
}

/// Returns the bytes, compressed.
pub(crate) fn deflated(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6)
}

/// Writes a font under this number and the four that follow.
pub(crate) fn embed(pdf: &mut Pdf, first: i32, letters: &Letters, bold: bool) -> Result<(), String> {
    let font = font(bold)?;
    let face = font.face()?;
    let file = subsetter::subset(&font.file, 0, &letters.numbers).map_err(|e| e.to_string())?;
    // six letters before the name say that the font is not whole
    let name = if bold { Name(b"CAROMB+DejaVuSans-Bold") } else { Name(b"CAROMA+DejaVuSans") };
    let [own, cid, about, data, meaning] = [0, 1, 2, 3, 4].map(|i| Ref::new(first + i));
    let mut type0 = pdf.type0_font(own);
    type0.base_font(name).encoding_predefined(Name(b"Identity-H")).descendant_font(cid).to_unicode(meaning);
    type0.finish();
    let mut cid_font = pdf.cid_font(cid);
    cid_font.subtype(CidFontType::Type2).base_font(name).system_info(SYSTEM).font_descriptor(about);
    cid_font.default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = cid_font.widths();
    for (number, (_, width)) in &letters.used {
        widths.consecutive(*number, [1000.0 * *width as f32]);
    }
    widths.finish();
    cid_font.finish();
    let scaled = |x: i16| 1000.0 * f32::from(x) / f32::from(face.units_per_em());
    let bounds = face.global_bounding_box();
    let [left, low, right, high] = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(scaled);
    let mut descriptor = pdf.font_descriptor(about);
    descriptor
        .name(name)
        .flags(FontFlags::SYMBOLIC)
        .bbox(Rect::new(left, low, right, high))
        .italic_angle(0.0);
    descriptor.ascent(scaled(face.ascender())).descent(scaled(face.descender()));
    descriptor.cap_height(scaled(face.capital_height().unwrap_or(1493))).stem_v(if bold {
        140.0
    } else {
        80.0
    });
    descriptor.font_file2(data);
    descriptor.finish();
    pdf.stream(data, &deflated(&file)).filter(Filter::FlateDecode).pair(Name(b"Length1"), file.len() as i32);
    let mut meanings = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
    for (number, (letter, _)) in &letters.used {
        meanings.pair(*number, *letter);
    }
    pdf.cmap(meaning, &meanings.finish());
    Ok(())
}
