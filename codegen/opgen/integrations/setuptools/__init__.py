"""What setuptools takes from opgen: a step of ``build`` in front of all others, wheels for every Python, sdists that need no opgen."""
