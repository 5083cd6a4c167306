from __future__ import annotations

import subprocess
import sys

import pytest

import assay


def _place(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_public_names_are_declared_in_order_and_all_of_them_are_reachable():
    assert assay.__all__ == sorted(assay.__all__, key=_place)
    assert dir(assay) == sorted(assay.__all__)
    assert {*assay._HOME, "__version__"} == set(assay.__all__)
    assert all(getattr(assay, name) is not None for name in assay.__all__)


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'assay' has no attribute 'nothing'"):
        _ = assay.nothing


def _in_a_fresh_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("name", ["METRICS", "CONFIDENCE"])
def test_a_registry_is_full_when_it_is_the_first_thing_asked_for(name):
    assert int(_in_a_fresh_python(f"import assay; print(len(assay.{name}))")) > 10


def test_importing_the_package_and_asking_for_help_import_click_and_nothing_else():
    code = (
        "import sys\n"
        "known = {*sys.modules, *sys.stdlib_module_names, 'assay', 'click'}\n"
        "import assay\n"
        "from assay.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - known))"
    )
    assert _in_a_fresh_python(code).endswith("[]")


def test_an_evaluation_imports_no_page_no_frames_and_no_other_family(tmp_path):
    code = (
        "import sys\n"
        "from assay.cli import main\n"
        "from assay.demo import DEMO_PATH\n"
        "words = ['selective', '--input', str(DEMO_PATH), '--mode', 'few_shot']\n"
        "words += ['--confidence', 'llm', '--bootstrap-resamples', '5', '--output']\n"
        f"words += [{str(tmp_path / 'a.json')!r}]\n"
        "try: main(words)\n"
        "except SystemExit as ended: assert not ended.code\n"
        "heavy = ['altair', 'jinja2', 'vl_convert', 'narwhals', 'sklearn']\n"
        "heavy += ['assay.report.page', 'assay.families.coverage']\n"
        "heavy += ['assay.families.reasoning', 'assay.families.verdicts']\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    assert _in_a_fresh_python(code).endswith("[]")
