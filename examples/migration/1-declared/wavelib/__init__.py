"""Signals."""

import wave_ops as wave_ops
