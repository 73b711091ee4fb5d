"""The other side of the table: how suppliers price, bargain, cheat and talk."""
