//! Stock-Level (clause 2.8): how many of the items that a district sold in its last 20 orders run short.

use model::StockLevelForm;

use super::database::Database;
use super::input::StockLevel;
use super::statements::{STOCK_LEVEL_COUNT_JOINED, STOCK_LEVEL_COUNT_STOCK, STOCK_LEVEL_SELECT_DISTRICT};
use crate::session::Param::Int;
use crate::statement_error::StatementError;

/// Runs it. Returns the count.
pub(super) async fn run(
    db: &mut Database<'_>,
    form: StockLevelForm,
    input: &StockLevel,
) -> Result<i64, StatementError> {
    let (w, d, threshold) = (Int(input.warehouse), Int(input.district), Int(input.threshold));
    db.begin();
    let low = match form {
        StockLevelForm::TwoStatements => {
            let next = db.select(STOCK_LEVEL_SELECT_DISTRICT, &[w, d]).await?.row(0)?.int(0)?;
            let recent = [w, d, Int(next - 20), Int(next), threshold];
            db.select(STOCK_LEVEL_COUNT_STOCK, &recent).await?.row(0)?.int(0)?
        }
        StockLevelForm::Join => {
            db.select(STOCK_LEVEL_COUNT_JOINED, &[threshold, w, d]).await?.row(0)?.int(0)?
        }
    };
    db.commit().await?;
    Ok(low)
}
