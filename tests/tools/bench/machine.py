"""Names the machine that figures were taken on."""

import os
import platform
from pathlib import Path


def machine() -> str:
    """Return processor, cores in use, and versions, for beside the figures."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = names[0] if names else platform.processor() or platform.machine()
    return (
        f"{len(os.sched_getaffinity(0))} cores of {processor}, Python {platform.python_version()}"
    )
