"""Stands in for the public SDK where it is not installed: what handlers on this machine need of it, and no more."""

from . import serverless
from .serverless.modules.rp_logger import RunPodLogger

__all__ = ["RunPodLogger", "serverless"]


def __getattr__(name):
    raise AttributeError(
        f"runpod.{name} is not in Hangar's stand-in for the SDK, which has only what handlers commonly use. "
        "Install the SDK to use it: pip install runpod"
    )
