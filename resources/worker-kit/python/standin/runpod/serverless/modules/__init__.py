"""Modules of the SDK that handlers import by name."""
