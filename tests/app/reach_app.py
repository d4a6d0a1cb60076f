"""The section Reach in alone, on the zoo that the environment names; run by Streamlit."""

import os
from pathlib import Path

from pretrained.zoo_store import zoo_results
from viz.pages.zoo_reach import show_reach

show_reach(zoo_results(Path(os.environ["TINY_ZOO"])), "copy_repeat")
