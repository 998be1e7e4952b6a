//! Pictures of pixels: read and written as PNG, and put behind drawings.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::raster::Image;

/// A picture, row by row.
pub(crate) struct Pixels {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// bytes per pixel
    pub(crate) depth: usize,
    colours: png::ColorType,
    pub(crate) bytes: Vec<u8>,
}

impl Pixels {
    pub(crate) fn read(file: &[u8]) -> Result<Pixels, String> {
        let mut reader = png::Decoder::new(Cursor::new(file)).read_info().map_err(|e| e.to_string())?;
        let size = reader.output_buffer_size().ok_or("a picture that is too large")?;
        let mut bytes = vec![0; size];
        let info = reader.next_frame(&mut bytes).map_err(|e| e.to_string())?;
        let depth = info.color_type.samples();
        Ok(Pixels { width: info.width, height: info.height, depth, colours: info.color_type, bytes })
    }

    /// Takes at every pixel the darker of this picture and the other, which is rotated by a quarter turn.
    pub(crate) fn darken_by(&mut self, lying: &Pixels) {
        let (width, height) = (self.width.min(lying.height), self.height.min(lying.width));
        for j in 0..height {
            for i in 0..width {
                let own = (j * self.width + i) as usize * self.depth;
                let other = (i * lying.width + (lying.width - 1 - j)) as usize * lying.depth;
                for k in 0..self.depth.min(3) {
                    self.bytes[own + k] = self.bytes[own + k].min(lying.bytes[other + k]);
                }
            }
        }
    }

    /// Puts pictures behind a drawing, which is given on white (this picture) and on black: from both follows how much it covers.
    pub(crate) fn lay_under(&mut self, on_black: &Pixels, images: &[Image]) {
        for image in images {
            let (left, top) =
                (image.corner.0 as usize * image.density, image.corner.1 as usize * image.density);
            for row in 0..image.size.1.min((self.height as usize).saturating_sub(top)) {
                for column in 0..image.size.0.min((self.width as usize).saturating_sub(left)) {
                    let pixel = (top + row) * self.width as usize + left + column;
                    let (own, black) = (pixel * self.depth, pixel * on_black.depth);
                    let below = 3 * (row * image.size.0 + column);
                    for k in 0..self.depth.min(3) {
                        let (light, dark) = (self.bytes[own + k], on_black.bytes[black + k]);
                        let through = u16::from(light.saturating_sub(dark));
                        let seen = u16::from(dark) + u16::from(image.rgb[below + k]) * through / 255;
                        self.bytes[own + k] = seen.min(255) as u8;
                    }
                }
            }
        }
    }

    /// Returns the file; `width` is the width in print [mm].
    pub(crate) fn write(&self, width: Option<f64>) -> Result<Vec<u8>, String> {
        let dots = width.map(|mm| (1e3 * f64::from(self.width) / mm).round() as u32);
        encoded((self.width, self.height), self.colours, &self.bytes, dots)
    }
}

/// Returns a PNG file; with so many pixels a metre in print.
fn encoded(
    (width, height): (u32, u32),
    colours: png::ColorType,
    bytes: &[u8],
    dots: Option<u32>,
) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(colours);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::Adaptive);
    encoder.set_pixel_dims(dots.map(|n| png::PixelDimensions { xppu: n, yppu: n, unit: png::Unit::Meter }));
    let mut writer = encoder.write_header().map_err(|e| e.to_string())?;
    writer.write_image_data(bytes).map_err(|e| e.to_string())?;
    writer.finish().map_err(|e| e.to_string())?;
    Ok(out)
}

/// Puts pictures behind all else in an SVG figure.
pub(crate) fn into_svg(svg: String, images: &[Image]) -> Result<String, String> {
    if images.iter().all(|image| image.rgb.iter().all(|c| *c == 255)) {
        return Ok(svg);
    }
    let Some((head, rest)) = svg.split_once("-->") else { return Err("an SVG without a head".to_owned()) };
    // what the drawing has for a background is behind the pictures too
    let cut =
        rest.find("<rect width=\"100%\"").and_then(|at| Some(at + rest[at..].find("/>")? + 2)).unwrap_or(0);
    let mut out = format!("{head}-->{}", &rest[..cut]);
    for image in images {
        let size = (image.size.0 as u32, image.size.1 as u32);
        let file = STANDARD.encode(encoded(size, png::ColorType::Rgb, &image.rgb, None)?);
        let (width, height) = (image.size.0 / image.density, image.size.1 / image.density);
        let (x, y) = image.corner;
        out += &format!(
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" href=\"data:image/png;base64,{file}\"/>"
        );
    }
    Ok(out + &rest[cut..])
}
