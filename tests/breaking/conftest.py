import pytest

from opgen.breaking.surface import Surface, surface_of_library
from opgen.build.check import Checked, check


@pytest.fixture
def surface(tmp_path, monkeypatch):
    """Return a function from the text of an ops.yaml to its surface; ``surface.check`` returns what is found in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc/ops.cpp").touch()  # what an example says to be registered there

    class Reader:
        def __call__(self, text: str) -> Surface:
            library = self.check(text).library
            assert library is not None
            return surface_of_library(library)

        @staticmethod
        def check(text: str) -> Checked:
            path = tmp_path / "ops.yaml"
            path.write_text(text, encoding="utf-8")
            return check(path)

    return Reader()
