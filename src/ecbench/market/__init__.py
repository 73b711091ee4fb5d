"""The sales and economy engine: what customers buy, what it costs, and when the merchant is paid."""
