"""The record of an episode: event format, append-only log, reader, writer, checksums and recovery."""
