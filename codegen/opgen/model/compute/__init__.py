"""What `pointwise` and `reduce` mean: one typed program an op, from which every backend's kernel is written."""
