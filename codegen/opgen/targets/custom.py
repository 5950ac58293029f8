"""Where a project keeps templates of its own. It imports nothing, since a build with nothing to do asks for it."""

CUSTOM_FOLDER = "opgen-templates"
"""Beside ``ops.yaml``: what stands there under the path of a template is used instead of it."""
