//! The page: the viewer as it was built, with a film in it.

use carom_scene::film::Film;

/// Built from `viewer/`; `cargo xtask test` sees that it is current.
const VIEWER: &str = include_str!("../../../../../viewer/dist/index.html");
/// Where the film goes.
const PLACE: &str = "<!--carom:film-->";

/// The whole page.
pub(super) fn page(film: &Film) -> String {
    let page = film.page();
    let (before, after) = VIEWER.split_once(PLACE).unwrap_or((VIEWER, ""));
    [
        before,
        "<script type=\"application/json\" id=\"carom-film\">",
        &page.film,
        "</script>\n<script type=\"text/plain\" id=\"carom-numbers\">",
        &page.numbers,
        "</script>",
        after,
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_viewer_has_one_place_for_a_film_and_asks_for_nothing() {
        assert_eq!(VIEWER.matches(PLACE).count(), 1);
        assert!(!VIEWER.contains("src=\"") && !VIEWER.contains("rel=\"stylesheet\""));
    }

    #[test]
    fn names_stay_text() {
        let title = "</script><img src=x onerror=alert(1)>".to_owned();
        let empty = page(&Film::default());
        let page = page(&Film { title, ..Film::default() });
        assert_eq!(page.matches("</script>").count(), empty.matches("</script>").count());
        assert!(!page.contains("<img"));
    }
}
