"""House rules that no linter knows."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# With every dot a class of its own, a rule does not match its own text.
MACHINE_BOUND = re.compile(
    r"pypi[.]org|pythonhosted[.]org|download[.]pytorch[.]org|registry[.]npmjs[.]org|deb[.]debian[.]org"
    r"|index[-]url|find[-]links"
    r"|(?<![\w.-])/(?:work|root|home/\w+|opt/wheels)/"
)
LOADS_FROM_NETWORK = re.compile(
    r"""<(?:script|link|img)\b[^>]*https?://"""
    r"""|@import\s+['"]https?://"""
    r"""|\burl\(\s*['"]?https?://"""
    r"""|\b(?:from|import|import\(|fetch\(|require\()\s*['"]https?://"""
)


@pytest.fixture(scope="module")
def texts() -> dict[Path, str]:
    """Every text file of the repository, committed or about to be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not listing.returncode, "needs a git checkout to know which files are the project's"
    texts = {}
    for name in filter(None, listing.stdout.split("\0")):
        content = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b"\0"
        if b"\0" not in content:
            texts[Path(name)] = content.decode(errors="replace")
    return texts


def breaches(texts: dict[Path, str], rule: re.Pattern[str]) -> list[str]:
    return [
        f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for path, text in texts.items()
        for match in rule.finditer(text)
    ]


def test_nothing_names_a_registry_or_one_machine_s_paths(texts: dict[Path, str]) -> None:
    assert breaches(texts, MACHINE_BOUND) == []


def test_browser_code_loads_nothing_from_the_network(texts: dict[Path, str]) -> None:
    served = {
        path: text
        for path, text in texts.items()
        if path.parts[0] == "viz" and path.suffix in {".css", ".html", ".js", ".mjs", ".py", ".svg"}
    }
    assert breaches(served, LOADS_FROM_NETWORK) == []
