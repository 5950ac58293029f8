"""The hand-written binary, which registers `torch.ops.wave`."""

from pathlib import Path

import torch

torch.ops.load_library(str(Path(__file__).with_name("libwave.so")))
