"""What labels of a page may lack in another language: room, its words, or the setting of its script."""

import re

from playwright.sync_api import Page

from tests.browser.waiting import at_rest

WIDTHS = (1280, 390)
# Four words in a row, one of them as only English has it, are a sentence or a label that was forgotten.
FOUR_WORDS = re.compile(r"(?:\b[A-Za-z][a-z']* ){3,}[a-z']+\b")
ENGLISH_ALONE = re.compile(r"\b(?:the|of|and|is|are|to|for|with|what|which|how|each|this)\b", re.IGNORECASE)
# In a picture three words are a sentence: what is data has fewer, or stands in a list of papers.
THREE_WORDS = re.compile(r"(?:\b[A-Za-z]{2,}[ ,-]+){2,}[A-Za-z]{2,}\b")
PAPER = re.compile(r"\b[A-Z][\w-]+ et al\.")
# What is the same in every language: code, formulas, what models read and write, and what is marked as English.
AS_IT_IS = (
    "em, a[href^=https], code, pre, .katex, [lang=en], textarea, .st-key-example, .written, .token-line, .hypotheses, "
    ".source-line, .strip, .st-key-card, a[href*='text=']"
)
# Sentences that a model reads stand in quotes, or on both sides of an arrow.
QUOTED = re.compile('「[^」]*」|“[^”]*”|"[^"]*"|^.*→.*$')
# What Streamlit and Plotly say by themselves.
NOT_OURS = {"Skip to main content", "Download plot as a PNG"}
JAPANESE = "[\u3041-\u30ff\u4e00-\u9fff]"
BLANK = re.compile(f"[\u3001\u3002] +{JAPANESE}")

_ALL = """const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
    [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);"""
TEXTS = f"""(skipped) => {{
  {_ALL}
  const above = (node) => node.parentElement ?? node.getRootNode().host;
  const isSkipped = (node) => node && (node.matches(skipped) || isSkipped(above(node)));
  const texts = [];
  for (const node of all(document.querySelector("[data-testid=stApp]"))) {{
    if (["style", "script"].includes(node.localName) || isSkipped(node)) continue;
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) texts.push(child.data);
    for (const name of ["aria-label", "title", "placeholder", "alt"]) texts.push(node.getAttribute(name) ?? "");
  }}
  return texts.map((text) => text.trim().replace(/\\s+/g, " ")).filter(Boolean);
}}"""
# Of names that are cut to fit; tokens and sentences may be. A letter of the script is up to three pixels higher than
# its line; what stands beside a picture altogether waits there to come in.
_CUT = f"""() => {{
  {_ALL}
  const nodes = all(document.querySelector("[data-testid=stApp]"));
  const names = "button, button *, label, label *:not(output), legend, summary, th, h1, h2, h3, figcaption, .label, " +
    ".title, .stPageLink *";
  const html = nodes.filter((node) => node.matches(names) && node.clientWidth > 1 && !node.closest(".st-key-example")
    && !node.closest("[translate=no]") && !node.matches(".alternatives *")
    && node.textContent.trim() && !["visible", "auto", "scroll"].includes(getComputedStyle(node).overflowX)
    && node.scrollWidth > node.clientWidth + 1);
  const svg = nodes.filter((node) => {{
    if (node.localName !== "text" || !node.ownerSVGElement || !node.textContent.trim()) return false;
    if (!node.checkVisibility({{ checkOpacity: true }})) return false;
    const [text, picture] = [node, node.ownerSVGElement].map((one) => one.getBoundingClientRect());
    const isIn = text.width && text.right > picture.left && text.left < picture.right && text.bottom > picture.top;
    const [left, right] = [picture.left - text.left, text.right - picture.right];
    return isIn && Math.max(left, right, picture.top - text.top, text.bottom - picture.bottom) > 3;
  }});
  const isName = (text) => /[\\u3041-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3]/.test(text);
  const shortened = nodes.filter((node) => node.localName === "text" && isName(node.textContent)
    && /[^\\s\\d≤≥−]…|…[^\\s\\d]/.test(node.textContent) && !node.matches(".token, [translate=no] *"));
  return [...html, ...svg, ...shortened].map((node) => node.textContent.trim().slice(0, 60));
}}"""
_IN_PICTURES = f"""() => {{
  {_ALL}
  return all(document.querySelector("[data-testid=stApp]")).filter((node) => node.localName === "text")
    .map((node) => node.textContent.trim());
}}"""


def english_in(texts: set[str]) -> list[str]:
    """Return those of ``texts`` that have an English sentence."""
    runs = {text: [run[0] for run in FOUR_WORDS.finditer(QUOTED.sub("", text))] for text in texts - NOT_OURS}
    return [text for text, found in runs.items() if any(map(ENGLISH_ALONE.search, found))]


def label_faults(page: Page) -> dict[str, list[str]]:
    """Return what is wrong with the labels of the open page, by kind; it is left as narrow as a phone."""
    texts = {*page.evaluate(TEXTS, AS_IT_IS)}
    faults = {
        "english": english_in(texts),
        "english in a picture": [
            text for text in page.evaluate(_IN_PICTURES) if THREE_WORDS.search(PAPER.sub("", text))
        ],
        "blank": [text for text in texts if BLANK.search(text)],
    }
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        at_rest(page)
        faults[f"cut at {width}"] = page.evaluate(_CUT)
        if not page.get_by_test_id("stMain").evaluate("node => node.scrollWidth <= node.clientWidth"):
            faults[f"cut at {width}"].append("the page")
    return {kind: found for kind, found in faults.items() if found}
