"""Compile the hand-written binary: `python build.py`."""

import os
import subprocess
from pathlib import Path

import torch

TORCH = Path(torch.__file__).parent
command = [
    *(os.environ.get("CXX", "g++"), "-std=c++17", "-O2", "-fPIC", "-shared"),
    *("-DTORCH_TARGET_VERSION=0x020a000000000000", "-isystem", str(TORCH / "include")),
    *("csrc/bindings.cpp", "-o", "wavelib/libwave.so", "-L", str(TORCH / "lib"), "-ltorch_cpu"),
]
subprocess.run(command, check=True)
