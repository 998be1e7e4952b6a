//! Draws upright texts in PNG pictures. kuva's own are too heavy, because the edges of its letters lose their transparency when
//! it rotates them. Here they are drawn horizontally in a separate picture, and its pixels are rotated into position.

use kuva::backend::png::PngBackend;
use kuva::render::render::{Primitive, Scene};

use crate::pixels::Pixels;
use crate::raster::Image;

/// Returns the scene as PNG, with pictures behind it and so many pixels per unit of the drawing; `width` is its width in print [mm].
pub(crate) fn png(
    mut scene: Scene,
    images: &[Image],
    density: usize,
    width: Option<f64>,
) -> Result<Vec<u8>, String> {
    let lying = taken(&mut scene);
    let drawn =
        |scene: &Scene| Pixels::read(&PngBackend::new().with_scale(density as f32).render_scene(scene)?);
    let mut picture = drawn(&scene)?;
    if !images.is_empty() {
        scene.background_color = Some("#000000".to_owned());
        picture.lay_under(&drawn(&scene)?, images);
    }
    if !lying.elements.is_empty() {
        picture.darken_by(&drawn(&lying)?);
    }
    picture.write(width)
}

/// Moves the upright texts out of the scene into one rotated by a quarter turn: (x, y) becomes (height − y, x).
fn taken(scene: &mut Scene) -> Scene {
    let mut lying = Scene::new(scene.height, scene.width);
    lying.background_color.clone_from(&scene.background_color);
    lying.text_color.clone_from(&scene.text_color);
    lying.font_family.clone_from(&scene.font_family);
    let mut shifts: Vec<(f64, f64)> = vec![(0.0, 0.0)];
    let height = scene.height;
    scene.elements.retain_mut(|element| {
        let (dx, dy) = shifts.last().copied().unwrap_or_default();
        match element {
            Primitive::GroupStart { transform, .. } => {
                let (x, y) = transform.as_deref().and_then(translation).unwrap_or_default();
                shifts.push((dx + x, dy + y));
            }
            Primitive::GroupEnd => {
                shifts.pop();
            }
            Primitive::Text { x, y, rotate: rotate @ Some(-90.0), .. } => {
                *rotate = None;
                (*x, *y) = (height - (*y + dy), *x + dx);
                let text = std::mem::replace(element, Primitive::GroupEnd);
                lying.elements.push(text);
                return false;
            }
            _ => {}
        }
        true
    });
    lying
}

/// Reads `translate(x,y)`.
pub(crate) fn translation(transform: &str) -> Option<(f64, f64)> {
    let inside = transform.strip_prefix("translate(")?.strip_suffix(')')?;
    let (x, y) = inside.split_once([',', ' '])?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use kuva::render::render::TextAnchor;

    use super::*;

    fn text(x: f64, y: f64, rotate: Option<f64>) -> Primitive {
        let (content, anchor) = ("wwwwww".to_owned(), TextAnchor::Start);
        Primitive::Text { x, y, content, size: 10, anchor, rotate, bold: false, color: None }
    }

    /// Returns the amount of ink, and the box around it.
    fn ink(file: &[u8]) -> (f64, [u32; 4]) {
        let p = Pixels::read(file).unwrap();
        let (mut sum, mut around) = (0.0, [u32::MAX, u32::MAX, 0, 0]);
        for j in 0..p.height {
            for i in 0..p.width {
                let dark = 255 - p.bytes[(j * p.width + i) as usize * p.depth];
                sum += f64::from(dark);
                if dark > 0 {
                    around = [around[0].min(i), around[1].min(j), around[2].max(i), around[3].max(j)];
                }
            }
        }
        (sum, around)
    }

    #[test]
    fn upright_letters_are_as_heavy_as_lying_ones() {
        let (mut lying, mut upright) = (Scene::new(120.0, 100.0), Scene::new(120.0, 100.0));
        lying.background_color = Some("white".to_owned());
        upright.background_color = Some("white".to_owned());
        lying.elements.push(text(20.0, 50.0, None));
        let (transform, title, extra_attrs) = (Some("translate(10,5)".to_owned()), None, None);
        upright.elements.push(Primitive::GroupStart { transform, title, extra_attrs });
        upright.elements.push(text(40.0, 75.0, Some(-90.0)));
        upright.elements.push(Primitive::GroupEnd);
        let (flat, around) = ink(&png(lying, &[], 2, None).unwrap());
        let (stood, turned) = ink(&png(upright, &[], 2, None).unwrap());
        assert!(flat > 0.0 && (stood / flat - 1.0).abs() < 1e-12, "{stood} {flat}");
        // it begins at (50, 80) and goes up; the letters are to the left of their line
        let (length, high) = (around[2] - around[0], around[3] - around[1]);
        assert_eq!((turned[3] - turned[1], turned[2] - turned[0]), (length, high));
        assert!(turned[3] <= 160 && turned[3] >= 155 && turned[2] <= 100 && turned[2] >= 95, "{turned:?}");
    }
}
