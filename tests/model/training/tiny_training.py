"""What ``torchrun`` starts in a test: the training command, where the tiny corpus is known.

python tiny_training.py NAME SOURCE TARGET ARGUMENTS…
"""

import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from model.data.corpora import PARALLEL_CORPORA, CorpusFile, ParallelCorpus
from model.training.__main__ import main

name, *files = sys.argv[1:4]
known = [CorpusFile(Path(file).name, hashlib.sha256(Path(file).read_bytes()).hexdigest()) for file in files]
PARALLEL_CORPORA[name] = ParallelCorpus(name, "everyday", "Tiny", "https://example.org/tiny.zip", "CC0", *known)
sys.exit(main(sys.argv[4:]))
