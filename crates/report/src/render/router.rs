//! Cost of MySQL Router, a line for each cell whose clients went through it.

use messages::message;

use super::cell_words;
use crate::View;
use crate::view::Cell;

/// `group, 4 clients: Clients connected through MySQL Router 9.7.4. ...`
pub fn lines(view: &View, cells: &[&Cell]) -> Vec<String> {
    let line = |cell: &&Cell| {
        let says = cell.router.as_ref()?.says.clone();
        let place = cell_words(view, cell);
        Some(view.lang.said(message!("cell-router", cell = Message(place), says = Message(says))))
    };
    cells.iter().filter_map(line).collect()
}
