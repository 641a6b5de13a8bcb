"""Models in Python: `adapters` says by whom they are made, `body` what one is."""
