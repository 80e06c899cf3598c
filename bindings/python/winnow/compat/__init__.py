"""Stand-ins for other extractors: change an import, keep the calls."""
