"""Rules about names in schemas: clashes with each other, with Python, with ``torch.ops``."""
