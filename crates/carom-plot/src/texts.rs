//! Texts of drawings.

use kuva::render::render::{Primitive, TextAnchor};

/// Returns a horizontal text at a point of the drawing; its size is in [px].
pub(crate) fn text(content: &str, (x, y): (f64, f64), size: u32, anchor: TextAnchor) -> Primitive {
    let content = content.to_owned();
    Primitive::Text { x, y, content, size, anchor, rotate: None, bold: false, color: None }
}
