"""The site is built without a warning: every link and anchor leads somewhere, every page is in its navigation."""

import html
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from opgen.cli.group import opgen
from opgen.rules.registry import all_codes

pytest.importorskip("mkdocs")

PROJECT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(PROJECT / "site" / "mkdocs.yml")]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([*COMMAND, "--site-dir", folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def read(site, page):
    return (site / page).read_text(encoding="utf-8")


def test_every_code_has_a_page_that_the_list_leads_to(site):
    listed = re.findall(r'<td><a href="(OPG\d+)\.html">', read(site, "rules/index.html"))
    assert listed == sorted(code.id for code in all_codes())
    assert all((site / "rules" / f"{code}.html").is_file() for code in listed)


def test_every_command_has_a_page_that_the_list_leads_to(site):
    listed = re.findall(r'<td><a href="([\w-]+)\.html">', read(site, "commands/index.html"))
    assert listed == opgen.list_commands(None)
    assert all("-h, --help" in read(site, f"commands/{verb}.html") for verb in listed)


HOSTS = {
    "docs.pytorch.org",
    "github.com",
    "huggingface.co",
    "myst-parser.readthedocs.io",
    "pypi.org",
    "semver.org",
    "squidfunk.github.io",
}
"""Who is linked to; whether the pages are still there is for a person to see."""


def links(site):
    """Every link of every page, as page and target."""
    for page in site.rglob("*.html"):
        if page.name != "404.html":
            for target in set(re.findall(r'(?:href|src)="([^"]+)"', page.read_text(encoding="utf-8"))):
                yield page, html.unescape(target)


def test_every_link_leads_to_a_file_and_a_place_in_it(site):
    texts = {}
    broken = []
    for page, target in links(site):
        url = urlsplit(target)
        if url.scheme or url.netloc:
            continue
        file = (page.parent / unquote(url.path)).resolve() if url.path else page
        file = file / "index.html" if file.is_dir() else file
        if not file.is_file():
            broken.append((page.name, target))
        elif url.fragment and file.suffix == ".html":
            text = texts.setdefault(file, file.read_text(encoding="utf-8"))
            if f'id="{unquote(url.fragment)}"' not in text and not url.fragment.startswith("__"):
                broken.append((page.name, target))
    assert broken == []


def test_links_to_elsewhere_are_secure_and_to_places_that_are_known(site):
    elsewhere = {urlsplit(target)[:2] for _, target in links(site) if urlsplit(target).netloc}
    assert elsewhere == {("https", host) for host in HOSTS}


def test_a_link_of_the_readme_leads_to_a_page_and_one_to_a_source_is_plain_text(site):
    home = read(site, "index.html")
    assert '<a href="ops-yaml.html"><code>docs/ops-yaml.md</code></a>' in home
    assert "The library is <code>ops.yaml</code>" in home


def test_the_name_of_a_file_stands_above_its_text(site):
    assert '<span class="filename">kernels/cpu/scale_rows_.cpp</span>' in read(site, "index.html")


def test_a_link_that_leads_nowhere_stops_the_build(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("[here](nowhere.md)\n", encoding="utf-8")
    settings = (PROJECT / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    validation = re.search(r"^validation:\n(?:  .*\n)+", settings, re.MULTILINE)[0]
    (tmp_path / "mkdocs.yml").write_text(f"site_name: small\n{validation}", encoding="utf-8")
    done = subprocess.run([*COMMAND[:5], "--config-file", "mkdocs.yml"], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"nowhere.md" in done.stderr
