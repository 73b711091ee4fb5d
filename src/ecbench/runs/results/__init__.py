"""Files derived from a record: tables, metrics, summary, statement, transcript, data frames and exports."""
