"""What a call costs: ``library`` as opgen makes it, ``by_hand`` as most people write it, both of one ABI, and PyTorch's decorators."""
