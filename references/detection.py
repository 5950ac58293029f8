"""What the operators of object detection mean."""

import torch
from torch import Tensor


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Return the indices of the boxes that are kept, the highest score first."""
    x1, y1, x2, y2 = boxes.unbind(1)
    area = (x2 - x1) * (y2 - y1)
    width = torch.minimum(x2[:, None], x2) - torch.maximum(x1[:, None], x1)
    height = torch.minimum(y2[:, None], y2) - torch.maximum(y1[:, None], y1)
    intersection = width.clamp(min=0) * height.clamp(min=0)
    overlaps = intersection / (area[:, None] + area - intersection) > iou_threshold
    kept: list[int] = []
    for box in scores.argsort(descending=True, stable=True).tolist():
        if not overlaps[kept, box].any():
            kept.append(box)
    return torch.tensor(kept, dtype=torch.int64)
