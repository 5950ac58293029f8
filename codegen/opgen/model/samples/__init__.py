"""Derives sample calls from the contract of an op: calls that it must accept, and calls that it must refuse."""

from opgen.model.samples.make import dynamic_samples, make_samples
from opgen.model.samples.sample import Sample, Samples, WrongSample

__all__ = ["Sample", "Samples", "WrongSample", "dynamic_samples", "make_samples"]
