"""Write the keys of the labs for teachers, as Markdown: answers, common mistakes, and minutes a step.

    python -m viz.pages.start.course key by-hand --language ja > by-hand.md
    python -m viz.pages.start.course key

Without a lab, it is all of them. Students have no page that shows a key.
"""

import argparse
import sys

from viz.base.languages import ENGLISH, LANGUAGES, in_language
from viz.pages.start.course.key import key_of
from viz.pages.start.course.lab import labs


def main() -> None:
    """Read the command line, and write the keys."""
    by_id = {lab.id: lab for lab in labs()}
    parser = argparse.ArgumentParser(prog="python -m viz.pages.start.course", description="Write keys of the labs.")
    parser.add_argument("what", choices=["key"], help="what is written")
    parser.add_argument("lab", nargs="?", choices=[*by_id], help="one lab; all without it")
    parser.add_argument("--language", choices=[*LANGUAGES], default=ENGLISH, help="of the key")
    arguments = parser.parse_args()
    with in_language(arguments.language):
        for lab in [by_id[arguments.lab]] if arguments.lab else labs():
            sys.stdout.write(key_of(lab))


if __name__ == "__main__":
    main()
