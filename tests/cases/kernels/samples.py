"""Samples that no contract tells."""

import acme_types
import torch


def tables():
    return [{"table": acme_types.Table(1.0, 2.0, 3.0), "keys": torch.tensor([0, 2])}]
