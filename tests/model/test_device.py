"""Where to compute: one thread is one thread, in every library that the models compute with."""

import json
import os
import subprocess
import sys

import pytest

# In a process of its own, because the number of threads belongs to a process, and this one has but one.
_ASKED = """
import json
import numpy
from threadpoolctl import threadpool_info
{}
pools = [pool for pool in threadpool_info() if {{"numpy", "numpy.libs", "torch"}} & {{*pool["filepath"].split("/")}}]
print(json.dumps([pool["num_threads"] for pool in pools]))
"""
_TRANSLATED = """
from viz.shared.translation import translated
from viz.shared.translation import DecodingChoice
translated("The cat sleeps.", DecodingChoice())
"""


def _threads_after(code: str) -> list[int]:
    several = {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
    asked = [sys.executable, "-c", _ASKED.format(code)]
    result = subprocess.run(asked, capture_output=True, text=True, env={**os.environ, **several}, check=True)
    return json.loads(result.stdout)


# A process may have fewer cores than the machine.
_CORES = os.sched_getaffinity(0) if sys.platform == "linux" else range(os.cpu_count() or 1)


@pytest.mark.skipif(len(_CORES) == 1, reason="one core has one thread")
def test_without_asking_there_are_several_threads() -> None:
    assert set(_threads_after("import torch")) == {2}


# Where another thread imports a compiled module meanwhile, a look at the loader's own list never ends.
_NOT_THE_LOADER = """
from threadpoolctl import ThreadpoolController
found = ThreadpoolController._find_libraries_with_dl_iterate_phdr
ThreadpoolController._find_libraries_with_dl_iterate_phdr = lambda _: 1 / 0
from model.device import use_one_thread
use_one_thread()
ThreadpoolController._find_libraries_with_dl_iterate_phdr = found
"""


# Every run of a page is a thread of its own, and what a cache holds was made in another one.
_ELSEWHERE = """
from threading import Thread
from model.device import use_one_thread
elsewhere = Thread(target=use_one_thread)
elsewhere.start()
elsewhere.join()
import torch
torch.ones(100_000).exp()
"""


@pytest.mark.parametrize(
    "code",
    ["from model.device import use_one_thread; use_one_thread()", _ELSEWHERE, _TRANSLATED],
    ids=["asked", "asked in another thread", "translated"],
)
def test_one_thread_is_used(code: str) -> None:
    assert set(_threads_after(code)) == {1}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the loader is asked")
def test_the_loader_is_not_asked_for_its_list() -> None:
    assert set(_threads_after(_NOT_THE_LOADER)) == {1}
