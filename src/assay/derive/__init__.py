"""Row-wise pure functions that add columns to a table; nothing here sums over rows."""
