"""Which parameters a function stores through, itself or by what it calls.

The stages: ``definitions`` finds functions by their names, ``walk`` reads one body (``variables`` and ``expressions`` say whose memory
an expression is, ``known`` what functions outside of the sources do), ``summary`` joins the bodies.
"""
