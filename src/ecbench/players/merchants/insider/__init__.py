"""The parts of the insider `oracle`: the best shelf by the market's own laws, and orders at suppliers' floors."""
